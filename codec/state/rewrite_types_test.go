package state_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
)

// TestRetypePlaces: what is below a resource by parents, and by the types in its URN, follows,
// in files that engines refuse too.
func TestRetypePlaces(t *testing.T) {
	retype := func(name, typ string) state.Edits {
		return state.Edits{Retype: map[string]string{urnOf("a:b:C", name): typ}}
	}
	for _, row := range []struct {
		at        string
		edits     state.Edits
		text      string // U: the URNs' beginning
		want      string
		resources bool // text is all resources
	}{
		{here(), retype("n", "a:b:D"), `{"urn":"Ua:b:C::n"}`, `{"urn":"Ua:b:D::n","type":"a:b:D"}`, true},
		{here(), retype("n", "a:b:D"), `{"type":"a:b:C","urn":"Ua:b:C::n"}`, `{"type":"a:b:D","urn":"Ua:b:D::n"}`, true},
		{here(), retype("n", "a:b:D"), `{"urn":"Ua:b:C::n","type":null}`, `{"urn":"Ua:b:D::n","type":"a:b:D"}`, true},
		{here(), retype("n", "a:b:C"), `{"urn":"Ua:b:C::n","type":"a:b:B"}`, `{"urn":"Ua:b:C::n","type":"a:b:C"}`, true},
		{
			here(), retype("n", "long:type:Of"),
			`{"urn":"Ua:b:C::n"},{"urn":"Ua:b:C$a:b:C::m","parent":"Ua:b:C::n"},{"urn":"Ua:b:C$a:b:C$a:b:C::l","parent":"Ua:b:C$a:b:C::m"}`,
			`{"urn":"Ulong:type:Of::n","type":"long:type:Of"},{"urn":"Ulong:type:Of$a:b:C::m","parent":"Ulong:type:Of::n"},{"urn":"Ulong:type:Of$a:b:C$a:b:C::l","parent":"Ulong:type:Of$a:b:C::m"}`, true,
		},
		{ // of another parent, or with other types
			here(), retype("n", "a:b:D"),
			`{"urn":"Ua:b:C::n"},{"urn":"Ua:b:C::o"},{"urn":"Ua:b:C$x:y:Z::m","parent":"Ua:b:C::o"},{"urn":"Ux:y:Z::m","parent":"Ua:b:C::n"},{"urn":"Ux:y:Z$x:y:Z::m","parent":"Ux:y:Z::m"}`,
			`{"urn":"Ua:b:D::n","type":"a:b:D"},{"urn":"Ua:b:C::o"},{"urn":"Ua:b:C$x:y:Z::m","parent":"Ua:b:C::o"},{"urn":"Ux:y:Z::m","parent":"Ua:b:D::n"},{"urn":"Ux:y:Z$x:y:Z::m","parent":"Ux:y:Z::m"}`, true,
		},
		{ // the parent comes later; two records, of one with another parent too; a provider below
			here(), retype("n", "a:b:D"),
			`{"urn":"Ua:b:C$pulumi:providers:p::m","type":"pulumi:providers:p","id":"i","parent":"Ua:b:C::n"},{"urn":"Ua:b:C::n","delete":true},{"urn":"Ua:b:C::n","provider":"Ua:b:C$pulumi:providers:p::m::i"},{"urn":"Ua:b:C$pulumi:providers:p::m","parent":"Ux:y:Z::o"}`,
			`{"urn":"Ua:b:D$pulumi:providers:p::m","type":"pulumi:providers:p","id":"i","parent":"Ua:b:D::n"},{"urn":"Ua:b:D::n","type":"a:b:D","delete":true},{"urn":"Ua:b:D::n","type":"a:b:D","provider":"Ua:b:D$pulumi:providers:p::m::i"},{"urn":"Ua:b:D$pulumi:providers:p::m","parent":"Ux:y:Z::o"}`, true,
		},
		{ // parents in a circle
			here(), retype("n", "a:b:D"),
			`{"urn":"Ua:b:C::n","parent":"Ua:b:C::n"},{"urn":"Upulumi:pulumi:Stack::a","parent":"Upulumi:pulumi:Stack::b"},{"urn":"Upulumi:pulumi:Stack::b","parent":"Upulumi:pulumi:Stack::a"}`,
			`{"urn":"Ua:b:D::n","type":"a:b:D","parent":"Ua:b:D::n"},{"urn":"Upulumi:pulumi:Stack::a","parent":"Upulumi:pulumi:Stack::b"},{"urn":"Upulumi:pulumi:Stack::b","parent":"Upulumi:pulumi:Stack::a"}`, true,
		},
		{
			here(), retype("n", "a:b:D"),
			`{"version":3,"deployment":{"resources":[{"urn":"Ua:b:C::n"}],"pending_operations":[{"type":"updating","resource":{"urn":"Ua:b:C::n","type":"a:b:C"}},{"type":"creating","resource":{"urn":"Ua:b:C$x:y:Z::m","parent":"Ua:b:C::n"}}]}}`,
			`{"version":3,"deployment":{"resources":[{"urn":"Ua:b:D::n","type":"a:b:D"}],"pending_operations":[{"type":"updating","resource":{"urn":"Ua:b:D::n","type":"a:b:D"}},{"type":"creating","resource":{"urn":"Ua:b:D$x:y:Z::m","parent":"Ua:b:D::n"}}]}}`, false,
		},
	} {
		text, want := strings.ReplaceAll(row.text, "U", urnOf("", "")[:len(urnOf("", ""))-2]), strings.ReplaceAll(row.want, "U", urnOf("", "")[:len(urnOf("", ""))-2])
		if row.resources {
			text, want = export(text), export(want)
		}
		if got := rewritten(t, text, row.edits); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.at, got, want)
		}
	}
}

// TestRetypeErrors: a type that a resource cannot have is refused, and nothing is written.
func TestRetypeErrors(t *testing.T) {
	app, old, provider := urnOf("a:b:C", "app"), urnOf("a:b:C", "old"), urnOf("pulumi:providers:aws", "main")
	one := func(urn, typ string) state.Edits { return state.Edits{Retype: map[string]string{urn: typ}} }
	for _, row := range []struct {
		at    string
		edits state.Edits
		want  string
	}{
		{here(), one(app, ""), `the type "" is not package:module:name`},
		{here(), one(app, "a:b"), "the type a:b is not package:module:name"},
		{here(), one(app, "a:b:C$d:e:F"), `no "$"`},
		{here(), one(app, "a::b"), `no "::"`},
		{here(), one(app, "a:b:"), `no ":" at the end`},
		{here(), one(app, "a:b:\xff"), "UTF-8"},
		{here(), one("none", "a:b:D"), "urn"},
		{here(), one(app+"x", "a:b:D"), "no resource has the URN " + app + "x"},
		{here(), one(old+"#1", "a:b:D"), "renamed together: name " + old},
		{here(), one(app, "pulumi:pulumi:Stack"), "the stack's own resource"},
		{here(), one(urnOf("pulumi:pulumi:Stack", "shop-dev"), "a:b:D"), "the stack's own resource"},
		{here(), one(provider, "a:b:D"), "pulumi:providers:aws is that of a provider"},
		{here(), one(provider, "pulumi:providers:gcp"), "is that of a provider"},
		{here(), one(app, "pulumi:providers:aws"), "is that of a provider"},
		{here(), state.Edits{Retype: map[string]string{app: "a:b:D"}, Rename: map[string]string{app: "x"}}, app + " cannot get a new name and a new type at once"},
		{here(), state.Edits{Retype: map[string]string{app: "a:b:D"}, Delete: []string{app}}, "no resource has the URN " + app},
		{here(), state.Edits{Retype: map[string]string{app: "a:b:D", old: "a:b:D"}, Rename: map[string]string{urnOf("x:y:Group$a:b:C", "db"): "app"}}, ""},
	} {
		var out strings.Builder
		n, err := state.Rewrite(strings.NewReader(shop), &out, row.edits)
		if row.want == "" {
			if err != nil {
				t.Errorf("%s: %v", row.at, err)
			}
			continue
		}
		if n != 0 || out.Len() > 0 || !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %d places, %d bytes, %v", row.at, n, out.Len(), err)
		}
	}

	for text, want := range map[string]string{
		`{"urn":"` + app + `","type":"pulumi:providers:p"}`:                              "is that of a provider",
		`{"urn":"` + app + `"},{"urn":"` + urnOf("a:b:D", "app") + `"}`:                  "cannot be renamed to " + urnOf("a:b:D", "app"),
		`{"urn":"` + app + `"},{"urn":"` + urnOf("a:b:E", "app") + `"}`:                  "cannot have the same new name",
		`{"urn":"` + app + `","parent":"x"},{"urn":"` + urnOf("a:b:C", "x") + `","n":1}`: "",
	} {
		e := state.Edits{Retype: map[string]string{app: "a:b:D"}}
		if strings.Contains(text, "a:b:E") {
			e.Retype[urnOf("a:b:E", "app")] = "a:b:D"
		}
		var out strings.Builder
		if _, err := state.Rewrite(strings.NewReader(export(text)), &out, e); (err != nil) != (want != "") || (err != nil && !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}

	long := export(`{"urn":"` + app + `"}` + strings.Repeat(`,{"urn":"`+urnOf("a:b:C$x:y:Z", "m")+`","parent":"`+app+`"}`, 1))
	if _, err := state.Rewrite(strings.NewReader(long), &strings.Builder{}, one(app, "a:b:"+strings.Repeat("d", 17<<20))); !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), "too long") {
		t.Error("a long type: no error, or another")
	}
	adopted := `{"version":3,"deployment":{"resources":[{"urn":"` + app + `"}],"pending_operations":[{"type":"creating","resource":{"urn":"` + urnOf("a:b:D", "app") + `","custom":true,"type":"a:b:D"}}]}}`
	e := one(app, "a:b:D")
	e.Adopt = map[string]string{urnOf("a:b:D", "app"): "i"}
	if _, err := state.Rewrite(strings.NewReader(adopted), &strings.Builder{}, e); !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), "which another resource has") {
		t.Errorf("adopted: %v", err)
	}
}

// TestRetypeRealFiles: each resource of a real file gets another type, which makes no finding
// about types or anything else that was not there, and its own again, which gives the file.
func TestRetypeRealFiles(t *testing.T) {
	changed := 0
	for name, data := range files(t) {
		text := string(data)
		there, back := map[string]string{}, map[string]string{}
		for _, r := range all(t, parse(t, text)) {
			if u := urn.MustParse(r.URN); u.Type() == r.Type && u.QualifiedType() != urn.RootStackType && !strings.HasPrefix(r.Type, "pulumi:providers:") {
				there[r.URN] = r.Type + "ed"
			}
		}
		now := rewritten(t, text, state.Edits{Retype: there})
		for _, r := range all(t, parse(t, now)) {
			if u := urn.MustParse(r.URN); strings.HasSuffix(r.Type, "ed") && u.Type() == r.Type {
				back[r.URN] = strings.TrimSuffix(r.Type, "ed")
			}
		}
		if got := rewritten(t, now, state.Edits{Retype: back}); got != text || len(back) != len(there) {
			t.Errorf("%s: there and back is something else", filepath.Base(name))
		}
		if before, after := codesOf(t, text), codesOf(t, now); !slices.Equal(before, after) {
			t.Errorf("%s: %v, and before %v", filepath.Base(name), after, before)
		}
		changed += len(there)
	}
	if t.Logf("%d resources", changed); changed < 100 {
		t.Error("too few")
	}
}

// codesOf returns the codes of what Check finds about references, types and URNs.
func codesOf(t *testing.T, text string) (codes []string) {
	t.Helper()
	for f, err := range state.Check(strings.NewReader(text), state.CheckOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Code != "secret-clear" {
			codes = append(codes, f.Code)
		}
	}
	return codes
}
