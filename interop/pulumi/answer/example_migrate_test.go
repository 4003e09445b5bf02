package answer_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"

	"github.com/propalg/propalg/interop/pulumi/answer"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
)

func diffBefore(r plugin.DiffRequest) (plugin.DiffResponse, error) {
	changes := r.OldInputs.Diff(r.NewInputs)
	if changes == nil {
		return plugin.DiffResponse{Changes: plugin.DiffNone}, nil
	}

	detailed := plugin.NewDetailedDiffFromObjectDiff(changes, true)
	var replaces []resource.PropertyKey
	for _, key := range []resource.PropertyKey{"name", "network"} {
		if changes.Changed(key) {
			replaces = append(replaces, key)
			if entry, ok := detailed[string(key)]; ok {
				entry.Kind = entry.Kind.AsReplace()
				detailed[string(key)] = entry
			}
		}
	}

	changed := changes.ChangedKeys()
	slices.Sort(changed)

	return plugin.DiffResponse{
		Changes:             plugin.DiffSome,
		ChangedKeys:         changed,
		ReplaceKeys:         replaces,
		DetailedDiff:        detailed,
		DeleteBeforeReplace: len(replaces) > 0,
	}, nil
}

func diffAfter(r plugin.DiffRequest) (plugin.DiffResponse, error) {
	sides, ignored, err := answer.Sides(r)
	if err != nil {
		return plugin.DiffResponse{}, err
	}

	differ := provider.Differ{Ignored: ignored, ReplaceOn: path.MustSet("name", "network"), DeleteBeforeReplace: true}

	return answer.To(differ.Compare(sides).Response()), nil
}

func Example_migrate() {
	name := func(s string) resource.PropertyMap { return resource.PropertyMap{"name": resource.NewProperty(s)} }
	subnet := func(s string) resource.PropertyMap {
		return resource.PropertyMap{"network": resource.NewProperty(resource.PropertyMap{"subnet": resource.NewProperty(s)})}
	}
	tag := func(key resource.PropertyKey, s string) resource.PropertyMap {
		return resource.PropertyMap{"tags": resource.NewProperty(resource.PropertyMap{key: resource.NewProperty(s)})}
	}

	for _, c := range []struct {
		about   string
		request plugin.DiffRequest
	}{
		{"another name", plugin.DiffRequest{OldInputs: name("a"), NewInputs: name("b")}},
		{"a change inside a property that replaces", plugin.DiffRequest{OldInputs: subnet("a"), NewInputs: subnet("b")}},
		{"a refresh, with ignoreChanges", plugin.DiffRequest{OldInputs: tag("env", "a"), NewInputs: tag("env", "b"), IgnoreChanges: []string{"tags"}}},
		{"an engine that sends no old inputs", plugin.DiffRequest{OldOutputs: name("a"), NewInputs: name("a")}},
		{"an empty key", plugin.DiffRequest{OldInputs: tag("", "a"), NewInputs: tag("", "b")}},
	} {
		before, _ := diffBefore(c.request)
		after, err := diffAfter(c.request)
		if err != nil {
			panic(err)
		}
		fmt.Println(c.about)
		fmt.Println("  before:", migrateText(before))
		sides, ignored, _ := answer.Sides(c.request)
		for _, f := range check.Validate(answer.From(before), sides, provider.Differ{Ignored: ignored}) {
			fmt.Println("   ", f.Severity, f.At, f.Code)
		}
		fmt.Println("  after: ", migrateText(after))
	}
	// Output:
	// another name
	//   before: some [name] [name] [name update-replace]
	//   after:  some [name] [name] [name update-replace]
	// a change inside a property that replaces
	//   before: some [network] [network] [network.subnet update]
	//     error network replaces-extra
	//   after:  some [network] [network] [network.subnet update-replace]
	// a refresh, with ignoreChanges
	//   before: some [tags] [] [tags.env update]
	//     note tags.env ignored
	//   after:  none [] [] []
	// an engine that sends no old inputs
	//   before: some [name] [name] [name add-replace]
	//     error name add-present
	//   after:  none [] [] []
	// an empty key
	//   before: some [tags] [] [tags. update]
	//     error ["tags."] key-unreadable
	//     note tags[""] unreported
	//   after:  some [tags] [] [tags[""] update]
}

func migrateText(d plugin.DiffResponse) string {
	var entries []string
	for _, key := range slices.Sorted(maps.Keys(d.DetailedDiff)) {
		entries = append(entries, key+" "+d.DetailedDiff[key].Kind.String())
	}

	changes := map[plugin.DiffChanges]string{plugin.DiffNone: "none", plugin.DiffSome: "some"}[d.Changes]

	return fmt.Sprint(changes, " ", d.ChangedKeys, " ", d.ReplaceKeys, " ", entries)
}
