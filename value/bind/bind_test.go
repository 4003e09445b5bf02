package bind_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/test/hostile"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type (
	inner struct {
		A string `pulumi:"a"`
	}
	nowhere    *nowhere
	withOutput struct {
		bind.Output[string]
		B string `pulumi:"b"`
	}
)

type fromJSON struct {
	VPC string `json:"vpc_id,omitempty"`
}

// Every type that has no values is an error that names the field, before anything is read.
func TestUnsupportedTypes(t *testing.T) {
	for _, c := range []struct {
		to   any
		want string
	}{
		{nil, "expected a pointer to decode into, found nil"},
		{inner{}, "expected a pointer to decode into, found a bind_test.inner"},
		{(*inner)(nil), "expected a pointer to decode into, found a *bind_test.inner"},
		{new(chan int), "found the unsupported type chan int at chan int"},
		{new([]func()), "found the unsupported type func() at []func()"},
		{new(map[int]string), "found the unsupported type map[int]string at map[int]string"},
		{new(any), "expected value.Value, which holds anything, found the unsupported type interface {} at interface {}"},
		{new(complex64), "found the unsupported type complex64 at complex64"},
		{new(nowhere), "found the unsupported type bind_test.nowhere at bind_test.nowhere"},
		{new(value.ID), "found the unsupported type value.ID at value.ID"},
		{new(struct{ A string }), `expected a tag such as pulumi:"a", or Options.LowerCamel, found no tag with a name at struct { A string }.A`},
		{new(fromJSON), `expected a tag such as pulumi:"vpc_id", or Options.LowerCamel, found no tag with a name at bind_test.fromJSON.VPC`},
		{new(struct {
			A any `pulumi:"a"`
		}), `expected value.Value, which holds anything, found the unsupported type interface {} at struct { A interface {} "pulumi:\"a\"" }.A`},
		{new(struct {
			A int `pulumi:",optional"`
		}), `expected a tag such as pulumi:"a", found no tag with a name at struct { A int "pulumi:\",optional\"" }.A`},
		{new(struct {
			A int `pulumi:"a,optinal"`
		}), `found a tag with the unknown word optinal at struct { A int "pulumi:\"a,optinal\"" }.A`},
		{new(struct {
			a int `pulumi:"a"`
		}), "found a tag on an unexported field at "},
		{new(struct {
			inner
			B string `pulumi:"a"`
		}), "found two fields named a at "},
		{new(struct{ *inner }), "found an embedded pointer without a tag at "},
		{new(withOutput), "found no tag with a name at bind_test.withOutput.Output"},
	} {
		info, err := bind.Decode(value.String("canary"), c.to, bind.Options{})
		if e := (*bind.Error)(nil); !errors.As(err, &e) || info != nil || !strings.HasPrefix(err.Error(), "bind: decode: "+c.want) {
			t.Errorf("%T: %v, wanted %s", c.to, err, c.want)
		}
	}

	if _, err := bind.Encode(struct{ C chan int }{}, bind.Options{LowerCamel: true}); err == nil || !strings.HasPrefix(err.Error(), "bind: encode: found the unsupported type chan int") {
		t.Error(err)
	}
}

// Names of fields without a tag.
func TestLowerCamel(t *testing.T) {
	v, err := bind.Encode(struct{ ID, CIDRBlock, OneTwo, A, AB, URLs int }{}, bind.Options{LowerCamel: true})
	if want := "{a: 0, ab: 0, cidrBlock: 0, id: 0, oneTwo: 0, urLs: 0}"; err != nil || v.String() != want {
		t.Errorf("%v, %v", v, err)
	}
}

// Numbers are read exactly, or not at all.
func TestNumbers(t *testing.T) {
	for _, f := range append(hostile.Numbers(), 127, 128, -128, -129, 255, 256, 1<<53, 1<<63, -1<<63, 1<<64, 0.1, 1e-50) {
		v := value.Number(f)
		check := func(typ string, got float64, err error, ok bool) {
			t.Helper()

			if (err == nil) != ok || (ok && !value.Number(got).Equal(v)) {
				t.Errorf("%s of %v: %v, %v", typ, f, got, err)
			}
		}
		whole := f == math.Trunc(f)
		i8, err := bind.As[int8](v)
		check("int8", float64(i8), err, whole && f >= -128 && f <= 127)
		i, err := bind.As[int64](v)
		check("int64", float64(i), err, whole && f >= -1<<63 && f < 1<<63)
		u, err := bind.As[uint64](v)
		check("uint64", float64(u), err, whole && f >= 0 && f < 1<<64)
		f32, err := bind.As[float32](v)
		check("float32", float64(f32), err, f != f || float64(float32(f)) == f)
		f64, err := bind.As[float64](v)
		check("float64", f64, err, true)
	}

	for _, x := range []any{int64(1<<53 + 1), uint64(math.MaxUint64), []int64{math.MaxInt64}} {
		if v, err := bind.Encode(x, bind.Options{}); err == nil || !v.IsNull() {
			t.Errorf("%v becomes %v", x, v)
		}
	}
}

type cycle struct {
	Left  *cycle           `pulumi:"left,optional"`
	Right *cycle           `pulumi:"right,optional"`
	All   []cycle          `pulumi:"all,optional"`
	Named map[string]cycle `pulumi:"named,optional"`
	Held  value.Value      `pulumi:"held,optional"`
}

// Data that holds itself is an error, and so is a value that would be nested too deeply.
func TestDepth(t *testing.T) {
	pointers, lists, maps := &cycle{}, &cycle{All: make([]cycle, 2)}, &cycle{Named: map[string]cycle{}}
	pointers.Left, pointers.Right = pointers, pointers
	lists.All[0], lists.All[1] = *lists, *lists
	lists.All[0].All = lists.All
	maps.Named["a"] = *maps

	deepest := value.Null()
	for range value.MaxDepth {
		deepest = value.Array(deepest)
	}

	for _, x := range []*cycle{pointers, lists, maps, {Held: deepest}} {
		_, err := bind.Encode(x, bind.Options{})
		if e := (*bind.Error)(nil); !errors.As(err, &e) || len(e.Problems) != 1 || e.Problems[0].Reason() != "expected at most 10,000 levels, found more" {
			t.Errorf("%.200v", err)
		}
	}

	type list []list

	deepest = value.Array()
	for range value.MaxDepth - 1 {
		deepest = value.Array(deepest)
	}

	x, err := bind.As[list](deepest)
	if err != nil {
		t.Fatal(err)
	}

	if v, err := bind.Encode(x, bind.Options{}); err != nil || !v.Identical(deepest) {
		t.Error(err)
	}
}

type refusing struct{ text string }

func (r refusing) MarshalText() ([]byte, error) { return nil, errors.New("no " + r.text) }
func (r *refusing) UnmarshalText(text []byte) error {
	r.text = string(text)
	return errors.New("no " + r.text)
}

// mute reads any text, and writes none.
type mute struct{ text string }

func (m mute) MarshalText() ([]byte, error)     { return nil, errors.New("no " + m.text) }
func (m *mute) UnmarshalText(text []byte) error { m.text = string(text); return nil }

const canary = "canary"

// Nothing of a secret is in a text: not its contents, nor what a type says of them, nor
// keys in it, nor how near they are to a field.
func TestSecrets(t *testing.T) {
	hidden := value.Secret(value.Object(
		value.Field("canary", value.String(canary)),
		value.Field("a", value.Object(value.Field("canaryb", value.Bool(true)))),
		value.Field("text", value.String(canary)),
		value.Field("numbers", value.Array(value.Number(0.5))),
	))

	type args struct {
		Canar   string         `pulumi:"canar"`
		A       map[string]int `pulumi:"a"`
		Text    refusing       `pulumi:"text"`
		Numbers [2]int         `pulumi:"numbers"`
	}

	for _, v := range []value.Value{hidden, value.Object(value.Field("x", hidden))} {
		var to any = new(args)
		if !v.IsSecret() {
			to = new(map[string]args)
		}

		_, err := bind.Decode(v, to, bind.Options{})
		e := (*bind.Error)(nil)

		if !errors.As(err, &e) || len(e.Problems) != 5 {
			t.Fatal(err)
		}

		for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", e.Problems, e.Problems, *e)} {
			if strings.Contains(strings.ReplaceAll(text, "canar\"", ""), "canar") {
				t.Errorf("%s", text)
			}
		}
	}

	_, err := bind.As[refusing](value.String(canary))
	if err == nil || err.Error() != "bind: decode: expected text of bind_test.refusing, found one that is refused: no canary" {
		t.Error(err)
	}
	if _, err := bind.As[time.Duration](value.String(canary)); err == nil || err.Error() != "bind: decode: expected duration such as 1h30m, found another string" {
		t.Error(err)
	}

	_, err = bind.Encode(struct {
		A refusing              `pulumi:"a,secret"`
		B bind.Output[refusing] `pulumi:"b"`
	}{refusing{canary}, bind.Secret(refusing{canary})}, bind.Options{})
	if err == nil || strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(), "MarshalText") {
		t.Error(err)
	}

	o := bind.Secret(canary)
	if text := fmt.Sprintf("%v %+v %#v %s %q %x %d", o, o, o, o, o, o, &o); strings.Contains(text, canary) || strings.Contains(text, "63616e617279") {
		t.Error(text)
	}
}

// What a tag, or the value that was read, says to be secret is so where nothing else does.
func TestSecretFields(t *testing.T) {
	type tagged struct {
		A refusing            `pulumi:"a,secret"`
		M map[string]refusing `pulumi:"m,optional,secret"`
	}

	plain := value.Object(value.Field("a", value.String(canary)), value.Field("m", value.Object(value.Field(canary, value.String(canary)))))
	if _, err := bind.As[tagged](plain); err == nil || strings.Contains(err.Error(), canary) {
		t.Error(err)
	}

	if _, err := bind.Encode(tagged{M: map[string]refusing{canary: {canary}}}, bind.Options{}); err == nil || strings.Contains(err.Error(), canary) {
		t.Error(err)
	}

	type late map[string]*mute

	read := late{}

	info, err := bind.Decode(value.Secret(value.Object(value.Field(canary, value.String(canary)))), &read, bind.Options{})
	if err != nil {
		t.Fatal(err)
	}

	if _, err = info.Encode(read); err == nil || strings.Contains(err.Error(), canary) {
		t.Error(err)
	}
}

// Optional fields keep what they have where there is nothing to read, and all fields
// where something else is wrong.
func TestUnchanged(t *testing.T) {
	type args struct {
		Size int      `pulumi:"size,optional"`
		List []string `pulumi:"list,optional"`
		Name string   `pulumi:"name"`
	}

	x := args{3, []string{"a"}, "old"}
	old := x.List

	if _, err := bind.Decode(value.Object(value.Field("list", value.Array(value.String("b"))), value.Field("name", value.Null())), &x, bind.Options{}); err == nil {
		t.Error("no error")
	}

	if want := (args{3, []string{"a"}, "old"}); !cmp.Equal(x, want) {
		t.Error(x)
	}

	_, err := bind.Decode(value.Object(value.Field("list", value.Array(value.String("b"))), value.Field("name", value.String("new")), value.Field("size", value.Null())), &x, bind.Options{})
	if want := (args{3, []string{"b"}, "new"}); err != nil || !cmp.Equal(x, want) || old[0] != "a" {
		t.Error(x, old, err)
	}
}

// Internal properties of the outermost object are left out, others are extra.
func TestExtra(t *testing.T) {
	v := value.Object(value.Field("__defaults", value.Array()), value.Field("a", value.String("x")))
	if x, err := bind.As[inner](v); err != nil || x.A != "x" {
		t.Error(x, err)
	}

	_, err := bind.As[[]inner](value.Array(v))
	if want := `bind: decode: [0].__defaults: expected no member of this name`; err == nil || err.Error() != want {
		t.Error(err)
	}

	var many []value.Member
	for i := range 30 {
		many = append(many, value.Field(fmt.Sprint("k", i), value.Null()))
	}

	_, err = bind.As[struct{}](value.Object(many...))
	if err == nil || strings.Count(err.Error(), "\n") != 21 || !strings.HasSuffix(err.Error(), "and 10 more") {
		t.Error(err)
	}
}

type plainArgs struct {
	Bool   bool              `json:"bool" pulumi:"bool"`
	Int    int16             `json:"int" pulumi:"int"`
	Float  float64           `json:"float" pulumi:"float"`
	Text   string            `json:"text" pulumi:"text"`
	List   []string          `json:"list" pulumi:"list"`
	Map    map[string]*int   `json:"map" pulumi:"map"`
	Inner  inner2            `json:"inner" pulumi:"inner"`
	Inners []*inner2         `json:"inners" pulumi:"inners"`
	Tags   map[string]string `json:"tags,omitempty" pulumi:"tags,optional"`
	Since  time.Time         `json:"since" pulumi:"since"`
}

type inner2 struct {
	A string `json:"a" pulumi:"a"`
	B uint   `json:"b,omitempty" pulumi:"b,optional"`
}

// drawPlainArgs draws a value that is JSON, and nearly always one of plainArgs.
func drawPlainArgs(t *rapid.T) value.Value {
	texts := rapid.StringOfN(rapid.RuneFrom([]rune("ab<é☃\"")), 0, 5, -1)
	object := func() value.Value {
		members := []value.Member{value.Field("a", value.String(texts.Draw(t, "a")))}
		if rapid.Bool().Draw(t, "with b") {
			members = append(members, value.Field("b", value.Number(float64(rapid.IntRange(-1, 5).Draw(t, "b")))))
		}

		return value.Object(members...)
	}
	list := func(of func() value.Value) value.Value {
		if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
			return value.Null()
		}

		all := make([]value.Value, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range all {
			all[i] = of()
		}

		return value.Array(all...)
	}
	numbers := rapid.SampledFrom([]value.Value{value.Number(5), value.Null(), value.Number(40_000), value.Number(1.5), value.Number(-32768)})
	dictionary := map[string]value.Value{}

	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		dictionary[texts.Draw(t, "key")] = rapid.SampledFrom([]value.Value{value.Number(5), value.Null()}).Draw(t, "member")
	}

	return value.Object(
		value.Field("bool", value.Bool(rapid.Bool().Draw(t, "bool"))),
		value.Field("int", numbers.Draw(t, "int")),
		value.Field("float", value.Number(rapid.Float64().Draw(t, "float"))),
		value.Field("text", value.String(texts.Draw(t, "text"))),
		value.Field("list", list(func() value.Value { return value.String(texts.Draw(t, "elem")) })),
		value.Field("map", value.ObjectFromMap(dictionary)),
		value.Field("inner", object()),
		value.Field("inners", list(object)),
		value.Field("since", value.String("2026-01-02T03:04:05Z")),
	)
}

// For values that JSON has, encoding/json reads the same from their text.
func TestLikeEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawPlainArgs(t)

		text, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}

		var want plainArgs

		wantErr := json.Unmarshal(text, &want)

		got, err := bind.As[plainArgs](v)
		if v.Field("int").IsNull() { // which encoding/json takes for 0
			wantErr = errors.New("null")
		}

		if (err != nil) != (wantErr != nil) || (err == nil && !reflect.DeepEqual(got, want)) {
			t.Fatalf("%s: %v, %v, encoding/json: %v, %v", text, got, err, want, wantErr)
		}

		if err != nil {
			return
		}

		back, err := bind.Encode(got, bind.Options{})

		again, wantErr := json.Marshal(want)
		if err != nil || wantErr != nil {
			t.Fatal(err, wantErr)
		}

		if ours, err := codec.AppendJSONValue(nil, back, codec.Options{}); err != nil || !equalJSON(t, ours, again) {
			t.Fatalf("%s, encoding/json: %s, %v", ours, again, err)
		}
	})
}

func equalJSON(t *rapid.T, p, q []byte) bool {
	t.Helper()

	var x, y any
	if json.Unmarshal(p, &x) != nil || json.Unmarshal(q, &y) != nil {
		t.Fatal("no JSON")
	}

	return reflect.DeepEqual(x, y)
}

// With AllowMissing, the state of an older version is decoded as far as it goes.
func TestAllowMissing(t *testing.T) {
	type inner struct {
		Port int `pulumi:"port"`
	}
	type state struct {
		Name  string  `pulumi:"name"`
		Size  int     `pulumi:"size"`
		Rules []inner `pulumi:"rules"`
		Token string  `pulumi:"token"`
	}

	old := value.Object(value.Field("name", value.String("a")), value.Field("token", value.Null()), value.Field("rules", value.Array(value.Object())))
	got := state{Size: 7}
	if _, err := bind.Decode(old, &got, bind.Options{AllowMissing: true}); err != nil || got.Name != "a" || got.Size != 7 || len(got.Rules) != 1 || got.Token != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := bind.Decode(old, &got, bind.Options{}); err == nil {
		t.Error("what is missing is accepted")
	}
	if _, err := bind.Decode(value.Object(value.Field("size", value.String("x"))), &got, bind.Options{AllowMissing: true}); err == nil {
		t.Error("what is of another kind is accepted")
	}
}
