package state_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// rewritten returns a file after edits.
func rewritten(t testing.TB, text string, e state.Edits) string {
	t.Helper()
	var out strings.Builder
	if _, err := state.Rewrite(strings.NewReader(text), &out, e); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// urnOf returns the URN of a resource of the test file.
func urnOf(typ, name string) string { return "urn:pulumi:dev::shop::" + typ + "::" + name }

// shop is a stack with everything that has URNs in it, in the layout of engines.
const shop = `{
    "version": 3,
    "deployment": {
        "manifest": {"time": "2024-01-01T00:00:00Z", "magic": "", "version": "v3"},
        "resources": [
            {"urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "custom": false, "type": "pulumi:pulumi:Stack"},
            {
                "urn": "urn:pulumi:dev::shop::pulumi:providers:aws::main",
                "custom": true, "id": "p-1", "type": "pulumi:providers:aws", "parent": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
            },
            {"urn": "urn:pulumi:dev::shop::x:y:Group::g", "custom": false, "type": "x:y:Group", "parent": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"},
            {
                "urn": "urn:pulumi:dev::shop::x:y:Group$a:b:C::db",
                "custom": true, "id": "i-1", "type": "a:b:C", "protect": true,
                "inputs": {"size": 12,   "tags": {"env": "dev"}, "ports": [1, 2, 3], "pw": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:abc"}},
                "outputs": {},
                "parent": "urn:pulumi:dev::shop::x:y:Group::g",
                "provider": "urn:pulumi:dev::shop::pulumi:providers:aws::main::p-1",
                "aliases": ["urn:pulumi:dev::shop::a:b:C::db"]
            },
            {
                "urn": "urn:pulumi:dev::shop::a:b:C::old", "delete": true,
                "custom": true, "id": "o-1", "type": "a:b:C"
            },
            {
                "urn": "urn:pulumi:dev::shop::a:b:C::old",
                "custom": true, "id": "o-2", "type": "a:b:C"
            },
            {
                "urn": "urn:pulumi:dev::shop::a:b:C::app",
                "custom": true, "id": "i-2", "type": "a:b:C",
                "inputs": {
                    "of": "urn:pulumi:dev::shop::x:y:Group$a:b:C::db",
                    "ref": {"4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", "urn": "urn:pulumi:dev::shop::x:y:Group$a:b:C::db", "id": "i-1"},
                    "sealed": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "{\"a\":\"urn:pulumi:dev::shop::x:y:Group$a:b:C::db\"}"}
                },
                "dependencies": ["urn:pulumi:dev::shop::x:y:Group$a:b:C::db"],
                "propertyDependencies": {"of": ["urn:pulumi:dev::shop::\u0078:y:Group$a:b:C::db"], "none": []},
                "deletedWith": "urn:pulumi:dev::shop::x:y:Group$a:b:C::db",
                "replaceWith": ["urn:pulumi:dev::shop::x:y:Group$a:b:C::db"],
                "viewOf": "urn:pulumi:dev::shop::x:y:Group$a:b:C::db"
            }
        ],
        "pending_operations": [
            {"resource": {"urn": "urn:pulumi:dev::shop::a:b:C::new", "custom": true, "type": "a:b:C", "parent": "urn:pulumi:dev::shop::x:y:Group::g"}, "type": "creating"}
        ]
    }
}
`

// rewriting is a row of [TestRewrite].
type rewriting struct {
	edits   state.Edits
	replace []string // old, new, … in the file
}

// renames are edits of names.
func renames() map[string]rewriting {
	db, app := urnOf("x:y:Group$a:b:C", "db"), urnOf("a:b:C", "app")
	return map[string]rewriting{
		"nothing": {},
		"rename": {state.Edits{Rename: map[string]string{db: "store"}}, []string{
			`"urn": "urn:pulumi:dev::shop::x:y:Group$a:b:C::db",
                "custom"`, `"urn": "urn:pulumi:dev::shop::x:y:Group$a:b:C::store",
                "custom"`,
			`"5cf8f73096256a8f31e491e813e4eb8e", "urn": "` + db, `"5cf8f73096256a8f31e491e813e4eb8e", "urn": "` + urnOf("x:y:Group$a:b:C", "store"),
			`"dependencies": ["` + db, `"dependencies": ["` + urnOf("x:y:Group$a:b:C", "store"),
			`\u0078:y:Group$a:b:C::db`, `\u0078:y:Group$a:b:C::store`,
			`"deletedWith": "` + db, `"deletedWith": "` + urnOf("x:y:Group$a:b:C", "store"),
			`"replaceWith": ["` + db, `"replaceWith": ["` + urnOf("x:y:Group$a:b:C", "store"),
			`"viewOf": "` + db, `"viewOf": "` + urnOf("x:y:Group$a:b:C", "store"),
		}},
		"rename everywhere":         {state.Edits{Rename: map[string]string{db: "store"}, InProperties: true}, []string{`Group$a:b:C::db`, `Group$a:b:C::store`}},
		"rename a provider":         {state.Edits{Rename: map[string]string{urnOf("pulumi:providers:aws", "main"): "other"}}, []string{`aws::main`, `aws::other`}},
		"rename a parent":           {state.Edits{Rename: map[string]string{urnOf("x:y:Group", "g"): "h"}}, []string{`x:y:Group::g`, `x:y:Group::h`}},
		"rename those with one URN": {state.Edits{Rename: map[string]string{urnOf("a:b:C", "old"): `n"w`}}, []string{`a:b:C::old`, `a:b:C::n\"w`}},
		"swap":                      {state.Edits{Rename: map[string]string{app: "old", urnOf("a:b:C", "old"): "app"}}, []string{`a:b:C::old`, `a:b:C::app`, `a:b:C::app`, `a:b:C::old`}},
		"retype": {state.Edits{Retype: map[string]string{db: "d:e:Fs"}, InProperties: true}, []string{
			`["urn:pulumi:dev::shop::a:b:C::db"]`, `["urn:pulumi:dev::shop::a:b:C::db"]`, // an alias
			`Group$a:b:C::db`, `Group$d:e:Fs::db`, `"id": "i-1", "type": "a:b:C"`, `"id": "i-1", "type": "d:e:Fs"`,
		}},
		"retype a parent": {state.Edits{Retype: map[string]string{urnOf("x:y:Group", "g"): "x:y:Set"}, InProperties: true}, []string{
			`:y:Group`, `:y:Set`,
		}},
		"retype both, and rename": {state.Edits{
			Retype:       map[string]string{urnOf("x:y:Group", "g"): "x:y:Set", urnOf("a:b:C", "old"): "d:e:F"},
			Rename:       map[string]string{app: "old", db: "store"},
			InProperties: true,
		}, []string{
			`:y:Group$a:b:C::db`, `:y:Set$a:b:C::store`, `:y:Group`, `:y:Set`,
			`a:b:C::app`, `a:b:C::old`, `a:b:C::old`, `d:e:F::old`, `"o-1", "type": "a:b:C"`, `"o-1", "type": "d:e:F"`, `"o-2", "type": "a:b:C"`, `"o-2", "type": "d:e:F"`,
		}},
		"retype and move to another stack": {state.Edits{Retype: map[string]string{app: "d:e:F"}, OldStack: "dev", NewStack: "prod", InProperties: true}, []string{
			`dev::shop::a:b:C::app`, `prod::shop::d:e:F::app`, `"i-2", "type": "a:b:C"`, `"i-2", "type": "d:e:F"`, `pulumi:dev::shop::a:b:C::app`, `pulumi:prod::shop::d:e:F::app`,
			`pulumi:dev::`, `pulumi:prod::`, `shop-dev`, `shop-prod`,
		}},
		"stack": {state.Edits{OldStack: "dev", NewStack: "prod", InProperties: true}, []string{
			`pulumi:dev::`, `pulumi:prod::`, `shop-dev`, `shop-prod`,
		}},
		"project": {state.Edits{OldProject: "shop", NewProject: "store", InProperties: true}, []string{
			`dev::shop::`, `dev::store::`, `shop-dev`, `store-dev`,
		}},
	}
}

// otherEdits are the other kinds of edits.
func otherEdits() map[string]rewriting {
	db, app := urnOf("x:y:Group$a:b:C", "db"), urnOf("a:b:C", "app")
	pathOf := path.MustParse
	return map[string]rewriting{
		"delete": {state.Edits{Delete: []string{app}}, []string{shop[strings.Index(shop, ",\n            {\n                \"urn\": \""+app):strings.Index(shop, "\n        ],\n        \"pending")], ``}},
		"delete one of two": {state.Edits{Delete: []string{urnOf("a:b:C", "old") + "::o-1"}}, []string{`{
                "urn": "urn:pulumi:dev::shop::a:b:C::old", "delete": true,
                "custom": true, "id": "o-1", "type": "a:b:C"
            },
            `, ``}},
		"delete a protected one": {state.Edits{Delete: []string{app, db}, Protected: true}, []string{
			shop[strings.Index(shop, "{\n                \"urn\": \""+db):strings.Index(shop, "{\n                \"urn\": \"urn:pulumi:dev::shop::a:b:C::old\", \"delete")], ``,
			shop[strings.Index(shop, ",\n            {\n                \"urn\": \""+app):strings.Index(shop, "\n        ],\n        \"pending")], ``,
		}},
		"clear": {state.Edits{ClearPending: true}, []string{shop[strings.Index(shop, "[\n            {\"resource\""):strings.LastIndex(shop, "\n    }")], `[]`}},
		"set": {state.Edits{Properties: []state.PropertyEdit{
			{Resource: db, Bag: "inputs", At: pathOf("size"), Value: value.Number(13)},
			{Resource: db, Bag: "inputs", At: pathOf("tags.env"), Value: value.String("prod")},
			{Resource: db, Bag: "inputs", At: pathOf("ports[3]"), Value: value.Number(4)},
			{Resource: db, Bag: "inputs", At: pathOf("ports[0]"), Remove: true},
			{Resource: db, Bag: "inputs", At: pathOf("new"), Value: value.Object(value.Field("a", value.Bool(true)))},
			{Resource: db, Bag: "outputs", At: pathOf("new"), Value: value.Null()},
			{Resource: app, Bag: "outputs", At: pathOf("new"), Value: value.Null()},
		}}, []string{
			`"size": 12,   "tags": {"env": "dev"}, "ports": [1, 2, 3]`, `"size": 13,   "tags": {"env": "prod"}, "ports": [2, 3,4]`,
			`"ciphertext": "v1:abc"}}`, `"ciphertext": "v1:abc"},"new": {"a":true}}`,
			`"outputs": {}`, `"outputs": {"new":null}`,
			`"viewOf": "` + db + `"`, `"viewOf": "` + db + `","outputs":{"new":null}`,
		}},
		"remove": {state.Edits{Properties: []state.PropertyEdit{
			{Resource: db, Bag: "inputs", At: pathOf("size"), Remove: true},
			{Resource: db, Bag: "inputs", At: pathOf("pw"), Remove: true},
			{Resource: db, Bag: "inputs", At: pathOf("tags.env"), Remove: true},
		}}, []string{
			`"size": 12,   `, ``, `, "pw": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:abc"}`, ``, `{"env": "dev"}`, `{}`,
		}},
		"secret": {state.Edits{Properties: []state.PropertyEdit{
			{Resource: db, Bag: "inputs", At: pathOf("tags"), Secret: true},
			{Resource: db, Bag: "inputs", At: pathOf("pw"), Secret: true},
			{Resource: app, Bag: "inputs", At: pathOf("sealed"), Value: value.Secret(value.String("x"))},
		}}, []string{
			`{"env": "dev"}`, `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"{\"env\":\"dev\"}"}`,
			`{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "{\"a\":\"urn:pulumi:dev::shop::x:y:Group$a:b:C::db\"}"}`,
			`{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"x\""}`,
		}},
		"depth": {state.Edits{Depth: 5}, []string{
			`{"env": "dev"}`, `null`, `{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:abc"}`, `null`,
			shop[strings.Index(shop, `{"4dabf18193072939515e22adb298388d": "5cf8`):strings.Index(shop, ",\n                    \"sealed")], `null`,
			shop[strings.Index(shop, `{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "pl`):strings.Index(shop, "\n                },\n                \"dependencies")], `null`,
		}},
	}
}

// TestRewrite: each kind of edit changes the texts that it names, and nothing else.
func TestRewrite(t *testing.T) {
	all := renames()
	maps.Copy(all, otherEdits())
	for name, row := range all {
		want := strings.NewReplacer(row.replace...).Replace(shop)
		if got := rewritten(t, shop, row.edits); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestRewriteErrors: edits that do not fit are errors that name what does not, and nothing
// is written.
func TestRewriteErrors(t *testing.T) {
	db, app, old := urnOf("x:y:Group$a:b:C", "db"), urnOf("a:b:C", "app"), urnOf("a:b:C", "old")
	set := func(at string, v value.Value) state.Edits {
		return state.Edits{Properties: []state.PropertyEdit{{Resource: db, Bag: "inputs", At: path.MustParse(at), Value: v}}}
	}
	for _, row := range []struct {
		at    string
		edits state.Edits
		want  []string // in the error
	}{
		{here(), state.Edits{Delete: []string{db}, Protected: true}, []string{"dependencies: ", app + ": dependencies: cannot edit: refers to " + db + ", which is deleted", "after 6 resources"}},
		{here(), state.Edits{Delete: []string{db}}, []string{"protect", db}},
		{here(), state.Edits{Delete: []string{urnOf("pulumi:providers:aws", "main")}}, []string{"provider: ", db + ": provider: cannot edit: refers to " + urnOf("pulumi:providers:aws", "main") + "::p-1, which is deleted"}},
		{here(), state.Edits{Delete: []string{urnOf("x:y:Group", "g"), db, app}, Protected: true}, []string{"parent: ", urnOf("a:b:C", "new") + ": parent: cannot edit: refers to "}},
		{here(), state.Edits{Delete: []string{old}}, []string{"several resources", old}},
		{here(), state.Edits{Delete: []string{urnOf("a:b:C", "none")}}, []string{"no resource is named " + urnOf("a:b:C", "none")}},
		{here(), state.Edits{Rename: map[string]string{app: "old"}}, []string{app + " cannot be renamed to " + old}},
		{here(), state.Edits{Rename: map[string]string{app: "x", old: "x"}}, []string{app + " and " + old}},
		{here(), state.Edits{Rename: map[string]string{urnOf("a:b:C", "none"): "x"}}, []string{"no resource has the URN " + urnOf("a:b:C", "none")}},
		{here(), state.Edits{Rename: map[string]string{app + "#1": "y"}}, []string{"renamed together: name " + app}},
		{here(), state.Edits{Rename: map[string]string{"none": "x"}}, []string{"urn"}},
		{here(), state.Edits{Rename: map[string]string{app: "\xff"}}, []string{"UTF-8"}},
		{here(), state.Edits{Rename: map[string]string{urnOf("pulumi:pulumi:Stack", "shop-dev"): "x"}}, []string{"named by its project and stack"}},
		{here(), state.Edits{OldStack: "prod", NewStack: "x"}, []string{"no resource is of the stack prod"}},
		{here(), state.Edits{OldProject: "store", NewProject: "x"}, []string{"no resource is of the project store"}},
		{here(), state.Edits{OldStack: "dev"}, []string{"together"}},
		{here(), state.Edits{OldStack: "dev", NewStack: "a::b"}, []string{"stack"}},
		{here(), state.Edits{Depth: -1}, []string{"negative"}},
		{here(), set("pw", value.String("x")), []string{"inputs", "pw: it is a secret"}},
		{here(), set("pw.a", value.String("x")), []string{"pw.a: it leads into a secret"}},
		{here(), set("size.a", value.Null()), []string{"size.a: it leads below"}},
		{here(), set("ports[4]", value.Null()), []string{"beyond the end"}},
		{here(), set("ports.a", value.Null()), []string{"a key is needed"}},
		{here(), set("[0]", value.Null()), []string{"a key is needed"}},
		{here(), set("none.a", value.Null()), []string{"none.a: there is no such property"}},
		{here(), set("", value.Null()), []string{"no path"}},
		{here(), set(`["4dabf18193072939515e22adb298388d"]`, value.String("x")), []string{"inputs"}},
		{here(), state.Edits{Properties: []state.PropertyEdit{{Resource: db, Bag: "inputs", At: path.MustParse("none"), Remove: true}}}, []string{"none: there is no such property"}},
		{here(), state.Edits{Properties: []state.PropertyEdit{{Resource: db, Bag: "inputs", At: path.MustParse("none"), Secret: true}}}, []string{"none: there is no such property"}},
		{here(), state.Edits{Properties: []state.PropertyEdit{{Resource: db, Bag: "id", At: path.MustParse("none")}}}, []string{"neither inputs nor outputs"}},
		{here(), state.Edits{Properties: []state.PropertyEdit{{Resource: db, Bag: "inputs", At: path.MustParse("a"), Remove: true, Secret: true}}}, []string{"cannot be removed and"}},
		{here(), state.Edits{Properties: []state.PropertyEdit{{Resource: old, Bag: "inputs", At: path.MustParse("a")}}}, []string{"several"}},
		{here(), state.Edits{Delete: []string{db}, Properties: []state.PropertyEdit{{Resource: db, Bag: "inputs", At: path.MustParse("a")}}}, []string{"is deleted, and"}},
	} {
		var out strings.Builder
		n, err := state.Rewrite(strings.NewReader(shop), &out, row.edits)
		var e *state.Error
		if n != 0 || out.Len() > 0 || !errors.As(err, &e) || !errors.Is(err, state.ErrEdit) {
			t.Errorf("%s: %d places, %d bytes, %v", row.at, n, out.Len(), err)
			continue
		}
		for _, want := range row.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v; no %q in it", row.at, err, want)
			}
		}
	}
}

// TestRewriteRealFiles: renaming the stack and the project of a real file replaces the text
// of every URN, and back again gives the file; without edits nothing changes.
func TestRewriteRealFiles(t *testing.T) {
	for name, data := range files(t) {
		text := string(data)
		rs := all(t, parse(t, text))
		if got := rewritten(t, text, state.Edits{}); got != text {
			t.Errorf("%s: changed by nothing", filepath.Base(name))
		}
		parts := strings.SplitN(strings.TrimPrefix(rs[0].URN, "urn:pulumi:"), "::", 3)
		stack, project := parts[0], parts[1]
		there := rewritten(t, text, state.Edits{OldStack: stack, NewStack: "rewritten", OldProject: project, NewProject: "other", InProperties: true})
		want := strings.NewReplacer(
			`\"urn:`, `\"urn:`, // in code, which is not a URN as a whole
			`"target": "`+stack+`"`, `"target": "rewritten"`, `"stack": "`+stack+`"`, `"stack": "rewritten"`,
			"urn:pulumi:"+stack+"::"+project+"::pulumi:pulumi:Stack::"+project+"-"+stack, "urn:pulumi:rewritten::other::pulumi:pulumi:Stack::other-rewritten",
			"urn:pulumi:"+stack+"::"+project+"::", "urn:pulumi:rewritten::other::").Replace(text)
		if there != want {
			t.Errorf("%s: renamed to something else", filepath.Base(name))
		}
		if back := rewritten(t, there, state.Edits{OldStack: "rewritten", NewStack: stack, OldProject: "other", NewProject: project, InProperties: true}); back != text {
			t.Errorf("%s: there and back is something else", filepath.Base(name))
		}
		names := map[string]string{}
		for _, r := range rs[1:] {
			names[r.URN] = "renamed-" + r.URN[strings.LastIndex(r.URN, "::")+2:]
		}
		renamed := rewritten(t, text, state.Edits{Rename: names})
		back := map[string]string{}
		for urn, name := range names {
			old := urn[strings.LastIndex(urn, "::")+2:]
			back[strings.TrimSuffix(urn, old)+name] = old
		}
		if got := rewritten(t, renamed, state.Edits{Rename: back}); got != text || (len(names) > 0 && renamed == text) {
			t.Errorf("%s: names there and back are something else", filepath.Base(name))
		}
	}
}

// largeStack is a file of about so many bytes with resources of some 450 bytes, each with
// a URN of its own, and two references.
func largeStack(t testing.TB, size int) (file *os.File, resources int) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stack.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	w := bufio.NewWriter(file)
	const root = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
	n := 0
	add := func(format string, args ...any) {
		written, _ := fmt.Fprintf(w, format, args...)
		n += written
	}
	add(`{"version":3,"deployment":{"manifest":{"time":"t"},"resources":[{"urn":%q,"type":"pulumi:pulumi:Stack"}`, root)
	for resources = 1; n < size; resources++ {
		i := resources
		add(`,
  {"urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::b%d","custom":true,"id":"id-%d","type":"aws:s3/bucket:Bucket","inputs":{"bucket":"bucket-%d","tags":{"a":"b","n":%d}},`, i, i, i, i)
		add(`"outputs":{"arn":"arn:aws:s3:::bucket-%d","list":[1,2,3,true,null,"some text"],"policy":"{\"Version\":\"2012-10-17\",\"Statement\":[]}"},"parent":%q`, i, root)
		if i > 1 {
			d := fmt.Sprintf("urn:pulumi:dev::shop::aws:s3/bucket:Bucket::b%d", i/2)
			add(`,"dependencies":[%q],"propertyDependencies":{"bucket":[%q]}`, d, d)
		}
		add("}")
	}
	add("]}}\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return file, resources
}

// heapWriter notes the largest heap, which is measured at each write.
type heapWriter struct{ most uint64 }

func (h *heapWriter) Write(p []byte) (int, error) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	h.most = max(h.most, m.HeapAlloc)
	return len(p), nil
}

// TestRewriteLarge: memory is for URNs and places, some hundred bytes for each resource, and
// rewriting allocates less often than reading.
func TestRewriteLarge(t *testing.T) {
	size := 3 << 20
	if os.Getenv("PROPALG_LARGE") != "" {
		size = 100 << 20
	}
	file, n := largeStack(t, size)
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	reading := allocated(func() {
		if _, err := drain(t, state.NewReader(io.NewSectionReader(file, 0, int64(size)*2), state.Options{})); err != nil {
			t.Fatal(err)
		}
	})
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var h heapWriter
	var places int
	rewriting := allocated(func() {
		var err error
		if places, err = state.Rewrite(file, io.Discard, state.Edits{OldStack: "dev", NewStack: "prod"}); err != nil {
			t.Fatal(err)
		}
	})
	if want := 1 + 4*(n-1) - 2; places != want { // the stack; of each bucket URN, parent and two more, but for one
		t.Errorf("%d places in %d resources", places, n)
	}
	if rewriting > reading*3/2 {
		t.Errorf("%d allocations, and %d for reading", rewriting, reading)
	}
	if _, err := state.Rewrite(file, &h, state.Edits{OldStack: "dev", NewStack: "prod"}); err != nil {
		t.Fatal(err)
	}
	const windows, each = 4 << 20, 450
	heap := h.most - min(h.most, before.HeapAlloc)
	t.Logf("%d bytes of heap for each of %d resources of %d bytes", heap/uint64(n), n, size/n)
	if heap > windows+each*uint64(n) {
		t.Errorf("%d bytes of heap for %d resources", heap, n)
	}
}

// twoFaced is a file that has other bytes when it is read again.
type twoFaced struct {
	text    string
	changed string
	reads   int64 // bytes
}

func (c *twoFaced) ReadAt(p []byte, at int64) (int, error) {
	from := c.text
	if c.reads >= int64(len(c.text)) {
		from = c.changed
	}
	n, err := strings.NewReader(from).ReadAt(p, at)
	c.reads += int64(n)
	return n, err
}

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestRewriteFails: what goes wrong while the file is copied is an error.
func TestRewriteFails(t *testing.T) {
	for _, changed := range []string{"", shop[:len(shop)/2], shop + " ", strings.Replace(shop, "i-1", "i-3", 1)} {
		_, err := state.Rewrite(&twoFaced{text: shop, changed: changed}, io.Discard, state.Edits{OldStack: "dev", NewStack: "prod"})
		if !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), "the file changed") {
			t.Errorf("%d bytes: %v", len(changed), err)
		}
	}
	app := urnOf("a:b:C", "app")
	for _, e := range []state.Edits{{Delete: []string{app}}, {Retype: map[string]string{app: "d:e:F"}}} {
		early := &twoFaced{text: shop, changed: strings.Replace(shop, "i-1", "i-3", 1)}
		if _, err := state.Rewrite(early, io.Discard, e); err == nil || !strings.Contains(err.Error(), "the file changed") {
			t.Errorf("after it was searched for what %+v names: %v", e, err)
		}
	}
	if _, err := state.Rewrite(strings.NewReader(shop), full{}, state.Edits{}); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Error(err)
	}
	if _, err := state.Rewrite(nil, io.Discard, state.Edits{}); !errors.Is(err, state.ErrRead) {
		t.Error(err)
	}
	for i := range len(shop) - 2 {
		var out strings.Builder
		if _, err := state.Rewrite(strings.NewReader(shop[:i]), &out, state.Edits{}); err == nil || out.Len() > 0 {
			t.Fatalf("cut at %d: %v, and written is %q", i, err, out.String())
		}
	}
}
