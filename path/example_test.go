package path_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/path"
)

func ExamplePath() {
	p := path.MustParse("spec.containers[0].image")
	parent, _ := p.Parent()
	last, _ := p.Last()
	fmt.Println(parent, last, p.Len(), p.HasPrefix(path.MustParse("spec")))

	annotation := path.MustParse("metadata.annotations").Member("app.kubernetes.io/name")
	fmt.Println(annotation)

	seen := map[path.Path]bool{annotation: true}
	fmt.Println(seen[path.MustParse(`metadata.annotations["app.kubernetes.io/name"]`)])
	// Output:
	// spec.containers[0] image 4 true
	// metadata.annotations["app.kubernetes.io/name"]
	// true
}

func ExamplePath_Steps() {
	for step := range path.MustParse("tags[2].name").Steps() {
		if key, ok := step.AsKey(); ok {
			fmt.Println("key", key)
		}
		if i, ok := step.AsIndex(); ok {
			fmt.Println("index", i)
		}
	}
	// Output:
	// key tags
	// index 2
	// key name
}

func ExamplePath_Pulumi() {
	detailedDiff := map[string]string{}
	for _, p := range []path.Path{path.MustParse("tags").Member("k8s.io/name"), path.MustParse("rules[3].port")} {
		key, err := p.Pulumi()
		if err != nil {
			fmt.Println(err)
			continue
		}
		detailedDiff[key] = "UPDATE"
	}
	fmt.Println(detailedDiff)
	// Output:
	// map[rules[3].port:UPDATE tags["k8s.io/name"]:UPDATE]
}

func ExampleStep() {
	steps := []path.Step{path.Key("b"), path.Index(10), path.Key("a b"), path.Index(9)}
	slices.SortFunc(steps, path.Step.Compare)
	fmt.Println(steps, path.Of(steps...))
	// Output:
	// [[9] [10] ["a b"] b] [9][10]["a b"].b
}

func ExampleParsePulumi() {
	p, err := path.ParsePulumi(`root.["key with a ."]extra[0]`)
	fmt.Println(p, err)
	_, err = path.ParsePulumi("root.array[abc]")
	fmt.Println(err)
	// Output:
	// root["key with a ."].extra[0] <nil>
	// path: "root.array[abc]": offset 11: expected index, quoted key or '*', found 'a'
}

func ExamplePattern() {
	p := path.MustParsePattern("spec.containers[*].image")
	q := path.MustParse("spec.containers[1].image")
	fmt.Println(p.Matches(q), p.Covers(q.Member("tag")), p.Touches(path.MustParse("spec")))

	ignore, err := path.ParsePulumiPattern("tags.*") // as ignoreChanges has it
	fmt.Println(ignore, err)
	// Output:
	// true true true
	// tags[*] <nil>
}

func ExampleAny() {
	p := path.PatternOf(path.Key("rules"), path.Any(), path.Key("port"))
	for step := range p.Steps() {
		fmt.Println(step, step.IsWildcard())
	}
	// Output:
	// rules false
	// [*] true
	// port false
}

func ExampleAnyDepth() {
	notes := path.MustParsePattern("[**].__defaults")
	for _, text := range []string{"__defaults", "rules[0].__defaults", "rules[0].port"} {
		fmt.Println(text, notes.Matches(path.MustParse(text)))
	}
	// Output:
	// __defaults true
	// rules[0].__defaults true
	// rules[0].port false
}

// All tags but that of the owner.
func ExampleSet_Except() {
	tags := path.MustSet("tags").Except(path.MustSet("tags.owner"))
	for _, text := range []string{"tags", "tags.env", "tags.owner"} {
		at := tags.At(path.MustParse(text))
		fmt.Println(text, at.MatchesAbove(), at.MayMatchBelow())
	}
	// Output:
	// tags false true
	// tags.env true false
	// tags.owner false false
}

func ExampleSet_Union() {
	all := path.MustSet("name").Union(path.MustSet("tags[*]"))
	for i, p := range all.Patterns() {
		fmt.Println(i, p)
	}
	// Output:
	// 0 name
	// 1 tags[*]
}

func ExampleSet() {
	replaceOn := path.NewSet(
		path.MustParsePattern("engine.version"),
		path.MustParsePattern("disks[*].size"),
	)
	for _, text := range []string{"disks[3].size", "disks[3].name", "engine.version.major", "engine"} {
		p := path.MustParse(text)
		at := replaceOn.At(p)
		fmt.Println(text, at.MatchesAbove(), at.MayMatchBelow(), slices.Collect(at.Matched()))
	}
	// Output:
	// disks[3].size true true [1]
	// disks[3].name false false []
	// engine.version.major true false []
	// engine false true []
}

// A walk keeps a Matcher beside each place and needs no paths.
func ExampleMatcher() {
	secret := path.NewSet(path.MustParsePattern("users[*].password"))
	var walk func(data any, at path.Matcher)
	walk = func(data any, at path.Matcher) {
		if !at.MayMatchBelow() {
			return // nothing below is asked for
		}
		if at.MatchesAbove() {
			fmt.Println("secret:", data)
			return
		}
		switch data := data.(type) {
		case map[string]any:
			for key, below := range data {
				walk(below, at.Next(path.Key(key)))
			}
		case []any:
			for i, below := range data {
				walk(below, at.Next(path.Index(i)))
			}
		}
	}
	walk(map[string]any{
		"name":  "db",
		"users": []any{map[string]any{"name": "root", "password": "[redacted]"}},
	}, secret.Matcher())
	// Output:
	// secret: [redacted]
}

func ExampleShown() {
	p := path.MustParse("credentials.apiToken[0]")
	shown := path.Show(p, 1) // credentials is secret, so its keys are
	fmt.Println(shown)
	fmt.Println(shown.Path(), shown.Redacted(), shown.RevealPath() == p)
	// Output:
	// credentials[secret]
	// credentials true true
}

func ExampleError() {
	_, err := path.Parse("rules[-1]")
	var e *path.Error
	if errors.As(err, &e) && errors.Is(err, path.ErrSyntax) {
		fmt.Printf("byte %d of %q: want %s, have %s\n", e.Offset, e.Input, e.Want, e.Found)
	}
	_, err = path.Parse("rules[4611686018427387904]")
	fmt.Println(errors.Is(err, path.ErrIndex))
	// Output:
	// byte 6 of "rules[-1]": want index or quoted key, have '-'
	// true
}
