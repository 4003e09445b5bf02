package differential

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	oururn "github.com/propalg/propalg/urn"
)

// urnText draws a URN, or what is nearly one.
func urnText(t *rapid.T) string {
	switch rapid.IntRange(0, 3).Draw(t, "kind of URN") {
	case 0:
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"urn:pulumi:", "urn:", ":", "::", "$", "a", "a:b:C", "pulumi:pulumi:Stack", "ü", "\n", ""}), 0, 14).Draw(t, "parts"), "")
	case 1:
		return "urn:pulumi:" + rapid.StringOfN(rapid.SampledFrom([]rune{':', '$', 'a', '/'}), 0, 14, -1).Draw(t, "rest")
	}
	return fuzz.URNs().Draw(t, "text").String()
}

// urnLaw: both take the same texts for URNs, and find the same parts.
func urnLaw(t *rapid.T, tally *Tally) { ParseURN(t, urnText(t), tally) }

// ParseURN holds the parsers of URNs against each other.
func ParseURN(t Test, text string, tally *Tally) {
	theirs := urn.URN(text)
	ours, err := pulumi.FromURN(theirs)
	switch {
	case text == "":
		tally.Add("empty")
		return
	case (err == nil) == theirs.IsValid():
	case err != nil && strings.HasPrefix(text, "urn:pulumi::"):
		tally.Add("colon-of-the-prefix")
		return
	default:
		t.Fatalf("%q: %v, the SDK says %v", text, err, theirs.IsValid())
	}
	if err != nil {
		tally.Add("refused by both")
		return
	}

	for _, row := range [][2]string{
		{ours.Stack(), string(theirs.Stack())},
		{ours.Project(), string(theirs.Project())},
		{ours.QualifiedType(), string(theirs.QualifiedType())},
		{ours.Type(), string(theirs.Type())},
		{ours.Name(), theirs.Name()},
		{ours.String(), string(pulumi.ToURN(ours))},
	} {
		if row[0] != row[1] {
			t.Fatalf("%q: %q, the SDK says %q", text, row[0], row[1])
		}
	}

	tally.Add(Same)
}

// renameLaw: both change the same part, where what comes of it is a URN with
// that part.
func renameLaw(t *rapid.T, tally *Tally) {
	text := fuzz.URNs().Draw(t, "text").String()
	theirs := urn.URN(text)
	ours, err := pulumi.FromURN(theirs)
	if err != nil {
		t.Fatal(err)
	}

	part := rapid.SampledFrom([]string{"", "a", "prod", "my-project", "a::b", "a:", ":a", "$", "ü", "x\n"}).Draw(t, "part")
	parts := ours.Parts()
	if slices.Equal(parts.Parents, []string{oururn.RootStackType}) {
		tally.Add("root stack as the only parent")
		return
	}

	var want urn.URN
	switch rapid.IntRange(0, 2).Draw(t, "which") {
	case 0:
		parts.Name, want = part, theirs.Rename(part)
	case 1:
		stack, parseErr := tokens.ParseStackName(part)
		if parseErr != nil {
			tally.Add("no name of a stack")
			return
		}
		parts.Stack, want = part, theirs.RenameStack(stack)
	default:
		parts.Project, want = part, theirs.RenameProject(tokens.PackageName(part))
	}
	got, err := oururn.Build(parts)
	if err != nil && parts.Project == part && string(want.Project()) != part {
		tally.Add("part-that-splits")
		return
	}
	if err != nil || got.String() != string(want) {
		t.Fatalf("%q with %q: %q, %v, the SDK says %q", text, part, got, err, want)
	}
	tally.Add(Same)
}

// buildURNLaw: both make the same URN of parts that can be read back.
func buildURNLaw(t *rapid.T, tally *Tally) {
	parts := fuzz.Internal.URNParts().Draw(t, "parts")
	for range rapid.IntRange(0, 2).Draw(t, "roots") {
		parts.Parents = append([]string{string(tokens.RootStackType)}, parts.Parents...)
	}

	parents := strings.Join(parts.Parents, urn.TypeDelimiter)
	theirs := urn.New(tokens.QName(parts.Stack), tokens.PackageName(parts.Project), tokens.Type(parents), tokens.Type(parts.Type), parts.Name)
	ours, err := oururn.Build(parts)
	switch {
	case err != nil:
		tally.Add("refused, since it would read back as other parts")
	case parents == "" && len(parts.Parents) > 0:
		tally.Add("one parent of an empty type, which is none in the SDK")
	case ours.String() != string(theirs):
		t.Fatalf("%+v: %q, the SDK makes %q", parts, ours, theirs)
	default:
		tally.Add(Same)
	}
}
