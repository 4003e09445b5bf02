package demo_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func TestCheck(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(full("one"))
	if zone, _ := inputs.Field("zone").AsString(); zone != "a" {
		t.Errorf("zone %q", zone)
	}
	if !inputs.Field("password").IsSecret() {
		t.Error("the password is no secret")
	}
	if again := s.check(inputs); !again.Identical(inputs) {
		t.Errorf("checking again makes %v of %v", again, inputs)
	}
	if got, want := s.check(object("name", text("x"), "size", value.Null())), object("name", text("x"), "size", number(1), "zone", text("a")); !got.Identical(want) {
		t.Errorf("%v, want %v", got, want)
	}
	unknown := object("name", value.Unknown(), "size", value.Unknown(), "labels", value.Unknown(), "rules", array(value.Unknown()), "members", array(value.Unknown(), value.Unknown()))
	if got := s.check(unknown); !got.Identical(with(unknown, "zone", text("a"))) {
		t.Errorf("unknowns: %v", got)
	}
}

func TestCheckFails(t *testing.T) {
	s := configured(t, nil)
	sec := value.Secret
	for _, row := range []struct {
		name string
		set  value.Value
		want string // property: reason, for each
	}{
		{"kind", object("title", number(1)), "title: expected string, found number"},
		{"several", object("size", text("1"), "enabled", text("yes")), "enabled: expected boolean, found string; size: expected integer, found string"},
		{"unknown name", object("colour", text("red")), "colour: found a property that is not in the schema"},
		{"odd unknown name", object("a.b", text("red")), `["a.b"]: found a property that is not in the schema`},
		{"empty", object("name", text(""), "zone", text("")), `name: is empty, or holds a "#"; zone: is empty, or holds a "#"`},
		{"negative", object("size", number(-1)), "size: is out of range"},
		{"fraction", object("size", number(1.5)), "size: expected integer, found number with a fraction"},
		{"huge", object("size", number(1e300)), "size: expected number that is exactly one of int, found another number"},
		{"in an array", object("rules", array(object("name", text("r"), "port", number(1)), object("name", text("r"), "port", number(0)))), "rules[1].port: is out of range"},
		{"missing in an array", object("rules", array(object("port", number(1)))), "rules[0].name: expected a value, found none"},
		{"in an array in it", object("rules", array(object("name", text("r"), "port", number(1), "cidrs", array(text("a"), number(1))))), "rules[0].cidrs[1]: expected string, found number"},
		{"in a map", object("labels", object("a.b", number(1), "", number(2))), `labels[""]: expected string, found number; labels["a.b"]: expected string, found number`},
		{"in a map of maps", object("limits", object("x", object("y", text("z")))), "limits.x.y: expected number, found string"},
		{"twice", object("members", array(text("a"), text("b"), text("a"))), "members[2]: duplicate element"},
		{"nested", object("settings", object("owner", object("phone", text("1")))), "settings.owner.phone: found a property that is not in the schema"},
		{"asset", object("document", text("x"), "bundle", value.TextAsset("x")), "bundle: expected archive, found asset; document: expected asset or archive, found string"},
		{"archive", object("document", full("x").Field("bundle")), "document: expected asset, found archive"},
		{"key that no path can have", object("labels", object(`a.\`, number(1))), `: labels["a.\\"]: expected string, found number`},
		// What the engine would print as it is has no property, but the place in the text.
		{"a secret", object("title", sec(number(1)), "name", sec(text(canary))), ": title: expected string, found number; : name: expected a value that is not secret, since it is shown, found a secret"},
		{"next to a secret", object("members", array(sec(text(canary)), text("b"), text("b"))), "members[2]: duplicate element"},
		{"what holds a secret", object("labels", array(sec(text(canary)))), ": labels: expected map of string, found array"},
		{"in a secret", object("labels", sec(object(canary, number(1)))), ": labels: expected string, found number"},
		{"deeper in a secret", object("rules", array(sec(object("name", text("r"), "port", number(1), "cidrs", array(number(1)))))), "rules[0]: expected string, found number"},
		{"name in a secret", object("settings", sec(object(canary, number(1)))), ": settings: found a property that is not in the schema"},
	} {
		r, err := s.Check(t.Context(), &rpc.CheckRequest{URN: recordURN, News: row.set, RandomSeed: rpc.Hide([]byte("s"))})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		var got []string
		for _, f := range r.Failures {
			got = append(got, f.Property+": "+f.Reason)
			if strings.Contains(f.Property+f.Reason, canary) {
				t.Errorf("%s: %v tells a secret", row.name, f)
			}
			if _, err := path.ParsePulumi(f.Property); err != nil {
				t.Errorf("%s: %v", row.name, err)
			}
		}
		if all := strings.Join(got, "; "); all != row.want {
			t.Errorf("%s: %q, want %q", row.name, all, row.want)
		}
	}
}

func TestAutonaming(t *testing.T) {
	s := configured(t, nil)
	named := func(q *rpc.CheckRequest) (string, string) {
		t.Helper()
		q.URN = recordURN
		r, err := s.Check(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := r.Inputs.Field("name").AsString()
		if len(r.Failures) > 0 {
			return name, r.Failures[0].Property
		}
		return name, ""
	}
	first, _ := named(&rpc.CheckRequest{RandomSeed: rpc.Hide([]byte("one"))})
	again, _ := named(&rpc.CheckRequest{RandomSeed: rpc.Hide([]byte("one")), News: object("name", value.Null())})
	other, _ := named(&rpc.CheckRequest{RandomSeed: rpc.Hide([]byte("two")), News: object()})
	if first != again || first == other || len(first) != len("one-1234567") || !strings.HasPrefix(first, "one-") {
		t.Errorf("%q %q %q", first, again, other)
	}
	kept, _ := named(&rpc.CheckRequest{RandomSeed: rpc.Hide([]byte("two")), Olds: object("name", text(first))})
	if kept != first {
		t.Errorf("%q was not kept: %q", first, kept)
	}
	for _, mode := range []rpc.AutonamingMode{rpc.AutonamingPropose, rpc.AutonamingEnforce} {
		if got, _ := named(&rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{Mode: mode, ProposedName: "proposed"}}); got != "proposed" {
			t.Errorf("%v: %q", mode, got)
		}
	}
	off := &rpc.AutonamingOptions{Mode: rpc.AutonamingDisable}
	if got, failed := named(&rpc.CheckRequest{Autonaming: off}); got != "" || failed != "name" {
		t.Errorf("disabled: %q, failed %q", got, failed)
	}
	if got, failed := named(&rpc.CheckRequest{Autonaming: off, News: object("name", text("mine"))}); got != "mine" || failed != "" {
		t.Errorf("disabled: %q, failed %q", got, failed)
	}
}
