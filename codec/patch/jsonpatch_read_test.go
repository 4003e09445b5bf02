package patch_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

func ExampleReadJSONPatch() {
	base := value.Object(
		value.Field("password", value.Secret(value.String("hunter2"))),
		value.Field("zones", value.Array(value.String("a"), value.String("c"))),
	)
	d, err := patch.ReadJSONPatch(`[
		{"op": "add", "path": "/zones/1", "value": "b"},
		{"op": "copy", "from": "/password", "path": "/token"}
	]`, base, patch.Options{})
	fmt.Println(d, err)

	_, err = patch.ReadJSONPatch(`[{"op": "replace", "path": "/zones/2", "value": "b"}]`, base, patch.Options{})
	fmt.Println(err)
	// Output:
	// + token: [secret]
	// + zones[1]: "b" <nil>
	// patch: read JSON patch: operation 0: zones: does not fit: expected an index that it has
}

// readBase is what the documents of the tables are applied to.
func readBase() value.Value {
	return obj(
		"a", num(1), "list", arr(str("x"), num(2), obj("k", value.Null())), "", num(0), "m~n/o", str("odd"),
		"secret", value.Secret(obj("canary", str("canary"))), "deep", obj("s", value.Secret(num(5)), "t", num(6)),
		"few", arr(num(1), value.Secret(num(2))), "unknown", value.Unknown(), "file", value.TextAsset("x"),
		"out", num(7).WithDependencies("urn"), "object", obj("o", num(8)).WithDependencies("urn"),
	)
}

func TestReadJSONPatch(t *testing.T) {
	hidden := value.Secret
	for _, c := range []struct {
		operations string
		at         string // changed members of the base, as the diff says
	}{
		{``, ``},
		{`{"op":"replace","path":"/a","value":1.0}`, ``},
		{`{"op":"replace","path":"/out","value":7}`, ``},
		{`{"op":"replace","path":"/object","value":{"o":8}}`, ``},
		{`{"op":"move","path":"/a","from":"/a"}, {"op":"move","path":"","from":""}`, ``},
		{`{"op":"test","path":"/a","value":1e0}, {"op":"test","path":"/list","value":["x",2.0,{"k":null}]}`, ``},
		{`{"op":"test","path":"/secret","value":{"canary":"canary"}}, {"op":"test","path":"/deep","value":{"t":6,"s":5}}`, ``},
		{`{"op":"test","path":"/","value":0}, {"op":"test","path":"/m~0n~1o","value":"odd"}`, ``},
		{`{"op":"add","path":"/list/3","value":1}`, `+ list[3]: 1`},
		{`{"op":"add","path":"/list/-","value":1}`, `+ list[3]: 1`},
		{`{"value":null,"path":"/new","op":"add","x":{"op":"remove"}}`, `+ new: null`},
		{`{"op":"add","path":"/a","value":2}`, `~ a: 1 => 2`},
		{`{"op":"remove","path":"/a"}, {"op":"add","path":"/a","value":1}`, ``},
		{`{"op":"copy","path":"/a","from":"/list/1"}`, `~ a: 1 => 2`},
		{`{"op":"move","path":"/a","from":"/list/0"}`, "~ a: 1 => \"x\"\n- list[0]: \"x\""},
		{`{"op":"replace","path":"/object/o","value":9}`, `~ object.o: 8 => 9`},
		{`{"op":"add","path":"/b","value":{}}, {"op":"add","path":"/b/x","value":1}, {"op":"add","path":"/c","value":{}}, {"op":"move","from":"/b","path":"/c"}`, `+ c: {x: 1}`},
		{`{"op":"add","path":"/~01","value":1}`, `+ ["~1"]: 1`},

		// Places that were secret, and what comes from one.
		{`{"op":"replace","path":"/deep/s","value":6}`, `~ deep.s: [secret] => [secret]`},
		{`{"op":"remove","path":"/deep/s"}, {"op":"add","path":"/deep/s","value":6}`, `~ deep.s: [secret] => [secret]`},
		{`{"op":"replace","path":"/deep","value":{"s":6,"t":6}}`, `~ deep.s: [secret] => [secret]`},
		{`{"op":"replace","path":"/deep","value":{}}, {"op":"add","path":"/deep/s","value":6}`, "~ deep.s: [secret] => [secret]\n- deep.t: 6"},
		{`{"op":"copy","from":"/secret/canary","path":"/b"}`, `+ b: [secret]`},
		{`{"op":"copy","from":"/secret","path":"/b"}`, `+ b: [secret]`},
		{`{"op":"copy","from":"/secret","path":"/b"}, {"op":"replace","path":"/b","value":1}`, `+ b: [secret]`},
		{`{"op":"copy","from":"/secret","path":"/list/0"}, {"op":"add","path":"/list/-","value":1}`, "+ list[0]: [secret]\n+ list[4]: [secret]"},
		{`{"op":"move","from":"/deep","path":"/d"}`, "+ d: {s: [secret], t: 6}\n- deep: {s: [secret], t: 6}"},
		{`{"op":"add","path":"/few/0","value":3}`, `+ few[0]: [secret]`},
		{`{"op":"remove","path":"/few/1"}, {"op":"add","path":"/few/-","value":3}`, `~ few[1]: [secret] => [secret]`},
		{`{"op":"move","from":"/few/0","path":"/few/1"}`, `> few[1] => few[0]: [secret]`},
		{`{"op":"move","from":"/a","path":"/secret/a"}, {"op":"copy","from":"/secret/a","path":"/a"}, {"op":"remove","path":"/secret/a"}`, `~ a: [secret]  # becomes secret`},
		{`{"op":"add","path":"/b","value":{"c":1}}, {"op":"move","from":"/b","path":"/secret/b"}, {"op":"move","from":"/secret/b/c","path":"/c"}, {"op":"remove","path":"/secret/b"}`, `+ c: [secret]`},
	} {
		d, err := patch.ReadJSONPatch("["+c.operations+"]", readBase(), patch.Options{})
		if err != nil || d.String() != c.at {
			t.Errorf("%s: %v, %v, want %s", c.operations, d, err, c.at)
		}
	}

	// What stays in a secret has no mark of its own.
	base := obj("s", hidden(obj("o", obj("x", num(1)))))
	d, err := patch.ReadJSONPatch(`[{"op":"test","path":"/s/o/x","value":1},{"op":"add","path":"/s/o/y","value":2},{"op":"move","from":"/s/o","path":"/s/p"}]`, base, patch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := obj("s", hidden(obj("p", obj("x", num(1), "y", num(2)))))
	if got, err := d.Apply(base); err != nil || !got.Identical(want) {
		t.Errorf("%s, %v", fuzz.GoSource(got), err)
	}
}

func TestReadJSONPatchRefuses(t *testing.T) {
	const syntax = "patch: read JSON patch: "
	for _, c := range []struct{ text, want string }{
		{``, syntax + "offset 0: syntax error: "},
		{`[{"op":"add",}]`, syntax + "offset 13: syntax error: "},
		{`[{"op":"test","path":"/a","value":1,"op":"add"}]`, syntax + "offset 36: duplicate member name"},
		{`[{"op":"add","path":"/a","value":{"b":1,"b":2}}]`, syntax + "offset 40: duplicate member name"},
		{`[{"op":"add","path":"/a","value":9007199254740993}]`, syntax + "offset 33: number cannot be held exactly"},
		{`{"op":"add","path":"/a","value":1}`, syntax + "malformed patch: expected an array of operations"},
		{`["add"]`, "operation 0: malformed patch: expected an object with op and path"},
		{`[{"path":"/a"}]`, "operation 0: malformed patch: expected a member op, found none"},
		{`[{"op":"test","path":"/a","value":1},{"op":"spam","path":"/a"}]`, "operation 1: malformed patch: expected add, remove, replace, move, copy or test as op"},
		{`[{"op":1,"path":"/a"}]`, "operation 0: malformed patch: expected a string as op"},
		{`[{"op":"remove"}]`, "operation 0: malformed patch: expected a member path, found none"},
		{`[{"op":"remove","path":null}]`, "operation 0: malformed patch: expected a string as path"},
		{`[{"op":"remove","path":"a"}]`, "expected a JSON pointer as path, found no '/' at its beginning"},
		{`[{"op":"remove","path":"/~2"}]`, "expected a JSON pointer as path, found a '~' without 0 or 1"},
		{`[{"op":"remove","path":"/x~"}]`, "found a '~' without 0 or 1"},
		{`[{"op":"move","path":"/a"}]`, "expected a member from, found none"},
		{`[{"op":"copy","path":"/a","from":2}]`, "expected a string as from"},
		{`[{"op":"add","path":"/a"}]`, "expected a member value, found none"},
		{`[{"op":"move","path":"/list/2/k","from":"/list/2"}]`, "expected a path that is not inside of from"},
		{`[{"op":"move","path":"/a","from":""}]`, "expected a path that is not inside of from"},
		{`[{"op":"remove","path":""}]`, "operation 0: does not fit: expected a place inside of the value, found the whole"},
		{`[{"op":"remove","path":"/b"}]`, "operation 0: b: does not fit: expected a value, found nothing"},
		{`[{"op":"replace","path":"/b","value":1}]`, "b: does not fit: expected a value, found nothing"},
		{`[{"op":"add","path":"/b/c","value":1}]`, "b: does not fit: expected a value, found nothing"},
		{`[{"op":"add","path":"/a/c","value":1}]`, "a: does not fit: expected an object or array, found number"},
		{`[{"op":"add","path":"/unknown/c","value":1}]`, "unknown: does not fit: expected an object or array, found unknown"},
		{`[{"op":"add","path":"/file/text","value":1}]`, "file: does not fit: expected an object or array, found asset"},
		{`[{"op":"add","path":"/list/4","value":1}]`, "list: does not fit: expected an index that it has or the next one"},
		{`[{"op":"add","path":"/list/00","value":1}]`, "list: does not fit: expected an index that it has or the next one"},
		{`[{"op":"add","path":"/list/01","value":1}]`, "list: does not fit: expected an index that it has or the next one"},
		{`[{"op":"add","path":"/list/1e0","value":1}]`, "list: does not fit"},
		{`[{"op":"add","path":"/list/+1","value":1}]`, "list: does not fit"},
		{`[{"op":"add","path":"/list/","value":1}]`, "list: does not fit"},
		{`[{"op":"add","path":"/list/18446744073709551616","value":1}]`, "list: does not fit"},
		{`[{"op":"replace","path":"/list/3","value":1}]`, "list: does not fit: expected an index that it has"},
		{`[{"op":"remove","path":"/list/-"}]`, "list: does not fit: expected an index that it has"},
		{`[{"op":"add","path":"/list/-/x","value":1}]`, "list: does not fit: expected an index that it has"},
		{`[{"op":"test","path":"/a","value":"1"}]`, "a: does not fit: expected the value of the test"},
		{`[{"op":"test","path":"/deep","value":{"s":7,"t":6}}]`, "deep: does not fit: expected the value of the test"},
		{`[{"op":"test","path":"/unknown","value":1}]`, "unknown: does not fit: expected the value of the test"},

		// In a secret every failure is alike.
		{`[{"op":"test","path":"/secret","value":{}}]`, "operation 0: secret: does not fit"},
		{`[{"op":"test","path":"/secret/canary","value":1}]`, "operation 0: secret[secret]: does not fit"},
		{`[{"op":"test","path":"/secret/other","value":1}]`, "operation 0: secret[secret]: does not fit"},
		{`[{"op":"remove","path":"/secret/canary/deep"}]`, "operation 0: secret[secret]: does not fit"},
		{`[{"op":"copy","from":"/secret","path":"/b"},{"op":"test","path":"/b","value":1}]`, "operation 1: b: does not fit"},
	} {
		d, err := patch.ReadJSONPatch(c.text, readBase(), patch.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !d.Empty() {
			t.Errorf("%s: %v, %v", c.text, d, err)
		}
		if strings.Contains(c.text, `"/secret`) && !strings.HasSuffix(err.Error(), "does not fit") {
			t.Errorf("%s: %v", c.text, err)
		}
	}

	if _, err := patch.ReadJSONPatch("[]", value.Null(), patch.Options{Depth: -1}); !errors.Is(err, codec.ErrOptions) {
		t.Error(err)
	}
}

// Copies can double a value with each operation, and moves can nest it.
func TestReadJSONPatchLimits(t *testing.T) {
	var double strings.Builder
	for i := range 60 {
		fmt.Fprintf(&double, `,{"op":"copy","from":"","path":"/c%d"}`, i)
	}
	_, err := patch.ReadJSONPatch("["+double.String()[1:]+"]", obj("a", num(1), "b", str("x")), patch.Options{})
	if !errors.Is(err, codec.ErrPolicy) || !strings.Contains(err.Error(), "found copies of more than 64 MiB") {
		t.Error(err)
	}

	inSecret := strings.ReplaceAll(double.String()[1:], `"","path":"/`, `"/s/canary","path":"/s/canary/`)
	_, err = patch.ReadJSONPatch("["+inSecret+"]", obj("s", value.Secret(obj("canary", obj("x", num(1))))), patch.Options{})
	if !errors.Is(err, codec.ErrPolicy) || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}

	deep := num(1)
	for range value.MaxDepth - 2 {
		deep = arr(deep)
	}
	base := obj("deep", deep, "in", obj())
	for name, want := range map[string]error{"/in/x": nil, "/in/x/y": codec.ErrDepth} {
		text := fmt.Sprintf(`[{"op":"add","path":"/in/x","value":{}},{"op":"move","from":"/deep","path":%q}]`, name)
		if _, err := patch.ReadJSONPatch(text, base, patch.Options{}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// Many operations on one container cost no more each than few do.
func TestReadJSONPatchGrows(t *testing.T) {
	for name, operations := range map[string]func(i int) string{
		"insert": func(int) string { return `{"op":"add","path":"/list/0","value":1}` },
		"append": func(int) string { return `{"op":"add","path":"/list/-","value":1}` },
		"remove": func(int) string { return `{"op":"remove","path":"/list/3"}` },
		"move":   func(int) string { return `{"op":"move","from":"/list/2","path":"/list/7"}` },
		"test": func(int) string {
			return `{"op":"add","path":"/list/1","value":5},{"op":"test","path":"/list/1","value":5}`
		},
		"member": func(i int) string { return fmt.Sprintf(`{"op":"add","path":"/wide/n%d","value":1}`, i) },
		"same": func(int) string {
			return `{"op":"replace","path":"/wide/k1","value":1},{"op":"replace","path":"/wide/k1","value":2}`
		},
		"to and fro": func(int) string {
			return `{"op":"move","from":"/wide","path":"/w"},{"op":"add","path":"/w/n","value":1},{"op":"move","from":"/w","path":"/wide"}`
		},
		"copy": func(i int) string { return fmt.Sprintf(`{"op":"copy","from":"/list/2","path":"/wide/n%d"}`, i) },
	} {
		kit.Grows(t, name, 4000, func(n int) func() {
			var elems []value.Value
			var members []value.Member
			for i := range 2 * n {
				elems = append(elems, num(float64(i)))
				members = append(members, value.Field("k"+strconv.Itoa(i), num(float64(i))))
			}
			base := obj("list", value.Array(elems...), "wide", value.Object(members...))
			var b strings.Builder
			for i := range n {
				b.WriteString("," + operations(i))
			}
			text := "[" + b.String()[1:] + "]"
			return func() {
				if _, err := patch.ReadJSONPatch(text, base, patch.Options{}); err != nil {
					t.Fatal(name, err)
				}
			}
		})
	}
}
