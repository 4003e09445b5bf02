package fuzz

import (
	"github.com/propalg/propalg/internal/test/hostile"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// keys generates names of object members: plain, real-looking and hostile ones.
//
// They shrink to "a".
func keys() *rapid.Generator[string] {
	return rapid.OneOf(plainKeys(), realKeys(), rapid.SampledFrom(hostile.ShortStrings()), looseTexts())
}

func hostileKeys() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(hostile.Strings()), looseTexts())
}

// plainKeys are few, so that two objects have keys in common.
func plainKeys() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
}

func realKeys() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"name", "tags", "id", "arn", "region", "bucket", "policy", "instanceType", "subnetIds", "vpcId", "metadata",
		"spec", "labels", "app.kubernetes.io/name", "kubernetes.io/cluster", "ports", "env", "value", "enabled", "timeouts",
	})
}

// looseTexts are short byte strings of any kind.
func looseTexts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(0, 6, -1),
		rapid.Custom(func(t *rapid.T) string {
			return string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "bytes"))
		}),
	)
}

// indexes generates indexes, most of them small; others are the largest there
// are. All are legal.
func indexes() *rapid.Generator[int] {
	return rapid.OneOf(
		rapid.IntRange(0, 3),
		rapid.IntRange(0, path.MaxIndex),
		rapid.SampledFrom([]int{0, 127, 128, 1 << 14, 1 << 21, path.MaxIndex - 1, path.MaxIndex}),
	)
}

// steps generates steps of paths: keys, as [keys] does, and indexes. It generates no
// wildcards.
func steps() *rapid.Generator[path.Step] {
	return rapid.Custom(func(t *rapid.T) path.Step {
		if rapid.Bool().Draw(t, "index") {
			return path.Index(indexes().Draw(t, "index"))
		}
		return path.Key(keys().Draw(t, "key"))
	})
}

// Paths generates paths of up to eight steps. They shrink to the root.
func Paths() *rapid.Generator[path.Path] {
	return rapid.Map(rapid.SliceOfN(steps(), 0, 8), func(steps []path.Step) path.Path { return path.Of(steps...) })
}

func patternSteps() *rapid.Generator[path.Step] {
	return rapid.OneOf(steps(), steps(), rapid.SampledFrom([]path.Step{path.Any(), path.Any(), path.AnyDepth()}))
}

// Patterns generates patterns of up to six steps. They shrink to the root.
func Patterns() *rapid.Generator[path.Pattern] {
	return rapid.Map(rapid.SliceOfN(patternSteps(), 0, 6), func(steps []path.Step) path.Pattern { return path.PatternOf(steps...) })
}

// PatternsFor generates patterns that end at, above or below one of the given paths.
//
// Some steps are replaced by wildcards, of one step or of any number. Without paths it is [Patterns].
func PatternsFor(paths ...path.Path) *rapid.Generator[path.Pattern] {
	if len(paths) == 0 {
		return Patterns()
	}

	return rapid.Custom(func(t *rapid.T) path.Pattern {
		p := rapid.SampledFrom(paths).Draw(t, "path")
		n := rapid.IntRange(0, p.Len()).Draw(t, "cut")

		var steps []path.Step
		for s := range p.Prefix(p.Len() - n).Steps() {
			switch rapid.IntRange(0, 7).Draw(t, "wildcard") {
			case 5:
				steps = append(steps, path.AnyDepth())
			case 6, 7:
				steps = append(steps, path.Any())
			default:
				steps = append(steps, s)
			}
		}
		if rapid.IntRange(0, 5).Draw(t, "below") == 5 {
			steps = append(steps, patternSteps().Draw(t, "step"))
		}
		return path.PatternOf(steps...)
	})
}

// sets generates sets of up to six patterns for the given paths; see [PatternsFor].
//
// A pattern may be added twice.
func sets(paths ...path.Path) *rapid.Generator[*path.Set] {
	one := rapid.OneOf(PatternsFor(paths...), PatternsFor(paths...), Patterns())
	return rapid.Map(rapid.SliceOfN(one, 0, 6), func(patterns []path.Pattern) *path.Set { return path.NewSet(patterns...) })
}

// urnTexts generates texts that are URNs by the lax grammar.
//
// Some have empty parts, parents, modules, "::" or newlines in the name.
func urnTexts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(urnExamples()),
		rapid.Map(urnParts(), func(p urn.Parts) string {
			text := urn.Prefix + p.Stack + "::" + p.Project + "::"
			for _, parent := range p.Parents {
				text += parent + "$"
			}

			return text + p.Type + "::" + p.Name
		}),
	)
}

func urnExamples() []string {
	return []string{
		"urn:pulumi:s::p::t::n",
		"urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets",
		"urn:pulumi:dev::shop::my:index:Web$aws:s3/bucket:Bucket::logs",
		"urn:pulumi:dev::shop::pulumi:providers:aws::default_6_0_0::04da6b54-80e4-46f7-96ec-b56ff0331ba9",
		"urn:pulumi:::::::", // every part is empty
		"urn:pulumi:a::b::Component::x\ny::$::z",
	}
}

// URNs generates URNs, by the lax grammar.
func URNs() *rapid.Generator[urn.URN] {
	return rapid.Map(urnTexts(), func(text string) urn.URN {
		u, err := urn.Parse(text)
		if err != nil {
			panic("fuzz: the generator made a text that is not a URN: " + err.Error())
		}

		return u
	})
}

// anyParts generates parts of URNs, most of which [urn.Build] accepts.
//
// Names and types have ":" and "$" where the grammar allows them and where it does not.
func anyParts() *rapid.Generator[urn.Parts] {
	return rapid.OneOf(urnParts(), rapid.Custom(func(t *rapid.T) urn.Parts {
		odd := rapid.SampledFrom([]string{"a", "", ":", "a:", "::", "a::b", ":::", "$", "a$b", "\n", "\xff", urn.RootStackType, "pulumi"})

		return urn.Parts{
			Stack: odd.Draw(t, "stack"), Project: odd.Draw(t, "project"), Type: odd.Draw(t, "type"),
			Parents: rapid.SliceOfN(odd, 0, 3).Draw(t, "parents"), Name: odd.Draw(t, "name"),
		}
	}))
}

// urnParts are parts that URNs can have.
func urnParts() *rapid.Generator[urn.Parts] {
	word := rapid.SampledFrom([]string{"a", "dev", "shop", "org/proj", "x-1", "é"})
	typ := rapid.SampledFrom([]string{"t", "a:b:C", "aws:s3/bucket:Bucket", "pkg:Thing", "Component", "pulumi:providers:aws", "awsx:x:ecs:Service"})
	name := rapid.OneOf(word, rapid.SampledFrom([]string{"", "::", "a::b", "$", "/", "\n", "\x00", "\xff", ":", "::id"}))

	return rapid.Custom(func(t *rapid.T) urn.Parts {
		return urn.Parts{
			Stack: word.Draw(t, "stack"), Project: word.Draw(t, "project"), Type: typ.Draw(t, "type"),
			Parents: rapid.SliceOfN(typ, 0, 3).Draw(t, "parents"), Name: name.Draw(t, "name"),
		}
	})
}
