package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// output runs a command in a folder and returns what it prints.
func output(dir, name string, args ...string) ([]byte, error) {
	return outputWith(nil, dir, name, args...)
}

// outputWith does so with more variables in the environment.
func outputWith(env []string, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(cmd.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false"), env...)
	var said bytes.Buffer
	cmd.Stderr = &said

	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return out, nil
}

// sides are the two programs that are compared.
type sides struct {
	base, head string
	// ownKernels says that the base does not compile with the head's kernels, so that
	// it is measured with its own: only kernels whose names both have are compared.
	ownKernels bool
}

// source is where a program of kernels comes from: a repository, and two folders in it.
type source struct {
	repository string
	program    string // the program that runs the kernels
	over       string // the kernels, which both sides take from the working tree
}

// buildSides builds the program with the code of a revision and with that of the working
// tree. The base is built where the head is, with an overlay that has the files in which
// the two differ, so that whatever a go.mod names by a relative path is found.
func (s source) buildSides(base, dir string) (sides, error) {
	built := sides{base: filepath.Join(dir, "base.bin"), head: filepath.Join(dir, "head.bin")}
	if err := s.build(built.head, nil); err != nil {
		return built, fmt.Errorf("head: %w", err)
	}

	files, err := s.overlay(base, filepath.Join(dir, "base"))
	if err != nil {
		return built, err
	}
	kernels := filepath.Join(s.repository, s.over) + string(filepath.Separator)
	shared := map[string]string{}
	for name, content := range files {
		if !strings.HasPrefix(name, kernels) {
			shared[name] = content
		}
	}

	failed := s.build(built.base, shared)
	if failed == nil {
		return built, nil
	}
	failed = fmt.Errorf("base: it does not build with the head's %s: %w", s.over, failed)
	if len(shared) == len(files) {
		return built, failed // its own kernels are the head's
	}

	built.ownKernels = true
	if err := s.build(built.base, files); err != nil {
		return built, errors.Join(failed, fmt.Errorf("nor with its own: %w", err))
	}
	return built, nil
}

// overlay puts the files of a revision into a new folder, and returns what go build takes
// as an overlay: by the name of each file in which the revision and the working tree
// differ, the name of the revision's, or none where it has no such file.
func (s source) overlay(revision, into string) (map[string]string, error) {
	// An index of its own leaves the repository as it is.
	git := func(args ...string) ([]byte, error) {
		return outputWith([]string{"GIT_INDEX_FILE=" + into + ".index"}, s.repository, "git", args...)
	}
	if _, err := git("read-tree", revision); err != nil {
		return nil, err
	}
	if _, err := git("checkout-index", "--all", "--prefix="+into+"/"); err != nil {
		return nil, err
	}

	// What the working tree has besides, and what it has changed or lacks.
	names, err := git("ls-files", "-z", "--others", "--exclude-standard", "--modified", "--deleted")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range strings.FieldsFunc(string(names), func(r rune) bool { return r == 0 }) {
		content := filepath.Join(into, name)
		if _, err := os.Lstat(content); err != nil {
			content = ""
		}
		files[filepath.Join(s.repository, name)] = content
	}
	return files, nil
}

func (s source) build(program string, overlay map[string]string) error {
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	list := program + ".json"
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return err
	}

	_, err = output(filepath.Join(s.repository, s.program), "go", "build", "-trimpath", "-overlay="+list, "-o", program, ".")
	return err
}
