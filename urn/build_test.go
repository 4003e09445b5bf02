package urn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/propalg/propalg/urn"
	"pgregory.net/rapid"
)

// joined is what building should write, and dropped the parents it should write.
func joined(p urn.Parts) (text string, dropped urn.Parts) {
	if len(p.Parents) == 1 && p.Parents[0] == "pulumi:pulumi:Stack" {
		p.Parents = nil
	}
	types := append(slices.Clone(p.Parents), p.Type)
	return "urn:pulumi:" + p.Stack + "::" + p.Project + "::" + strings.Join(types, "$") + "::" + p.Name, p
}

// builds is the law of Build: it fails exactly when the slow parser does not read the same parts back.
func builds(t fataler, p urn.Parts) {
	t.Helper()
	text, want := joined(p)
	ref, ok := refParse(text)
	back := urn.Parts{Stack: ref.Stack, Project: ref.Project, Parents: ref.Parents, Type: ref.Type, Name: ref.Name}
	fits := ok && cmp.Equal(want, back, cmpopts.EquateEmpty())
	u, err := urn.Build(p)
	if fits != (err == nil) {
		t.Fatalf("Build(%+v): error %v; %q reads back as %+v", p, err, text, back)
	}
	if err != nil {
		var e *urn.Error
		if !errors.Is(err, urn.ErrPart) || !errors.As(err, &e) || !slices.Contains(append(slices.Clone(p.Parents), p.Stack, p.Project, p.Type), e.Input) ||
			!strings.HasPrefix(e.Input[e.Offset:], strings.Trim(e.Found, `"`)) || !u.IsZero() {
			t.Fatalf("Build(%+v): bad error %#v, URN %q", p, err, u)
		}
		return
	}
	if u.String() != text {
		t.Fatalf("Build(%+v) = %q, want %q", p, u, text)
	}
	if diff := cmp.Diff(want, u.Parts(), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("Build(%+v).Parts(), -want +got:\n%s", p, diff)
	}
	checkSpecs(t, u)
}

func TestBuild(t *testing.T) {
	t.Run("random", rapid.MakeCheck(func(t *rapid.T) {
		builds(t, urn.Parts{
			Stack: anyPart().Draw(t, "stack"), Project: anyPart().Draw(t, "project"),
			Parents: rapid.SliceOfN(anyPart(), 0, 3).Draw(t, "parents"), Type: anyPart().Draw(t, "type"), Name: anyPart().Draw(t, "name"),
		})
	}))
	t.Run("hostile", func(t *testing.T) {
		for _, h := range hostile() {
			for _, p := range []urn.Parts{
				{Stack: h},
				{Project: h},
				{Type: h},
				{Name: h},
				{Parents: []string{h}},
				{Parents: []string{"x", h}, Type: "y"},
				{Parents: []string{"pulumi:pulumi:Stack", h}, Type: h},
				{Parents: []string{"pulumi:pulumi:Stack", "pulumi:pulumi:Stack"}, Name: h},
			} {
				builds(t, p)
			}
		}
	})
}

func TestBuildErrors(t *testing.T) {
	for i, test := range []struct {
		parts  urn.Parts
		offset int
		want   string
	}{
		{urn.Parts{Stack: "a::b"}, 1, `urn: invalid part of a URN: stack: expected no "::", found "::" at byte 1 of "a::b"`},
		{urn.Parts{Stack: "dev:"}, 3, `urn: invalid part of a URN: stack: expected no ":" at the end, found ":" at byte 3 of "dev:"`},
		{urn.Parts{Project: ":p::"}, 2, `urn: invalid part of a URN: project: expected no "::", found "::" at byte 2 of ":p::"`},
		{urn.Parts{Project: ":"}, 0, `urn: invalid part of a URN: project: expected no ":" at the end, found ":" at byte 0 of ":"`},
		{urn.Parts{Parents: []string{"a", "b$c"}}, 1, `urn: invalid part of a URN: parent type: expected no "$", found "$" at byte 1 of "b$c"`},
		{urn.Parts{Parents: []string{"a::b"}}, 1, `urn: invalid part of a URN: parent type: expected no "::", found "::" at byte 1 of "a::b"`},
		{urn.Parts{Type: "a$b"}, 1, `urn: invalid part of a URN: type: expected no "$", found "$" at byte 1 of "a$b"`},
		{urn.Parts{Type: "a::b"}, 1, `urn: invalid part of a URN: type: expected no "::", found "::" at byte 1 of "a::b"`},
		{urn.Parts{Type: "a:"}, 1, `urn: invalid part of a URN: type: expected no ":" at the end, found ":" at byte 1 of "a:"`},
	} {
		_, err := urn.Build(test.parts)
		var e *urn.Error
		if !errors.As(err, &e) || e.Offset != test.offset || err.Error() != test.want {
			t.Errorf("row %d: got\n%v, want\n%s", i, err, test.want)
		}
	}
}

// Build of parts of which one is changed fails exactly when that part does not fit, and
// changes that part only.
func TestBuildChanged(t *testing.T) {
	changes := map[string]func(p *urn.Parts, to []string){
		"stack":      func(p *urn.Parts, to []string) { p.Stack = to[0] },
		"project":    func(p *urn.Parts, to []string) { p.Project = to[0] },
		"type":       func(p *urn.Parts, to []string) { p.Type = to[0] },
		"name":       func(p *urn.Parts, to []string) { p.Name = to[0] },
		"parents":    func(p *urn.Parts, to []string) { p.Parents = to },
		"no parents": func(p *urn.Parts, _ []string) { p.Parents = nil },
	}
	rapid.Check(t, func(t *rapid.T) {
		u, err := urn.Parse(rapid.OneOf(anyText(), rapid.Just(bucket), rapid.Just("urn:pulumi:a::a::a$a::a"),
			rapid.Just("urn:pulumi:s::p::pulumi:pulumi:Stack$t::n"), rapid.Just("urn:pulumi:s::p::a:$b:$c::n::m")).Draw(t, "text"))
		if err != nil {
			return
		}
		to := rapid.SliceOfN(anyPart(), 1, 3).Draw(t, "to")
		for name, set := range changes {
			want, alone := u.Parts(), urn.Parts{}
			set(&want, to)
			set(&alone, to)
			_, unfit := urn.Build(alone)
			v, err := urn.Build(want)
			if (err == nil) != (unfit == nil) || (err != nil && (!errors.Is(err, urn.ErrPart) || !v.IsZero())) {
				t.Fatalf("%s of %q to %q: %v, but Build of that part says %v", name, u, to, err, unfit)
			}
			if err != nil {
				continue
			}
			_, want = joined(want)
			if diff := cmp.Diff(want, v.Parts(), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s of %q to %q, -want +got:\n%s", name, u, to, diff)
			}
		}
	})
}

func TestBuildChangedTable(t *testing.T) {
	const text = "urn:pulumi:app::app::app:app:App$app:app:App::app"
	for i, test := range []struct {
		change func(p *urn.Parts)
		want   string
	}{
		{func(p *urn.Parts) { p.Stack = "b" }, "urn:pulumi:b::app::app:app:App$app:app:App::app"},
		{func(p *urn.Parts) { p.Project = "" }, "urn:pulumi:app::::app:app:App$app:app:App::app"},
		{func(p *urn.Parts) { p.Project = "longer" }, "urn:pulumi:app::longer::app:app:App$app:app:App::app"},
		{func(p *urn.Parts) { p.Type = "T" }, "urn:pulumi:app::app::app:app:App$T::app"},
		{func(p *urn.Parts) { p.Name = "::\n$" }, "urn:pulumi:app::app::app:app:App$app:app:App::::\n$"},
		{func(p *urn.Parts) { p.Parents = nil }, "urn:pulumi:app::app::app:app:App::app"},
		{func(p *urn.Parts) { p.Parents = []string{urn.RootStackType} }, "urn:pulumi:app::app::app:app:App::app"},
		{func(p *urn.Parts) { p.Parents = []string{urn.RootStackType, "a"} }, "urn:pulumi:app::app::pulumi:pulumi:Stack$a$app:app:App::app"},
		{func(p *urn.Parts) { p.Parents = []string{"a", urn.RootStackType} }, "urn:pulumi:app::app::a$pulumi:pulumi:Stack$app:app:App::app"},
		{func(p *urn.Parts) { p.Type = urn.RootStackType }, "urn:pulumi:app::app::app:app:App$pulumi:pulumi:Stack::app"},
	} {
		parts := urn.MustParse(text).Parts()
		test.change(&parts)
		if got, err := urn.Build(parts); err != nil || got.String() != test.want {
			t.Errorf("row %d: %q, %v, want %q", i, got, err, test.want)
		}
	}
}

// Build does not keep the slice it was given, nor does Parts hand out the same one twice.
func TestPartsAliasNothing(t *testing.T) {
	parents := []string{"a", "b"}
	u, err := urn.Build(urn.Parts{Parents: parents, Type: "t"})
	if err != nil {
		t.Fatal(err)
	}
	parents[0] = "changed"
	u.Parts().Parents[1] = "changed"
	if got := slices.Collect(u.Parents()); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("parents are now %q", got)
	}
}
