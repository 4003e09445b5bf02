package laws

import (
	"maps"
	"strconv"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law19Fillings is the law that what unknowns turn out to be never contradicts a verdict, as long
// as each keeps its marks: *changed* stays changed, *same* without unknowns stays
// same, and *maybe* is reported only where two fillings disagree: one that makes both
// sides equal is constructed, and one that does not. A sealed secret counts as an
// unknown that is secret, and an asset or archive without a hash, against one
// with, as one whose hash is not known.
func Law19Fillings(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Nodes: 12}))

	r := Relations().Draw(t, "relation")
	verdict := r.Compatible(pair.Old, pair.New)
	if back := r.Compatible(pair.New, pair.Old); back != verdict {
		t.Fatalf("%v: %v one way, %v the other", r, verdict, back)
	}
	if (verdict == value.Same) != equalButUnknowns(r, pair.Old, pair.New) {
		t.Fatalf("%v: the verdict is %v, Equal is %v", r, verdict, r.Equal(pair.Old, pair.New))
	}

	filled := filler{t: t}
	old, changed := filled.fill(pair.Old, path.Path{}), filled.fill(pair.New, path.Path{})
	equal := r.Equal(old, changed)
	switch verdict {
	case value.Same:
		certain := !pair.Old.ContainsUnknown() && !pair.New.ContainsUnknown()
		if certain && !equal {
			t.Fatalf("%v: same, and different once filled:\n%s\n%s", r, fuzz.GoSource(old), fuzz.GoSource(changed))
		}
	case value.Changed:
		if equal {
			t.Fatalf("%v: changed, and equal once filled:\n%s\n%s", r, fuzz.GoSource(old), fuzz.GoSource(changed))
		}
		if a, b := alike(r, pair.Old, pair.New); r.Equal(a, b) {
			t.Fatalf("%v: changed, and equal once filled with the other side:\n%s\n%s", r, fuzz.GoSource(a), fuzz.GoSource(b))
		}
	case value.Maybe:
		checkWitnesses(t, r, pair.Old, pair.New)
	}
}

// equalButUnknowns is Equal: unknowns equal each other whatever their hints.
func equalButUnknowns(r value.Relation, a, b value.Value) bool { return formOf(r, a) == formOf(r, b) }

// checkWitnesses finds the two fillings that disagree.
func checkWitnesses(t *rapid.T, r value.Relation, v, w value.Value) {
	if a, b := alike(r, v, w); !r.Equal(a, b) {
		t.Fatalf("%v: maybe, but not equal once filled with the other side:\n%s\n%s", r, fuzz.GoSource(a), fuzz.GoSource(b))
	}

	apart := filler{t: t, apart: true}
	if a, b := apart.fill(v, path.Of()), apart.fill(w, path.Of()); r.Equal(a, b) {
		t.Fatalf("%v: maybe, but equal when filled differently:\n%s\n%s", r, fuzz.GoSource(a), fuzz.GoSource(b))
	}
}

// filler replaces what is not known by something. A drawn filling is drawn for
// each place; apart, every unknown becomes a text that is nowhere else.
type filler struct {
	t      *rapid.T
	apart  bool
	n      int
	opened map[value.Sealed]value.Value // one ciphertext has one content
}

func (f *filler) fill(v value.Value, at path.Path) value.Value {
	v = trees.Own(v)
	switch {
	case v.IsUnknown():
		return trees.WithMarks(f.something(), v)
	case v.Kind() == value.KindSealed:
		return trees.WithMarks(f.open(v), v)

	case v.Kind().IsContainer():
		children := trees.Children(v)
		for i, c := range children {
			children[i].Value = f.fill(c.Value, at.Append(c.Step))
		}
		return trees.Rebuild(v, children)
	case v.Kind() == value.KindResourceReference:
		r, _ := v.AsResourceReference()
		if r.ID.IsUnknown() {
			r.ID = value.KnownID("id-" + f.fresh())
			return trees.WithMarks(r.Value(), v)
		}
	case f.apart && (v.Kind() == value.KindAsset || v.Kind() == value.KindArchive):
		return f.hashed(v)
	}

	return v
}

func (f *filler) open(v value.Value) value.Value {
	s, _ := v.AsSealed()
	content, ok := f.opened[s]
	if !ok {
		if f.opened == nil {
			f.opened = map[value.Sealed]value.Value{}
		}

		content = f.something()
		f.opened[s] = content
	}
	return content
}

func (f *filler) fresh() string {
	f.n++
	return "filled-" + strconv.Itoa(f.n)
}

func (f *filler) something() value.Value {
	if f.apart {
		return value.String(f.fresh())
	}
	return trees.Bare(fuzz.Values(fuzz.Options{Nodes: 3, Depth: 1, Style: fuzz.Plain, NoUnknowns: true, NoSealed: true}).Draw(f.t, "filling"))
}

// hashed gives a hash of its own to what has none.
func (f *filler) hashed(v value.Value) value.Value {
	if _, has := hashOf(v); !has && v.Kind() == value.KindAsset {
		return v.WithHash(f.fresh())
	}

	a, ok := v.AsArchive()
	if !ok {
		return v
	}
	if _, has := a.Hash(); has {
		return v
	}
	if a.Source() != value.SourceLiteral {
		return v.WithHash(f.fresh())
	}

	entries := make([]value.Member, 0, a.Len())
	for name, entry := range a.Entries() {
		entries = append(entries, value.Member{Key: name, Value: f.hashed(entry)})
	}
	return trees.WithMarks(fuzz.MustLiteralArchive(entries...), v)
}

// alike fills each side's unknowns with what the other side has there, as far as
// marks permit, so that the two become equal wherever they may.
func alike(r value.Relation, v, w value.Value) (a, b value.Value) {
	return aligned(r, trees.Own(v), trees.Own(w))
}

func aligned(r value.Relation, v, w value.Value) (a, b value.Value) {
	open := func(x value.Value) bool { return x.IsUnknown() || x.Kind() == value.KindSealed }
	switch {
	case open(v) && open(w):
		return trees.WithMarks(value.String("filled"), v), trees.WithMarks(value.String("filled"), w)
	case open(v):
		known := (&filler{apart: true}).fill(w, path.Path{})
		return trees.WithMarks(trees.Bare(known), v), known
	case open(w):
		known := (&filler{apart: true}).fill(v, path.Path{})
		return known, trees.WithMarks(trees.Bare(known), w)
	case v.Kind() != w.Kind():
		return v, w
	case v.Kind() == value.KindArray:
		return alignedElems(r, v, w)
	case v.Kind() == value.KindObject:
		return alignedMembers(r, v, w)
	}

	return alignedLeaves(v, w)
}

func alignedElems(r value.Relation, v, w value.Value) (a, b value.Value) {
	x, y := trees.Children(v), trees.Children(w)
	for i := range min(len(x), len(y)) {
		x[i].Value, y[i].Value = aligned(r, x[i].Value, y[i].Value)
	}
	return trees.Rebuild(v, x), trees.Rebuild(w, y)
}

func alignedMembers(r value.Relation, v, w value.Value) (a, b value.Value) {
	x, y := trees.Children(v), trees.Children(w)
	for i := range x {
		if j := indexOf(y, x[i].Step); j >= 0 {
			x[i].Value, y[j].Value = aligned(r, x[i].Value, y[j].Value)
		} else {
			x[i].Value = alone(r, x[i].Value)
		}
	}
	for j := range y {
		if indexOf(x, y[j].Step) < 0 {
			y[j].Value = alone(r, y[j].Value)
		}
	}

	return trees.Rebuild(v, x), trees.Rebuild(w, y)
}

// alone fills an unknown that the other side has no member for: under
// NullAsMissing it may turn out to be null.
func alone(r value.Relation, v value.Value) value.Value {
	if r&value.NullAsMissing != 0 && (v.IsUnknown() || v.Kind() == value.KindSealed) {
		return trees.WithMarks(value.Null(), v)
	}
	return v
}

func indexOf(children []trees.Child, s path.Step) int {
	for i, c := range children {
		if c.Step == s {
			return i
		}
	}
	return -1
}

func alignedLeaves(v, w value.Value) (a, b value.Value) {
	if v.Kind() != w.Kind() {
		return v, w
	}

	if x, ok := v.AsResourceReference(); ok {
		y, _ := w.AsResourceReference()
		switch {
		case x.ID.IsUnknown() && y.ID.IsUnknown():
			x.ID, y.ID = value.KnownID("filled"), value.KnownID("filled")
		case x.ID.IsUnknown() && y.ID != (value.ID{}):
			x.ID = y.ID
		case y.ID.IsUnknown() && x.ID != (value.ID{}):
			y.ID = x.ID
		}
		return trees.WithMarks(x.Value(), v), trees.WithMarks(y.Value(), w)
	}
	p, has := hashOf(v)
	q, had := hashOf(w)
	switch {
	case has && !had:
		return v, w.WithHash(p)
	case had && !has:
		return v.WithHash(q), w
	}

	x, _ := v.AsArchive()
	y, _ := w.AsArchive()
	if v.Kind() == value.KindArchive && !has && x.Source() == value.SourceLiteral && y.Source() == value.SourceLiteral {
		p, q := alignedEntries(x, y)
		return trees.WithMarks(p, v), trees.WithMarks(q, w)
	}
	return v, w
}

// hashOf returns the hash of an asset or archive.
func hashOf(v value.Value) (hash string, ok bool) {
	if a, is := v.AsAsset(); is {
		return a.Hash()
	}
	a, _ := v.AsArchive()
	return a.Hash()
}

func alignedEntries(x, y value.Archive) (a, b value.Value) {
	var left, right []value.Member
	inX, inY := maps.Collect(x.Entries()), maps.Collect(y.Entries())
	for name, entry := range x.Entries() {
		if other, ok := inY[name]; ok {
			entry, _ = alignedLeaves(entry, other)
		}
		left = append(left, value.Member{Key: name, Value: entry})
	}

	for name, entry := range y.Entries() {
		if other, ok := inX[name]; ok {
			_, entry = alignedLeaves(other, entry)
		}
		right = append(right, value.Member{Key: name, Value: entry})
	}
	return fuzz.MustLiteralArchive(left...), fuzz.MustLiteralArchive(right...)
}
