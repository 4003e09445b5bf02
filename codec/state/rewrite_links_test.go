package state_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// TestRewriteBadReferences: each kind of reference to nothing stays what it is, but for the
// stack that is renamed; one to what an edit deletes is an error that names both ends. Later
// resources are found.
func TestRewriteBadReferences(t *testing.T) {
	with := func(member string) string { return `{"urn":"` + urnA + `","type":"t",` + member + `}` }
	const missing, provider = "urn:pulumi:dev::shop::a:b:C::missing", "urn:pulumi:dev::shop::pulumi:providers:p::p"
	other := `{"urn":"` + provider + `","type":"pulumi:providers:p","id":"i"}`
	late := `{"urn":"` + missing + `","type":"pulumi:providers:m","id":"i"},{"urn":"` + provider + `","type":"pulumi:providers:p","id":"j"}`
	for _, row := range []struct{ at, member, field, target string }{
		{here(), `"parent":"` + missing + `"`, "parent", missing},
		{here(), `"dependencies":["` + urnA + `","` + missing + `"]`, "dependencies", missing},
		{here(), `"propertyDependencies":{"x":["` + missing + `"]}`, "propertyDependencies", missing},
		{here(), `"deletedWith":"` + missing + `"`, "deletedWith", missing},
		{here(), `"replaceWith":["` + missing + `"]`, "replaceWith", missing},
		{here(), `"viewOf":"` + missing + `"`, "viewOf", missing},
		{here(), `"provider":"` + missing + `::i"`, "provider", missing + "::i"},
		{here(), `"provider":"` + provider + `::j"`, "provider", provider + "::j"},
	} {
		for _, text := range []string{export(other, with(row.member)), export(with(row.member), other)} {
			e := state.Edits{OldStack: "dev", NewStack: "prod"}
			if got, want := rewritten(t, text, e), strings.ReplaceAll(text, ":dev:", ":prod:"); got != want {
				t.Errorf("%s: %s", row.at, got)
			}
		}
		text := export(with(row.member), other, late)
		e := state.Edits{Delete: []string{missing, provider + "#2"}}
		_, err := state.Rewrite(strings.NewReader(text), io.Discard, e)
		var failed *state.Error
		if !errors.Is(err, state.ErrEdit) || !errors.As(err, &failed) || failed.Field != row.field || failed.Offset != int64(strings.Index(text, `{"urn":"`+urnA)) ||
			!strings.Contains(err.Error(), urnA+": "+row.field+": cannot edit: refers to "+row.target+", which is deleted") {
			t.Errorf("%s: %v", row.at, err)
		}
		want := strings.ReplaceAll(text, "::missing", "::found")
		if got := rewritten(t, text, state.Edits{Rename: map[string]string{missing: "found"}}); got != want {
			t.Errorf("%s: %s", row.at, got)
		}
	}
	for _, member := range []string{`"aliases":["` + missing + `"]`, `"pendingReplacement":true,"provider":"` + missing + `::i"`, `"parent":""`, `"parent":null`, `"dependencies":[""]`} {
		if got := rewritten(t, export(with(member)), state.Edits{}); got != export(with(member)) {
			t.Errorf("%s: %s", member, got)
		}
	}
}

// TestRewriteCheckpoint: the stack that a checkpoint names is renamed with it.
func TestRewriteCheckpoint(t *testing.T) {
	const rs = `{"resources":[{"urn":"urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev","type":"pulumi:pulumi:Stack"}]}`
	for _, text := range []string{
		`{"version":3,"checkpoint":{"stack":"organization/shop/d\u0065v","latest":` + rs + `}}`,
		`{"version":3,"checkpoint":{"latest":` + rs + `,"stack":"dev"}}`,
		`{"target":"dev","latest":` + rs + `}`,
		`{"target":null,"latest":` + rs + `}`,
	} {
		want := strings.NewReplacer("d\\u0065v", "prod", "/shop/", "/store/", `"dev"`, `"prod"`, ":dev::shop:", ":prod::store:", "shop-dev", "store-prod").Replace(text)
		if got := rewritten(t, text, state.Edits{OldStack: "dev", NewStack: "prod", OldProject: "shop", NewProject: "store"}); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestRewriteSpelling: what stays of a URN is spelled as it was, with escapes of any kind,
// and no character is cut. Aliases do not follow names.
func TestRewriteSpelling(t *testing.T) {
	for _, row := range []struct{ old, name, now, want string }{
		{`\ud83d\ude42x`, "\U0001f642x", "\U0001f642y", `\ud83d\ude42y`},
		{`x\uD83D\uDE42`, "x\U0001f642", "y\U0001f642", `y\uD83D\uDE42`},
		{"\U0001f642", "\U0001f642", "\U0001f643", "\U0001f643"},
		{`a\n\u00e9\/b`, "a\né/b", "a\né/c", `a\n\u00e9\/c`},
		{"é", "é", "è", "è"},
		{"é", "é", "", ""},
		{"x", "x", "a\u2028\"", `a\u2028\"`},
	} {
		of := func(name string) string { return urnOf("a:b:C", name) }
		text := export(`{"urn":"`+of(row.old)+`","aliases":["`+of(row.old)+`"]}`, `{"urn":"`+urnA+`","parent":"`+of(row.old)+`","aliases":["`+of(row.old)+`"]}`)
		want := export(`{"urn":"`+of(row.want)+`","aliases":["`+of(row.old)+`"]}`, `{"urn":"`+urnA+`","parent":"`+of(row.want)+`","aliases":["`+of(row.old)+`"]}`)
		if got := rewritten(t, text, state.Edits{Rename: map[string]string{of(row.name): row.now}}); got != want {
			t.Errorf("%s: got %s, not %s", row.old, got, want)
		}
	}
}
