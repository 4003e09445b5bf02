package value_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

type (
	namedBool   bool
	namedInt    int16
	namedUint   uint8
	namedFloat  float32
	namedString string
	namedSlice  []namedString
	namedMap    map[namedString]namedInt
	namedAny    any
	pointerLoop *pointerLoop
)

func goObject(kv ...any) value.Value {
	var ms []value.Member
	for i := 0; i < len(kv); i += 2 {
		ms = append(ms, value.Member{Key: kv[i].(string), Value: kv[i+1].(value.Value)})
	}
	return value.Object(ms...)
}

func pointer[T any](x T) *T { return &x }

// goRow is plain Go data and its value.
type goRow struct {
	where string
	x     any
	want  value.Value
}

func scalarRows() []goRow {
	one, two, text := value.Number(1), value.Number(2), value.String("s")
	return []goRow{
		{where(), nil, value.Null()},
		{where(), (*int)(nil), value.Null()},
		{where(), (*value.Value)(nil), value.Null()},
		{where(), []any(nil), value.Null()},
		{where(), []string(nil), value.Null()},
		{where(), []byte(nil), value.Null()},
		{where(), map[string]any(nil), value.Null()},
		{where(), namedMap(nil), value.Null()},
		{where(), true, value.Bool(true)},
		{where(), namedBool(true), value.Bool(true)},
		{where(), 1, one},
		{where(), int8(-1), value.Number(-1)},
		{where(), int16(1), one},
		{where(), int32(1), one},
		{where(), int64(math.MinInt64), value.Number(-1 << 63)},
		{where(), uint(1), one},
		{where(), uint8(255), value.Number(255)},
		{where(), uint16(1), one},
		{where(), uint32(1), one},
		{where(), uint64(1 << 63), value.Number(1 << 63)},
		{where(), namedInt(1), one},
		{where(), namedUint(2), two},
		{where(), time.Duration(1), one},
		{where(), int64(1 << 53), value.Number(1 << 53)},
		{where(), 1.5, value.Number(1.5)},
		{where(), float32(0.1), value.Number(float64(float32(0.1)))},
		{where(), namedFloat(2), two},
		{where(), math.NaN(), value.Number(math.NaN())},
		{where(), math.Inf(-1), value.Number(math.Inf(-1))},
		{where(), math.Copysign(0, -1), value.Number(math.Copysign(0, -1))},
		{where(), json.Number("1e2"), value.Number(100)},
		{where(), "s", text},
		{where(), namedString("s"), text},
		{where(), []byte("s\xff"), value.String("s\xff")},
		{where(), [1]byte{'s'}, text},
		{where(), &[1]byte{'s'}, text},
		{where(), []namedUint{1, 2}, value.Array(one, two)},
	}
}

func containerRows(t *testing.T) []goRow {
	t.Helper()
	one, two, text := value.Number(1), value.Number(2), value.String("s")
	secret := value.Secret(value.Array(text)).WithDependencies("urn")
	ref := value.ResourceReference{URN: "u", ID: value.UnknownID()}
	sealed := value.Sealed{Ciphertext: "c"}
	return []goRow{
		{where(), []any{}, value.Array()},
		{where(), []any{1, nil, []any{"s"}}, value.Array(one, value.Null(), value.Array(text))},
		{where(), []int{1, 2}, value.Array(one, two)},
		{where(), [2]int{1, 2}, value.Array(one, two)},
		{where(), [0]int{}, value.Array()},
		{where(), namedSlice{"s"}, value.Array(text)},
		{where(), []*int{pointer(1), nil}, value.Array(one, value.Null())},
		{where(), []namedAny{1, nil}, value.Array(one, value.Null())},
		{where(), map[string]any{}, goObject()},
		{where(), map[string]any{"b": 2, "a": []any{}, "": nil}, goObject("b", two, "a", value.Array(), "", value.Null())},
		{where(), map[string]string{"b": "s", "a": "s"}, goObject("a", text, "b", text)},
		{where(), namedMap{"x": 1}, goObject("x", one)},
		{where(), map[string]map[string][]bool{"x": {"y": {true}}}, goObject("x", goObject("y", value.Array(value.Bool(true))))},
		{where(), secret, secret},
		{where(), &secret, secret},
		{where(), secret.Elem(0), secret.Elem(0)},
		{where(), []any{secret.Elem(0)}, value.Array(value.Secret(text))},
		{where(), map[string]value.Value{"s": secret.Elem(0), "u": value.Unknown()}, goObject("s", value.Secret(text), "u", value.Unknown())},
		{where(), []value.Value{secret}, value.Array(secret)},
		{where(), value.TextAsset("x"), value.TextAsset("x")},
		{where(), []value.Value{value.FileAsset("x")}, value.Array(value.FileAsset("x"))},
		{where(), value.Archive{}, literal(t)},
		{where(), ref, ref.Value()},
		{where(), &ref, ref.Value()},
		{where(), []any{sealed}, value.Array(sealed.Value())},
		{where(), pointer(pointer(any(pointer("s")))), text},
	}
}

func TestFromGo(t *testing.T) {
	t.Parallel()
	for _, row := range append(scalarRows(), containerRows(t)...) {
		got, err := value.FromGo(row.x)
		if err != nil {
			t.Errorf("%s: %v", row.where, err)
		} else if !got.Identical(row.want) || got.ContainsSecret() != row.want.ContainsSecret() {
			t.Errorf("%s: got %#v, want %#v", row.where, got, row.want)
		}
	}
}

func TestFromGoErrors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		where string
		x     any
		is    error
		text  string
	}{
		{where(), struct{}{}, value.ErrKind, `value: from Go: wrong kind: expected plain Go data, found struct {}`},
		{where(), []any{0, time.Time{}}, value.ErrKind, `value: from Go: [1]: wrong kind: expected plain Go data, found time.Time`},
		{where(), &struct{ A int }{}, value.ErrKind, `value: from Go: wrong kind: expected plain Go data (bind.Encode takes structs), found struct { A int }`},
		{where(), map[string]any{"f": func() {}}, value.ErrKind, `value: from Go: f: wrong kind: expected plain Go data, found func()`},
		{where(), []any{make(chan int)}, value.ErrKind, `value: from Go: [0]: wrong kind: expected plain Go data, found chan int`},
		{where(), 1i, value.ErrKind, `value: from Go: wrong kind: expected plain Go data, found complex128`},
		{where(), uintptr(1), value.ErrKind, `value: from Go: wrong kind: expected plain Go data, found uintptr`},
		{where(), errors.New("x"), value.ErrKind, `value: from Go: wrong kind: expected plain Go data, found errors.errorString`},
		{
			where(),
			map[string]any{"a b": []any{map[int]string{}}},
			value.ErrKind,
			`value: from Go: ["a b"][0]: wrong kind: expected a map with string keys, found map[int]string`,
		},
		{
			where(),
			map[any]any{"a": 1},
			value.ErrKind,
			`value: from Go: wrong kind: expected a map with string keys, found map[interface {}]interface {}`,
		},
		{where(), map[int]string(nil), value.ErrKind, `value: from Go: wrong kind: expected a map with string keys, found map[int]string`},
		{
			where(),
			[]any{json.RawMessage("{}")},
			value.ErrKind,
			`value: from Go: [0]: wrong kind: expected decoded JSON, found json.RawMessage`,
		},
		{
			where(),
			map[string]any{"z": func() {}, "m": 1i, "a": []any{nil, int64(1<<53 + 1)}},
			value.ErrInexact,
			`value: from Go: a[1]: a float64 cannot hold the number exactly`,
		},
		{where(), map[string]int64{"a": 1, "b": math.MaxInt64}, value.ErrInexact, `value: from Go: b: a float64 cannot hold the number exactly`},
		{where(), []uint64{math.MaxUint64}, value.ErrInexact, `value: from Go: [0]: a float64 cannot hold the number exactly`},
		{where(), []any{json.Number("9007199254740993")}, value.ErrInexact, `value: from Go: [0]: a float64 cannot hold the number exactly`},
		{
			where(),
			[]any{json.Number("hunter2")},
			value.ErrKind,
			`value: from Go: [0]: wrong kind: expected the text of a JSON number, found another text`,
		},
	} {
		v, err := value.FromGo(row.x)
		if !errors.Is(err, row.is) || err.Error() != row.text || !v.Identical(value.Null()) {
			t.Errorf("%s:\n got %v\nwant %s", row.where, err, row.text)
		}
		if e := new(value.Error); !errors.As(err, &e) {
			t.Errorf("%s: %T", row.where, err)
		}
	}
}

func TestFromGoDepth(t *testing.T) {
	t.Parallel()
	const limit = value.MaxDepth
	nest := func(levels int) any {
		var x any = "leaf"
		for i := range levels {
			switch i % 4 {
			case 0:
				x = []any{x}
			case 1:
				x = map[string]any{"k": x}
			case 2:
				x = pointer(x)
			case 3:
				x = []map[string]any{{"k": x}}[0]
			}
		}
		return x
	}
	if _, err := value.FromGo(nest(limit)); err != nil {
		t.Error(err)
	}
	for _, levels := range []int{limit + 1, 1_000_000} {
		if _, err := value.FromGo(nest(levels)); !errors.Is(err, value.ErrDepth) {
			t.Errorf("%d levels: %T", levels, err)
		}
	}
	for _, x := range []any{[]value.Value{nested(limit, value.Null())}, map[string]any{"a": nested(limit, value.Null())}} {
		if _, err := value.FromGo(x); !errors.Is(err, value.ErrDepth) {
			t.Errorf("a value of %d levels in Go data: %v", limit, err)
		}
	}
	mapLoop := map[string]any{"a": 1}
	mapLoop["b"], mapLoop["c"] = []any{mapLoop}, mapLoop
	longKey := map[string]any{}
	longKey[strings.Repeat("k", 1<<20)] = longKey
	sliceLoop := make([]any, 2)
	sliceLoop[0], sliceLoop[1] = sliceLoop, sliceLoop
	var anyLoop any
	anyLoop = &anyLoop
	var loop pointerLoop
	loop = &loop
	typedLoop := map[string][]map[string]any{}
	typedLoop["x"] = []map[string]any{{"y": typedLoop}}
	for name, row := range map[string]struct {
		x     any
		steps int
	}{
		"map": {mapLoop, limit}, "long key": {longKey, 15}, "slice": {sliceLoop, limit},
		"any": {anyLoop, 0}, "pointer": {loop, 0}, "typed": {typedLoop, limit},
	} {
		_, err := value.FromGo(row.x)
		e := new(value.Error)
		if !errors.As(err, &e) || !errors.Is(err, value.ErrDepth) {
			t.Fatalf("%s: %T", name, err)
		}
		if got := e.At.Path().Len(); got != row.steps {
			t.Errorf("%s: a place of %d steps, want %d", name, got, row.steps)
		}
	}
}

func TestFromGoDoesNotAlias(t *testing.T) {
	t.Parallel()
	bytes := []byte("abc")
	number := 1
	values := []value.Value{value.Number(1)}
	inner := []any{&number, bytes, values}
	x := map[string]any{"a": inner}
	v, err := value.FromGo(x)
	if err != nil {
		t.Fatal(err)
	}
	want := v.Digest()
	bytes[0], number, values[0], inner[2] = 'x', 2, value.Number(2), nil
	x["b"] = 1
	if v.Digest() != want {
		t.Errorf("changed to %v", v)
	}
}

func TestToGo(t *testing.T) {
	t.Parallel()
	v := goObject("n", value.Null(), "b", value.Bool(true), "f", value.Number(-0.5), "s", value.String("\xff"),
		"a", value.Array(value.Array(), goObject()))
	want := map[string]any{"n": nil, "b": true, "f": -0.5, "s": "\xff", "a": []any{[]any{}, map[string]any{}}}
	got, err := v.ToGo()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	digest := v.Digest()
	m, _ := got.(map[string]any)
	a, _ := m["a"].([]any)
	a[0], m["n"] = 1, 1
	delete(m, "b")
	if again, err := v.ToGo(); err != nil || v.Digest() != digest || !reflect.DeepEqual(want, again) {
		t.Errorf("changed to %v (%v)", again, err)
	}
}

func TestToGoErrors(t *testing.T) {
	t.Parallel()
	secret := value.Secret(goObject("hidden", value.Unknown()))
	for _, row := range []struct {
		where string
		v     value.Value
		is    error
		text  string
	}{
		{where(), secret, value.ErrSecret, `value: to Go: secret`},
		{where(), secret.Field("hidden"), value.ErrSecret, `value: to Go: secret`},
		{where(), goObject("a", value.Array(value.Null(), secret)), value.ErrSecret, `value: to Go: a[1]: secret`},
		{where(), value.Array(value.Secret(value.Null())), value.ErrSecret, `value: to Go: [0]: secret`},
		{where(), value.Array(value.Sealed{Ciphertext: "c"}.Value()), value.ErrSecret, `value: to Go: [0]: secret`},
		{where(), secret.DropSecret(), value.ErrUnknown, `value: to Go: hidden: value not known yet`},
		{where(), value.Array(value.Unknown().WithDependencies("u")), value.ErrUnknown, `value: to Go: [0]: value not known yet`},
		{
			where(), goObject("a", value.Null().WithDependencies("u")), value.ErrMarks,
			`value: to Go: a: no marks allowed here: expected no dependencies`,
		},
		{where(), value.Array().WithDependencies("u"), value.ErrMarks, `value: to Go: no marks allowed here: expected no dependencies`},
		{
			where(), goObject("a", value.TextAsset("x")), value.ErrKind,
			`value: to Go: a: wrong kind: expected a kind of plain Go data, found asset`,
		},
		{where(), archive(t), value.ErrKind, `value: to Go: wrong kind: expected a kind of plain Go data, found archive`},
		{
			where(), value.ResourceReference{ID: value.UnknownID()}.Value(), value.ErrKind,
			`value: to Go: wrong kind: expected a kind of plain Go data, found resource reference`,
		},
		{where(), goObject("b", secret, "a", value.Unknown()), value.ErrUnknown, `value: to Go: a: value not known yet`},
	} {
		x, err := row.v.ToGo()
		if x != nil || !errors.Is(err, row.is) || err.Error() != row.text {
			t.Errorf("%s: %v\n got %v\nwant %s", row.where, x, err, row.text)
		}
		if e := new(value.Error); !errors.As(err, &e) {
			t.Errorf("%s: %T", row.where, err)
		}
	}
	if _, err := nested(value.MaxDepth, value.Null()).ToGo(); err != nil {
		t.Error("10,000 levels:", err)
	}
}

func TestErrorPlace(t *testing.T) {
	t.Parallel()
	_, err := value.FromGo(map[string]any{"a.b": []any{0, map[string]func(){"x": nil}}})
	e := new(value.Error)
	if !errors.As(err, &e) || e.At.Path() != path.Of(path.Key("a.b"), path.Index(1), path.Key("x")) || e.At.Redacted() {
		t.Errorf("%v", err)
	}
}

// plain draws plain values, hostile scalars included.
func plain() *rapid.Generator[value.Value] {
	scalar := rapid.OneOf(
		rapid.Just(value.Null()),
		rapid.Map(rapid.Bool(), value.Bool),
		rapid.Map(rapid.Float64(), value.Number),
		rapid.Map(rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, math.MaxFloat64, 1 << 53}), value.Number),
		rapid.Map(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "[secret]", "\xff", "\x00\x1b", `"\`, "\u2028"})), value.String),
	)
	return rapid.Custom(func(t *rapid.T) value.Value { return tree(t, scalar, 4) })
}

func tree(t *rapid.T, scalar *rapid.Generator[value.Value], levels int) value.Value {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if levels == 0 || kind < 2 {
		return scalar.Draw(t, "scalar")
	}
	var elems []value.Value
	var members []value.Member
	for range rapid.IntRange(0, 4).Draw(t, "parts") {
		child := tree(t, scalar, levels-1)
		elems = append(elems, child)
		members = append(members, value.Member{Key: rapid.StringN(0, 3, 9).Draw(t, "key"), Value: child})
	}
	if kind == 2 {
		return value.Array(elems...)
	}
	return value.Object(members...)
}

func TestGoDataRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := plain().Draw(t, "v")
		x, err := v.ToGo()
		if err != nil {
			t.Fatal(err)
		}
		back, err := value.FromGo(x)
		if err != nil || !back.Identical(v) {
			t.Fatalf("%#v came back as %#v (%v)", v, back, err)
		}
	})
}

// TestJSONAgrees: where JSON has a form for it, what MarshalJSON writes is what
// encoding/json writes for the plain data, read back.
func TestJSONAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := plain().Draw(t, "v")
		text, err := v.MarshalJSON()
		if err != nil || !json.Valid(text) || !printable(string(text)) || !printable(v.String()) || !printable(v.GoString()) {
			t.Fatalf("%s, %s, %v", text, v, err)
		}
		x, err := v.ToGo()
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(x)
		if err != nil || strings.ContainsAny(v.String(), `…`) || strings.Contains(v.String(), `{"\"`) || strings.Contains(v.String(), `, "\"`) {
			return // NaN, infinities, and keys that are written otherwise
		}
		var got, wanted any
		if json.Unmarshal(text, &got) != nil || json.Unmarshal(want, &wanted) != nil || !reflect.DeepEqual(got, wanted) {
			t.Fatalf("got %s, want %s", text, want)
		}
	})
}
