package state_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// TestAdopt: the resource of a pending operation comes after all others, with its ID and all
// that it had, and the operation is gone.
func TestAdopt(t *testing.T) {
	const p, q, r = home + "a:b:C::p", home + "a:b:C::q", home + "a:b:C::r"
	op := func(typ, urn, more string) string {
		return `{"type":"` + typ + `","resource":{"urn":"` + urn + `","custom":true,` + more + `"type":"a:b:C"}}`
	}
	with := func(operations string, records ...string) string {
		return `{"version":3,"deployment":{"pending_operations":[` + operations + `],"resources":[ ` + strings.Join(records, ",\n ") + "\n]}}"
	}
	adopted := func(urn, more, id string) string {
		return strings.Replace(`,{"urn":"`+urn+`","custom":true,`+more+`"type":"a:b:C","id":"`+id+`"}`, `"id":"","type":"a:b:C","id":"`+id+`"`, `"id":"`+id+`","type":"a:b:C"`, 1)
	}
	deleted := rec("p", `"delete":true`)
	for _, row := range []struct {
		here, old, now string
		edits          state.Edits
	}{
		{here(), with(op("creating", p, ""), rec("a")), with("", rec("a")+adopted(p, "", "i")), state.Edits{}},
		{here(), with(op("importing", p, `"id":"",`), rec("a")), with("", rec("a")+adopted(p, `"id":"",`, "i")), state.Edits{}},
		{
			here(), with(op("creating", p, refersTo("parent", "a")+`,"dependencies":["`+home+`a:b:C::a"],`), rec("a"), rec("b")),
			with("", rec("a"), rec("b")+adopted(p, refersTo("parent", "a")+`,"dependencies":["`+home+`a:b:C::a"],`, "i")), state.Edits{},
		},
		{here(), with(op("creating", q, "")+" , "+op("creating", p, "")+" ,\n"+op("updating", r, ""), rec("a")), with(op("creating", q, "")+" ,\n"+op("updating", r, ""), rec("a")+adopted(p, "", "i")), state.Edits{}},
		{here(), with(op("creating", p, "")+" , "+op("creating", q, ""), rec("a")), with(op("creating", q, ""), rec("a")+adopted(p, "", "i")), state.Edits{}},
		{here(), with(op("creating", p, "")+" , "+op("creating", q, ""), rec("a")), with("", rec("a")+adopted(p, "", "i")+adopted(q, "", "j")), state.Edits{Adopt: map[string]string{q: "j"}}},
		{here(), with(op("creating", p, ""), deleted), with("", deleted+adopted(p, "", "i")), state.Edits{}},
		{here(), with(op("creating", p, ""), rec("p")), with("", deleted+adopted(p, "", "i")), state.Edits{Members: []state.MemberEdit{{Resource: p, Name: "delete", Value: value.Bool(true)}}}},
		{here(), with(op("creating", p, ""), rec("a"), rec("b")), with("", rec("a")+adopted(p, "", "i")), state.Edits{Delete: []string{home + "a:b:C::b"}}},
		{
			here(), with(op("creating", p, refersTo("parent", "a")+","), rec("a")), strings.ReplaceAll(with("", rec("a")+adopted(p, refersTo("parent", "a")+",", "i")), ":dev:", ":prod:"),
			state.Edits{OldStack: "dev", NewStack: "prod"},
		},
	} {
		if row.edits.Adopt == nil {
			row.edits.Adopt = map[string]string{}
		}
		row.edits.Adopt[p] = "i"
		got := rewritten(t, row.old, row.edits)
		if got != row.now {
			t.Errorf("%s: %s\nnot %s", row.here, got, row.now)
		}
		for f, err := range state.Check(strings.NewReader(got), state.CheckOptions{}) {
			if err != nil || f.Severity == state.SeverityError {
				t.Errorf("%s: %v %v", row.here, f, err)
			}
		}
	}

	for _, row := range []struct{ here, text, id, want string }{
		{here(), with("", rec("a")), "i", "no pending operation is about " + p},
		{here(), deployed(`"metadata":{}`, rec("a")), "i", "no pending operation is about " + p},
		{here(), with(op("creating", p, ""), rec("p")), "i", p + " cannot be adopted, since it is in the file and not pending deletion"},
		{here(), with(op("creating", p, "")+","+op("creating", p, ""), rec("a")), "i", "several pending operations are about " + p},
		{here(), with(op("updating", p, ""), rec("a")), "i", "an operation of the type updating is about " + p + ", whose record a refresh corrects"},
		{here(), with(op("reading", p, ""), rec("a")), "i", "an operation of the type reading is about " + p + ", and only those that create or import are adopted"},
		{here(), with(op("creating", p, "")), "i", p + " would be the only resource of the file"},
		{here(), with(strings.Replace(op("creating", p, ""), "true", "false", 1), rec("a")), "i", p + " is a component, which has no ID"},
		{here(), with(strings.Replace(op("creating", p, ""), `"type":"a:b:C"`, `"x":1`, 1), rec("a")), "i", p + " has no type"},
		{here(), with(op("creating", p, ""), rec("a")), "", "the ID of " + p + " is a text in UTF-8 that is not empty"},
		{here(), with(op("creating", p, refersTo("parent", "gone")+","), rec("a")), "i", "parent: cannot edit: refers to " + home + "a:b:C::gone, which is not in the file"},
		{here(), with(op("creating", p, `"dependencies":["`+q+`"],`), rec("a")), "i", "dependencies: cannot edit: refers to " + q + ", which is not in the file"},
		{here(), with(op("creating", p, `"propertyDependencies":{"x":["`+q+`"]},`), rec("a")), "i", "propertyDependencies: cannot edit: refers to " + q},
		{here(), with(op("creating", p, uses("v1")+`,`), rec("a")), "i", "provider: cannot edit: refers to "},
		{here(), with(op("creating", p, refersTo("deletedWith", "gone")+","), rec("a")), "i", "deletedWith: cannot edit: refers to "},
		{here(), with(op("creating", p, `"replaceWith":["`+q+`"],`), rec("a")), "i", "replaceWith: cannot edit: refers to "},
	} {
		_, err := state.Rewrite(strings.NewReader(row.text), io.Discard, state.Edits{Adopt: map[string]string{p: row.id}})
		if !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.here, err)
		}
	}
	_, err := state.Rewrite(strings.NewReader(with(op("creating", p, refersTo("parent", "a")+","), rec("b"), rec("a"))), io.Discard, state.Edits{Adopt: map[string]string{p: "i"}, Delete: []string{home + "a:b:C::a"}})
	if !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), "which is deleted") {
		t.Error(err)
	}
}
