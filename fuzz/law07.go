package fuzz

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law07MarksSurvive is the law that marks are idempotent; what is handed out of a secret is
// secret, by every way there is, and keeps its own dependencies only; putting
// back what was handed out changes nothing: With(p, At(p)) is Identical to v. The
// deep facts are what a walk would find.
func Law07MarksSurvive(t *rapid.T) {
	v := drawValue(t, Values(Options{}), "v")
	checkIdempotent(t, v)

	for _, p := range places(v) {
		got, ok := v.At(p.at)
		if !ok || !v.Has(p.at) {
			t.Fatalf("nothing is at %v", p.at)
		}

		secret := p.above || p.v.OwnSecret()
		if got.IsSecret() != secret || got.OwnSecret() != p.v.OwnSecret() {
			t.Fatalf("at %v: IsSecret is %v, OwnSecret is %v", p.at, got.IsSecret(), got.OwnSecret())
		}

		if !own(got).Identical(p.v) {
			t.Fatalf("at %v is %s, want %s", p.at, GoSource(got), GoSource(p.v))
		}

		if back, err := v.With(p.at, got); err != nil || !back.Identical(v) {
			t.Fatalf("With(p, At(p)) at %v is %s, %v", p.at, GoSource(back), err)
		}

		if back, err := v.Put(p.at, got); err != nil || !back.Identical(v) {
			t.Fatalf("Put(p, At(p)) at %v is %s, %v", p.at, GoSource(back), err)
		}

		checkFacts(t, p, got)
		checkParts(t, got)
		checkDependenciesAt(t, v, p.at)
	}

	checkWalk(t, v)
}

// checkIdempotent: marking twice is marking once, dropping takes off what was
// put on.
func checkIdempotent(t *rapid.T, v value.Value) {
	const u = "urn:pulumi:s::p::t::n"

	once, on := value.Secret(v), v.WithDependencies(u)

	switch {
	case !value.Secret(once).Identical(once):
		t.Fatalf("marking twice is not marking once")
	case !on.WithDependencies(u, u).Identical(on) || !on.WithDependencies().Identical(on):
		t.Fatalf("adding the same dependency twice is not adding it once")
	case !value.Secret(on).Identical(value.Secret(v).WithDependencies(u)):
		t.Fatalf("the order of marking matters")
	case v.Kind() != value.KindSealed && (once.DropSecret().IsSecret() || !once.DropSecret().Identical(v.DropSecret())):
		t.Fatalf("dropping the mark does not take it off: %s", GoSource(once.DropSecret()))
	case on.DropDependencies().HasDependencies() || !on.DropDependencies().Equal(v.DropDependencies()):
		t.Fatalf("dropping the dependencies does not take them off: %s", GoSource(on.DropDependencies()))
	case !v.Compact().Identical(v):
		t.Fatalf("Compact is not Identical: %s", GoSource(v.Compact()))
	}
}

// checkFacts compares the facts kept in a value with those that a walk finds.
func checkFacts(t *rapid.T, p place, got value.Value) {
	secret, unknown, depends, depth := p.above, false, false, 0

	for _, below := range places(p.v) {
		r, _ := below.v.AsResourceReference()
		secret = secret || below.v.OwnSecret()
		unknown = unknown || below.v.IsUnknown() || r.ID.IsUnknown()
		depends = depends || below.v.HasDependencies()

		if below.v.Kind().IsContainer() {
			depth = max(depth, below.at.Len()+1)
		}
	}

	if got.ContainsSecret() != secret || got.ContainsUnknown() != unknown || got.ContainsDependencies() != depends || got.Depth() != depth {
		t.Fatalf("at %v: contains a secret %v, an unknown %v, dependencies %v, depth %d; should be %v, %v, %v, %d",
			p.at, got.ContainsSecret(), got.ContainsUnknown(), got.ContainsDependencies(), got.Depth(), secret, unknown, depends, depth)
	}
}

// checkParts: all ways to the children of a container give the same, and carry
// its secrecy.
func checkParts(t *rapid.T, v value.Value) {
	n := 0

	for i, e := range v.Elems() {
		n++

		if !v.Elem(i).Identical(e) || v.IsSecret() && !e.IsSecret() {
			t.Fatalf("element %d of %s is %s", i, GoSource(v), GoSource(e))
		}
	}

	keys := slices.Collect(v.Keys())
	if !slices.IsSorted(keys) {
		t.Fatalf("keys are not in order: %q", keys)
	}

	for k, m := range v.Members() {
		found, ok := v.Lookup(k)
		key, at, there := v.MemberAt(n)

		switch {
		case !ok || !found.Identical(m) || !v.Field(k).Identical(m):
			t.Fatalf("member %q of %s is %s", k, GoSource(v), GoSource(found))
		case !there || key != k || !at.Identical(m):
			t.Fatalf("member %d of %s is %q %s", n, GoSource(v), key, GoSource(at))
		case v.IsSecret() && !m.IsSecret():
			t.Fatalf("member %q of %s came out without its mark", k, GoSource(v))
		}

		n++
	}

	if v.Len() != n {
		t.Fatalf("%d children, Len says %d", n, v.Len())
	}
}

// checkDependenciesAt: the dependencies at a place are those of it and of all
// above it.
func checkDependenciesAt(t *rapid.T, v value.Value, at path.Path) {
	var want []string

	for _, p := range places(v) {
		if at.HasPrefix(p.at) {
			want = append(want, slices.Collect(p.v.Dependencies())...)
		}
	}

	slices.Sort(want)
	want = slices.Compact(want)

	if got := slices.Collect(v.DependenciesAt(at)); !slices.Equal(got, want) {
		t.Fatalf("at %v: depends on %q, want %q", at, got, want)
	}
}

// checkWalk: Walk gives every place once, parents first, with what At gives, and
// a path that is cut at the outermost secret; SecretPaths gives the outermost
// secrets.
func checkWalk(t *rapid.T, v value.Value) {
	var walked, outermost []path.Path

	for c := range v.Walk() {
		p := c.Path()
		walked = append(walked, p)
		at, _ := v.At(p)

		if last, ok := p.Last(); c.Depth() != p.Len() || !c.Value().Identical(at) || ok != (p.Len() > 0) {
			t.Fatalf("the walk is at %v (last step %v), depth %d, with %s", p, last, c.Depth(), GoSource(c.Value()))
		}

		cut := false

		for up, ok := p.Parent(); ok; up, ok = up.Parent() {
			above, _ := v.At(up)
			cut = cut || above.IsSecret()
		}

		if c.Shown().Cut() != cut || c.Shown().RevealPath() != p {
			t.Fatalf("at %v the path is shown as %v", p, c.Shown())
		}

		if at.IsSecret() && !cut {
			outermost = append(outermost, p)
		}
	}

	want := PathsOf(v)
	slices.SortFunc(want, path.Path.Compare)

	if !slices.Equal(walked, want) {
		t.Fatalf("the walk went to\n%v\nnot to\n%v", walked, want)
	}

	if got := slices.Collect(value.SecretPaths(v)); !slices.Equal(got, outermost) {
		t.Fatalf("the outermost secrets are at\n%v\nnot at\n%v", outermost, got)
	}
}

// Law07MarkSecret is the law that MarkSecret puts the mark where a pattern matches (on an unknown
// also where one goes on below it) and nowhere else, and twice is once.
func Law07MarkSecret(t *rapid.T) {
	v := drawValue(t, Values(Options{}), "v")
	set := Sets(PathsOf(v)...).Draw(t, "set")
	marked := value.MarkSecret(v, set)

	want := v

	for _, p := range places(v) {
		if set.Matches(p.at) || p.v.IsUnknown() && set.Touches(p.at) {
			want = changedAt(want, p.at, value.Secret)
		}
	}

	if !marked.Identical(want) {
		t.Fatalf("marked is\n%s\nnot\n%s", GoSource(marked), GoSource(want))
	}

	if again := value.MarkSecret(marked, set); !again.Identical(marked) {
		t.Fatalf("marked again is\n%s", GoSource(again))
	}
}
