package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// stackFiles are the files that arguments name.
type stackFiles struct {
	names  []string
	isMany bool // whether what is said of one has to name it
	unread []unreadJSON
}

// unreadJSON is a file that could not be read, or not to its end.
type unreadJSON struct {
	File  string `json:"file"`
	Error string `json:"error"`
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
		all, passed, err := filesIn(name, false)
		inv.sayPassed(passed)
		if err == nil && len(all) == 0 {
			err = errNoFiles
		}
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
		for _, file := range all {
			f.names = append(f.names, filepath.Join(name, file))
		}
	}
	inv.dropRepeated(&f)
	f.isMany = f.isMany || len(f.names) > 1
	return f, nil
}

// dropRepeated drops the files that have another name in the list too, and says so: what they
// have would be there twice.
func (inv *invocation) dropRepeated(f *stackFiles) {
	type key struct {
		size int64
		time int64
	}
	known := map[key][]string{} // by what is equal for one file, and rarely for others
	infos := map[string]os.FileInfo{}
	f.names = slices.DeleteFunc(f.names, func(name string) bool {
		info, err := inv.stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		k := key{info.Size(), info.ModTime().UnixNano()}
		for _, other := range known[k] {
			if os.SameFile(infos[other], info) {
				inv.say("%s: the same file as %s", name, other)
				return true
			}
		}
		known[k], infos[name] = append(known[k], name), info
		return false
	})
}

var errNoFiles = errors.New("is a directory, in which no file ends in .json or .json.gz")

// filesIn returns the files in a folder that a command reads, by their paths in it, sorted: those
// that end in .json or .json.gz, and, if it is deep, those in the folders in it whose names do
// not begin with a dot. It passes over those that are no regular files, since reading them may
// not end.
func filesIn(dir string, isDeep bool) (names, passed []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(at string, d fs.DirEntry, err error) error {
		isStack := strings.HasSuffix(at, ".json") || strings.HasSuffix(at, ".json.gz")
		switch {
		case at == ".":
			return err
		case err != nil: // of a folder: who reads it says more
			names = append(names, at)
			return fs.SkipDir
		case d.IsDir() && (!isDeep || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !isStack || strings.HasSuffix(at, droppedSuffix):
			return nil
		}

		name := filepath.FromSlash(at)
		switch info, err := os.Stat(filepath.Join(dir, name)); {
		case err == nil && info.IsDir(): // behind a link
		case err == nil && !info.Mode().IsRegular():
			passed = append(passed, filepath.Join(dir, name))
		default:
			names = append(names, name)
		}
		return nil
	})
	return names, passed, input.Reason(err)
}

func (inv *invocation) sayPassed(files []string) {
	for _, name := range files {
		inv.say("%s: not read, since it is no regular file", name)
	}
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
			f.unread = append(f.unread, unreadJSON{name, errorLine(err)})
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
