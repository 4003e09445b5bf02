package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// rootPath is the path of the root module. The others have paths of their folders below it.
const rootPath = "github.com/propalg/propalg"

// published lists the folders of the modules that have versions: what others import, and
// the commands that they install. docs/compatibility.md has the same list.
func published() []string {
	return []string{".", "bench/gate", "interop/grpc", "interop/propalg-test", "interop/pulumi"}
}

// unpublished lists the folders of the other modules: examples to copy, and tests and
// tools that need this repository.
func unpublished() []string {
	return []string{
		"e2e", "examples", "interop/bridge", "interop/infer",
		"interop/peers", "interop/pulumi/stack", "tools",
	}
}

var (
	// errModule says that a go.mod file cannot be released.
	errModule = errors.New("module cannot be released")
	// errLists says that the lists of modules are not those of the tree.
	errLists = errors.New("published and unpublished do not list the modules of the tree")
)

// goMod is the go.mod file of a folder.
type goMod struct {
	folder string // slash-separated, from the root; "." for the root
	file   *modfile.File
}

// isOurs reports whether a path is that of the root module or of one below it.
func isOurs(modulePath string) bool {
	return modulePath == rootPath || strings.HasPrefix(modulePath, rootPath+"/")
}

// modulePath is the path of the module in a folder.
func modulePath(folder string) string { return path.Join(rootPath, folder) }

// readModules reads the go.mod files of a tree whose names are given, and checks what a
// release relies on.
func readModules(tree string, names []string) ([]goMod, error) {
	var all []goMod
	var folders []string
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(tree, name))
		if err != nil {
			return nil, err
		}

		file, err := modfile.Parse(name, text, nil)
		if err != nil {
			return nil, err
		}

		m := goMod{path.Dir(name), file}
		if err := m.check(); err != nil {
			return nil, err
		}
		all, folders = append(all, m), append(folders, m.folder)
	}
	slices.Sort(folders)
	if listed := slices.Sorted(slices.Values(append(published(), unpublished()...))); !slices.Equal(folders, listed) {
		return nil, fmt.Errorf("%w: %q and %q", errLists, listed, folders)
	}
	return all, nil
}

// check refuses what would not work outside this repository, where replacements are
// ignored and folders that are not published cannot be found.
func (m goMod) check() error {
	if got, want := m.file.Module.Mod.Path, modulePath(m.folder); got != want {
		return fmt.Errorf("%s: path %s, not %s: %w", m.folder, got, want, errModule)
	}
	if !slices.Contains(published(), m.folder) {
		return nil
	}

	for _, r := range m.file.Require {
		folder := strings.TrimPrefix(strings.TrimPrefix(r.Mod.Path, rootPath), "/")
		if isOurs(r.Mod.Path) && !slices.Contains(published(), path.Clean(folder)) {
			return fmt.Errorf("%s: requires %s, which is not published: %w", m.folder, r.Mod.Path, errModule)
		}
	}
	for _, r := range m.file.Replace {
		if !isOurs(r.Old.Path) {
			return fmt.Errorf("%s: replaces %s, which others would not: %w", m.folder, r.Old.Path, errModule)
		}
		if m.folder == "bench/gate" {
			return fmt.Errorf("%s: replaces %s, and go install refuses that: %w", m.folder, r.Old.Path, errModule)
		}
	}

	return nil
}

// setVersion makes a module require a version of all modules of this repository that it
// requires. Replacements by folders stay: they serve those who work here, and go ignores
// them in what others require.
func (m goMod) setVersion(version string) ([]byte, error) {
	for _, r := range m.file.Require {
		if !isOurs(r.Mod.Path) {
			continue
		}
		if err := m.file.AddRequire(r.Mod.Path, version); err != nil {
			return nil, err
		}
	}

	return m.file.Format()
}
