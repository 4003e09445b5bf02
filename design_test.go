package propalg_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const maxDesignWords = 2000

// TestDesign holds docs/design.md to its size.
func TestDesign(t *testing.T) {
	t.Parallel()

	words := regexp.MustCompile(`\S*\w\S*`) // not the lines of tables and drawings
	if n := len(words.FindAllString(readText(t, "docs/design.md"), -1)); n > maxDesignWords {
		t.Errorf("%d words, at most %d", n, maxDesignWords)
	}
}

// TestBudgets holds the numbers of names in docs/design.md to the committed API: a line
// of api/*.txt is a name, but for fields.
func TestBudgets(t *testing.T) {
	t.Parallel()

	row := regexp.MustCompile("(?m)^- `([a-z/]+)`, (\\d+) of (\\d+):")
	rows := row.FindAllStringSubmatch(readText(t, "docs/design.md"), -1)

	for _, m := range rows {
		names := 0

		for line := range strings.Lines(readText(t, "api/"+strings.ReplaceAll(m[1], "/", "-")+".txt")) {
			if !strings.HasPrefix(line, "field ") {
				names++
			}
		}

		if strconv.Itoa(names) != m[2] {
			t.Errorf("%s has %d names, docs/design.md says %s", m[1], names, m[2])
		}
	}

	if len(rows) < 5 {
		t.Errorf("only %d rows", len(rows))
	}
}

// TestMap holds docs/map.md to the tree: each file is there and declares the names that
// the map gives.
func TestMap(t *testing.T) {
	t.Parallel()

	file := regexp.MustCompile("`([a-z][a-z/_]*/[a-z/_.]+|[a-z_]+\\.go)`((?: `\\w+`)*)")
	rows := 0

	for line := range strings.Lines(readText(t, "docs/map.md")) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| question") {
			continue
		}

		rows++

		found := file.FindAllStringSubmatch(line, -1)
		if len(found) == 0 {
			t.Errorf("no file in %s", line)
		}

		for _, m := range found {
			checkPlace(t, m[1], strings.Fields(strings.ReplaceAll(m[2], "`", " ")))
		}
	}

	if rows < 60 {
		t.Errorf("%d rows, at least 60", rows)
	}
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

// TestGlossary holds the names in docs/glossary.md to the committed API.
func TestGlossary(t *testing.T) {
	t.Parallel()

	page := readText(t, "docs/glossary.md")
	name := regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*)(?:\\.([A-Z]\\w*))?`")
	checked := 0

	for _, m := range name.FindAllStringSubmatch(page, -1) {
		api, err := os.ReadFile("api/" + apiOf[m[1]] + ".txt")
		if err != nil {
			t.Fatal(err)
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
