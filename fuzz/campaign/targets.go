package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// target is one native fuzz target.
type target struct {
	folder  string // of its package below the root, with slashes; "." is the root
	dir     string // the same, absolute: where its tests run
	name    string // FuzzSomething
	program string // the built test

	figures // of all turns
	took    time.Duration
	skipped int64 // of the executions, those whose target skipped the input
	found   bool
}

// id is how a target is called: diff.FuzzText, codec/rpc.FuzzBytes.
func (t *target) id() string {
	if t.folder == "." {
		return t.name
	}

	return t.folder + "." + t.name
}

// pkg is a package.
type pkg struct {
	ImportPath   string
	Dir          string
	TestGoFiles  []string
	XTestGoFiles []string
}

// modulesBelow lists the folders of all modules of the tree, the root first.
// Those of other tools' test data are none.
func modulesBelow(root string) ([]string, error) {
	var found []string

	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		name := entry.Name()
		if entry.IsDir() && file != root && (name == "testdata" || name[0] == '.' || name[0] == '_') {
			return filepath.SkipDir
		}

		if entry.IsDir() || name != "go.mod" {
			return nil
		}

		folder, err := filepath.Rel(root, filepath.Dir(file))
		found = append(found, filepath.ToSlash(folder))

		return err
	})

	slices.Sort(found) // "." is below every letter

	return found, err
}

// packagesOf lists the packages of a module.
func packagesOf(ctx context.Context, folder string) ([]pkg, error) {
	out, err := goCommand(ctx, folder, "list", "-find", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, err
	}

	var found []pkg

	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("what go list wrote: %w", err)
		}

		found = append(found, p)
	}
}

// targetNames looks for targets in the text, so as not to build every test.
func (p pkg) targetNames() ([]string, error) {
	var names []string

	for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}

		for _, decl := range tree.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
				names = append(names, f.Name.Name)
			}
		}
	}

	return names, nil
}

// program is where the test program of a package is built.
func (p pkg) program(programs string) string {
	file := filepath.Join(programs, strings.ReplaceAll(p.ImportPath, "/", "_")+".test")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}

	return file
}

// build makes the test program of a package, and lists its targets.
func (p pkg) build(ctx context.Context, programs string) (names []string, err error) {
	program := p.program(programs)
	if _, err := goCommand(ctx, p.Dir, "test", "-c", "-fuzz=.", "-o", program, "."); err != nil {
		return nil, err
	}

	list := exec.CommandContext(ctx, program, "-test.list=^Fuzz")
	list.Dir = p.Dir

	out, err := output(list)
	if err != nil {
		return nil, err
	}

	return slices.DeleteFunc(strings.Fields(string(out)), func(word string) bool { return !strings.HasPrefix(word, "Fuzz") }), nil
}

// find builds every chosen package and returns its targets, in order of their
// names. What does not build is among the failures, and the rest goes on.
func (c *campaign) find(ctx context.Context) error {
	modules, err := modulesBelow(c.root)
	if err != nil {
		return err
	}

	programs := filepath.Join(c.dir, "programs")
	if err := os.MkdirAll(programs, folderMode); err != nil {
		return err
	}

	for _, module := range modules {
		packages, err := packagesOf(ctx, filepath.Join(c.root, filepath.FromSlash(module)))
		if err != nil && ctx.Err() == nil {
			c.fail("module "+module, err)
		}

		for _, p := range packages {
			if err := c.findIn(ctx, p, programs); err != nil && ctx.Err() == nil {
				c.fail("package "+p.ImportPath, err)
			}
		}
	}

	slices.SortFunc(c.targets, func(a, b *target) int { return cmp.Compare(a.id(), b.id()) })

	return ctx.Err()
}

// findIn builds a package that has targets that are wanted.
func (c *campaign) findIn(ctx context.Context, p pkg, programs string) error {
	folder, err := filepath.Rel(c.root, p.Dir)
	if err != nil {
		return err
	}

	wanted := func(name string) bool {
		return c.match.MatchString((&target{folder: filepath.ToSlash(folder), name: name}).id())
	}

	names, err := p.targetNames()
	if err != nil || !slices.ContainsFunc(names, wanted) {
		return err
	}

	fmt.Fprintf(c.out, "building %s\n", p.ImportPath)

	found, err := p.build(ctx, programs)
	if err != nil {
		return err
	}

	for _, name := range found {
		if wanted(name) {
			c.targets = append(c.targets, &target{folder: filepath.ToSlash(folder), dir: p.Dir, name: name, program: p.program(programs)})
		}
	}

	return nil
}

// goCommand runs the go tool in a folder and returns what it wrote. Workspaces
// are off: each module is tested with what it requires.
func goCommand(ctx context.Context, folder string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOWORK=off")

	return output(command)
}

// output runs a command; its error has what it wrote to standard error.
func output(command *exec.Cmd) ([]byte, error) {
	var messages bytes.Buffer

	command.Stderr = &messages

	out, err := command.Output()
	if err != nil {
		if messages.Len() == 0 {
			messages.Write(out)
		}

		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, messages.Bytes())
	}

	return out, nil
}
