package demo_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// truthful holds an answer against the library's validator.
func truthful(t *testing.T, q *rpc.DiffRequest, r *rpc.DiffResponse) {
	t.Helper()
	sides, err := provider.SidesOf(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range check.Validate(provider.ResponseOf(r), sides, provider.Differ{Ignored: provider.IgnoredOf(q)}) {
		if f.Severity == check.SeverityError {
			t.Errorf("%v", f)
		}
	}
}

func entries(r *rpc.DiffResponse) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(r.DetailedDiff)) {
		all = append(all, fmt.Sprint(key, ":", r.DetailedDiff[key].Kind))
	}
	text := fmt.Sprint(r.Changes, " ", strings.Join(all, " "))
	if r.DeleteBeforeReplace && len(r.Replaces) > 0 { // else it is for replaceOnChanges
		text += " first"
	}
	return text
}

func TestDiff(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(full("fixed"))
	old := s.create(inputs).Properties
	auto := s.check(with(full(""), "name", value.Null()))
	oldAuto := s.create(auto).Properties
	rules, elems := inputs.Field("rules"), func(v value.Value, name string) value.Value {
		return array(slices.Collect(func(yield func(value.Value) bool) {
			for _, e := range v.Elems() {
				if n, _ := e.Field("name").AsString(); n == name {
					e = with(e, "port", number(8080))
				}
				if !yield(e) {
					return
				}
			}
		})...)
	}
	for _, row := range []struct {
		name string
		auto bool
		set  []any
		want string
	}{
		{"nothing", false, nil, "DIFF_NONE "},
		{"scalar", false, []any{"title", text("bye")}, "DIFF_SOME title:UPDATE"},
		{"came and went", false, []any{"title", value.Null(), "enabled", value.Null()}, "DIFF_SOME enabled:DELETE title:DELETE"},
		{"odd keys", false, []any{"labels", object("a.b", text("1"), "", text("2"), `q"\*`, text("3"), "new", text("4"))}, `DIFF_SOME labels.new:ADD labels[""]:UPDATE labels["a.b"]:UPDATE labels["q\"\*"]:UPDATE`},
		{"in an array", false, []any{"rules", elems(rules, "r2")}, "DIFF_SOME rules[1].port:UPDATE"},
		{"order of a set", false, []any{"members", array(text("bob"), text("ann"))}, "DIFF_NONE "},
		{"a set", false, []any{"members", array(text("zoe"), text("bob"), text("ann"))}, "DIFF_SOME members[0]:ADD"},
		{"nested maps", false, []any{"limits", object("cpu", object("soft", number(5), "hard", number(2)))}, "DIFF_SOME limits.cpu.soft:UPDATE"},
		{"secret", false, []any{"password", value.Secret(text("other"))}, "DIFF_SOME password:UPDATE"},
		{"contents", false, []any{"document", value.TextAsset("other")}, "DIFF_SOME document:UPDATE"},
		{"hash alone", false, []any{"document", elided("some text")}, "DIFF_NONE "},
		{"unknown", false, []any{"title", value.Unknown()}, "DIFF_SOME title:UPDATE"},
		{"another name", false, []any{"name", text("other")}, "DIFF_SOME name:UPDATE_REPLACE"},
		{"unknown name", false, []any{"name", value.Unknown()}, "DIFF_SOME name:UPDATE_REPLACE"},
		{"one name for two", false, []any{"zone", text("b")}, "DIFF_SOME zone:UPDATE_REPLACE first"},
		{"nested force-new", false, []any{"settings", object("retention", number(7), "engine", text("e2"), "owner", object("name", text("joe")))}, "DIFF_SOME settings.engine:UPDATE_REPLACE first"},
		{"goes as a whole", false, []any{"settings", value.Null()}, "DIFF_SOME settings:DELETE_REPLACE first"},
		{"automatic name", true, []any{"zone", text("b")}, "DIFF_SOME zone:UPDATE_REPLACE"},
		{"in place, automatic name", true, []any{"title", text("b")}, "DIFF_SOME title:UPDATE"},
	} {
		was, state := inputs, old
		if row.auto {
			was, state = auto, oldAuto
		}
		r := s.diff(was, state, with(was, row.set...))
		if got := entries(r); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
		if row.name == "scalar" && !r.DeleteBeforeReplace {
			t.Errorf("%s: replaceOnChanges would create the new one first", row.name)
		}
		if !slices.Equal(r.Stables, []string{"token", "url"}) {
			t.Errorf("%s: stables %v", row.name, r.Stables)
		}
	}
}

func elided(contents string) value.Value {
	a, _ := value.TextAsset(contents).AsAsset()
	hash, _ := a.Hash()
	return value.TextAsset("").WithHash(hash).DropContent()
}

func TestDiffIgnores(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(full("x"))
	old := s.create(inputs).Properties
	q := &rpc.DiffRequest{URN: recordURN, OldInputs: inputs, Olds: old, News: with(inputs, "title", text("other"), "size", number(9)), IgnoreChanges: []string{"title", `a["`}}
	r, err := s.Diff(t.Context(), q)
	if err != nil || entries(r) != "DIFF_SOME size:UPDATE" {
		t.Errorf("%v %v", r, err)
	}
	truthful(t, q, r)
}

func TestDiffUnknown(t *testing.T) {
	s := configured(t, map[string]string{"DEMO_DIFF_UNKNOWN": "1"})
	inputs := s.check(full("x"))
	old := s.create(inputs).Properties
	r := s.diff(inputs, old, with(inputs, "title", text("other"), "zone", text("b")))
	if r.Changes != rpc.DiffUnknown || len(r.DetailedDiff) != 0 || r.HasDetailedDiff || !slices.Equal(r.Replaces, []string{"zone"}) || !r.DeleteBeforeReplace {
		t.Errorf("%v", r)
	}
}
