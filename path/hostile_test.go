package path_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
)

// inBounds runs f and fails when it takes more than 20 seconds of processor time, or
// allocates more than 8 times the input and 64 MB.
func inBounds(t *testing.T, name string, input int, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	kit.Within(t, name, 20*time.Second, f)
	runtime.ReadMemStats(&after)
	limit, got := uint64(8*input+64<<20), after.TotalAlloc-before.TotalAlloc
	if got > limit {
		t.Errorf("%s: %d bytes, at most %d wanted", name, got, limit)
	}
}

func TestDepthOfAMillion(t *testing.T) {
	const depth = 1_000_000
	text := strings.Repeat("[0].a", depth/2)
	var p path.Path
	inBounds(t, "Parse", len(text), func() {
		var err error
		if p, err = path.Parse(text); err != nil || p.Len() != depth {
			t.Fatal(p.Len(), err)
		}
	})
	inBounds(t, "String", len(text), func() {
		if p.String() != text {
			t.Error("another text")
		}
	})
	inBounds(t, "Pulumi", len(text), func() {
		written, err := p.Pulumi()
		if q, err2 := path.ParsePulumi(written); err != nil || err2 != nil || q != p {
			t.Error(err, err2)
		}
	})
	inBounds(t, "going up", len(text), func() {
		n := 0
		for q, ok := p.Parent(); ok; q, ok = q.Parent() {
			n++
		}
		if n != depth {
			t.Error(n)
		}
	})
	inBounds(t, "comparing", len(text), func() {
		if q := p.Member("x"); q.Compare(p) != 1 || !q.HasPrefix(p) || p.Prefix(depth-1).Compare(p) != -1 {
			t.Error("order")
		}
	})
	inBounds(t, "a Set", len(text), func() {
		set := path.NewSet(p.Pattern(), p.Prefix(depth/2).Pattern().Append(path.Any()))
		if !set.Covers(p) || !set.At(p).MayMatchBelow() {
			t.Error("not covered")
		}
		st := set.Matcher()
		for s := range p.Steps() {
			st = st.Next(s)
		}
		if !st.Matches() {
			t.Error("the walk does not end")
		}
	})
}

func TestHugeKeysAndIndexes(t *testing.T) {
	for _, n := range []int{1 << 16, 1 << 20, 1<<22 + 1} {
		for _, unit := range []string{"k", `"`, "\x00", "é"} {
			key := strings.Repeat(unit, n/len(unit))
			inBounds(t, fmt.Sprintf("key of %d bytes", n), 4*n, func() {
				p := path.Path{}.Member(key).Elem(1)
				q, err := path.Parse(p.String())
				written, err2 := p.Pulumi()
				r, err3 := path.ParsePulumi(written)
				if err != nil || err2 != nil || err3 != nil || q != p || r != p {
					t.Errorf("%d of %q: %v, %v, %v", n, unit, err, err2, err3)
				}
			})
		}
	}
	for i, parse := range []func(string) error{
		func(s string) error { _, err := path.Parse(s); return err },
		func(s string) error { _, err := path.ParsePulumi(s); return err },
	} {
		if err := parse("a[50000000]"); err != nil {
			t.Errorf("row %d: %v", i, err)
		}
		if err := parse("a[4611686018427387904]"); !errors.Is(err, path.ErrIndex) {
			t.Errorf("row %d: %v", i, err)
		}
		digits := "a[" + strings.Repeat("9", 1<<24)
		inBounds(t, "digits", 0, func() {
			if err := parse(digits + "]"); !errors.Is(err, path.ErrIndex) || len(err.Error()) > 500 {
				t.Errorf("row %d: %v", i, err)
			}
		})
		opened := strings.Repeat(`["a"]`, 1<<20) + `["`
		inBounds(t, "open quote", 0, func() {
			if err := parse(opened); !errors.Is(err, path.ErrSyntax) || len(err.Error()) > 500 {
				t.Errorf("row %d: %v", i, err)
			}
		})
	}
}
