package ignore_test

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// instances is a property bag with a list of objects.
func instances(team string, sizes ...float64) value.Value {
	var list []value.Value
	for _, size := range sizes {
		list = append(list, value.Object(value.Member{Key: "size", Value: value.Number(size)}))
	}
	return value.Object(
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "team", Value: value.String(team)})},
		value.Member{Key: "instances", Value: value.Array(list...)},
	)
}

func ExampleChanges() {
	old := instances("web", 1, 2)
	now := instances("ops", 3, 4, 5)

	ignoreChanges := []string{"tags.team", `instances[*]["size"]`} // as a request has them
	var patterns []path.Pattern
	for _, text := range ignoreChanges {
		p, err := path.ParsePulumiPattern(text)
		if err != nil {
			continue // an engine ignores what it cannot parse; you may want to report it
		}
		patterns = append(patterns, p)
	}

	ignored := ignore.Changes(old, now, patterns, ignore.AsEngine)
	fmt.Println(ignored.Value)
	for _, p := range ignored.Patterns {
		fmt.Println(p)
	}
	// Output:
	// {instances: [{size: 1}, {size: 2}, {size: 5}], tags: {team: "web"}}
	// tags.team: matched 1
	// instances[*].size: matched 2, mismatch at instances (length)
}

func ExampleMode() {
	old := value.Object()
	now := instances("ops")
	patterns := []path.Pattern{path.MustParsePattern("tags[*]")}

	for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
		fmt.Println(mode, ignore.Changes(old, now, patterns, mode).Value)
	}
	// Output:
	// engine {instances: [], tags: {team: "ops"}}
	// corrected {instances: [], tags: {}}
}

func ExampleResult() {
	patterns := []path.Pattern{path.MustParsePattern("tags.team"), path.MustParsePattern("tag.team")}
	ignored := ignore.Changes(instances("web", 1), instances("ops", 1), patterns, ignore.Corrected)

	fmt.Println(ignored.Value.Equal(instances("web", 1)))
	for i, p := range patterns {
		hasEffect := func(r ignore.PatternResult) bool { return r.Index == i }
		if !slices.ContainsFunc(ignored.Patterns, hasEffect) {
			fmt.Println("nothing is called", p)
		}
	}
	// Output:
	// true
	// nothing is called tag.team
}

func ExamplePatternResult() {
	patterns := []path.Pattern{path.MustParsePattern("instances[2].size")}
	ignored := ignore.Changes(instances("web", 1, 2), instances("web", 1, 2, 3), patterns, ignore.AsEngine)

	p := ignored.Patterns[0]
	fmt.Println(p.Pattern, p.Matched, len(p.Mismatches))
	fmt.Println(p)
	// Output:
	// instances[2].size 0 1
	// instances[2].size: matched nothing, mismatch at instances[2] (length)
}

func ExampleMismatch() {
	old := value.Object(value.Member{Key: "db", Value: value.Secret(value.Object(value.Member{
		Key: "password", Value: value.Object(value.Member{Key: "old", Value: value.String("hunter2")}),
	}))})
	now := value.Object(value.Member{Key: "db", Value: value.Object()})
	ignored := ignore.Changes(old, now, []path.Pattern{path.MustParsePattern("db[*].old")}, ignore.AsEngine)

	for _, m := range ignored.Patterns[0].Mismatches {
		fmt.Println(m.At(), m.Why()) // the key is as secret as the object around it
	}
	// Output: db[secret] missing
}

func ExampleMismatch_Why() {
	old, now := instances("web", 1), instances("web")
	patterns := []path.Pattern{path.MustParsePattern("instances[*]")}
	for _, m := range ignore.Changes(old, now, patterns, ignore.AsEngine).Patterns[0].Mismatches {
		if m.Why() == "length" {
			fmt.Println("added and removed elements cannot be ignored:", m.At())
		}
	}
	// Output: added and removed elements cannot be ignored: instances
}
