package schema_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pulumi "github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"github.com/propalg/propalg/internal/test/kit"
)

// document is a schema of a real package.
type document struct {
	name string
	data []byte
}

// documents returns the schemas at hand, each of them once, and one that has everything.
func documents(t testing.TB) []document {
	t.Helper()

	var names []string

	shared, err := filepath.Glob("../../../../../shared/data/schemas/*.json")
	if err != nil {
		t.Fatal(err)
	}

	names = append(names, shared...)

	for module, dir := range map[string]string{
		"github.com/pulumi/pulumi/pkg/v3@v3.259.0": "codegen/testing/utils/schemas",
		"github.com/pulumi/pulumi-java@v1.34.0":    "pkg/codegen/testing/test/testdata",
	} {
		if root := kit.CachedModule(module); root != "" {
			names = append(names, below(t, filepath.Join(root, dir))...)
		}
	}

	slices.SortFunc(names, func(a, b string) int { return strings.Compare(filepath.Base(a)+a, filepath.Base(b)+b) })

	all := []document{{"everything", []byte(rich)}, {"peer", []byte(peer)}}

	seen := map[string]bool{}

	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}

		if !seen[string(data)] {
			seen[string(data)] = true
			all = append(all, document{filepath.Base(filepath.Dir(name)) + "/" + filepath.Base(name), data})
		}
	}

	return all
}

// below returns the schemas below a directory.
func below(t testing.TB, dir string) []string {
	t.Helper()

	var names []string

	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, "codegen-manifest.json") {
			names = append(names, name)
		}

		return err
	})
	if err != nil {
		t.Log(err)
	}

	return names
}

// newLoader returns a loader of the documents.
func newLoader(all []document) *loader {
	l := &loader{documents: map[string][]byte{}, loaded: map[string]pulumi.PackageReference{}, unknown: map[string]int{}}

	for _, d := range all {
		var info struct{ Name, Version string }
		if json.Unmarshal(d.data, &info) == nil {
			l.documents[strings.TrimSpace(info.Name+" "+strings.TrimPrefix(info.Version, "v"))] = d.data
		}
	}

	return l
}

// Both sides accept the same real schemas, and read the same from them.
func TestReal(t *testing.T) {
	all := documents(t)
	l := newLoader(all)
	counts, accepted, explained := map[string]int{}, map[bool]int{}, map[string]int{}

	for _, d := range all {
		for _, dangling := range []bool{false, true} {
			v := judge(d.data, dangling, l)

			switch name := compare(t, v, l); {
			case name == "(refused by both)":
				t.Logf("%s: dangling %t: refused by both\ntheirs: %s\nours:   %v", d.name, dangling, v.refused, v.err)
				continue
			case name != "(accepted by both)":
				explained[name]++
				continue
			}

			accepted[dangling]++
			ours := ourText(v.ours)

			if dangling {
				for kind, n := range ours.count {
					counts[kind] += n
				}
			}
		}
	}

	t.Logf("%d documents, accepted %d, with dangling references %d; %v", len(all), accepted[false], accepted[true], counts)
	t.Logf("differences %v; packages that are not at hand: %v", explained, slices.Sorted(maps.Keys(l.unknown)))
}
