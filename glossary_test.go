package propalg_test

import (
	"os"
	"regexp"
	"testing"
)

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
