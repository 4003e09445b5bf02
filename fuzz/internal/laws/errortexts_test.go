package laws_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// hostileNames are names that would move a cursor, end a line, or turn the direction of a
// text, and some that are not UTF-8.
func hostileNames() []string {
	return []string{"a\x1b]0;pwn\a", "a\nroot logged in", "\u202egnp.exe", "\u2028\u0085", "\xff\x00", "\x9b2J", "urn:pulumi:s::p::t:m:C::a\x1b]0;\r\n", `"\` + "\t"}
}

// checkText reports an error whose text has a character that is not printable. Errors that
// list problems have lines that begin with two spaces.
func checkText(t *testing.T, what string, err error) {
	t.Helper()

	text := strings.ReplaceAll(err.Error(), "\n  ", "")
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 || !utf8.ValidString(text) {
		t.Errorf("%s: %T: %q", what, err, err.Error())
	}
}

// errorTypes are the exported types of errors; a pointer to one is an error.
func errorTypes() []reflect.Type {
	return slices.DeleteFunc(probe.Types(), func(t reflect.Type) bool {
		return t.Kind() == reflect.Interface || !reflect.PointerTo(t).Implements(reflect.TypeFor[error]())
	})
}

// TestErrorTexts: no text of an error has a character that is not printable, whatever is
// in its fields.
func TestErrorTexts(t *testing.T) {
	for _, kind := range errorTypes() {
		err := reflect.New(kind)
		for _, name := range hostileNames() {
			fill(err.Elem(), name)
			checkText(t, kind.String(), err.Interface().(error))
		}
	}
}

// fill gives all exported fields a name.
func fill(to reflect.Value, name string) {
	switch to.Interface().(type) {
	case path.Shown:
		to.Set(reflect.ValueOf(path.Show(path.Of(path.Key(name)), -1)))
	case path.Path:
		to.Set(reflect.ValueOf(path.Of(path.Key(name))))
	default:
		switch to.Kind() {
		case reflect.String:
			to.SetString(name)
		case reflect.Slice:
			to.Set(reflect.MakeSlice(to.Type(), 2, 2))

			for i := range to.Len() {
				fill(to.Index(i), name)
			}
		case reflect.Struct:
			for i := range to.NumField() {
				if to.Type().Field(i).IsExported() {
					fill(to.Field(i), name)
				}
			}
		default:
		}
	}
}

// TestErrorTextsOfAll: nor has an error that any exported function returns for hostile
// names, keys, texts and files.
func TestErrorTextsOfAll(t *testing.T) {
	found := map[string]bool{}

	for _, name := range hostileNames() {
		for what, err := range refusals(name) {
			checkText(t, what, err)
		}
	}

	for _, name := range []string{"a\x1b]0;pwn\a\n\u202e\u2028", "urn:pulumi:s::p::t:m:C::a\x1b]0;\r\n\xff"} {
		p := hostileScene(name).Prober(1)
		p.Failed = func(function string, err error) {
			found[function] = true
			checkText(t, function, err)
		}

		for _, i := range probe.Functions("") {
			p.Call(i)
		}
	}

	if len(found) < 50 {
		t.Errorf("only %d functions failed", len(found))
	}
}

// hostileScene has a name as keys and texts.
func hostileScene(name string) *probe.Scene {
	inner := value.Object(value.Field(name, value.String(name)), value.Field("secret", value.Secret(value.String(name))), value.Field("number", value.Number(1)))

	return &probe.Scene{
		Old:   value.Object(value.Field(name, inner), value.Field("list", value.Array(inner, value.String(name)))),
		New:   value.Object(value.Field(name, value.String(name)), value.Field("list", value.Array(inner, inner))),
		Paths: []path.Path{path.Of(path.Key(name), path.Key(name), path.Key(name))}, Set: path.NewSet(path.Of(path.Key(name)).Pattern()), Texts: []string{name}, Index: 1,
	}
}

// refusals are errors about names that the prober does not reach.
func refusals(name string) map[string]error {
	all := map[string]error{}
	quoted, _ := codec.AppendJSONValue(nil, value.String("urn:pulumi:s::p::t:m:C::"+strings.ToValidUTF8(name, "")), codec.Options{})
	resource := func(members string) string {
		return `{"urn":` + string(quoted) + `,"type":"t:m:C","id":"1"` + members + `}`
	}
	file := func(resources ...string) string {
		return `{"version":3,"deployment":{"resources":[` + strings.Join(resources, ",") + `]}}`
	}
	other := `{"urn":"urn:pulumi:s::p::t:m:C::other","type":"t:m:C","parent":` + string(quoted) + `}`
	own := "urn:pulumi:s::p::t:m:C::" + strings.ToValidUTF8(name, "")

	for i, row := range []struct {
		text  string
		edits state.Edits
	}{
		{file(other), state.Edits{}},
		{file(resource(""), other), state.Edits{Delete: []string{own}}},
		{file(resource(`,"protect":true`)), state.Edits{Delete: []string{own}}},
		{file(resource(`,"pending":true`), resource("")), state.Edits{Delete: []string{own}}},
		{file(resource("")), state.Edits{Delete: []string{name}}},
		{file(resource("")), state.Edits{Rename: map[string]string{own: name}}},
		{file(resource(""), strings.Replace(other, `,"parent"`, `,"x"`, 1)), state.Edits{Rename: map[string]string{own: "other"}}},
		{file(resource(""), strings.Replace(other, `,"parent"`, `,"x"`, 1)), state.Edits{Rename: map[string]string{own: "z", "urn:pulumi:s::p::t:m:C::other": "z"}}},
		{file(resource("")), state.Edits{Rename: map[string]string{name: "x"}}},
		{file(resource("")), state.Edits{OldStack: name, NewStack: "x"}},
		{file(resource("")), state.Edits{OldStack: "s", NewStack: name}},
		{file(resource("")), state.Edits{OldProject: name, NewProject: "x"}},
		{file(resource("")), state.Edits{OldProject: name, NewProject: "x", OldStack: name, NewStack: "y"}},
		{file(resource("")), state.Edits{Properties: []state.PropertyEdit{{Resource: own, Bag: name, At: path.Of(path.Key(name))}}}},
		{file(resource("")), state.Edits{Properties: []state.PropertyEdit{{Resource: own, Bag: "inputs", At: path.Of(path.Key(name), path.Key(name))}}}},
		{file(resource("")), state.Edits{Properties: []state.PropertyEdit{{Resource: name, Bag: "inputs", At: path.Of(path.Key(name))}}, Delete: []string{name}}},
		{file(resource("")), state.Edits{Members: []state.MemberEdit{{Resource: own, Name: name}}}},
		{file(resource("")), state.Edits{Members: []state.MemberEdit{{Resource: name, Name: "protect", Value: value.Bool(true)}}}},
		{file(resource("")), state.Edits{Members: []state.MemberEdit{{Resource: own, Name: "parent", Value: value.String(name)}}}},
		{file(resource("")), state.Edits{Members: []state.MemberEdit{{Resource: own, Name: "provider", Value: value.String(name)}}}},
		{file(resource("")), state.Edits{Members: []state.MemberEdit{{Resource: own, Name: "id", Value: value.String("2")}}}},
		{file(resource(`,"delete":true`), resource("")), state.Edits{Members: []state.MemberEdit{{Resource: own + "#1", Name: "delete", Value: value.Bool(false)}}}},
		{file(`{"urn":` + string(quoted) + `,` + string(quoted) + `:[`), state.Edits{}},
		{file(resource(`,"inputs":{` + string(quoted) + `:[`)), state.Edits{}},
	} {
		if _, err := state.Rewrite(strings.NewReader(row.text), io.Discard, row.edits); err != nil {
			all[fmt.Sprint("rewrite ", i)] = err
		}
	}

	_, err := state.Compare(strings.NewReader("{"), strings.NewReader("{"), state.CompareOptions{OldName: name, NewName: name})
	all["compare"] = err
	_, err = state.Rewrite(failing{name}, io.Discard, state.Edits{})
	all["reader"] = err
	_, err = equality.NewRules(equality.Rule{Pattern: path.Of(path.Key(name)).Pattern(), Default: value.Secret(value.Null())})
	all["rules"] = err
	_, err = schema.Read([]byte(`{"name":`+string(quoted)+`,"resources":{`+string(quoted)+`:{"required":[`+string(quoted)+`],"inputProperties":{`+string(quoted)+`:{"$ref":`+string(quoted)+`}}}}}`), schema.Options{})
	all["schema"] = err

	return all
}

// failing is a file that cannot be read.
type failing struct{ reason string }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, errors.New(f.reason) }
