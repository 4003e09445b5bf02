package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/zip"
)

// errTag says that a tag is not that of a module.
var errTag = errors.New("not the tag of a module")

// writeProxy writes all tagged versions as the files of a module proxy, which go reads
// where GOPROXY names the folder as file:///FOLDER. As with a real proxy, what a version
// holds follows from its tag alone.
func (r repository) writeProxy(folder string) error {
	text, err := git(string(r), "tag", "--list")
	if err != nil {
		return err
	}

	for tag := range strings.FieldsSeq(text) {
		if semver.IsValid(path.Base(tag)) {
			if err := r.writeTag(tag, folder); err != nil {
				return fmt.Errorf("tag %s: %w", tag, err)
			}
		}
	}
	return nil
}

// writeTag writes one version of one module.
func (r repository) writeTag(tag, folder string) error {
	version, inside := path.Base(tag), path.Dir(tag)
	text, err := git(string(r), "show", tag+":"+path.Join(inside, "go.mod"))
	if err != nil {
		return errors.Join(errTag, err)
	}
	if got, want := modfile.ModulePath([]byte(text)), modulePath(inside); got != want {
		return fmt.Errorf("%w: its go.mod names %s, not %s", errTag, got, want)
	}
	escaped, err := module.EscapePath(modulePath(inside))
	if err != nil {
		return err
	}

	versions := filepath.Join(folder, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		return err
	}
	if err := r.writeZip(tag, filepath.Join(versions, version+".zip")); err != nil {
		return err
	}
	when, err := git(string(r), "log", "-1", "--format=%cI", tag)
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": version, "Time": strings.TrimSpace(when)})
	if err != nil {
		return err
	}
	list, err := os.ReadFile(filepath.Join(versions, "list"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}

	for name, text := range map[string]string{
		version + ".mod": text, version + ".info": string(info), "list": string(list) + version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(versions, name), []byte(text), 0o600); err != nil {
			return err
		}
	}

	return nil
}

// writeZip writes the files of a module as they were tagged.
func (r repository) writeZip(tag, name string) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}

	inside := path.Dir(tag)
	v := module.Version{Path: modulePath(inside), Version: path.Base(tag)}
	if inside == "." {
		inside = ""
	}
	return errors.Join(zip.CreateFromVCS(out, v, string(r), tag, inside), out.Close())
}
