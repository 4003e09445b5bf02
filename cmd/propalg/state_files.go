package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// stackFiles are the files that arguments name.
type stackFiles struct {
	names  []string
	isMany bool // whether what is said of one has to name it
}

// stackFiles returns the files of the arguments: of a folder those that end in .json or
// .json.gz, sorted by name.
func (inv *invocation) stackFiles() (f stackFiles, err error) {
	if err := errors.Join(inv.noneEmpty(), inv.onceStdin()); err != nil {
		return f, err
	}
	for _, name := range inv.args {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.IsDir() {
			f.names = append(f.names, name) // who reads it says more
			continue
		}

		f.isMany = true
		all, err := os.ReadDir(name)
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, input.Reason(err))
		}
		before := len(f.names)
		for _, each := range all {
			file := each.Name()
			isStack := strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".json.gz")
			if isStack && !each.IsDir() && !strings.HasSuffix(file, droppedSuffix) {
				f.names = append(f.names, filepath.Join(name, file))
			}
		}
		if len(f.names) == before {
			return f, fmt.Errorf("%s: is a directory, in which no file ends in .json or .json.gz", name)
		}
	}
	f.isMany = f.isMany || len(f.names) > 1
	return f, nil
}

// each calls do with each stack. A file that cannot be read, or of which do returns an error,
// is named, and the others are done too.
func (f *stackFiles) each(inv *invocation, do func(in *input.Source) error) (code int) {
	for _, name := range f.names {
		err := oneStack(name, inv, do)
		if inv.written.Flush() != nil {
			return exitBad // the command reports that
		}
		if err != nil {
			code = exitBad
			inv.say("%w", err)
		}
	}
	return code
}

func oneStack(name string, inv *invocation, do func(in *input.Source) error) error {
	in, err := input.OpenStack(name, inv.in)
	if err != nil {
		return err
	}
	defer in.Close()

	if err := do(in); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	return nil
}

// file returns the name of a file for JSON, if there are several.
func (f *stackFiles) file(in *input.Source) string {
	if f.isMany {
		return in.Name
	}
	return ""
}

// named returns a text with the name of a file before each line, if there are several.
func (f *stackFiles) named(in *input.Source, text string) string {
	if !f.isMany {
		return text
	}
	name := printable.Text(in.Name) + ": "
	return name + strings.ReplaceAll(text, "\n", "\n"+name)
}
