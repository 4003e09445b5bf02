package bind_test

import (
	"errors"
	"testing"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type chained struct {
	Count int64    `pulumi:"count,optional"`
	Next  *chained `pulumi:"next,optional"`
}

// TestListsAreBounded: in deep data, what is listed takes memory for the deepest path once
// for each problem, up to a limit; past it, top-level properties are named.
func TestListsAreBounded(t *testing.T) {
	const levels = 9000
	chain := func(leaf value.Value) value.Value {
		v := value.Null()
		for range levels {
			v = value.Object(value.Field("count", leaf), value.Field("next", v))
		}
		return v
	}
	const most = 8 * path.MaxListed
	wrong, unknown := chain(value.String("many")), chain(value.Unknown())
	var got chained
	var err error
	if n := kit.Allocated(func() { _, err = bind.Decode(wrong, &got, bind.Options{}) }); n > most {
		t.Errorf("the errors take %d MB", n>>20)
	}
	var all *bind.Error
	if !errors.As(err, &all) || len(all.Problems) < 1000 || len(all.Problems) >= levels {
		t.Fatalf("%d problems", len(all.Problems))
	}
	if last := all.Problems[len(all.Problems)-1].At.String(); last != "next" {
		t.Errorf("the last problem is at %.40s", last)
	}
	var info *bind.Info
	if n := kit.Allocated(func() { info, err = bind.Decode(unknown, &got, bind.Options{AllowUnknown: true}) }); n > most || err != nil {
		t.Errorf("the unknowns take %d MB, %v", n>>20, err)
	}
	if n := len(info.Unknowns); n < 1000 || n >= levels || info.Unknowns[n-1].String() != "next" {
		t.Errorf("%d unknowns, the last at %.40v", n, info.Unknowns[n-1])
	}
}

// TestFailuresAtDepth: what is not listed costs no walk to its place.
func TestFailuresAtDepth(t *testing.T) {
	kit.Grows(t, "failures of Encode", 2_400, func(n int) func() {
		read := value.Null()
		for range n {
			read = value.Object(value.Field("count", value.Secret(value.Number(1))), value.Field("next", read))
		}
		var data chained
		info, err := bind.Decode(read, &data, bind.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for x := &data; x != nil; x = x.Next {
			x.Count = 1<<60 + 1
		}
		return func() {
			var e *bind.Error
			if _, err := info.Encode(data); !errors.As(err, &e) || len(e.Problems) < 100 {
				t.Error(err)
			}
			if _, err := bind.Encode(data, bind.Options{}); !errors.As(err, &e) || len(e.Problems) < 100 {
				t.Error(err)
			}
		}
	})
}
