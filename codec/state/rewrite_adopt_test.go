package state_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

const pendingP, pendingQ, pendingR = home + "a:b:C::p", home + "a:b:C::q", home + "a:b:C::r"

func pending(typ, urn, more string) string {
	return `{"type":"` + typ + `","resource":{"urn":"` + urn + `","custom":true,` + more + `"type":"a:b:C"}}`
}

func withPending(operations string, records ...string) string {
	return `{"version":3,"deployment":{"pending_operations":[` + operations + `],"resources":[ ` + strings.Join(records, ",\n ") + "\n]}}"
}

// TestAdopt: the resource of a pending operation comes after all others, with its ID and all
// that it had, and the operation is gone.
func TestAdopt(t *testing.T) {
	adopted := func(urn, more, id string) string {
		return strings.Replace(`,{"urn":"`+urn+`","custom":true,`+more+`"type":"a:b:C","id":"`+id+`"}`, `"id":"","type":"a:b:C","id":"`+id+`"`, `"id":"`+id+`","type":"a:b:C"`, 1)
	}
	deleted := rec("p", `"delete":true`)
	for _, row := range []struct {
		here, old, now string
		edits          state.Edits
	}{
		{here(), withPending(pending("creating", pendingP, ""), rec("a")), withPending("", rec("a")+adopted(pendingP, "", "i")), state.Edits{}},
		{here(), withPending(pending("importing", pendingP, `"id":"",`), rec("a")), withPending("", rec("a")+adopted(pendingP, `"id":"",`, "i")), state.Edits{}},
		{
			here(), withPending(pending("creating", pendingP, refersTo("parent", "a")+`,"dependencies":["`+home+`a:b:C::a"],`), rec("a"), rec("b")),
			withPending("", rec("a"), rec("b")+adopted(pendingP, refersTo("parent", "a")+`,"dependencies":["`+home+`a:b:C::a"],`, "i")),
			state.Edits{},
		},
		{here(), withPending(pending("creating", pendingQ, "")+" , "+pending("creating", pendingP, "")+" ,\n"+pending("updating", pendingR, ""), rec("a")), withPending(pending("creating", pendingQ, "")+" ,\n"+pending("updating", pendingR, ""), rec("a")+adopted(pendingP, "", "i")), state.Edits{}},
		{here(), withPending(pending("creating", pendingP, "")+" , "+pending("creating", pendingQ, ""), rec("a")), withPending(pending("creating", pendingQ, ""), rec("a")+adopted(pendingP, "", "i")), state.Edits{}},
		{here(), withPending(pending("creating", pendingP, "")+" , "+pending("creating", pendingQ, ""), rec("a")), withPending("", rec("a")+adopted(pendingP, "", "i")+adopted(pendingQ, "", "j")), state.Edits{Adopt: map[string]string{pendingQ: "j"}}},
		{here(), withPending(pending("creating", pendingP, ""), deleted), withPending("", deleted+adopted(pendingP, "", "i")), state.Edits{}},
		{here(), withPending(pending("creating", pendingP, ""), rec("p")), withPending("", deleted+adopted(pendingP, "", "i")), state.Edits{Members: []state.MemberEdit{{Resource: pendingP, Name: "delete", Value: value.Bool(true)}}}},
		{here(), withPending(pending("creating", pendingP, ""), rec("a"), rec("b")), withPending("", rec("a")+adopted(pendingP, "", "i")), state.Edits{Delete: []string{home + "a:b:C::b"}}},
		{
			here(), withPending(pending("creating", pendingP, refersTo("parent", "a")+","), rec("a")), strings.ReplaceAll(withPending("", rec("a")+adopted(pendingP, refersTo("parent", "a")+",", "i")), ":dev:", ":prod:"),
			state.Edits{OldStack: "dev", NewStack: "prod"},
		},
	} {
		if row.edits.Adopt == nil {
			row.edits.Adopt = map[string]string{}
		}
		row.edits.Adopt[pendingP] = "i"
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
}

// TestAdoptRefused: what engines would refuse, or nobody can mean, is an error that says why.
func TestAdoptRefused(t *testing.T) {
	for _, row := range []struct{ here, text, id, want string }{
		{here(), withPending("", rec("a")), "i", "no pending operation is about " + pendingP},
		{here(), deployed(`"metadata":{}`, rec("a")), "i", "no pending operation is about " + pendingP},
		{here(), withPending(pending("creating", pendingP, ""), rec("p")), "i", pendingP + " cannot be adopted, since it is in the file and not pending deletion"},
		{here(), withPending(pending("creating", pendingP, "")+","+pending("creating", pendingP, ""), rec("a")), "i", "several pending operations are about " + pendingP},
		{here(), withPending(pending("updating", pendingP, ""), rec("a")), "i", "an operation of the type updating is about " + pendingP + ", whose record a refresh corrects"},
		{here(), withPending(pending("reading", pendingP, ""), rec("a")), "i", "an operation of the type reading is about " + pendingP + ", and only those that create or import are adopted"},
		{here(), withPending(pending("creating", pendingP, "")), "i", pendingP + " would be the only resource of the file"},
		{here(), withPending(strings.Replace(pending("creating", pendingP, ""), "true", "false", 1), rec("a")), "i", pendingP + " is a component, which has no ID"},
		{here(), withPending(strings.Replace(pending("creating", pendingP, ""), `"type":"a:b:C"`, `"x":1`, 1), rec("a")), "i", pendingP + " has no type"},
		{here(), withPending(pending("creating", pendingP, ""), rec("a")), "", "the ID of " + pendingP + " is a text in UTF-8 that is not empty"},
		{here(), withPending(pending("creating", pendingP, refersTo("parent", "gone")+","), rec("a")), "i", "parent: cannot edit: refers to " + home + "a:b:C::gone, which is not in the file"},
		{here(), withPending(pending("creating", pendingP, `"dependencies":["`+pendingQ+`"],`), rec("a")), "i", "dependencies: cannot edit: refers to " + pendingQ + ", which is not in the file"},
		{here(), withPending(pending("creating", pendingP, `"propertyDependencies":{"x":["`+pendingQ+`"]},`), rec("a")), "i", "propertyDependencies: cannot edit: refers to " + pendingQ},
		{here(), withPending(pending("creating", pendingP, uses("v1")+`,`), rec("a")), "i", "provider: cannot edit: refers to "},
		{here(), withPending(pending("creating", pendingP, refersTo("deletedWith", "gone")+","), rec("a")), "i", "deletedWith: cannot edit: refers to "},
		{here(), withPending(pending("creating", pendingP, refersTo("viewOf", "gone")+","), rec("a")), "i", "viewOf: cannot edit: refers to "},
		{here(), withPending(pending("creating", pendingP, `"replaceWith":["`+pendingQ+`"],`), rec("a")), "i", "replaceWith: cannot edit: refers to "},
	} {
		_, err := state.Rewrite(strings.NewReader(row.text), io.Discard, state.Edits{Adopt: map[string]string{pendingP: row.id}})
		if !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.here, err)
		}
	}
	_, err := state.Rewrite(strings.NewReader(withPending(pending("creating", pendingP, refersTo("parent", "a")+","), rec("b"), rec("a"))), io.Discard, state.Edits{Adopt: map[string]string{pendingP: "i"}, Delete: []string{home + "a:b:C::a"}})
	if !errors.Is(err, state.ErrEdit) || !strings.Contains(err.Error(), "which is deleted") {
		t.Error(err)
	}
}
