package laws_test

import (
	"flag"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/test/hostile"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// TestTotalOnZeroValues calls everything with the zero value of everything.
func TestTotalOnZeroValues(t *testing.T) {
	p := probe.New(func(int) int { return 0 })
	p.Zero = true
	p.Panicked = func(name string, reason any) { t.Errorf("%s: panic: %v", name, reason) }
	failed := map[string]bool{}
	p.Failed = func(name string, _ error) { failed[name] = true }

	for _, i := range probe.Functions("") {
		p.Call(i)

		name, signature := probe.Signature(i)
		for j := range signature.NumIn() {
			if in := signature.In(j); (in == reflect.TypeFor[io.Reader]() || in == reflect.TypeFor[io.ReaderAt]()) && !failed[name] && name != "codec/state.NewReader" && name != "codec/steps.NewReader" { // whose iterators fail
				t.Errorf("%s of a nil reader is no error", name)
			}
		}
	}
}

// scale is a scene of a size that generators do not reach.
type scale struct {
	name  string
	v, w  value.Value
	p, q  path.Path
	text  string
	index int
	bytes int  // of the values, roughly
	core  bool // not for codecs, which refuse such depth at once
}

func scales() []scale {
	const (
		width = 200_000
		long  = 1 << 20
	)

	const depth = value.MaxDepth - 8 // and room for what probes put around it

	p := deepPath(depth)
	wide := func(last value.Value) value.Value {
		elems := make([]value.Value, width)
		for i := range elems {
			elems[i] = value.Number(float64(i))
		}

		elems[width-1] = last

		return value.Array(elems...)
	}
	key := strings.Repeat("k", long)
	keyed := func(v value.Value) value.Value { return value.Object(value.Member{Key: key, Value: v}) }

	return []scale{
		{"deep", hostile.Deep(depth, value.Null()), hostile.Deep(depth, value.Secret(value.Unknown())), p, p.Prefix(depth / 2), strings.Repeat("[", depth/2) + strings.Repeat("]", depth/2), math.MaxInt/2 + 1, 40 * depth, true},
		{"deep and secret", value.Secret(hostile.Deep(depth/4, value.Null())), hostile.Deep(depth/4-1, value.Bool(true)), deepPath(depth / 4), p.Prefix(9), strings.Repeat(`{"a":`, depth), -1, 10 * depth, false},
		{"wide", wide(value.Null()), wide(value.Secret(value.Null())), path.Of(path.Index(width - 1)), path.Of(path.Index(width)), strings.Repeat("[*]", width), path.MaxIndex, 24 * width, false},
		{"long key", keyed(value.Null()), keyed(value.String(key)), path.Of(path.Key(key)), path.Of(path.Key(key), path.Index(50_000_000)), `{"` + key + `":1e999999999}`, 50_000_000, long, false},
		{"long text", value.String(strings.Repeat(key, 4)), value.Secret(value.String(strings.Repeat(key, 4) + "x")), path.Path{}, path.Path{}.Member(key), strings.Repeat("1", 4*long), 0, 8 * long, false},
	}
}

// deepPath returns the path to the leaf of [fuzz.Deep].
func deepPath(depth int) path.Path {
	steps := make([]path.Step, 0, depth)

	for i := depth - 1; i >= 0; i-- {
		if i%2 == 0 {
			steps = append(steps, path.Index(0))
		} else {
			steps = append(steps, path.Key("k"))
		}
	}

	return path.Of(steps...)
}

var long = flag.Bool("long", false, "call everything with the largest values")

// TestTotalAtScale calls everything with the largest depth, width 2*10^5, keys of 1 MiB,
// texts of 4 MiB and indexes of 2^62: no panic, no hang, no outsized allocation.
// A probe makes up to a few dozen calls.
func TestTotalAtScale(t *testing.T) {
	if race.Enabled || !*long {
		t.Skip("takes half a minute: run it by -long; sizes are those of Law09Total else")
	}

	const (
		mostTime  = 20 * time.Second
		mostTimes = 128
		mostMore  = 64 << 20
		mostStack = 64 << 20
	)

	// What recurses without bound ends here, not only at the gigabyte that Go allows.
	defer debug.SetMaxStack(debug.SetMaxStack(mostStack))

	for _, sc := range scales() {
		t.Run(sc.name, func(t *testing.T) {
			scene := probe.Scene{Old: sc.v, New: sc.w, Paths: []path.Path{sc.p, sc.q}, Set: path.NewSet(sc.p.Pattern(), sc.q.Pattern()), Texts: []string{sc.text}, Index: sc.index}

			for _, i := range probe.Functions("") {
				p := scene.Prober(uint64(i)) //nolint:gosec // small
				p.Silent = true
				p.Panicked = func(name string, reason any) { t.Errorf("%s: panic: %.200s", name, fmt.Sprint(reason)) }

				name, run := p.Prepare(i)
				if sc.core && strings.HasPrefix(name, "codec") {
					continue
				}

				var before, after runtime.MemStats

				runtime.ReadMemStats(&before)

				kit.Within(t, name, mostTime, run)

				runtime.ReadMemStats(&after)

				allocated := after.TotalAlloc - before.TotalAlloc
				if limit := uint64(mostTimes*(sc.bytes+len(sc.text)) + mostMore); allocated > limit { //nolint:gosec // positive
					t.Errorf("%s allocated %d MiB, of %d in all", name, allocated>>20, limit>>20)
				}

				if testing.Verbose() && allocated > 512<<20 {
					t.Logf("%s allocated %d MiB", name, allocated>>20)
				}
			}
		})
	}
}

// TestNilPointers calls every method of the nil pointers that can be used: all errors, and
// those whose documentation says what nil means. The methods of all other pointers panic if
// these are nil, as in all of Go.
func TestNilPointers(t *testing.T) {
	usable := []reflect.Type{
		reflect.TypeFor[state.File](), reflect.TypeFor[state.Reader](), reflect.TypeFor[state.Comparison](), reflect.TypeFor[path.Set](),
		reflect.TypeFor[equality.Rules](), reflect.TypeFor[schema.Type](),
	}

	for _, kind := range append(usable, errorTypes()...) {
		v := reflect.Zero(reflect.PointerTo(kind))
		for i := range v.NumMethod() {
			callNil(t, v.Method(i), v.Type().String()+"."+v.Type().Method(i).Name)
		}

		if err, ok := v.Interface().(error); ok && err.Error() != "<nil>" {
			t.Errorf("%s: a nil error says %q", kind, err)
		}
	}
}

// callNil calls a method with zeros; what it iterates over is iterated over.
func callNil(t *testing.T, method reflect.Value, name string) {
	t.Helper()

	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s of nil: panic: %v", name, r)
		}
	}()

	in := make([]reflect.Value, method.Type().NumIn())
	for i := range in {
		in[i] = reflect.Zero(method.Type().In(i))
	}

	if method.Type().IsVariadic() {
		in = in[:len(in)-1]
	}

	if len(in) > 0 && strings.HasSuffix(name, ".Format") {
		return // fmt gives it a State
	}

	for _, result := range method.Call(in) {
		if result.Kind() == reflect.Func && result.Type().CanSeq2() && !result.IsNil() {
			for range result.Seq2() {
				break
			}
		}
	}
}
