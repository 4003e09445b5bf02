package laws

import (
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law07MarksSurvive is the law that marks are idempotent; what is handed out of a secret is
// secret, by every way there is, and keeps its own dependencies only; putting
// back what was handed out changes nothing: With(p, At(p)) is Identical to v. The
// deep facts are what a walk would find.
func Law07MarksSurvive(t *rapid.T) {
	v := drawValue(t, fuzz.Values(fuzz.Options{}), "v")
	checkIdempotent(t, v)

	for _, p := range trees.Places(v) {
		got, ok := v.At(p.At)
		if !ok || !v.Has(p.At) {
			t.Fatalf("nothing is at %v", p.At)
		}
		secret := p.BelowSecret || p.Value.OwnSecret()
		if got.IsSecret() != secret || got.OwnSecret() != p.Value.OwnSecret() {
			t.Fatalf("at %v: IsSecret is %v, OwnSecret is %v", p.At, got.IsSecret(), got.OwnSecret())
		}
		if !trees.Own(got).Identical(p.Value) {
			t.Fatalf("at %v is %s, want %s", p.At, fuzz.GoSource(got), fuzz.GoSource(p.Value))
		}
		if back, err := v.With(p.At, got); err != nil || !back.Identical(v) {
			t.Fatalf("With(p, At(p)) at %v is %s, %v", p.At, fuzz.GoSource(back), err)
		}
		if back, err := v.Put(p.At, got); err != nil || !back.Identical(v) {
			t.Fatalf("Put(p, At(p)) at %v is %s, %v", p.At, fuzz.GoSource(back), err)
		}
		checkFacts(t, p, got)
		checkParts(t, got)
		checkDependenciesAt(t, v, p.At)
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
		t.Fatalf("dropping the mark does not take it off: %s", fuzz.GoSource(once.DropSecret()))
	case on.DropDependencies().HasDependencies() || !on.DropDependencies().Equal(v.DropDependencies()):
		t.Fatalf("dropping the dependencies does not take them off: %s", fuzz.GoSource(on.DropDependencies()))
	case !v.Compact().Identical(v):
		t.Fatalf("Compact is not Identical: %s", fuzz.GoSource(v.Compact()))
	}
}

// checkFacts compares the facts kept in a value with those that a walk finds.
func checkFacts(t *rapid.T, p trees.Place, got value.Value) {
	secret, unknown, depends, depth := p.BelowSecret, false, false, 0
	for _, below := range trees.Places(p.Value) {
		r, _ := below.Value.AsResourceReference()
		secret = secret || below.Value.OwnSecret()
		unknown = unknown || below.Value.IsUnknown() || r.ID.IsUnknown()
		depends = depends || below.Value.HasDependencies()

		if below.Value.Kind().IsContainer() {
			depth = max(depth, below.At.Len()+1)
		}
	}
	if got.ContainsSecret() != secret || got.ContainsUnknown() != unknown || got.ContainsDependencies() != depends || got.Depth() != depth {
		t.Fatalf("at %v: contains a secret %v, an unknown %v, dependencies %v, depth %d; should be %v, %v, %v, %d",
			p.At, got.ContainsSecret(), got.ContainsUnknown(), got.ContainsDependencies(), got.Depth(), secret, unknown, depends, depth)
	}
}

// checkParts: all ways to the children of a container give the same, and carry
// its secrecy.
func checkParts(t *rapid.T, v value.Value) {
	n := 0
	for i, e := range v.Elems() {
		n++
		if !v.Elem(i).Identical(e) || (v.IsSecret() && !e.IsSecret()) {
			t.Fatalf("element %d of %s is %s", i, fuzz.GoSource(v), fuzz.GoSource(e))
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
			t.Fatalf("member %q of %s is %s", k, fuzz.GoSource(v), fuzz.GoSource(found))
		case !there || key != k || !at.Identical(m):
			t.Fatalf("member %d of %s is %q %s", n, fuzz.GoSource(v), key, fuzz.GoSource(at))
		case v.IsSecret() && !m.IsSecret():
			t.Fatalf("member %q of %s lost its mark", k, fuzz.GoSource(v))
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
	for _, p := range trees.Places(v) {
		if at.HasPrefix(p.At) {
			want = append(want, slices.Collect(p.Value.Dependencies())...)
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
			t.Fatalf("the walk is at %v (last step %v), depth %d, with %s", p, last, c.Depth(), fuzz.GoSource(c.Value()))
		}

		cut := false
		for up, ok := p.Parent(); ok; up, ok = up.Parent() {
			above, _ := v.At(up)
			cut = cut || above.IsSecret()
		}
		if c.Shown().Redacted() != cut || c.Shown().RevealPath() != p {
			t.Fatalf("at %v the path is shown as %v", p, c.Shown())
		}
		if at.IsSecret() && !cut {
			outermost = append(outermost, p)
		}
	}

	want := trees.Paths(v)
	slices.SortFunc(want, path.Path.Compare)
	if !slices.Equal(walked, want) {
		t.Fatalf("the walk visited\n%v\nnot\n%v", walked, want)
	}
	if got := slices.Collect(v.SecretPaths()); !slices.Equal(got, outermost) {
		t.Fatalf("the outermost secrets are at\n%v\nnot at\n%v", outermost, got)
	}
}

// Law07MarkSecret is the law that MarkSecret puts the mark where a pattern matches (on an unknown
// also where one goes on below it) and nowhere else, and twice is once.
func Law07MarkSecret(t *rapid.T) {
	v := drawValue(t, fuzz.Values(fuzz.Options{}), "v")
	set := fuzz.Internal.Sets(trees.Paths(v)...).Draw(t, "set")
	marked := v.MarkSecret(set)

	want := v
	for _, p := range trees.Places(v) {
		if set.At(p.At).Matches() || (p.Value.IsUnknown() && set.At(p.At).MayMatchBelow()) {
			want = trees.Replace(want, p.At, value.Secret)
		}
	}
	if !marked.Identical(want) {
		t.Fatalf("marked is\n%s\nnot\n%s", fuzz.GoSource(marked), fuzz.GoSource(want))
	}
	if again := marked.MarkSecret(set); !again.Identical(marked) {
		t.Fatalf("marked again is\n%s", fuzz.GoSource(again))
	}
}
