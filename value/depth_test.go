package value_test

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// shapes are ways to be as deep as a value can be.
func shapes() []shape {
	return []shape{{"arrays", value.MaxDepth, inArray}, {"objects", value.MaxDepth, inObject}, {"marked", value.MaxDepth / 2, inMarked}}
}

type shape struct {
	name      string
	depth     int
	container func(value.Value) value.Value
}

// wrap returns v below so many containers.
func wrap(v value.Value, depth int, container func(value.Value) value.Value) value.Value {
	for range depth {
		v = container(v)
	}
	return v
}

func inArray(v value.Value) value.Value { return value.Array(v) }

func inObject(v value.Value) value.Value { return object(member("k", v)) }

func inMarked(v value.Value) value.Value {
	return value.Secret(value.Array(num(1), object(member("k", v), member("l", value.Null())))).WithDependencies(urnA)
}

// within fails a test whose work grows faster than its input.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	kit.Within(t, what, 20*time.Second, f)
}

func deepPath(v value.Value) path.Path {
	var steps []path.Step
	for v.Len() > 0 {
		if v.Kind() == value.KindArray {
			steps = append(steps, path.Index(v.Len()-1))
			v = v.Elem(v.Len() - 1)
		} else {
			steps = append(steps, path.Key("k"))
			v = v.Field("k")
		}
	}
	return path.Of(steps...)
}

func TestDeepComparisons(t *testing.T) {
	for _, s := range shapes() {
		name, n, container := s.name, s.depth, s.container
		v, w, other := wrap(str("x"), n, container), wrap(str("x"), n, container), wrap(str("y"), n, container)
		marked := wrap(str("x").WithDependencies(urnB), n, container)
		open := wrap(value.Unknown(), n, container)
		seed := maphash.MakeSeed()
		within(t, name+": Equal", func() {
			if !v.Equal(w) || v.Equal(other) || v.Equal(marked) || !v.Identical(w) || v.Identical(marked) {
				t.Error("wrong")
			}
		})
		within(t, name+": Compare", func() {
			if value.Strict.Compare(v, w) != 0 || value.Strict.Compare(v, other) != -1 || value.Strict.Compare(other, v) != +1 || value.Strict.Compare(v, marked) != -1 {
				t.Error("wrong")
			}
		})
		within(t, name+": Compatible", func() {
			if value.Strict.Compatible(v, w) != value.Same || value.Strict.Compatible(v, other) != value.Changed || value.Strict.Compatible(v, open) != value.Maybe {
				t.Error("wrong")
			}
		})
		within(t, name+": Hash", func() {
			if h := value.Strict.Hash(seed, v); h != value.Strict.Hash(seed, w) || h == value.Strict.Hash(seed, other) {
				t.Error("wrong")
			}
		})
		within(t, name+": Digest", func() {
			if v.Digest() == other.Digest() {
				t.Error("wrong")
			}
		})
		within(t, name+": under other relations", func() {
			for _, r := range []value.Relation{value.Engine, value.IgnoreDependencies} {
				if !r.Equal(v, w) || r.Equal(v, other) || r.Equal(v, marked) != (r&value.IgnoreDependencies != 0) {
					t.Errorf("%v: wrong", r)
				}
			}
		})
	}
}

func TestDeepOperations(t *testing.T) {
	for _, s := range shapes() {
		name, v := s.name, wrap(str("x"), s.depth, s.container)
		p := deepPath(v)
		within(t, name+": At, With, Put, Without", func() {
			x, ok := v.At(p)
			same, err := v.With(p, x)
			if !ok || err != nil || !same.Identical(v) {
				t.Error("With(p, At(p)) is not the same", ok, err)
			}
			less, err := v.Without(p)
			if err != nil || less.Has(p) || less.Equal(v) {
				t.Error("Without", err)
			}
			if more, err := less.Put(p, x); err != nil || !more.Identical(v) {
				t.Error("Put", err)
			}
			if made, err := value.Null().Put(p, x); !made.Has(p) && err == nil {
				t.Error("Put from nothing")
			}
			if deep := p.Member("deeper"); v.Has(deep) {
				t.Error("Has")
			} else if _, err := v.With(deep, x); err == nil {
				t.Error("With below a string")
			}
		})
		within(t, name+": Compact", func() {
			if !v.Compact().Identical(v) {
				t.Error("wrong")
			}
		})
		within(t, name+": Walk, SecretPaths, DependenciesAt", func() {
			steps, depth := 0, 0
			for c := range v.Walk() {
				steps++
				depth = max(depth, c.Depth())
			}
			if depth != p.Len() || steps <= depth {
				t.Errorf("%d steps, depth %d", steps, depth)
			}
			for range v.SecretPaths() {
				steps--
			}
			for range v.DependenciesAt(p) {
				steps--
			}
		})
		within(t, name+": MarkSecret", func() {
			marked := v.MarkSecret(path.NewSet(p.Pattern(), p.Prefix(3).Pattern()))
			x, _ := marked.At(p)
			if !x.OwnSecret() || !marked.ContainsSecret() || marked.Depth() != v.Depth() {
				t.Error("wrong")
			}
		})
	}
}

// What has an error returns it past the limit, what has none panics, and just below the
// limit both work.
func TestMaxDepth(t *testing.T) {
	most, below := wrap(num(1), value.MaxDepth, inArray), wrap(num(1), value.MaxDepth-1, inObject)

	for what, f := range map[string]func(x value.Value) (value.Value, error){
		"With":      func(x value.Value) (value.Value, error) { return value.Array().With(path.MustParse("[0]"), x) },
		"Put":       func(x value.Value) (value.Value, error) { return value.Null().Put(path.MustParse("a"), x) },
		"FromGo":    func(x value.Value) (value.Value, error) { return value.FromGo(map[string]any{"a": x}) },
		"Transform": func(x value.Value) (value.Value, error) { return replaceLeaf(value.Array(num(1)), x) },
		"WithField": func(x value.Value) (value.Value, error) {
			if v, ok := object().WithField("a", x); ok {
				return v, nil
			}
			return value.Value{}, value.ErrDepth
		},
		"Array": func(x value.Value) (value.Value, error) {
			return caught(func() value.Value { return value.Array(num(1), x) })
		},
		"Object": func(x value.Value) (value.Value, error) {
			return caught(func() value.Value { return object(member("a", x)) })
		},
		"ObjectFromMap": func(x value.Value) (value.Value, error) {
			return caught(func() value.Value { return value.ObjectFromMap(map[string]value.Value{"a": x}) })
		},
		"Builder": func(x value.Value) (value.Value, error) {
			var b value.Builder
			b.Push(x)
			return caught(func() value.Value { return b.Array(1) })
		},
	} {
		if v, err := f(below); err != nil || v.Depth() != value.MaxDepth {
			t.Errorf("%s: %d levels, %v", what, v.Depth(), err)
		}
		if v, err := f(most); !errors.Is(err, value.ErrDepth) || v.Depth() > value.MaxDepth {
			t.Errorf("%s past the limit: %d levels, %v", what, v.Depth(), err)
		}
	}

	_, err := value.Array(num(1)).With(path.MustParse("[0]"), most)
	if got, want := fmt.Sprint(err), "value: with: [0]: nested too deeply"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	within(t, "a transform that never ends by itself", func() {
		_, err := value.Transformer{Before: func(c *value.Cursor) (value.Value, error) { return value.Array(c.Value()), nil }}.Apply(num(1))
		if !errors.Is(err, value.ErrDepth) {
			t.Error(err)
		}
	})
}

func replaceLeaf(v, x value.Value) (value.Value, error) {
	return v.Transform(func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() == value.KindNumber {
			return x, nil
		}
		return c.Value(), nil
	})
}

// caught returns the panic of a constructor as an error.
func caught(f func() value.Value) (v value.Value, err error) {
	defer func() {
		if text := recover(); text != nil {
			err = fmt.Errorf("%w: %v", value.ErrDepth, text)
		}
	}()
	return f(), nil
}

func TestDeepTransforms(t *testing.T) {
	for _, s := range shapes() {
		v := wrap(str("x"), s.depth, s.container)
		within(t, s.name, func() {
			same, err := value.Transformer{Before: keep, After: keep}.Apply(v)
			if err != nil || !value.Internal.SharesMemory(same, v) {
				t.Error("identity:", err)
			}
			copied, err := v.Update(path.NewSet(deepPath(v).Pattern()), func(*value.Cursor) (value.Value, error) { return str("x"), nil })
			if err != nil || !copied.Identical(v) {
				t.Error("update:", err)
			}
			if plain := v.Reveal(); plain.ContainsSecret() || plain.Depth() != v.Depth() {
				t.Error("Reveal")
			}
			got, err := value.Lift(func(args ...value.Value) (value.Value, error) { return args[0], nil }, v)
			if err != nil || got.Depth() != v.Depth() {
				t.Error("Lift:", err)
			}
			if got := v.Reveal().WithSecretsOf(v); got.ContainsSecret() != v.ContainsSecret() {
				t.Error("MarksFrom")
			}
		})
	}
}

func TestDeepArchives(t *testing.T) {
	nest := func(inner value.Value) value.Value {
		v := inner
		for range value.MaxDepth {
			a, err := value.LiteralArchive(value.Member{Key: "e", Value: v})
			if err != nil {
				t.Fatal(err)
			}
			v = a
		}
		return v
	}
	tooDeep, err := value.LiteralArchive(member("e", nest(value.FileAsset("f"))))
	if !errors.Is(err, value.ErrDepth) {
		t.Errorf("%v: %v", tooDeep, err)
	}
	v, w, other := nest(value.FileAsset("f")), nest(value.FileAsset("f")), nest(value.FileAsset("g"))
	within(t, "archives", func() {
		if !v.Equal(w) || v.Equal(other) || value.Strict.Compare(v, w) != 0 || value.Strict.Compare(v, other) != -1 || v.Digest() != w.Digest() ||
			value.Strict.Compatible(v, other) != value.Changed || !v.Compact().Identical(w) {
			t.Error("wrong")
		}
	})
}

// spine is a container in a container …, of which every one has siblings before
// and after the deep child; the differences stand at one level each.
type spine struct {
	objects     bool
	depth       int
	pre, post   map[int]float64 // by level
	postMissing map[int]bool
	bottom      float64
}

func (s spine) value() value.Value {
	v := num(s.bottom)
	for level := s.depth - 1; level >= 0; level-- {
		pre, post := num(s.pre[level]), num(s.post[level])
		switch {
		case s.objects && s.postMissing[level]:
			v = object(member("a", pre), member("m", v))
		case s.objects:
			v = object(member("a", pre), member("m", v), member("z", post))
		case s.postMissing[level]:
			v = value.Array(pre, v)
		default:
			v = value.Array(pre, v, post)
		}
	}
	return v
}

// compareSpines is the order that Compare promises, for spines of one shape.
func compareSpines(s, t spine) int {
	var after []int // decisions behind the deep child, the innermost counts
	for level := range s.depth {
		if c := cmp.Compare(s.pre[level], t.pre[level]); c != 0 {
			return cmp.Or(c, 0)
		}
		switch {
		case s.postMissing[level] && t.postMissing[level]:
			after = append(after, 0)
		case s.postMissing[level]:
			after = append(after, -1)
		case t.postMissing[level]:
			after = append(after, +1)
		default:
			after = append(after, cmp.Compare(s.post[level], t.post[level]))
		}
	}
	if c := cmp.Compare(s.bottom, t.bottom); c != 0 {
		return c
	}
	for level := len(after) - 1; level >= 0; level-- {
		if after[level] != 0 {
			return after[level]
		}
	}
	return 0
}

// The order of deep values is that of the definition.
func TestCompareDeep(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	signs := map[int]int{}
	for round := range 400 {
		depth := 1 + round%300
		objects := round%2 == 0
		pair := [2]spine{}
		for i := range pair {
			s := spine{objects, depth, map[int]float64{}, map[int]float64{}, map[int]bool{}, 0}
			if rnd.IntN(3) == 0 {
				s.bottom = float64(rnd.IntN(3))
			}
			for range rnd.IntN(3) {
				s.post[rnd.IntN(depth)] = float64(rnd.IntN(3) - 1)
				s.postMissing[rnd.IntN(depth)] = true
			}
			if rnd.IntN(3) == 0 {
				s.pre[rnd.IntN(depth)] = float64(rnd.IntN(3) - 1)
			}
			pair[i] = s
			if round%5 == 0 {
				pair[i] = pair[0]
			}
		}
		v, w, want := pair[0].value(), pair[1].value(), compareSpines(pair[0], pair[1])
		signs[want]++
		if got := value.Strict.Compare(v, w); got != want {
			t.Errorf("round %d: Compare = %d, want %d\n%+v\n%+v", round, got, want, pair[0], pair[1])
		}
		if got := v.Equal(w); got != (want == 0) {
			t.Errorf("round %d: Equal = %v, Compare should be %d", round, got, want)
		}
		if got := value.Strict.Compatible(v, w) == value.Same; got != (want == 0) {
			t.Errorf("round %d: Compatible is same: %v, Compare should be %d", round, got, want)
		}
	}
	if signs[-1] < 50 || signs[0] < 50 || signs[1] < 50 {
		t.Errorf("one-sided test: %v", signs)
	}
}

// Deep in a secret, equality is what it is one level below.
func TestDeepBelowASecret(t *testing.T) {
	leaves := []value.Value{
		object(member("y", num(1))), object(member("x", value.Null()), member("y", num(1))),
		object(member("x", value.Secret(value.Null())), member("y", num(1))),
		object(member("x", num(1)), member("y", num(1))), object(member("x", value.Secret(num(1))), member("y", num(1))),
	}
	for _, depth := range []int{1, 2, 50, 1000} {
		for _, x := range leaves {
			for _, y := range leaves {
				v, w := value.Secret(wrap(x, depth, inArray)), value.Secret(wrap(y, depth, inArray))
				for _, r := range relations() {
					want := oracle{rel: r}.same(value.Secret(value.Array(x)), value.Secret(value.Array(y)))
					if got := r.Equal(v, w); got != want || (r.Compare(v, w) == 0) != want || (r.Compatible(v, w) == value.Same) != want {
						t.Errorf("%v, depth %d: Equal %v, Compare %d, Compatible %v, want equal: %v", r, depth, got, r.Compare(v, w), r.Compatible(v, w), want)
					}
				}
			}
		}
	}
}

func TestLongKeysAndLargeIndexes(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	v := object(member(long, value.Array(num(1))))
	p := path.Of(path.Key(long), path.Index(0))
	if x, ok := v.At(p); !ok || !x.Equal(num(1)) || !v.Field(long).Elem(0).Equal(num(1)) {
		t.Error("long key not found")
	}
	for _, i := range []int{-1, 1, math.MaxInt, math.MinInt, math.MaxInt/2 + 1} { // the last is 2^62
		if got := v.Field(long).Elem(i); !got.IsNull() {
			t.Errorf("Elem(%d) is there", i)
		}
		if _, err := v.With(path.Of(path.Key(long), path.Index(i)), num(2)); (err == nil) != (i == 1) {
			t.Errorf("With index %d: %v", i, err)
		}
	}
	_, err := v.Put(path.Of(path.Key("missing"), path.Index(1<<31-1)), num(2))
	if got, want := fmt.Sprint(err), "value: put: missing[2147483647]: index out of range: expected at most 0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
