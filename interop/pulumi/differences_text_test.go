package pulumi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/answer"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	oururn "github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

func modelPathDifferences() []difference {
	theirs := func(text string) func() string {
		return func() string {
			var g property.Glob
			err := g.UnmarshalText([]byte(text))
			return fmt.Sprintf("%#v %v", g, err)
		}
	}
	ours := func(text string) func() string {
		return func() string {
			p, err := path.ParsePattern(text)
			if err != nil {
				return "error: " + err.Error()
			}
			g, err := pulumi.ToGlob(p)
			return fmt.Sprintf("%#v %v", g, err)
		}
	}
	return []difference{
		{
			"dot-in-front", theirs(".a"), ours(".a"),
			`property.GlobFromSegments(property.NewSegment("a")) <nil>`, `error: path: ".a": offset 0: expected name or '[', found '.'`,
		},
		{
			"text-that-is-not-utf8", theirs("[\"\xff\"]"), ours("[\"\xff\"]"),
			"property.GlobFromSegments(property.NewSegment(\"\ufffd\")) <nil>", `property.GlobFromSegments(property.NewSegment("\xff")) <nil>`,
		},
		{
			"key-that-is-long-in-a-text",
			theirs(strings.Repeat("k", 1<<14)),
			func() string {
				p, err := path.ParsePattern(strings.Repeat("k", 1<<14))
				return fmt.Sprint(len(slices.Collect(p.Steps())), " ", err)
			},
			"panic", "1 <nil>",
		},
		{
			"escapes-in-keys", theirs(`["\n"]`), ours(`["\n"]`),
			`property.GlobFromSegments(property.NewSegment("\n")) <nil>`, `error: path: "[\"\\n\"]": offset 3: expected '"' or '\\' after backslash, found 'n'`,
		},
		{
			"root-without-a-text",
			func() string { _, err := property.Path{}.MarshalText(); return fmt.Sprint(err) },
			func() string { text, err := path.Path{}.MarshalText(); return fmt.Sprintf("%q %v", text, err) },
			"cannot marshal an empty glob", `"" <nil>`,
		},
	}
}

func urnDifferences() []difference {
	const short, whole = urn.URN("urn:pulumi::a::b::c"), urn.URN("urn:pulumi:s::p::t::n")
	const inStack = urn.URN("urn:pulumi:s::p::pulumi:pulumi:Stack$a:b:C::n")
	return []difference{
		{
			"colon-of-the-prefix",
			func() string {
				return fmt.Sprintf("%v, stack %q, name %q", short.IsValid(), short.Stack(), short.Name())
			},
			func() string { _, err := pulumi.FromURN(short); return fmt.Sprint(err) },
			`true, stack ":a", name ":a::b::c"`, `pulumi: from urn: no urn: expected "::"`,
		},
		{
			"parent-that-is-the-root-stack",
			func() string { return string(inStack.RenameProject("q")) },
			func() string {
				u, _ := pulumi.FromURN(inStack)
				parts := u.Parts()
				parts.Project = "q"
				u, err := oururn.Build(parts)
				return fmt.Sprint(u, " ", err)
			},
			"urn:pulumi:s::q::pulumi:pulumi:Stack$a:b:C::n", "urn:pulumi:s::q::a:b:C::n <nil>",
		},
		{
			"part-that-splits",
			func() string {
				u := whole.RenameProject("a::b")
				return fmt.Sprintf("project %q, name %q", u.Project(), u.Name())
			},
			func() string {
				u, _ := pulumi.FromURN(whole)
				parts := u.Parts()
				parts.Project = "a::b"
				_, err := oururn.Build(parts)
				return fmt.Sprint(err)
			},
			`project "a", name "t::n"`, `urn: invalid part of a URN: project: expected no "::", found "::" at byte 1 of "a::b"`,
		},
	}
}

// deleter is a provider whose Diff says that a property went and that this forces
// a replacement.
type deleter struct {
	plugin.UnimplementedProvider
	result plugin.DiffResult
}

func (d *deleter) Diff(context.Context, plugin.DiffRequest) (plugin.DiffResult, error) {
	return d.result, nil
}

// oddKeysReadBack reports which keys of the entries for odd names are read back to be those.
func oddKeysReadBack() string {
	var read []string
	for _, name := range []string{`a\`, ""} {
		old, now := value.Object(value.Field(name, value.Number(1))), value.Object(value.Field(name, value.Number(2)))
		for _, e := range decide.Fallback(provider.Response{}, provider.Sides{OldInputs: old, News: now}, nil).Entries() {
			p, err := path.ParsePulumi(e.Key)
			read = append(read, fmt.Sprint(p.Equal(path.Path{}.Member(name)), err))
		}
	}
	return fmt.Sprintf("%q", read)
}

func answerDifferences() []difference {
	old, now := value.Object(value.Member{Key: "a", Value: value.Number(1)}, value.Member{Key: "b", Value: value.Number(1)}), value.Object(value.Member{Key: "b", Value: value.Number(1)})
	r := provider.Differ{
		ReplaceOn: path.NewSet(path.MustParsePattern("a")), Stables: []string{"b"},
	}.Respond(diff.Between(old, now, diff.Options{Relation: value.Engine}))
	sent := func(show func(m *pulumirpc.DiffResponse) string) func() string {
		return func() string {
			server := plugin.NewProviderServer(&deleter{result: answer.To(r)})
			m, err := server.Diff(context.Background(), &pulumirpc.DiffRequest{Urn: "urn:pulumi:s::p::t:m:T::n"})
			if err != nil {
				return "error: " + err.Error()
			}
			return show(m)
		}
	}
	const urnB = "urn:pulumi:s::p::t:m:T::b"
	depending := func(n float64) value.Value {
		return value.Object(value.Member{Key: "a", Value: value.Object(value.Member{Key: "x", Value: value.Number(n)}).WithDependencies(urnB)})
	}
	return []difference{
		{
			"delete-that-replaces",
			sent(func(m *pulumirpc.DiffResponse) string { return m.GetDetailedDiff()["a"].GetKind().String() }),
			func() string {
				return fmt.Sprint(provider.NewDiffResponse(r).DetailedDiff["a"].Kind == rpc.PropertyDiffDeleteReplace)
			},
			"DELETE", "true",
		},
		{
			"stables-that-are-not-sent",
			sent(func(m *pulumirpc.DiffResponse) string { return fmt.Sprint(m.GetStables()) }),
			func() string { return fmt.Sprint(provider.NewDiffResponse(r).Stables) },
			"[]", "[b]",
		},
		{
			"detailed-diff-of-an-output",
			func() string {
				p, _ := pulumi.ToPropertyMap(depending(1))
				q, _ := pulumi.ToPropertyMap(depending(2))
				return fmt.Sprint(plugin.NewDetailedDiffFromObjectDiff(p.Diff(q), false))
			},
			func() string {
				return fmt.Sprint(answer.ToDetailed(provider.Differ{}.Respond(diff.Between(depending(1), depending(2), diff.Options{})).Detailed))
			},
			"map[a:{update false}]", "map[a.x:{update false}]",
		},
		{
			"key-that-engines-cannot-read",
			func() string {
				var read []string
				for _, name := range []resource.PropertyKey{`a\`, ""} {
					old, now := resource.PropertyMap{name: resource.NewProperty(1.0)}, resource.PropertyMap{name: resource.NewProperty(2.0)}
					for key := range plugin.NewDetailedDiffFromObjectDiff(old.Diff(now), true) {
						p, err := resource.ParsePropertyPath(key)
						read = append(read, fmt.Sprint(len(p), err))
					}
				}
				return fmt.Sprintf("%q", read)
			},
			oddKeysReadBack,
			`["0 missing closing quote in property name" "0 <nil>"]`, `["true <nil>" "true <nil>"]`,
		},
	}
}
