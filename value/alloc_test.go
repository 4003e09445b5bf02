package value_test

import (
	"testing"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// sink keeps the compiler from dropping what is measured.
type sink struct {
	v value.Value
	b bool
	n int
	u uint64
	k string
}

// allocation is a row: what to do, and how often it may allocate.
type allocation struct {
	name string
	most float64
	f    func()
}

func measure(t *testing.T, rows []allocation) {
	t.Helper()
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	for _, row := range rows {
		if got := testing.AllocsPerRun(100, row.f); got > row.most {
			t.Errorf("%s allocates %v times, want at most %v", row.name, got, row.most)
		}
	}
}

func TestScalarsDoNotAllocate(t *testing.T) {
	text, s, float := "text", &sink{}, 1.5
	measure(t, []allocation{
		{"Null", 0, func() { s.v = value.Null() }},
		{"Bool", 0, func() { s.v = value.Bool(s.b) }},
		{"Number", 0, func() { s.v = num(float) }},
		{"Int", 0, func() { s.v, _ = value.Int(int64(1) << 40) }},
		{"String", 0, func() { s.v = str(text) }},
		{"Secret", 0, func() { s.v = value.Secret(str(text)) }},
		{"Unknown", 0, func() { s.v = value.UnknownOf(value.KindObject) }},
		{"accessors", 0, func() { s.k, s.b = str(text).AsString(); _, s.b = num(float).AsNumber() }},
	})
}

func TestAllocations(t *testing.T) {
	v := value.Array(sample(), value.Secret(sample()), object(member("r", value.ResourceReference{URN: urnA}.Value()), member("t", value.TextAsset("x"))))
	w := v.Compact()
	other, err := w.With(path.MustParse("[2].z"), num(1))
	if err != nil {
		t.Fatal(err)
	}
	p, q, below := path.MustParse("[1].s.l[0]"), path.MustParse("[1].s.nothing[0]"), path.MustParse("[0].u.x.y")
	shallow := path.MustParse("[2].r")
	s := &sink{}
	measure(t, []allocation{
		{"At", 0, func() { s.v, s.b = v.At(p) }},
		{"At nothing", 0, func() { s.v, s.b = v.At(q) }},
		{"At below an unknown", 0, func() { s.v, s.b = v.At(below) }},
		{"Has", 0, func() { s.b = v.Has(p) }},
		{"Elem and Field", 0, func() { s.v = v.Elem(1).Field("s").Field("l").Elem(0) }},
		{"Lookup", 0, func() { s.v, s.b = v.Elem(1).Lookup("s") }},
		{"MemberAt", 0, func() { s.k, s.v, s.b = v.Elem(0).MemberAt(1) }},
		{"Elems", 0, func() {
			for i, e := range v.Elems() {
				s.n, s.v = i, e
			}
		}},
		{"Members", 0, func() {
			for k, e := range v.Elem(0).Members() {
				s.k, s.v = k, e
			}
		}},
		{"Keys", 0, func() {
			for k := range v.Elem(0).Keys() {
				s.k = k
			}
		}},
		{"Dependencies", 0, func() {
			for u := range v.Elem(0).Field("d").Dependencies() {
				s.k = u
			}
		}},
		{"Equal", 0, func() { s.b = v.Equal(w) }},
		{"Equal, different", 0, func() { s.b = v.Equal(other) }},
		{"Equal, shared", 0, func() { s.b = w.Equal(other) }},
		{"Equal under Engine", 0, func() { s.b = value.Engine.Equal(v, w) }},
		{"Identical", 0, func() { s.b = v.Identical(w) }},
		{"Compare", 0, func() { s.n = value.Strict.Compare(v, other) }},
		{"Compatible", 0, func() { s.b = value.Strict.Compatible(v, other) == value.Same }},
		{"Hash", 0, func() { s.u = value.Strict.Hash(fixedSeed(), v) }},
		{"MarkSecret of nothing", 0, func() { s.v = v.MarkSecret(nil) }},
		{"With, one container a level", 2, func() { s.v, _ = v.With(shallow, s.v) }},
		{"Walk", 4, func() {
			for c := range v.Walk() {
				s.n = c.Depth()
			}
		}},
	})
}
