package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// errEscape reports that an archive names a file outside itself.
var errEscape = errors.New("file outside the archive")

func output(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(said.Bytes()))
	}

	return out, nil
}

func root(dir string) (string, error) {
	out, err := output(dir, "git", "rev-parse", "--show-toplevel")
	return strings.TrimSpace(string(out)), err
}

// snapshot puts a revision, or a copy of a folder, into a new folder. Revisions are
// taken by git archive, which, unlike a worktree, leaves nothing in the repository.
func snapshot(repository, revision, into string) error {
	if info, err := os.Stat(revision); err == nil && info.IsDir() {
		return copyTree(revision, into)
	}
	packed, err := output(repository, "git", "archive", "--format=tar", revision)
	if err != nil {
		return err
	}

	return unpack(bytes.NewReader(packed), into)
}

func unpack(r io.Reader, into string) error {
	files := tar.NewReader(r)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(header.Name) {
			return fmt.Errorf("%s: %w", header.Name, errEscape)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}

		content, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(into, header.Name), content); err != nil {
			return err
		}
	}
}

func write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o600)
}

// copyTree copies Go's files and what belongs to them; .git stays behind.
func copyTree(from, into string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}

		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return write(filepath.Join(into, relative), content)
	})
}

type sides struct {
	base, head string
	// ownKernels says that the base does not compile with the head's kernels, so that
	// it is measured with its own: only kernels whose names both have are compared.
	ownKernels bool
}

type source struct {
	program string // the folder of the program that runs the kernels, from the root of the repository
	over    string // the folder with the kernels: the head's is laid over the base's
}

func (s source) buildSides(repository, base, head, dir string) (sides, error) {
	built := sides{base: filepath.Join(dir, "base.bin"), head: filepath.Join(dir, "head.bin")}
	tree := filepath.Join(dir, "base")
	if err := snapshot(repository, base, tree); err != nil {
		return built, err
	}
	original := repository
	if info, err := os.Stat(base); err == nil && info.IsDir() {
		original = base
	}
	if err := s.build(head, built.head); err != nil {
		return built, fmt.Errorf("head: %w", err)
	}

	over, own := filepath.Join(tree, s.over), filepath.Join(dir, "own")
	missing := os.Rename(over, own)
	if missing != nil && !errors.Is(missing, fs.ErrNotExist) {
		return built, missing
	}
	if err := copyTree(filepath.Join(head, s.over), over); err != nil {
		return built, err
	}
	shared := s.buildCopy(tree, original, built.base)
	if shared == nil {
		return built, nil
	}
	if missing != nil {
		return built, fmt.Errorf("base: it has no %s, and does not build with the head's: %w", s.over, shared)
	}

	built.ownKernels = true
	if err := os.RemoveAll(over); err != nil {
		return built, err
	}
	if err := os.Rename(own, over); err != nil {
		return built, err
	}
	if err := s.buildCopy(tree, original, built.base); err != nil {
		return built, fmt.Errorf("base: %w", errors.Join(shared, err))
	}
	return built, nil
}

func (s source) build(tree, program string) error {
	_, err := output(filepath.Join(tree, s.program), "go", "build", "-trimpath", "-o", program, ".")
	return err
}

// buildCopy builds a copy of a repository. Where its module is replaced by a folder outside
// the repository, named by a relative path, that folder is meant and not one near the copy.
func (s source) buildCopy(tree, original, program string) error {
	within, isModule := s.module(tree)
	if !isModule {
		return s.build(tree, program) // which says so
	}

	original, err := filepath.Abs(original)
	if err != nil {
		return err
	}

	text, err := output(filepath.Join(tree, within), "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(text, &mod); err != nil {
		return err
	}
	edit := []string{"mod", "edit"}
	for _, r := range mod.Replace {
		to := filepath.FromSlash(r.New.Path)
		if r.New.Version != "" || filepath.IsAbs(to) || filepath.IsLocal(filepath.Join(within, to)) {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		edit = append(edit, "-replace="+old+"="+filepath.Join(original, within, to))
	}
	if len(edit) > 2 {
		if _, err := output(filepath.Join(tree, within), "go", edit...); err != nil {
			return err
		}
	}
	return s.build(tree, program)
}

func (s source) module(tree string) (within string, found bool) {
	for dir := filepath.Clean(s.program); ; dir = filepath.Dir(dir) {
		_, err := os.Stat(filepath.Join(tree, dir, "go.mod"))
		if err == nil || dir == "." || !filepath.IsLocal(dir) {
			return dir, err == nil
		}
	}
}
