package pulumi_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	sdkurn "github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/urn"
)

// TestAliasesOfTheSDK holds the URNs of children and of aliases against the SDK. What a renamed
// parent means for them, TestTwins of package stack holds against the engine.
func TestAliasesOfTheSDK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := func(label string) string {
			return rapid.SampledFrom([]string{"", "a", "b:c", "x:y/z:Q", urn.RootStackType}).Draw(t, label) // none with "::", of which the SDK takes a part for a type
		}
		typ := rapid.SampledFrom([]string{"a:b:C", "x:y/z:Q", "T", urn.RootStackType})
		draw := func() (u urn.URN) {
			u, err := urn.Build(urn.Parts{Stack: "s", Project: "p", Type: typ.Draw(t, "type"), Name: word("name"), Parents: rapid.SliceOfN(typ, 0, 2).Draw(t, "parents")})
			if err != nil {
				t.Fatal(err)
			}
			return u
		}

		theirParent := func(u urn.URN) sdkurn.URN {
			if u.QualifiedType() == urn.RootStackType { // engines call the SDK without it
				return ""
			}
			return sdkurn.URN(u.String())
		}

		parent, name, kind := draw(), word("name"), typ.Draw(t, "type")
		child, err := parent.Child(kind, name)
		if want := resource.CreateURN(name, kind, theirParent(parent), "p", "s"); err != nil || child.String() != string(want) {
			t.Fatalf("%v, %v, the SDK's %v", child, err, want)
		}

		a := urn.Alias{Name: word("name"), Type: typ.Draw(t, "type"), Stack: "t", Project: "q", Parent: draw(), NoParent: rapid.Bool().Draw(t, "no parent")}
		theirs := resource.Alias{Name: a.Name, Type: a.Type, Stack: a.Stack, Project: a.Project, Parent: theirParent(a.Parent), NoParent: a.NoParent}
		if a.Name == "" {
			theirs.Name = child.Name()
		}
		if a.NoParent {
			theirs.Parent = ""
		}
		all, err := child.Aliases(parent, []urn.Alias{a}, nil)
		if want := theirs.GetURN(); err != nil || len(all) != 1 || all[0].String() != string(want) {
			t.Fatalf("%v, %v, the SDK's %v", all, err, want)
		}
	})
}
