package value_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// sample has a container of every sort, marked and not:
//
//	{a: {b: 1, n: null}, l: [1, 2, null], s: secret {k: 1, l: [1]}, u: unknown,
//	 d: array that depends on urnA, x: sealed, N: a marked null}
func sample() value.Value {
	return object(
		member("a", object(member("b", num(1)), member("n", value.Null()))),
		member("l", value.Array(num(1), num(2), value.Null())),
		member("s", value.Secret(object(member("k", num(1)), member("l", value.Array(num(1)))))),
		member("u", value.Secret(value.Unknown()).WithDependencies(urnB)),
		member("d", value.Array(num(1)).WithDependencies(urnA)),
		member("x", value.Sealed{Ciphertext: "c"}.Value()),
		member("N", value.Secret(value.Null()).WithDependencies(urnA)),
	)
}

// editRow is an edit of the sample: what then stands at a place, or the error.
type editRow struct {
	op, path string
	at       string      // where to look then, path if empty
	want     value.Value // there, as it is handed out
	missing  bool        // nothing is to be there
	err      string
	cause    error
}

func withRows() []editRow {
	one, x := num(1), str("x")
	secret := value.Secret(x)
	return []editRow{
		{op: "with", path: "a.b", want: x},
		{op: "with", path: "a.c", want: x},
		{op: "with", path: `a[""]`, want: x},
		{op: "with", path: "a.n", want: x},
		{op: "with", path: "l[0]", at: "l", want: value.Array(x, num(2), value.Null())},
		{op: "with", path: "l[3]", at: "l", want: value.Array(one, num(2), value.Null(), x)},
		{op: "with", path: "s.k", want: secret},
		{op: "with", path: "s.new", at: "s", want: value.Secret(object(member("k", one), member("l", value.Array(one)), member("new", x)))},
		{op: "with", path: "s.l[1]", at: "s.l", want: value.Secret(value.Array(one, x))},
		{op: "with", path: "u", want: x},
		{op: "with", path: "d[0]", at: "d", want: value.Array(x).WithDependencies(urnA)},
		{op: "with", path: "x", want: x},
		{op: "with", path: "", want: x},
		{op: "with", path: "q.r", err: "value: with: q: path not found", cause: value.ErrMissing},
		{op: "with", path: "l[3].r", err: "value: with: l[3]: path not found", cause: value.ErrMissing},
		{op: "with", path: "l[4]", err: "value: with: l[4]: index out of range: expected at most 3", cause: value.ErrRange},
		{op: "with", path: "l[4].r", err: "value: with: l[4]: index out of range: expected at most 3", cause: value.ErrRange},
		{op: "with", path: "l.r", err: "value: with: l: wrong kind: expected object, found array", cause: value.ErrKind},
		{op: "with", path: "a[0]", err: "value: with: a: wrong kind: expected array, found object", cause: value.ErrKind},
		{op: "with", path: "a.n.r", err: "value: with: a.n: wrong kind: expected object, found null", cause: value.ErrKind},
		{op: "with", path: "a.b.c.d", err: "value: with: a.b: wrong kind: expected object, found number", cause: value.ErrKind},
		{op: "with", path: "[0]", err: "value: with: wrong kind: expected array, found object", cause: value.ErrKind},
		{op: "with", path: "u.r", err: "value: with: u: value not known yet", cause: value.ErrUnknown},
		{op: "with", path: "x.r", err: "value: with: x: wrong kind: expected object, found secret", cause: value.ErrKind},
		{op: "with", path: "s.k.r", err: "value: with: s[secret]: wrong kind: expected object, found secret", cause: value.ErrKind},
		{op: "with", path: "s.q.r", err: "value: with: s[secret]: path not found", cause: value.ErrMissing},
		{op: "with", path: "s.l[7]", err: "value: with: s[secret]: index out of range", cause: value.ErrRange},
	}
}

func putAndWithoutRows() []editRow {
	one, x := num(1), str("x")
	return []editRow{
		{op: "put", path: "a.b", want: x},
		{op: "put", path: "q.r.s", at: "q", want: object(member("r", object(member("s", x))))},
		{op: "put", path: "q[0].s", at: "q", want: value.Array(object(member("s", x)))},
		{op: "put", path: "q[0][0]", at: "q", want: value.Array(value.Array(x))},
		{op: "put", path: "a.n.r", at: "a", want: object(member("b", one), member("n", object(member("r", x))))},
		{op: "put", path: "l[2].r", at: "l", want: value.Array(one, num(2), object(member("r", x)))},
		{op: "put", path: "l[3].r", at: "l", want: value.Array(one, num(2), value.Null(), object(member("r", x)))},
		{op: "put", path: "N.r", at: "N", want: value.Secret(object(member("r", x))).WithDependencies(urnA)},
		{op: "put", path: "N[0]", at: "N", want: value.Secret(value.Array(x)).WithDependencies(urnA)},
		{op: "put", path: "s.q.r", at: "s.q", want: value.Secret(object(member("r", x)))},
		{op: "put", path: "", want: x},
		{op: "put", path: "q[1]", err: "value: put: q[1]: index out of range: expected at most 0", cause: value.ErrRange},
		{op: "put", path: "a.n[1].r", err: "value: put: a.n[1]: index out of range: expected at most 0", cause: value.ErrRange},
		{op: "put", path: "l[4]", err: "value: put: l[4]: index out of range: expected at most 3", cause: value.ErrRange},
		{op: "put", path: "a.b.c", err: "value: put: a.b: wrong kind: expected object, found number", cause: value.ErrKind},
		{op: "put", path: "s.k.c", err: "value: put: s[secret]: wrong kind: expected object, found secret", cause: value.ErrKind},
		{op: "put", path: "N[1]", err: "value: put: N[secret]: index out of range", cause: value.ErrRange},
		{op: "put", path: "u.r", err: "value: put: u: value not known yet", cause: value.ErrUnknown},
		{op: "put", path: "x[0]", err: "value: put: x: wrong kind: expected array, found secret", cause: value.ErrKind},

		{op: "without", path: "a.b", at: "a", want: object(member("n", value.Null()))},
		{op: "without", path: "a", missing: true},
		{op: "without", path: "l[0]", at: "l", want: value.Array(num(2), value.Null())},
		{op: "without", path: "l[2]", at: "l", want: value.Array(one, num(2))},
		{op: "without", path: "s.k", at: "s", want: value.Secret(object(member("l", value.Array(one))))},
		{op: "without", path: "s.l[0]", at: "s", want: value.Secret(object(member("k", one), member("l", value.Array())))},
		{op: "without", path: "d[0]", at: "d", want: value.Array().WithDependencies(urnA)},
		{op: "without", path: "u", missing: true},
		{op: "without", path: "x", missing: true},
		{op: "without", path: "q.r", at: "", want: sample()},
		{op: "without", path: "l[3]", at: "", want: sample()},
		{op: "without", path: "l.r", at: "", want: sample()},
		{op: "without", path: "a[0]", at: "", want: sample()},
		{op: "without", path: "a.b.c", at: "", want: sample()},
		{op: "without", path: "a.n.c", at: "", want: sample()},
		{op: "without", path: "", err: "value: without: the root cannot be removed", cause: value.ErrRoot},
		{op: "without", path: "u.r", err: "value: without: u: value not known yet", cause: value.ErrUnknown},
		{op: "without", path: "x.r.s", err: "value: without: x: wrong kind: expected object, found secret", cause: value.ErrKind},
	}
}

func apply(op string, v value.Value, p path.Path, x value.Value) (value.Value, error) {
	switch op {
	case "with":
		return v.With(p, x)
	case "put":
		return v.Put(p, x)
	default:
		return v.Without(p)
	}
}

func TestEdit(t *testing.T) {
	for _, row := range append(withRows(), putAndWithoutRows()...) {
		v := sample()
		got, err := apply(row.op, v, path.MustParse(row.path), str("x"))
		if !v.Identical(sample()) {
			t.Fatalf("%s %q changed its receiver", row.op, row.path)
		}
		if err := flaw(got); err != nil {
			t.Errorf("%s %q: %v", row.op, row.path, err)
		}
		if row.err != "" {
			var e *value.Error
			if err == nil || err.Error() != row.err || !errors.Is(err, row.cause) || !errors.As(err, &e) || !got.Identical(v) {
				t.Errorf("%s %q: %v\nwant %s", row.op, row.path, err, row.err)
			}
			continue
		}
		at := row.at
		if at == "" && row.want.Kind() != value.KindObject {
			at = row.path
		}
		there, ok := got.At(path.MustParse(at))
		if err != nil || ok == row.missing || !there.Identical(row.want) {
			t.Errorf("%s %q: %v, something at %q: %v, as wanted: %v", row.op, row.path, err, at, ok, there.Identical(row.want))
		}
	}
}

// places returns the paths of everything in v, and some where nothing is.
func places(v value.Value) []path.Path {
	ps := []path.Path{path.MustParse("nothing"), path.MustParse("nothing.here[0]"), path.MustParse("[0].nothing[0]")}
	for c := range v.Walk() {
		p := c.Path()
		ps = append(ps, p, p.Member("nothing"), p.Member(""), p.Elem(c.Value().Len()), p.Elem(c.Value().Len()+1))
	}
	return ps
}

// guests are put everywhere.
func guests() []value.Value {
	return []value.Value{
		value.Null(), num(2), value.Secret(str("x")), value.Secret(value.Array(str("x"))).Elem(0), value.Unknown(),
		object(member("g", value.Secret(num(1)).WithDependencies(urnB))),
		value.Secret(object(member("o", object(member("s", num(1)))))).Field("o"),
	}
}

// hosts are what is edited everywhere.
func hosts(t testing.TB) []value.Value {
	t.Helper()
	return append(varied(t), sample(), value.Secret(sample()), value.Array(sample(), value.Secret(value.Array(sample())).WithDependencies(urnB)),
		value.Secret(value.Array(sample())).Elem(0))
}

// Law 7: whatever is written and wherever, it is found there, what stands above
// keeps its marks, and what stands beside does not change.
func TestEditingKeepsTheRest(t *testing.T) {
	written, refused := 0, 0
	for _, v := range hosts(t) {
		for _, p := range places(v) {
			if x, ok := v.At(p); ok {
				if same, err := v.With(p, x); !belowHidden(v, p) && (err != nil || !same.Identical(v)) {
					t.Errorf("With(%v, At) is not the same: %v", p, err)
				}
			}
			for _, x := range guests() {
				for _, op := range []string{"with", "put"} {
					got, err := apply(op, v, p, x)
					if err != nil {
						refused++
						continue
					}
					written++
					checkWritten(t, op, v, got, p, x)
				}
			}
		}
	}
	t.Logf("%d written, %d refused", written, refused)
}

// belowHidden reports whether something unknown or sealed is above p.
func belowHidden(v value.Value, p path.Path) bool {
	for ok := true; ok; {
		if p, ok = p.Parent(); ok {
			x, _ := v.At(p)
			if x.IsUnknown() || x.Kind() == value.KindSealed {
				return true
			}
		}
	}
	return false
}

func checkWritten(t *testing.T, op string, v, got value.Value, p path.Path, x value.Value) {
	t.Helper()
	if err := flaw(got); err != nil {
		t.Errorf("%s %v: %v", op, p, err)
	}
	secret := x.IsSecret()
	for q := p; ; {
		parent, ok := q.Parent()
		if !ok {
			break
		}
		q = parent
		before, was := v.At(q)
		after, is := got.At(q)
		if !is || (was && !sameMarks(before, after)) || (!was && after.OwnSecret()) {
			t.Errorf("%s %v: the marks at %v have changed", op, p, q)
		}
		secret = secret || after.IsSecret()
	}
	there, ok := got.At(p)
	if !ok || there.IsSecret() != secret || !there.DropSecret().Identical(x.DropSecret()) {
		t.Errorf("%s %v: what was written is not there", op, p)
	}
	if again, err := got.With(p, x); err != nil || !again.Identical(got) {
		t.Errorf("%s %v: writing again changes something: %v", op, p, err)
	}
	for c := range v.Walk() {
		q := c.Path()
		if q.HasPrefix(p) || p.HasPrefix(q) {
			continue
		}
		if beside, ok := got.At(q); !ok || !beside.Identical(c.Value()) {
			t.Errorf("%s %v changed %v", op, p, q)
		}
	}
}

func sameMarks(v, w value.Value) bool {
	return v.IsSecret() == w.IsSecret() && v.OwnSecret() == w.OwnSecret() &&
		slices.Equal(slices.Collect(v.Dependencies()), slices.Collect(w.Dependencies()))
}

func TestRemovingKeepsTheRest(t *testing.T) {
	for _, v := range hosts(t) {
		for _, p := range places(v) {
			got, err := v.Without(p)
			parent, ok := p.Parent()
			if forbidden := !ok || belowHidden(v, p); forbidden || err != nil {
				if !forbidden || err == nil || !got.Identical(v) {
					t.Errorf("%v: %v", p, err)
				}
				continue
			}
			if !v.Has(p) {
				if !value.Internal.SharesMemory(got, v) {
					t.Errorf("removing nothing at %v changed something", p)
				}
				continue
			}
			above, _ := v.At(parent)
			now, _ := got.At(parent)
			if now.Len() != above.Len()-1 || !sameMarks(above, now) || !sameMarks(v, got) || now.Kind() != above.Kind() {
				t.Errorf("%v: removed badly", p)
			}
			if err := flaw(got); err != nil {
				t.Errorf("%v: %v", p, err)
			}
			x, _ := v.At(p)
			if _, key := p.Last(); key && above.Kind() == value.KindObject {
				if back, err := got.With(p, x); err != nil || !back.Identical(v) {
					t.Errorf("%v: not the same after putting back: %v", p, err)
				}
			}
		}
	}
}

func TestWithField(t *testing.T) {
	for i, v := range hosts(t) {
		for _, key := range []string{"", "a", "zz"} {
			for _, x := range guests() {
				got, ok := v.WithField(key, x)
				want, err := v.Put(path.Of(path.Key(key)), x)

				if ok != (err == nil) || !got.Identical(want) || flaw(got) != nil {
					t.Errorf("value %d, %q: %v, %v", i, key, got.GoString(), err)
				}
			}
		}
	}
}
