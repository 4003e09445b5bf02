package propalg_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

const maxDesignWords = 2000

// TestDesign holds docs/design.md to its size, and its map to the tree: each file is
// there and has the names that the map gives. A row marked "verify" may be about code
// that is still to come.
func TestDesign(t *testing.T) {
	t.Parallel()

	page := readText(t, "docs/design.md")
	words := regexp.MustCompile(`\S*\w\S*`) // not the lines of tables and drawings
	if n := len(words.FindAllString(page, -1)); n > maxDesignWords {
		t.Errorf("%d words, at most %d", n, maxDesignWords)
	}

	_, table, _ := strings.Cut(page, "\n## Where to change what\n")
	file := regexp.MustCompile("`([a-z][a-z/_]*/[a-z/_.]+|[a-z_]+\\.go)`((?: `\\w+`)*)")
	rows, marked := 0, 0

	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| question") {
			continue
		}

		rows++

		if strings.Contains(line, "<!-- verify") {
			marked++

			continue
		}

		found := file.FindAllStringSubmatch(line, -1)
		if len(found) == 0 {
			t.Errorf("no file in %s", line)
		}

		for _, m := range found {
			checkPlace(t, m[1], strings.Fields(strings.ReplaceAll(m[2], "`", " ")))
		}
	}

	if rows < 30 {
		t.Errorf("%d rows, at least 30", rows)
	}

	t.Logf("%d rows, %d to be verified", rows, marked)
}

// checkPlace reports a file or folder that is missing, or does not declare the names.
func checkPlace(t *testing.T, file string, names []string) {
	t.Helper()

	info, err := os.Stat(file)
	if err != nil {
		t.Errorf("%v", err)

		return
	}

	if len(names) > 0 && info.IsDir() {
		t.Errorf("%s is a folder", file)

		return
	}

	for _, name := range names {
		declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |\t)` + name + `\b`)
		if !declared.MatchString(readText(t, file)) {
			t.Errorf("%s does not declare %s", file, name)
		}
	}
}

// apiOf has the text of a package's API by the name that users call it.
var apiOf = map[string]string{
	"value": "value", "path": "path", "urn": "urn", "asset": "value-asset", "bind": "value-bind",
	"diff": "diff", "ignore": "diff-ignore", "render": "diff-render",
	"codec": "codec", "state": "codec-state", "patch": "codec-patch", "rpc": "codec-rpc",
	"schema": "schema", "provider": "provider", "check": "provider-check", "engine": "engine", "fuzz": "fuzz",
}

// TestGlossary holds the names in docs/glossary.md to the committed API, but for rows
// that are marked to be verified. A package without an API is still to come.
func TestGlossary(t *testing.T) {
	t.Parallel()

	marked := regexp.MustCompile(`(?m)^\|.*<!-- verify.*$`)
	page := marked.ReplaceAllString(readText(t, "docs/glossary.md"), "")
	name := regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*)(?:\\.([A-Z]\\w*))?`")
	checked := 0

	for _, m := range name.FindAllStringSubmatch(page, -1) {
		api, err := os.ReadFile("api/" + apiOf[m[1]] + ".txt")
		if err != nil && apiOf[m[1]] != "" {
			t.Logf("%v", err)

			continue
		}

		checked++

		declared := `(?m)^(func|type|const|var) ` + m[2] + `\b`
		if m[3] != "" {
			declared = `(?m)^(method \(\*?` + m[2] + `\) |field ` + m[2] + `\.)` + m[3] + `\b`
		}

		if !regexp.MustCompile(declared).Match(api) {
			t.Errorf("the API has no %s", m[0])
		}
	}

	if checked < 20 {
		t.Errorf("only %d names checked", checked)
	}
}
