package patch_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// operation is one operation of a JSON Patch.
type operation struct {
	Op, Path, From string
	Value          json.RawMessage
}

// replay applies an operation to a value by the text of RFC 6902, one at a time.
func (o operation) replay(t *rapid.T, v value.Value) value.Value {
	switch o.Op {
	case "test":
		if got := at(t, v, tokens(o.Path)); !got.Equal(o.value(t)) {
			t.Fatalf("%v: it is %s", o, fuzz.GoSource(got))
		}
		return v
	case "add":
		return put(t, v, tokens(o.Path), o.value(t), true)
	case "replace":
		return put(t, v, tokens(o.Path), o.value(t), false)
	case "remove":
		return without(t, v, tokens(o.Path))
	case "move":
		moved := at(t, v, tokens(o.From))
		return put(t, without(t, v, tokens(o.From)), tokens(o.Path), moved, true)
	}
	t.Fatalf("an operation %q", o.Op)
	return v
}

func (o operation) value(t *rapid.T) value.Value {
	v, err := codec.DecodeJSONValue(o.Value, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func tokens(pointer string) []string {
	all := strings.Split(pointer, "/")[1:]
	for i, token := range all {
		all[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return all
}

// step returns the child that a token names.
func step(t *rapid.T, v value.Value, token string) value.Value {
	if v.Kind() == value.KindObject {
		child, ok := v.Lookup(token)
		if !ok {
			t.Fatalf("no member %q in %v", token, v)
		}
		return child
	}
	return v.Elem(index(t, v, token, v.Len()-1))
}

func index(t *rapid.T, v value.Value, token string, most int) int {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i > most || v.Kind() != value.KindArray {
		t.Fatalf("no element %q in %v", token, v)
	}
	return i
}

func at(t *rapid.T, v value.Value, pointer []string) value.Value {
	for _, token := range pointer {
		v = step(t, v, token)
	}
	return v
}

// put replaces the value at a pointer, or adds one.
func put(t *rapid.T, v value.Value, pointer []string, x value.Value, adds bool) value.Value {
	if len(pointer) == 0 {
		return x
	}
	token, last := pointer[0], len(pointer) == 1
	if !last {
		x = put(t, step(t, v, token), pointer[1:], x, adds)
	}
	if v.Kind() == value.KindObject {
		if last && !adds {
			step(t, v, token)
		}
		v, _ = v.WithField(token, x)
		return v
	}
	elems := elements(v)
	if last && adds {
		return value.Array(slices.Insert(elems, index(t, v, token, len(elems)), x)...)
	}
	elems[index(t, v, token, len(elems)-1)] = x
	return value.Array(elems...)
}

func without(t *rapid.T, v value.Value, pointer []string) value.Value {
	if len(pointer) > 1 {
		return put(t, v, pointer[:1], without(t, step(t, v, pointer[0]), pointer[1:]), false)
	}
	step(t, v, pointer[0])
	if v.Kind() == value.KindObject {
		v, _ = v.Without(path.Path{}.Member(pointer[0]))
		return v
	}
	i := index(t, v, pointer[0], v.Len()-1)
	return value.Array(slices.Delete(elements(v), i, i+1)...)
}

func elements(v value.Value) []value.Value {
	var all []value.Value
	for _, elem := range v.Elems() {
		all = append(all, elem)
	}
	return all
}

// plain returns what an API sees of a value.
func plain(v value.Value) (value.Value, error) {
	text, err := codec.AppendJSONValue(nil, v, codec.Options{Unknowns: codec.Reject, Secrets: codec.Lower, Outputs: codec.Lower})
	if err != nil {
		return v, err
	}
	return codec.DecodeJSONValue(text, codec.Options{})
}

// TestJSONPatchReplays replays the operations, one by one, on the JSON of old, in every
// mode of arrays. The result is the JSON of new. (interop/peers does the same with a
// library that others wrote.)
func TestJSONPatchReplays(t *testing.T) {
	replayed, ops := 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			replayed += replays(t, ops)
		}
	})
	if replayed < 500 || ops["move"] == 0 || ops["add"] == 0 || ops["remove"] == 0 || ops["replace"] == 0 || ops["test"] == 0 {
		t.Errorf("%d patches with %v", replayed, ops)
	}
}

// drawRequest draws two values to make requests of.
func drawRequest(t *rapid.T) fuzz.Pair {
	pair := fuzz.Pairs(fuzz.Options{Nodes: 20}).Draw(t, "pair")
	if rapid.Bool().Draw(t, "lists") {
		pair.Old, pair.New = draw.Lists(t)
	}
	return pair
}

// replays draws two values, replays the patches between them, and returns how many these
// are. It counts their operations.
func replays(t *rapid.T, ops map[string]int) (replayed int) {
	pair := drawRequest(t)
	old, oldErr := plain(pair.Old)
	now, nowErr := plain(pair.New)
	for _, m := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Unordered(), diff.Keyed(path.MustParse("id"))} {
		o := patch.Options{Secrets: value.RevealSecrets, Tests: rapid.Bool().Draw(t, "tests")}
		text, err := patch.JSONPatch(diff.Between(pair.Old, pair.New, diff.Options{Arrays: m}), o)
		if oldErr != nil || nowErr != nil {
			continue // what is not JSON may be in the patch
		}
		if err != nil {
			t.Fatalf("%s, %s: %v", fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New), err)
		}
		var all []operation
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got := old
		for _, o := range all {
			got = o.replay(t, got)
			ops[o.Op]++
		}
		if !got.Equal(now) {
			t.Fatalf("%s\non %s\ngives %s\nwant  %s", text, fuzz.GoSource(old), fuzz.GoSource(got), fuzz.GoSource(now))
		}
		replayed++
	}
	return replayed
}

// TestJSONPatchRefuses has what a JSON Patch may not say.
func TestJSONPatchRefuses(t *testing.T) {
	const canary = "hunter2-canary"
	secret := value.Secret(value.String(canary))
	inSecret := func(v value.Value) value.Value {
		return value.Object(value.Field("db", value.Secret(value.Object(value.Field(canary, v)))))
	}
	member := func(key string, v value.Value) value.Value { return value.Object(value.Field(key, v)) }
	null := value.Object()
	for i, c := range []struct {
		old, now value.Value
		options  patch.Options
		err      error
		at       string
	}{
		{null, member("password", secret), patch.Options{}, codec.ErrPolicy, "password"},
		{null, member("a", value.Array(secret)), patch.Options{}, codec.ErrPolicy, "a[0]"},
		{inSecret(value.Number(1)), inSecret(value.Number(2)), patch.Options{}, codec.ErrPolicy, "db"},
		{member("a", secret), member("a", value.Number(1)), patch.Options{Tests: true}, codec.ErrPolicy, "a"},
		{null, member("a", value.Unknown()), patch.Options{Secrets: value.RevealSecrets}, codec.ErrPolicy, "a"},
		{null, member("a\xff", value.Number(1)), patch.Options{}, codec.ErrUTF8, path.Path{}.Member("a\xff").String()},
		{null, null, patch.Options{Depth: -1}, codec.ErrOptions, ""},
	} {
		text, err := patch.JSONPatch(diff.Between(c.old, c.now, diff.Options{}), c.options)
		var e *patch.Error
		if !errors.Is(err, c.err) || !errors.As(err, &e) || e.At.String() != c.at || text != nil {
			t.Errorf("row %d: %s, %v", i, text, err)
		}
		kit.CheckCanary(t, canary, err)
	}
	// The old secret is not part of these.
	for _, now := range []value.Value{null, member("a", value.Number(1))} {
		text, err := patch.JSONPatch(diff.Between(member("a", secret), now, diff.Options{}), patch.Options{})
		if err != nil {
			t.Error(err)
		}
		kit.CheckCanary(t, canary, string(text))
	}
}

// TestJSONPatchIsBounded has a change far down for every element: with its path in each
// operation the patch would be larger than the values by the factor of their depth.
func TestJSONPatchIsBounded(t *testing.T) {
	list := func(x float64) value.Value {
		elems := make([]value.Value, 3000)
		for i := range elems {
			elems[i] = value.Number(x)
		}
		return kit.Nested(8000, value.Array(elems...))
	}
	text, err := patch.JSONPatch(diff.Between(list(1), list(2), diff.Options{}), patch.Options{Depth: 20_000})
	if !errors.Is(err, codec.ErrDepth) || text != nil {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestJSONPatchRows has patches that generated values rarely need.
func TestJSONPatchRows(t *testing.T) {
	for i, c := range []struct {
		old, now string
		options  diff.Options
		want     string
	}{
		{`{"a/b":{"~":1}}`, `{"a/b":{"~":2}}`, diff.Options{}, `[{"op":"replace","path":"/a~1b/~0","value":2}]`},
		{`{"a":1}`, `{"a":null}`, diff.Options{Relation: value.NullAsMissing}, `[{"op":"replace","path":"/a","value":null}]`},
		{`{"a":null}`, `{"a":1}`, diff.Options{Relation: value.NullAsMissing}, `[{"op":"add","path":"/a","value":1}]`},
		{`["m","s","t","u"]`, `["s","i","t","m","u"]`, diff.Options{Arrays: diff.Aligned()}, `[{"op":"add","path":"/2","value":"i"},{"op":"move","path":"/3","from":"/0"}]`},
		{`1`, `{"a":[]}`, diff.Options{}, `[{"op":"replace","path":"","value":{"a":[]}}]`},
		{`{}`, `{}`, diff.Options{}, `[]`},
	} {
		old, now := kit.Decode(t, []byte(c.old)), kit.Decode(t, []byte(c.now))
		if text, err := patch.JSONPatch(diff.Between(old, now, c.options), patch.Options{}); err != nil || string(text) != c.want {
			t.Errorf("row %d: %s, %v, want %s", i, text, err, c.want)
		}
	}
}

// TestSourcesOfEqualHash: an asset from another file is no change if the hashes are equal,
// and one if there are none.
func TestSourcesOfEqualHash(t *testing.T) {
	old, now := value.FileAsset("x").WithHash(strings.Repeat("1", 64)), value.FileAsset("y").WithHash(strings.Repeat("1", 64))
	for _, c := range []struct {
		old, now value.Value
		isIn     bool
	}{{old, now, false}, {old.WithHash(""), now.WithHash(""), true}} {
		a, b := obj("a", c.old), obj("a", c.now)
		ops, err := patch.JSONPatch(diff.Between(a, b, diff.Options{}), patch.Options{})
		if err != nil || strings.Contains(string(ops), `"y"`) != c.isIn || c.isIn == (string(ops) == "[]") {
			t.Errorf("JSONPatch: %s, %v", ops, err)
		}
		if merge, err := patch.MergePatch(a, b, patch.Options{}); (!c.isIn && string(merge) != "{}") || (c.isIn && !errors.Is(err, codec.ErrPolicy)) {
			t.Errorf("MergePatch: %s, %v", merge, err)
		}
	}
}
