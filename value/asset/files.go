package asset

import (
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Files is where the files of assets and archives are: a directory or a file system. The
// zero Files has none; each path is an error that wraps [ErrRead].
type Files struct {
	_      [0]func() // no ==: an fs.FS may be a map
	fsys   fs.FS
	dir    string // what paths are relative to
	within string // what no path and no link may leave
	kind   filesKind
}

type filesKind uint8

const (
	noFiles filesKind = iota
	diskFiles
	fsFiles
)

// Dir returns the files in a directory. Paths are relative to it, or absolute and inside
// it. Neither paths nor symbolic links may leave it; the directory itself may be a link.
func Dir(dir string) Files { return Files{kind: diskFiles, dir: dir, within: dir} }

// DirWithin returns the files in a directory and around it: paths are relative to dir,
// and paths and links may leave dir but not within. DirWithin(dir, "/") accepts every
// path that the operating system does.
func DirWithin(dir, within string) Files {
	return Files{kind: diskFiles, dir: dir, within: within}
}

// FS returns the files of the caller's file system. Paths are slash-separated and
// relative. Where links lead is up to the file system; those of [os.DirFS] lead
// anywhere.
func FS(fsys fs.FS) Files {
	if fsys == nil {
		return Files{}
	}
	return Files{kind: fsFiles, fsys: fsys}
}

// Opener opens a URI of any scheme but "file". The result is closed after it was read, or
// when the context ends, possibly during a Read. If the result is an [fs.File], its Stat
// gives the size; otherwise the contents may be copied to a temporary file. An Opener may be
// called by several goroutines at once, see [Limits].Parallel. The text of its error is
// shown, so it should not contain what is secret in the URI.
type Opener func(ctx context.Context, uri string) (io.ReadCloser, error)

// open opens the tree of files.
func (f Files) open() (tree, error) {
	switch f.kind {
	case diskFiles:
		return openDisk(f.within)
	case fsFiles:
		return library{f.fsys}, nil
	case noFiles:
	}

	return nil, errFiles
}

type place struct {
	name  string // in the tree: slash-separated, clean, "." for its root
	shown string // for errors: the path as it was given
	full  string // the path as given; its end names the format of an archive
	slash bool   // a link at the end is followed, whatever it leads to
	loose string // a name as it was given, with "..", "." or "//" in it, or empty
}

// find returns where a path leads, or false if it leads out.
func (f Files) find(text string) (place, bool) {
	p := place{shown: text}
	if f.kind == fsFiles {
		p.name, p.full = path.Clean(text), path.Clean(text)
		return p, !path.IsAbs(text) && p.name != ".." && !strings.HasPrefix(p.name, "../")
	}

	dir, err1 := filepath.Abs(f.dir)
	within, err2 := filepath.Abs(f.within)
	if err1 != nil || err2 != nil {
		return p, false
	}
	p.full = text
	if !filepath.IsAbs(text) {
		p.full = filepath.Join(dir, text)
	}
	if filepath.Separator == '/' && filepath.Clean(p.full) != p.full {
		return f.findLoose(p, within)
	}
	name, err := filepath.Rel(within, p.full)
	if err != nil || !filepath.IsLocal(name) {
		return p, false
	}
	p.name = filepath.ToSlash(name)
	return p, true
}

// findLoose returns where an absolute path leads that is not clean. In "/a/link/../b" the
// ".." is that of what the link leads to, so such a path cannot be cleaned: its
// steps are taken one by one, later.
func (f Files) findLoose(p place, within string) (place, bool) {
	loose, ok := afterDir(within, p.full)
	if !ok {
		return p, false
	}

	last := p.full[strings.LastIndexByte(p.full, '/')+1:]
	p.slash = last == "" || last == "." || last == ".."
	p.loose = "./" + loose
	return p, true
}

// afterDir returns what follows a directory, which is clean, in a path that may not be.
func afterDir(dir, full string) (string, bool) {
	var want []string
	if dir != "/" {
		want = strings.Split(dir[1:], "/")
	}
	depth, same, at := 0, 0, 0
	for rest := full; ; {
		if after := strings.TrimLeft(rest, "/"); same == len(want) && depth == same && after != ".." && !strings.HasPrefix(after, "../") {
			return after, true
		}
		if at >= len(full) {
			return "", false
		}

		step, _, _ := strings.Cut(rest, "/")
		switch step {
		case "", ".":
		case "..":
			depth = max(depth-1, 0)
			same = min(same, depth)
		default:
			if same == depth && depth < len(want) && step == want[depth] {
				same++
			}
			depth++
		}

		at += len(step) + 1
		rest = full[min(at, len(full)):]
	}
}
