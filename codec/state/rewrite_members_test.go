package state_test

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// asMember returns an edit of a member: true, false or a text.
func asMember(resource, name string, to any) state.MemberEdit {
	if on, isBool := to.(bool); isBool {
		return state.MemberEdit{Resource: resource, Name: name, Value: value.Bool(on)}
	}
	return state.MemberEdit{Resource: resource, Name: name, Value: value.String(to.(string))}
}

// TestRewriteMembers: an edit of a member changes that and nothing else; one that it has
// already changes nothing.
func TestRewriteMembers(t *testing.T) {
	db, app, group := urnOf("x:y:Group$a:b:C", "db"), urnOf("a:b:C", "app"), urnOf("x:y:Group", "g")
	old, provider := urnOf("a:b:C", "old"), urnOf("pulumi:providers:aws", "main")
	const appType = `"custom": true, "id": "i-2", "type": "a:b:C"`
	edits := func(all ...state.MemberEdit) state.Edits { return state.Edits{Members: all} }

	for _, row := range []struct {
		at      string
		edits   state.Edits
		replace []string // old, new, … in the file
	}{
		{here(), edits(asMember(app, "protect", true)), []string{appType, appType + `, "protect": true`}},
		{here(), edits(asMember(app, "protect", false), asMember(app, "taint", false)), nil},
		{here(), edits(asMember(db, "protect", true)), nil},
		{here(), edits(asMember(db, "protect", false)), []string{`"type": "a:b:C", "protect": true,`, `"type": "a:b:C",`}},
		{here(), edits(asMember(db, "protect", false), asMember(db+"::i-1", "protect", true)), nil},
		{here(), edits(asMember(db, "protect", false), asMember(db, "taint", true)), []string{`"type": "a:b:C", "protect": true,`, `"type": "a:b:C", "taint": true,`}},
		{here(), edits(asMember(group, "protect", true)), []string{`"type": "x:y:Group", `, `"type": "x:y:Group", "protect": true, `}},
		{here(), edits(asMember(old+"#1", "delete", true), asMember(old+"#2", "protect", true)), []string{`"id": "o-2", "type": "a:b:C"`, `"id": "o-2", "type": "a:b:C", "protect": true`}},
		{here(), edits(asMember(old+"#2", "delete", true)), []string{`"id": "o-2", "type": "a:b:C"`, `"id": "o-2", "type": "a:b:C", "delete": true`}},
		{here(), edits(asMember(old+"#1", "delete", false), asMember(old+"#2", "delete", true)), []string{`old", "delete": true,`, `old",`, `"id": "o-2", "type": "a:b:C"`, `"id": "o-2", "type": "a:b:C", "delete": true`}},
		{here(), edits(asMember(app, "id", "i-\"3")), []string{`"id": "i-2"`, `"id": "i-\"3"`}},
		{here(), edits(asMember(app, "parent", group)), []string{appType, appType + `, "parent": "` + group + `"`}},
		{here(), edits(asMember(db, "parent", urnOf("pulumi:pulumi:Stack", "shop-dev"))), []string{`"parent": "` + group + "\",\n                \"provider\"", `"parent": "` + urnOf("pulumi:pulumi:Stack", "shop-dev") + "\",\n                \"provider\""}},
		{here(), edits(asMember(app, "provider", provider+"::p-1")), []string{appType, appType + `, "provider": "` + provider + `::p-1"`}},
		{
			here(),
			state.Edits{Members: []state.MemberEdit{asMember(app, "parent", group), asMember(app, "provider", provider+"::p-1")}, Rename: map[string]string{group: "h", provider: "other"}},
			[]string{`x:y:Group::g`, `x:y:Group::h`, `aws::main`, `aws::other`, appType, appType + `, "parent": "` + urnOf("x:y:Group", "h") + `", "provider": "` + urnOf("pulumi:providers:aws", "other") + `::p-1"`},
		},
		{
			here(),
			state.Edits{Members: []state.MemberEdit{asMember(app, "taint", true)}, Properties: []state.PropertyEdit{{Resource: app, Bag: "outputs", At: path.MustParse("n"), Value: value.Null()}}},
			[]string{appType, appType + `, "taint": true`, `"viewOf": "` + db + `"`, `"viewOf": "` + db + `","outputs":{"n":null}`},
		},
	} {
		var got strings.Builder
		n, err := state.Rewrite(strings.NewReader(shop), &got, row.edits)
		if want := strings.NewReplacer(row.replace...).Replace(shop); err != nil || got.String() != want || (n == 0) != (want == shop) {
			t.Errorf("%s: %v, %d places, got\n%s\nwant\n%s", row.at, err, n, got.String(), want)
		}
	}
}

// TestRewriteMembersPlaces: members are added and taken out wherever they are in a resource.
func TestRewriteMembersPlaces(t *testing.T) {
	on, off := asMember(urnA, "protect", true), asMember(urnA, "protect", false)
	taint := asMember(urnA, "taint", false)
	outputs := state.PropertyEdit{Resource: urnA, Bag: "outputs", At: path.MustParse("n"), Value: value.Null()}
	for _, row := range []struct {
		at, resource string
		edits        state.Edits
		want         string
	}{
		{here(), `{ "urn" : "URN" }`, state.Edits{Members: []state.MemberEdit{on}}, `{ "urn" : "URN", "protect" : true }`},
		{here(), `{"protect":false,"urn":"URN"}`, state.Edits{Members: []state.MemberEdit{on}}, `{"protect":true,"urn":"URN"}`},
		{here(), `{"\u0070rotect":null,"urn":"URN"}`, state.Edits{Members: []state.MemberEdit{on}}, `{"\u0070rotect":true,"urn":"URN"}`},
		{here(), `{"protect":null,"urn":"URN"}`, state.Edits{Members: []state.MemberEdit{off}}, `{"protect":null,"urn":"URN"}`},
		{here(), `{ "protect":true , "urn":"URN" }`, state.Edits{Members: []state.MemberEdit{off}}, `{ "urn":"URN" }`},
		{here(), `{"taint":true,"protect":true,"urn":"URN"}`, state.Edits{Members: []state.MemberEdit{off, taint}}, `{"urn":"URN"}`},
		{here(), `{"protect":true,"urn":"URN","taint":true}`, state.Edits{Members: []state.MemberEdit{off, taint}}, `{"urn":"URN"}`},
		{here(), `{"urn":"URN","taint":true,"protect":true}`, state.Edits{Members: []state.MemberEdit{off, taint}, Properties: []state.PropertyEdit{outputs}}, `{"urn":"URN","outputs":{"n":null}}`},
		{here(), `{"urn":"URN","taint":true}`, state.Edits{Members: []state.MemberEdit{taint, on}, Properties: []state.PropertyEdit{outputs}}, `{"urn":"URN","protect":true,"outputs":{"n":null}}`},
		{here(), `{"custom":true,"id":null,"urn":"URN"}`, state.Edits{Members: []state.MemberEdit{asMember(urnA, "id", "i")}}, `{"custom":true,"id":"i","urn":"URN"}`},
		{here(), `{"urn":"URN","parent":"gone"},{"urn":"URNx"}`, state.Edits{Members: []state.MemberEdit{asMember(urnA+"x", "parent", urnA)}}, `{"urn":"URN","parent":"gone"},{"urn":"URNx","parent":"URN"}`},
		{here(), `{"urn":"URNx"},{"urn":"URNy"},{"urn":"URN","parent":"URNx"}`, state.Edits{Delete: []string{urnA + "x"}, Members: []state.MemberEdit{asMember(urnA, "parent", urnA+"y")}}, `{"urn":"URNy"},{"urn":"URN","parent":"URNy"}`},
	} {
		text, want := strings.ReplaceAll(row.resource, "URN", urnA), strings.ReplaceAll(row.want, "URN", urnA)
		if got := rewritten(t, export(text), row.edits); got != export(want) {
			t.Errorf("%s: %s", row.at, got)
		}
	}
}

// TestRewriteMembersErrors: a member that makes a file worse is refused, and nothing is written.
func TestRewriteMembersErrors(t *testing.T) {
	db, app, group := urnOf("x:y:Group$a:b:C", "db"), urnOf("a:b:C", "app"), urnOf("x:y:Group", "g")
	old, provider := urnOf("a:b:C", "old"), urnOf("pulumi:providers:aws", "main")
	for _, row := range []struct {
		at    string
		edits state.Edits
		want  string
	}{
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "protect", "true")}}, "protect is true or false"},
		{here(), state.Edits{Members: []state.MemberEdit{{Resource: app, Name: "delete"}}}, "delete is true or false"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "id", "")}}, "id is a text in UTF-8 that is not empty"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "id", "\xff")}}, "id is a text in UTF-8 that is not empty"},
		{here(), state.Edits{Members: []state.MemberEdit{{Resource: app, Name: "id", Value: value.Secret(value.String("canary"))}}}, "id cannot be secret"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "urn", "x")}}, "urn is no member that is edited"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "dependencies", "x")}}, "dependencies is no member that is edited"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(old, "protect", true)}}, "several resources are named " + old},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app+"x", "protect", true)}}, "no resource is named " + app + "x"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "protect", true)}, Delete: []string{app}}, app + " is deleted, and its members are changed"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(old+"#1", "delete", false)}}, "more than one resource with the URN " + old + " would be live"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(group, "id", "x")}}, group + " is a component, which has no ID"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(provider, "id", "x")}}, provider + " is a provider, whose ID others refer to"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(db, "parent", app)}}, db + ": parent: cannot edit: " + app + " does not come before it"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(db, "parent", db)}}, db + ": parent: cannot edit: " + db + " does not come before it"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(db, "parent", app+"x")}}, "parent: cannot edit: no parent " + app + "x is in the file"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "provider", provider)}}, "provider: cannot edit: no provider " + provider + " is in the file"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "provider", db+"::i-1")}}, "no provider " + db + "::i-1 is in the file"},
		{here(), state.Edits{Members: []state.MemberEdit{asMember(app, "parent", old)}, Delete: []string{old + "#1", old + "#2"}}, "refers to " + old + ", which is deleted"},
	} {
		var out strings.Builder
		n, err := state.Rewrite(strings.NewReader(shop), &out, row.edits)
		if n != 0 || out.Len() > 0 || !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %d places, %d bytes, %v", row.at, n, out.Len(), err)
		}
	}

	const odd = "urn:pulumi:dev::shop::pulumi:providers:p::p"
	file := export(`{"urn":"`+odd+`","type":"pulumi:providers:p","custom":true,"id":"a::b"}`, `{"urn":"`+urnA+`"}`)
	if _, err := state.Rewrite(strings.NewReader(file), &strings.Builder{}, state.Edits{Members: []state.MemberEdit{asMember(urnA, "provider", odd+"::a::b")}}); !errors.Is(err, state.ErrEdit) {
		t.Errorf("a provider whose ID has colons: %v", err)
	}
	for _, text := range []string{`"protect":1`, `"protect":"true"`, `"protect":true,"\u0070rotect":false`} {
		file := export(`{"urn":"` + urnA + `",` + text + `}`)
		if _, err := state.Rewrite(strings.NewReader(file), &strings.Builder{}, state.Edits{Members: []state.MemberEdit{asMember(urnA, "protect", true)}}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// TestRewriteMembersRealFiles: all resources of real files are protected, and all are not any
// more, which gives the files without the members that were there before.
func TestRewriteMembersRealFiles(t *testing.T) {
	changed := 0
	for name, data := range files(t) {
		name, text := filepath.Base(name), string(data)
		var protect, unprotect []state.MemberEdit
		count := map[string]int{}
		wasProtected := 0
		for _, r := range all(t, parse(t, text)) {
			count[r.URN]++
			one := r.URN + "#" + strconv.Itoa(count[r.URN])
			protect, unprotect = append(protect, asMember(one, "protect", true)), append(unprotect, asMember(one, "protect", false))
			if r.Protect {
				wasProtected++
			}
		}

		protected := rewritten(t, text, state.Edits{Members: protect})
		for _, r := range all(t, parse(t, protected)) {
			if !r.Protect {
				t.Errorf("%s: %s is not protected", name, r.URN)
			}
		}
		if again := rewritten(t, protected, state.Edits{Members: protect}); again != protected {
			t.Errorf("%s: protected again it is something else", name)
		}
		if without(protected) != without(text) {
			t.Errorf("%s: more has changed than a member", name)
		}
		if before, after := errorsOf(t, text), errorsOf(t, protected); !slices.Equal(before, after) {
			t.Errorf("%s: errors %v, and before %v", name, after, before)
		}
		changed += len(protect) - wasProtected

		back := rewritten(t, protected, state.Edits{Members: unprotect})
		want := rewritten(t, text, state.Edits{Members: unprotect})
		if back != want || (wasProtected == 0) != (back == text) {
			t.Errorf("%s: there and back is something else", name)
		}
		t.Logf("%s: %d resources, %d protected before", name, len(protect), wasProtected)
	}
	if changed == 0 {
		t.Error("nothing changed")
	}
}

// TestRewriteMembersMutants: in real files of which a record has the URN of another, no edit of
// a member makes an error that was not there.
func TestRewriteMembersMutants(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a fixed sequence
	made, refused := 0, 0
	found := files(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		data := found[name]
		if len(data) > 120_000 {
			continue
		}
		rs := all(t, parse(t, string(data)))
		for range 30 {
			e := state.Edits{Members: []state.MemberEdit{anyMember(random, rs)}}
			text := string(data)
			if gone := rs[random.IntN(len(rs))]; random.IntN(2) == 0 {
				text = strings.Replace(text, `"urn": "`+gone.URN+`"`, `"urn": "`+rs[0].URN+`"`+[]string{"", `, "delete": true`}[random.IntN(2)], 1)
			}

			var out strings.Builder
			if _, err := state.Rewrite(strings.NewReader(text), &out, e); err != nil {
				refused++
				continue
			}
			made++
			before := errorsOf(t, text)
			for _, each := range errorsOf(t, out.String()) {
				if !slices.Contains(before, each) {
					t.Errorf("%s: %v: %s", filepath.Base(name), e.Members, each)
				}
			}
		}
	}
	t.Logf("%d edits, %d refused", made, refused)
	if made < 50 || refused < 50 {
		t.Errorf("%d edits, %d refused", made, refused)
	}
}

// anyMember returns some edit of some resource.
func anyMember(random *rand.Rand, rs []state.Resource) state.MemberEdit {
	record, other := rs[random.IntN(len(rs))].URN, rs[random.IntN(len(rs))]
	if random.IntN(3) == 0 {
		record = rs[0].URN + "#2"
	}
	switch name := []string{"protect", "taint", "delete", "id", "parent", "provider"}[random.IntN(6)]; name {
	case "id":
		return asMember(record, name, "new")
	case "parent":
		return asMember(record, name, other.URN)
	case "provider":
		return asMember(record, name, cmp.Or(other.Provider, other.URN+"::"+other.ID))
	default:
		return asMember(record, name, random.IntN(2) == 0)
	}
}

// marks are members that say that a resource is protected, but for a first one.
var marks = regexp.MustCompile(`,\s*"protect"\s*:\s*true`)

func without(text string) string { return marks.ReplaceAllString(text, "") }

// errorsOf returns what engines refuse in a file.
func errorsOf(t *testing.T, text string) (found []string) {
	t.Helper()
	for f, err := range state.Check(strings.NewReader(text), state.CheckOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Severity == state.SeverityError {
			found = append(found, f.Code+" "+f.URN)
		}
	}
	return found
}
