package urn_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// refURN is a URN as the obviously slow parser reads it.
type refURN struct {
	Stack, Project, Qualified, Name      string
	Parents                              []string
	Type, Package, Module, TypeName, All string
}

// refParse is the lax grammar, word for word, with splits.
func refParse(text string) (refURN, bool) {
	rest, ok := strings.CutPrefix(text, "urn:pulumi:")
	if !ok {
		return refURN{}, false
	}
	parts := strings.SplitN(rest, "::", 4)
	if len(parts) < 4 {
		return refURN{}, false
	}
	types := strings.Split(parts[2], "$")
	own := types[len(types)-1]
	words := strings.Split(own, ":")
	ref := refURN{
		Stack: parts[0], Project: parts[1], Qualified: parts[2], Name: parts[3],
		Parents: slices.Clone(types[:len(types)-1]), Type: own, TypeName: words[len(words)-1], All: text,
	}
	if len(words) > 1 {
		ref.Package = words[0]
		ref.Module = strings.Join(words[1:len(words)-1], ":")
	}
	return ref, true
}

// hostile are texts that have hurt parsers, in or as parts of a URN.
func hostile() []string {
	return []string{
		"", ":", "::", ":::", "::::", "$", "$$", "a:", ":a", "a::", "::a", "a::b", "a$b", "$a", "a$", "a:$b", "a$:b",
		"urn:pulumi:", "urn:pulumi::", "urn:pulumi:s::p::t::n", "pulumi:pulumi:Stack", "pulumi:pulumi:Stack$", "pulumi:pulumi:Stack$a:b:C",
		"\x00", "\n", "\r\n\t", "\xff", "\xc3", "\xe2\x80\xa8", "é:ü:Ñ", "世界", "\u202e", "*", `\`, `"`, `'`, "[secret]", "%s%d%!", " ", "/", ".",
		"4dabf18193072939515e22adb298388d", strings.Repeat(":", 33), strings.Repeat("$", 33), strings.Repeat("a", 64<<10),
		"aws:s3/bucketV2:BucketV2", "awsx:x:ecs:FargateService", "Component",
	}
}

// anyText draws texts that are close to URNs more often than chance would have it.
func anyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		piece := rapid.OneOf(
			rapid.SampledFrom([]string{":", "::", "$", "a", "b:c", "urn:pulumi:", "\n", "\xff", "é", "pulumi:pulumi:Stack$"}),
			rapid.SampledFrom(hostile()),
			rapid.StringN(0, 4, 16),
		)
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "prefixed") {
			text = "urn:pulumi:" + text
		}
		return text
	})
}

// anyPart draws texts for parts, fit and unfit ones.
func anyPart() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(hostile()),
		rapid.StringMatching(`[a-z:$]{0,5}`),
		rapid.StringMatching(`[a-z]{1,8}(:[a-z/]{1,8}:[A-Z][a-z]{1,8})?`),
		rapid.String(),
	)
}
