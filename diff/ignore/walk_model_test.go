package ignore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// slowIgnore applies one pattern by the letter of docs/notes/ignorechanges.md: one step at
// a time, with one edit of the whole value for each place.
type slowIgnore struct {
	now     value.Value
	mode    ignore.Mode
	matched int
	wrong   []string
}

func (s *slowIgnore) engine() bool { return s.mode == ignore.AsEngine }

// is reports whether one side of a place is a container of a kind.
func (s *slowIgnore) is(v value.Value, k value.Kind) bool {
	return v.Kind() == k && (!s.engine() || !v.HasDependencies())
}

func hides(v value.Value) bool { return v.IsUnknown() || v.Kind() == value.KindSealed }

// mismatch records a mismatch, and reports whether it ends the pattern.
func (s *slowIgnore) mismatch(at path.Path, why string) bool {
	s.wrong = append(s.wrong, fmt.Sprintf("%v %v", at, why))
	return s.engine()
}

// why returns the reason when the two have no common kind.
func (s *slowIgnore) why(o, n value.Value) string {
	switch {
	case hides(o) || hides(n):
		return "unknown"
	case o.IsNull() || n.IsNull():
		return "missing"
	}
	return "kind"
}

func (s *slowIgnore) copy(p path.Path, v value.Value) {
	s.now, _ = s.now.With(p, v)
	s.matched++
}

func (s *slowIgnore) drop(p path.Path) {
	s.now, _ = s.now.Without(p)
	s.matched++
}

// step goes on from the place at, where old has o, or null if it has nothing. It reports
// whether the pattern has ended.
func (s *slowIgnore) step(o value.Value, at path.Path, steps []path.Step) bool {
	n, _ := s.now.At(at)
	if !s.engine() {
		switch {
		case hides(o) && (value.IgnoreSecrets|value.IgnoreDependencies).Equal(o, n) &&
			slices.Equal(slices.Collect(o.Dependencies()), slices.Collect(n.Dependencies())) && (n.IsSecret() || !o.IsSecret()):
			return false
		case hides(o) || hides(n):
			return s.mismatch(at, "unknown")
		case o.IsNull() && n.Kind() == value.KindObject:
			o = value.Object()
		case o.IsNull() && n.Kind() == value.KindArray:
			return s.nothingFor(n, at, steps)
		}
	}
	last := len(steps) == 1
	step, exact := steps[0], !steps[0].IsWildcard()
	name, isKey := step.AsKey()
	switch {
	case exact && isKey:
		return s.key(o, n, at, name, steps[1:])
	case exact && last:
		i, _ := step.AsIndex()
		return s.index(o, n, at, i, nil)
	case exact:
		i, _ := step.AsIndex()
		return s.index(o, n, at, i, steps[1:])
	case last:
		return s.lastAny(o, n, at)
	}
	return s.innerAny(o, n, at, steps[1:])
}

// nothingFor is for an array in new where old has nothing, which counts as an empty array.
func (s *slowIgnore) nothingFor(n value.Value, at path.Path, steps []path.Step) bool {
	step, exact := steps[0], !steps[0].IsWildcard()
	i, indexed := step.AsIndex()
	switch {
	case exact && indexed && (i < n.Len() || len(steps) > 1):
		return s.mismatch(at.Elem(i), "length")
	case exact && !indexed && len(steps) > 1:
		return false // neither is an object
	case !exact && n.Len() > 0:
		return s.mismatch(at, "missing")
	}
	return false
}

func (s *slowIgnore) key(o, n value.Value, at path.Path, name string, rest []path.Step) bool {
	oObject, nObject := s.is(o, value.KindObject), s.is(n, value.KindObject)
	child := value.Null()
	inOld := false
	if oObject {
		child, inOld = o.Lookup(name)
	}
	inNow := nObject && n.Has(path.Of(path.Key(name)))
	if len(rest) == 0 {
		switch {
		case inOld && !nObject:
			return s.mismatch(at, s.why(o, n))
		case inOld:
			s.copy(at.Member(name), child)
		case inNow:
			s.drop(at.Member(name))
		}
		return false
	}
	switch {
	case !oObject && !nObject:
		return false
	case oObject != nObject:
		return s.mismatch(at, s.why(o, n))
	case inNow:
		return s.step(child, at.Member(name), rest)
	case inOld:
		return s.mismatch(at.Member(name), "missing")
	}
	return false
}

func (s *slowIgnore) index(o, n value.Value, at path.Path, i int, rest []path.Step) bool {
	oArray, nArray := s.is(o, value.KindArray), s.is(n, value.KindArray)
	inOld, inNow := i < o.Len(), i < n.Len()
	switch {
	case !oArray && !nArray:
		return false
	case oArray != nArray:
		return s.mismatch(at, s.why(o, n))
	case inOld && inNow && len(rest) > 0:
		return s.step(o.Elem(i), at.Elem(i), rest)
	case inOld && inNow:
		s.copy(at.Elem(i), o.Elem(i))
	case inOld || inNow || len(rest) > 0:
		return s.mismatch(at.Elem(i), "length")
	}
	return false
}

func (s *slowIgnore) lastAny(o, n value.Value, at path.Path) bool {
	switch {
	case s.is(o, value.KindObject) && s.is(n, value.KindObject):
		if !s.engine() && o.IsSecret() && o.Len() > 0 && !n.IsSecret() {
			s.now, _ = s.now.With(at, value.Secret(n))
		}
		for k, v := range o.Members() {
			s.copy(at.Member(k), v)
		}
		for k := range n.Keys() {
			if !o.Has(path.Of(path.Key(k))) {
				s.drop(at.Member(k))
			}
		}
		return false
	case s.is(o, value.KindArray) && s.is(n, value.KindArray):
		for i := range min(o.Len(), n.Len()) {
			s.copy(at.Elem(i), o.Elem(i))
		}
		return o.Len() != n.Len() && s.mismatch(at, "length")
	case s.engine() && (s.is(n, value.KindObject) || s.is(n, value.KindArray)):
		return false
	case !s.engine() && !o.Kind().IsContainer() && !n.Kind().IsContainer():
		return false
	}
	return s.mismatch(at, s.why(o, n))
}

func (s *slowIgnore) innerAny(o, n value.Value, at path.Path, rest []path.Step) bool {
	switch {
	case s.is(o, value.KindObject) && s.is(n, value.KindObject):
		keys := slices.Collect(o.Keys())
		if !s.engine() {
			keys = slices.Concat(keys, slices.Collect(n.Keys()))
			slices.Sort(keys)
		}
		for _, k := range slices.Compact(keys) {
			if !n.Has(path.Of(path.Key(k))) {
				if s.mismatch(at.Member(k), "missing") {
					return true
				}
			} else if s.step(o.Field(k), at.Member(k), rest) {
				return true
			}
		}
		return false
	case s.is(o, value.KindArray) && s.is(n, value.KindArray):
		for i := range min(o.Len(), n.Len()) {
			if s.step(o.Elem(i), at.Elem(i), rest) {
				return true
			}
		}
		return o.Len() != n.Len() && s.mismatch(at, "length")
	case !s.engine() && !o.Kind().IsContainer() && !n.Kind().IsContainer():
		return false
	}
	return s.mismatch(at, s.why(o, n))
}

// drawPatterns draws patterns that are similar to places in the values.
func drawPatterns(t *rapid.T, sides ...value.Value) []path.Pattern {
	places := []path.Path{{}}
	for _, v := range sides {
		for c := range v.Walk() {
			places = append(places, c.Path())
		}
	}
	loose := rapid.Custom(func(t *rapid.T) path.Step {
		switch rapid.IntRange(0, 2).Draw(t, "step") {
		case 0:
			return path.Any()
		case 1:
			return path.Index(rapid.IntRange(0, 3).Draw(t, "index"))
		}
		return path.Key(fuzz.Internal.Keys().Draw(t, "key"))
	})
	one := rapid.Custom(func(t *rapid.T) path.Pattern {
		var steps []path.Step
		for s := range rapid.SampledFrom(places).Draw(t, "place").Steps() {
			switch rapid.IntRange(0, 7).Draw(t, "keep") {
			case 0, 1:
				steps = append(steps, path.Any())
			case 2:
				steps = append(steps, loose.Draw(t, "other"))
			default:
				steps = append(steps, s)
			}
		}
		return path.PatternOf(append(steps, rapid.SliceOfN(loose, 0, 1).Draw(t, "more")...)...)
	})
	return rapid.SliceOfN(one, 0, 10).Draw(t, "patterns")
}

// TestIgnoreAgainstSlow compares result, marks and report with slowIgnore.
func TestIgnoreAgainstSlow(t *testing.T) {
	for range 20 {
		rapid.Check(t, againstSlow)
	}
}

func againstSlow(t *rapid.T) {
	old := draw.Value(t, 4)
	now := draw.Edited(t, old)
	patterns := drawPatterns(t, old, now)
	for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
		got := ignore.Changes(old, now, patterns, mode)
		slow := slowIgnore{now: now, mode: mode}
		if slices.ContainsFunc(got.Patterns, func(r ignore.PatternResult) bool { return r.Matched == 0 && len(r.Mismatches) == 0 }) {
			t.Fatalf("%v: a result without an effect: %v", mode, got.Patterns)
		}
		results := every(got, patterns)
		for i, p := range patterns {
			slow.matched, slow.wrong = 0, nil
			steps := slices.Collect(p.Steps())
			switch {
			case len(steps) > 0:
				slow.step(old, path.Path{}, steps)
			case mode == ignore.AsEngine:
				slow.mismatch(path.Path{}, "kind")
			default:
				slow.now, slow.matched = old, 1
			}
			var wrong []string
			for _, m := range results[i].Mismatches {
				wrong = append(wrong, fmt.Sprintf("%v %v", m.At().RevealPath(), m.Why()))
			}
			if results[i].Pattern != p || results[i].Index != i || results[i].Matched != slow.matched || !slices.Equal(wrong, slow.wrong) {
				t.Fatalf("%v, pattern %v: matched %d, %s\nslow %d, %s", mode, p, results[i].Matched,
					strings.Join(wrong, "; "), slow.matched, strings.Join(slow.wrong, "; "))
			}
		}
		if !got.Value.Identical(slow.now) {
			t.Fatalf("%v: %#v\nslow %#v\nold %#v\nnew %#v\npatterns %v", mode, got.Value, slow.now, old, now, patterns)
		}
	}
}
