package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes a go.mod file for every module that is listed, and texts over them.
func tree(t *testing.T, texts map[string]string) (dir string, names []string) {
	t.Helper()

	dir = t.TempDir()
	all := map[string]string{}

	for _, folder := range append(published(), unpublished()...) {
		all[path.Join(folder, "go.mod")] = "module " + modulePath(folder) + "\n"
	}

	for name, text := range texts {
		all[name] = text
	}

	for name, text := range all {
		if text == "" {
			continue
		}

		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}

		names = append(names, name)
	}

	return dir, names
}

func TestReadModules(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       error
		why        string
	}{
		{"tools/go.mod", "module " + rootPath + "/tools\nreplace example.test/a => ./a\n", nil, ""},
		{"tools/go.mod", "module " + rootPath + "/tool\n", errModule, "not " + rootPath + "/tools"},
		{"tools/go.mod", "", errLists, ""},
		{"tools/new/go.mod", "module " + rootPath + "/tools/new\n", errLists, "tools/new"},
		{"interop/grpc/go.mod", "module " + rootPath + "/interop/grpc\nreplace example.test/a => ./a\n", errModule, "replaces example.test/a"},
		{"interop/grpc/go.mod", "module " + rootPath + "/interop/grpc\nrequire " + rootPath + "/e2e v0.0.0\n", errModule, "is not published"},
		{"bench/gate/go.mod", "module " + rootPath + "/bench/gate\nreplace " + rootPath + " => ../..\n", errModule, "go install refuses"},
	} {
		dir, names := tree(t, map[string]string{c.name: c.text})
		if _, err := readModules(dir, names); !errors.Is(err, c.want) || (c.want != nil && !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %q: %v", c.name, c.text, err)
		}
	}
}

func TestSetVersion(t *testing.T) {
	dir, names := tree(t, map[string]string{
		"interop/pulumi/go.mod": "module " + rootPath + `/interop/pulumi

go 1.25.0

require (
	example.test/a v1.2.3 // why
	` + rootPath + ` v0.0.0
	` + rootPath + `/interop/grpc v0.0.0 // indirect
)

replace ` + rootPath + ` => ../..
`,
	})

	all, err := readModules(dir, names)
	if err != nil {
		t.Fatal(err)
	}

	for _, m := range all {
		text, err := m.setVersion("v0.2.0")
		if err != nil {
			t.Fatal(err)
		}

		want := "module " + modulePath(m.folder) + "\n"
		if m.folder == "interop/pulumi" {
			want += `
go 1.25.0

require (
	example.test/a v1.2.3 // why
	` + rootPath + ` v0.2.0
	` + rootPath + `/interop/grpc v0.2.0 // indirect
)

replace ` + rootPath + ` => ../..
`
		}

		if string(text) != want {
			t.Errorf("%s:\n%s", m.folder, text)
		}
	}
}

// The page on compatibility names every module.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}

	for _, folder := range published() {
		if !strings.Contains(string(page), "| `"+modulePath(folder)+"` |") {
			t.Errorf("%s is not in the table", folder)
		}
	}

	for _, folder := range unpublished() {
		if !strings.Contains(string(page), "`"+folder+"`") {
			t.Errorf("%s is not named", folder)
		}
	}
}
