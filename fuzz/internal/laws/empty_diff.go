package laws

import (
	"cmp"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law02EmptyMeansEqual is the law that under every Relation the diff of two values is empty
// exactly when they are equal; its changes are those that comparing place by
// place finds, in path order, once each, with what was really there on either
// side; and its parts (Len, Verdict, Changes, Leaves) agree.
func Law02EmptyMeansEqual(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{}))
	for _, r := range AllRelations() {
		d := diff.Between(pair.Old, pair.New, diff.Options{Relation: r})
		equal := r.Equal(pair.Old, pair.New)
		if d.Empty() != equal || (d.Len() == 0) != equal || (d.Verdict() == value.Same) != equal {
			t.Fatalf("%v: Equal is %v, Empty is %v, Len %d, Verdict %v", r, equal, d.Empty(), d.Len(), d.Verdict())
		}
		if d.Relation() != r || (equal && d.String() != "") {
			t.Fatalf("%v: the diff is under %v, and says %q", r, d.Relation(), d)
		}

		checkChanges(t, r, d, pair)
	}
}

// told is a change as the oracle tells it.
type told struct {
	op diff.Op
	at path.Path
}

func checkChanges(t *rapid.T, r value.Relation, d diff.Diff, pair fuzz.Pair) {
	var got []told
	for c := range d.Changes() {
		got = append(got, told{c.Op(), c.Path()})
		checkSides(t, r, c, pair)
	}
	s := slowDiff{rel: r}
	s.compare(path.Path{}, trees.Own(pair.Old), trees.Own(pair.New), false)
	if !slices.Equal(got, s.found) {
		t.Fatalf("%v: the changes are\n%v\nnot\n%v", r, got, s.found)
	}

	inOrder := func(a, b told) int { return a.at.Compare(b.at) }
	if !slices.IsSortedFunc(got, inOrder) || len(got) != d.Len() {
		t.Fatalf("%v: %d changes, Len says %d, in this order: %v", r, len(got), d.Len(), got)
	}

	last := path.Path{}
	for c := range d.Leaves() {
		if p := c.Path(); p.Compare(last) < 0 {
			t.Fatalf("%v: the leaf %v follows %v", r, p, last)
		}
		last = c.Path()
	}
}

// checkSides: a change shows what is really there on either side.
func checkSides(t *rapid.T, r value.Relation, c diff.Change, pair fuzz.Pair) {
	old, was := c.Old()
	now, is := c.New()
	before, had := pair.Old.At(c.OldPath())
	after, has := pair.New.At(c.NewPath())
	hidden := secretAbove(pair.Old, c.OldPath()) || secretAbove(pair.New, c.NewPath())
	switch {
	case was != had || (was && !sameBelow(old, before)):
		t.Fatalf("%v: %v: old is %s, %v, not %s", r, c.Path(), fuzz.GoSource(old), was, fuzz.GoSource(before))
	case is != has || (is && !sameBelow(now, after)):
		t.Fatalf("%v: %v: new is %s, %v, not %s", r, c.Path(), fuzz.GoSource(now), is, fuzz.GoSource(after))
	case c.Secret() != ((was && old.IsSecret()) || (is && now.IsSecret()) || hidden) || c.Shown().Redacted() != hidden:
		t.Fatalf("%v: %v: Secret is %v, and it is shown as %v", r, c.Path(), c.Secret(), c.Shown())
	case c.OrderChanged() || c.Path() != c.NewPath() || c.Path() != c.OldPath():
		t.Fatalf("%v: %v: elements moved in arrays that are compared by index", r, c.Path())
	}

	checkFactsOf(t, r, c, old, now)
}

// checkFactsOf: a change of value, of secretness and of dependencies are reported
// apart (law 8).
func checkFactsOf(t *rapid.T, r value.Relation, c diff.Change, old, now value.Value) {
	if c.Op() != diff.OpUpdate {
		if !c.ValueChanged() {
			t.Fatalf("%v: %v was added or removed, and its value did not change", r, c.Path())
		}
		return
	}

	secret := r&value.IgnoreSecrets == 0 && old.IsSecret() != now.IsSecret()
	depends := r&value.IgnoreDependencies == 0 && !slices.Equal(slices.Collect(old.Dependencies()), slices.Collect(now.Dependencies()))
	content := !(r|value.IgnoreSecrets).Equal(trees.Bare(old), trees.Bare(now)) && !marksOnly(c)
	if c.SecretChanged() != secret || c.DependenciesChanged() != depends || c.ValueChanged() != content {
		t.Fatalf("%v: %v: changes of value %v, secretness %v, dependencies %v; should be %v, %v, %v",
			r, c.Path(), c.ValueChanged(), c.SecretChanged(), c.DependenciesChanged(), content, secret, depends)
	}
}

// slowDiff finds the changed places by comparing forms, place by place.
type slowDiff struct {
	rel   value.Relation
	found []told
}

func (s *slowDiff) add(op diff.Op, at path.Path) { s.found = append(s.found, told{op, at}) }

func (s *slowDiff) compare(at path.Path, v, w value.Value, below bool) {
	f := reference{rel: s.rel}
	secret := s.rel&value.IgnoreSecrets == 0 && !below && v.OwnSecret() != w.OwnSecret()
	marks := f.marks(v, below) != f.marks(w, below)
	below = below || v.OwnSecret()
	if secret || v.Kind() != w.Kind() || !v.Kind().IsContainer() {
		content := f.below(v, below) != f.below(w, below)
		if secret || marks || content {
			s.add(diff.OpUpdate, at)
		}
		return
	}

	if marks {
		s.add(diff.OpUpdate, at)
	}

	x, y := s.present(v, below), s.present(w, below)
	for len(x) > 0 || len(y) > 0 {
		order := headOrder(x, y)
		switch {
		case order < 0:
			s.add(diff.OpDelete, at.Append(x[0].Step))
			x = x[1:]
		case order > 0:
			s.add(diff.OpAdd, at.Append(y[0].Step))
			y = y[1:]
		default:
			s.compare(at.Append(x[0].Step), x[0].Value, y[0].Value, below)
			x, y = x[1:], y[1:]
		}
	}
}

// headOrder says which of two sorted lists has the next step.
func headOrder(x, y []trees.Child) int {
	switch {
	case len(x) == 0:
		return +1
	case len(y) == 0:
		return -1
	}

	return cmp.Compare(x[0].Step.Compare(y[0].Step), 0)
}

// present are the children that do not count as missing.
func (s *slowDiff) present(v value.Value, below bool) []trees.Child {
	f := reference{rel: s.rel}
	return slices.DeleteFunc(trees.Children(v), func(c trees.Child) bool {
		return s.rel&value.NullAsMissing != 0 && c.Step.IsKey() && c.Value.IsNull() && f.marks(c.Value, below) == ""
	})
}

// below is the form of v without its own marks, as it stands below a secret or
// not.
func (f *reference) below(v value.Value, below bool) string {
	g := reference{rel: f.rel}
	g.write(trees.Bare(v), below)
	return g.b.String()
}
