package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

func TestCheckFailures(t *testing.T) {
	var b boxes
	p := b.provider(t)
	unknown := value.Unknown()
	for _, row := range []struct {
		about  string
		inputs value.Value
		want   string
	}{
		{"kind", object("size", text("1")), "size: expected integer, found string"},
		{"two", object("size", text("1"), "labels", value.Array()), "labels: expected map of string, found array; size: expected integer, found string"},
		{"no such", object("siez", number(1)), "siez: expected the name of a property, such as size, found a property that is not in the schema"},
		{"in a list", object("rules", value.Array(object("port", number(1)), object("port", text("x")))), "rules[1].port: expected integer, found string"},
		{"left out in a list", object("rules", value.Array(object())), "rules[0].port: expected a value, found none"},
		{"of the function", object("size", number(0)), "size: expected 1 or more"},
		{"of the function, in a list", object("rules", value.Array(object("port", number(0)))), "rules[0].port: expected 1 to 65535"},
		{"of the function, two", object("size", number(0), "rules", value.Array(object("port", number(0)))), "size: expected 1 or more; rules[0].port: expected 1 to 65535"},
		{"unknown", object("size", unknown, "rules", value.Array(object("port", unknown), unknown), "labels", unknown), ""},
		{"unknown beside", object("size", number(0), "rules", value.Array(object("port", unknown))), "size: expected 1 or more"},
		{"a secret", object("password", secret("hunter 2hunter2")), ": password: expected no space in [secret]"},
		{"not marked by the program", object("password", text("hunter 2hunter2")), ": password: expected no space in [secret]"},
		{"a secret that is wrong", object("size", value.Secret(text("hunter2"))), ": size: expected integer, found string"},
		{"a secret that would be shown", object("name", secret("hunter2")), ": name: expected a value that is not secret, since it is shown, found a secret"},
	} {
		r, err := p.Check(t.Context(), &rpc.CheckRequest{URN: boxURN, News: row.inputs, RandomSeed: rpc.Hide([]byte("seed"))})
		if err != nil {
			t.Errorf("%s: %v", row.about, err)
			continue
		}
		var got []string
		for _, f := range r.Failures {
			got = append(got, f.Property+": "+f.Reason)
		}
		if strings.Join(got, "; ") != row.want {
			t.Errorf("%s: %q, want %q", row.about, got, row.want)
		}
	}
}

// A Check that changes an argument changes the inputs, and keeps marks and unknowns.
func TestCheckChanges(t *testing.T) {
	var b boxes
	p := b.provider(t, func(p *resource.Package) {
		r := b.resource()
		check := r.Check
		r.Check = func(ctx ctx, args *boxArgs) error {
			args.Policy = strings.ToLower(args.Policy)
			return check(ctx, args)
		}
		p.Resources = []resource.Resource{r}
	})
	inputs := object("name", text("a"), "policy", secret("ABC"), "size", value.Unknown(), "owner", secret("o"), "__defaults", value.Array())
	r, err := p.Check(t.Context(), &rpc.CheckRequest{URN: boxURN, News: inputs})
	if want := with(inputs, "policy", secret("abc")); err != nil || !r.Inputs.Identical(want) {
		t.Errorf("%v, %v, want %v", r, err, want)
	}
	inputs = object("name", text("a"), "policy", text("abc"), "size", number(1), "labels", object())
	if r, err = p.Check(t.Context(), &rpc.CheckRequest{URN: boxURN, News: inputs}); err != nil || !r.Inputs.Identical(inputs) {
		t.Errorf("%v, %v, want %v", r, err, inputs)
	}
}

func TestNames(t *testing.T) {
	var b boxes
	named := func(n resource.Names, r rpc.CheckRequest) string {
		t.Helper()
		p := b.provider(t, func(p *resource.Package) {
			r := b.resource()
			r.Names = n
			p.Resources = []resource.Resource{r}
		})
		r.URN = boxURN
		if r.RandomSeed.Equal(rpc.Hide([]byte(nil))) {
			r.RandomSeed = rpc.Hide([]byte("seed"))
		}
		got, err := p.Check(t.Context(), &r)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Failures) > 0 {
			return got.Failures[0].Property + ": " + got.Failures[0].Reason
		}
		name, _ := got.Inputs.Field("name").AsString()
		return name
	}
	auto := resource.Names{Property: "name"}
	first := named(auto, rpc.CheckRequest{})
	for _, row := range []struct {
		about string
		names resource.Names
		r     rpc.CheckRequest
		want  string
	}{
		{"again", auto, rpc.CheckRequest{News: object("name", value.Null())}, first},
		{"of the program", auto, rpc.CheckRequest{News: object("name", text("own"))}, "own"},
		{"old", auto, rpc.CheckRequest{Olds: object("name", text("old"))}, "old"},
		{"proposed", auto, rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "proposal"}}, "proposal"},
		{"proposed too long", resource.Names{Property: "name", Max: 12, Random: 2}, rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "long-proposal"}}, "long-propo" + first[2:4]},
		{"proposed, not how", auto, rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{}}, first},
		{"enforced", auto, rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "forced", Mode: rpc.AutonamingEnforce}}, "forced"},
		{"enforced too long", resource.Names{Property: "name", Max: 12}, rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "forced and long", Mode: rpc.AutonamingEnforce}}, "name: expected a name of at most 12 bytes, found a longer one that automatic naming enforces"},
		{"disabled", auto, rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{Mode: rpc.AutonamingDisable}}, "name: expected a name, since automatic names are disabled"},
		{"disabled, of the program", auto, rpc.CheckRequest{News: object("name", text("own")), Autonaming: &rpc.AutonamingOptions{Mode: rpc.AutonamingDisable}}, "own"},
		{"prefix", resource.Names{Property: "name", Prefix: "box-", Alphabet: "z", Random: 3}, rpc.CheckRequest{}, "box-a-zzz"},
		{"cut", resource.Names{Property: "name", Prefix: "p", Alphabet: "z", Random: 3, Max: 6}, rpc.CheckRequest{Name: "longer"}, "plozzz"},
	} {
		if got := named(row.names, row.r); got != row.want {
			t.Errorf("%s: %q, want %q", row.about, got, row.want)
		}
	}
	if other := named(auto, rpc.CheckRequest{RandomSeed: rpc.Hide([]byte("other"))}); other == first || !strings.HasPrefix(other, "a-") {
		t.Errorf("another seed: %q", other)
	}
}

// A replacement has a new name, and is made first, unless the program gives the name.
func TestNamesOfReplacements(t *testing.T) {
	var b boxes
	p := b.provider(t, func(p *resource.Package) {
		r := b.resource()
		r.Update = nil
		p.Resources = []resource.Resource{r}
	})
	for name, first := range map[string]bool{"a-0123456": false, "own": true, "a-012345g": true} {
		old := object("name", text(name), "size", number(1))
		r, err := p.Diff(t.Context(), &rpc.DiffRequest{URN: boxURN, OldInputs: old, Olds: old, News: with(old, "size", number(2))})
		if err != nil || r.DeleteBeforeReplace != first || fmt.Sprint(r.Replaces) != "[size]" {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

type lamp struct {
	Watts int  `pulumi:"watts" default:"40"`
	On    bool `pulumi:"on,optional" default:"true"`
}

type lampArgs struct {
	Lamps []lamp `pulumi:"lamps"`
}

// Defaults are those of the fields of properties, too.
func TestCheckDefaultsInside(t *testing.T) {
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[lampArgs, lampArgs]{
		Token: "demo:index:Lamps", Create: func(ctx, lampArgs) (string, lampArgs, error) { return "id", lampArgs{}, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	inputs := object("lamps", value.Array(object(), object("on", value.Bool(false))))
	r, err := p.Check(t.Context(), &rpc.CheckRequest{URN: "urn:pulumi:dev::shop::demo:index:Lamps::a", News: inputs})
	want := object("lamps", value.Array(object("watts", number(40), "on", value.Bool(true)), object("watts", number(40), "on", value.Bool(false))))
	if err != nil || !r.Inputs.Identical(want) {
		t.Errorf("%v, %v", r, err)
	}
}
