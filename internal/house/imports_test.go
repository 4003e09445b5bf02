package house_test

import (
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestMain runs the tests in the root of the repository, where the pages are.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}

	os.Exit(m.Run())
}

const module = "github.com/propalg/propalg"

// layers lists what each package may import of this module outside tests: packages, or
// with a final "/..." all below one. A package is looked up by its own name first, then by
// those above it. Imports go one way: a package imports none that is above it here.
var layers = map[string][]string{
	"internal/...":      {"internal/..."},
	"internal/listing":  {"path"},
	"internal/semver":   {},
	"internal/difftree": {"internal/...", "path", "value"},
	"internal/walk":     {"internal/...", "path", "value"},
	"internal/decide":   {"internal/...", "path", "value", "codec/rpc", "codec/state", "diff", "diff/ignore", "provider/..."},
	"internal/shape":    {},
	"internal/rulebook": {"internal/...", "path", "value", "codec", "diff", "diff/equality", "provider", "provider/check"},
	"internal/protocol": {"internal/...", "path", "value", "codec/rpc"},

	"urn":           {"internal/..."},
	"path":          {"internal/..."},
	"value":         {"internal/...", "urn", "path"},
	"value/asset":   {"internal/...", "urn", "path", "value"},
	"value/bind":    {"internal/...", "path", "value"},
	"diff":          {"internal/...", "path", "value"},
	"diff/equality": {"internal/...", "path", "value", "diff"},
	"diff/ignore":   {"internal/...", "path", "value"},
	"diff/render":   {"internal/...", "path", "value", "diff"},
	"codec":         {"internal/...", "urn", "path", "value"},
	"codec/patch":   {"internal/...", "urn", "path", "value", "codec", "diff"},
	"codec/state":   {"internal/...", "urn", "path", "value", "codec", "diff"},
	"codec/steps":   {"internal/...", "urn", "path", "value", "codec", "codec/state", "diff"},

	"codec/rpc":              {"internal/...", "urn", "path", "value", "value/bind", "codec"},
	"codec/rpc/internal/gen": {"internal/..."},
	"schema":                 {"internal/...", "urn", "path", "value/...", "codec"},
	"provider":               {"internal/...", "path", "value", "diff", "diff/equality", "diff/ignore", "codec", "codec/rpc", "schema"},
	"provider/check":         {"internal/...", "urn", "path", "value", "value/bind", "diff", "diff/equality", "codec", "codec/rpc", "provider", "schema"},
	"provider/resource":      {"internal/...", "urn", "path", "value", "value/bind", "diff", "diff/equality", "codec", "codec/rpc", "provider", "schema"},
	"engine":                 {"internal/...", "urn", "path", "value", "codec/...", "diff", "diff/ignore", "provider/..."},

	"internal/test/...":              {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "schema", "fuzz"},
	"fuzz/...":                       {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "fuzz/...", "schema"},
	"provider/resource/resourcetest": {"internal/...", "urn", "path", "value/...", "codec/...", "provider/...", "engine", "fuzz", "schema"},
	"bench/...":                      {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "fuzz/...", "bench/...", "schema"},
	"cmd/...":                        {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "cmd/...", "schema"},
}

// testOnly lists the packages that only tests, and packages of this list, import.
var testOnly = []string{"fuzz/internal/...", "internal/test/..."}

// beside are packages outside the list that may import some of it: they are about tests.
var beside = []string{"fuzz/...", "bench/..."}

// others lists the other modules that packages may import outside tests.
var others = map[string][]string{
	"github.com/google/go-cmp":   {"internal/test/golden", "internal/test/probe"},
	"pgregory.net/rapid":         {"fuzz/...", "internal/test/..."},
	"github.com/tidwall/gjson":   {"codec/..."},
	"google.golang.org/protobuf": {"codec/...", "fuzz/...", "internal/test/..."},
}

// covers reports whether a package is among those listed.
func covers(list []string, name string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		above, deep := strings.CutSuffix(entry, "/...")

		return name == above || (deep && strings.HasPrefix(name, above+"/"))
	})
}

// allowed returns the row of a package, nil where it has none.
func allowed(name string) []string {
	if row, ok := layers[name]; ok {
		return row
	}

	for above := name; above != "."; above = path.Dir(above) {
		if row, ok := layers[above+"/..."]; ok {
			return row
		}
	}

	return nil
}

// refused says why a package may not import another, empty if it may.
func refused(name, imported string) string {
	inside, ok := strings.CutPrefix(imported, module+"/")
	first, _, _ := strings.Cut(imported, "/")

	switch {
	case ok && covers(testOnly, inside) && !covers(testOnly, name) && !covers(beside, name):
		return "only tests may import that"
	case ok && !covers(allowed(name), inside):
		return "it is not below in the table of layers"
	case !ok && strings.Contains(first, "."):
		for other, by := range others {
			if covers([]string{other + "/..."}, imported) && covers(by, name) {
				return ""
			}
		}

		return "that module is not for this package"
	}

	return ""
}

// TestImports holds every package of the root module to the tables.
func TestImports(t *testing.T) {
	list := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")

	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}

	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 40 {
		t.Errorf("only %d packages seen", len(lines))
	}

	for _, line := range lines {
		words := strings.Fields(line)

		name := strings.TrimPrefix(strings.TrimPrefix(words[0], module), "/")
		if name != "" && name != "docs/guides" && allowed(name) == nil {
			t.Errorf("%s is in no layer", name)
		}

		for _, imported := range words[1:] {
			if why := refused(name, imported); why != "" {
				t.Errorf("%s imports %s: %s", name, imported, why)
			}
		}
	}
}
