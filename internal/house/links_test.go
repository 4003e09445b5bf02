package house_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinks follows the links of all pages to files of this repository, outside quoted
// code, and the pages that Go files name.
func TestLinks(t *testing.T) {
	t.Parallel()

	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	quoted := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	named := regexp.MustCompile(`\bdocs/[a-z/]+\.md\b`)
	checked := 0

	check := func(from, target string) {
		checked++

		if _, err := os.Stat(target); err != nil {
			t.Errorf("%s: %v", from, err)
		}
	}

	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		name := entry.Name()

		switch {
		case entry.IsDir() && (name == "testdata" || (len(name) > 1 && strings.HasPrefix(name, "."))):
			return filepath.SkipDir
		case filepath.Ext(name) == ".md":
			for _, m := range link.FindAllStringSubmatch(quoted.ReplaceAllString(readText(t, file), ""), -1) {
				check(file, filepath.Join(filepath.Dir(file), m[1]))
			}
		case filepath.Ext(name) == ".go":
			for _, page := range named.FindAllString(readText(t, file), -1) {
				check(file, page)
			}
		}

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	if checked < 50 {
		t.Errorf("only %d links seen", checked)
	}
}
