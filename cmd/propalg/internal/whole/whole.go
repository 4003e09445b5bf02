// Package whole writes files that are either there as a whole or as they were before.
//
// A file is written beside the one that it replaces, under a name of its own, and then
// renamed. DropAll removes it before a signal ends the process. One that is killed leaves it
// there: the next one that writes into the folder removes it, unless another process still
// writes it.
package whole

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrChanged is the error for a file that was edited and is no longer the one that was read.
var ErrChanged = errors.New("another program changed the file while it was edited; it is left as that program wrote it")

// ErrBusy is the error for a file that another process edits.
var ErrBusy = errors.New("another process edits the file")

// File is a file that is being written. It gets its name when it is kept.
type File struct {
	to       *os.File
	name     string      // the one that it will have; empty: it has it, as a device does
	old      os.FileInfo // of the file that it replaces; nil: there is none
	was      *version    // that file, if it must not change
	lost     []string    // what did not stay of that file
	isClosed bool
}

// Edit begins to write a file that is read too, which has to happen after Edit: the file is
// replaced only if nobody else has changed it in the meantime. Edits of one file by several
// processes wait for each other, for some seconds.
func Edit(name string) (*File, error) { return edit(name, patience) }

func edit(name string, wait time.Duration) (*File, error) {
	if IsOpen(name) {
		return nil, errors.New("a file that a process has open is not replaced; name the file itself")
	}
	name = target(name)
	if err := writable(name); err != nil {
		return nil, err
	}
	f, err := temporary(name, sumName(filepath.Base(name)), 0o600, wait)
	if err != nil {
		return nil, err
	}
	if f.was, err = versionOf(name, maphash.MakeSeed()); err != nil {
		f.Drop()
		return nil, err
	}

	f.old = f.was.info
	return f, nil
}

// Create begins to write a file, in the folder where it will be. If it is new it has these
// permissions.
func Create(name string, perm os.FileMode) (*File, error) {
	info, err := os.Stat(name)
	if err == nil && (!info.Mode().IsRegular() || IsOpen(name)) {
		return open(name, info)
	}

	if err == nil {
		if err := writable(name); err != nil {
			return nil, err
		}
		perm = 0o600 // until it gets those of the file that it replaces
	}
	f, err := temporary(target(name), rand.Text(), perm, 0)
	if err == nil {
		f.old = info
	}
	return f, err
}

// writable returns an error for a file that may not be written. The folder allows to
// replace it, but who made it read-only meant it.
func writable(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if perm := info.Mode().Perm(); perm&0o222 == 0 { // for the superuser too
		return fmt.Errorf("the file is read-only (mode %#o); make it writable, or write another one", perm)
	}

	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w to write the file; write another one", os.ErrPermission)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func target(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	return name
}

// Spool makes a file without a name that others know, for what is read from a pipe. end
// closes and removes it.
func Spool() (f *os.File, end func(), err error) {
	made, err := temporary(filepath.Join(os.TempDir(), "spool"), rand.Text(), 0o600, 0)
	if err != nil {
		return nil, nil, err
	}
	_ = os.Remove(made.to.Name()) // not everywhere before it is closed
	return made.to, made.Drop, nil
}

// The names of temporary files end with 26 letters and digits, which are random or the sum
// of the name of the file that is edited.
const (
	prefix  = ".propalg-"
	length  = 26 // of what rand.Text returns
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

func isOwn(name string) bool {
	rest, found := strings.CutPrefix(name, prefix)
	return found && len(rest) == length && strings.Trim(rest, letters) == ""
}

func sumName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return base32.StdEncoding.EncodeToString(sum[:])[:length]
}

const (
	patience = 10 * time.Second // for which edits wait
	pause    = 10 * time.Millisecond
)

// temporary makes the file that is written, and holds it, so that no other process takes it
// for one that was left behind. It waits while another process holds one of that name.
func temporary(name, own string, perm os.FileMode, wait time.Duration) (*File, error) {
	dir := filepath.Dir(name)
	own = filepath.Join(dir, prefix+own)
	sweep(dir)

	for end := time.Now().Add(wait); ; time.Sleep(pause) {
		to, isHeld, err := begin(own, perm)
		switch {
		case isHeld:
			return &File{to: to, name: name}, nil
		case err == nil: // another process took it for one that was left behind
			_ = to.Close()
		case !errors.Is(err, os.ErrExist):
			return nil, err
		case removeLeft(own):
		case time.Now().After(end):
			return nil, fmt.Errorf("%w, and holds %s beside it; if there is none, remove that", ErrBusy, filepath.Base(own))
		}
	}
}

// begin makes a file and takes it.
func begin(own string, perm os.FileMode) (to *os.File, isHeld bool, err error) {
	being.Lock()
	defer being.Unlock()

	to, err = os.OpenFile(own, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
	if isHeld = err == nil && holds(to); isHeld {
		being.names[own] = true
	}
	return to, isHeld, err
}

// sweep removes what killed processes left in a folder.
func sweep(dir string) {
	all, _ := os.ReadDir(dir) // a folder that cannot be read may be written to
	for _, f := range all {
		if f.Type().IsRegular() && isOwn(f.Name()) {
			removeLeft(filepath.Join(dir, f.Name()))
		}
	}
}

// isAt reports whether a file still has its name.
func isAt(f *os.File, name string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(name)
	return err == nil && os.SameFile(open, named)
}

// Write writes a part of the file.
func (f *File) Write(text []byte) (int, error) { return f.to.Write(text) }

// Replaces reports whether a file is the one that is replaced, as it was before.
func (f *File) Replaces(info os.FileInfo) bool {
	return f.was != nil && os.SameFile(f.was.info, info)
}

// Lost returns what did not stay of the file that was replaced, in sentences without a
// period.
func (f *File) Lost() []string { return f.lost }

// Ready returns an error if the file could not get its name now. What was written is on the
// disk after it. Keep does this too.
func (f *File) Ready() error {
	if f.name == "" {
		return nil
	}
	err := f.to.Sync()
	if err == nil && f.old != nil {
		f.lost, err = keep(f.to, f.old)
	}
	if err == nil && f.was != nil && !f.was.isStill(f.name) {
		err = ErrChanged
	}
	return err
}

// Keep ends the file and gives it its name. What was written is on the disk before, and the
// name after.
func (f *File) Keep() error {
	defer f.Drop() // of what has no name

	if f.name == "" {
		return f.close()
	}
	err := f.Ready()
	if err == nil && closesFirst {
		err = f.close()
	}
	if err != nil {
		return err
	}

	name := f.name
	if err := f.end(func(own string) error { return os.Rename(own, name) }); err != nil {
		return err
	}
	if err := syncFolder(name); err != nil {
		f.lost = append(f.lost, fmt.Sprintf("the file is written, but after a power failure it may be as it was: %v", err))
	}
	return f.close()
}

// end renames or removes the temporary file, which is no longer one after that.
func (f *File) end(how func(own string) error) error {
	being.Lock()
	defer being.Unlock()

	err := how(f.to.Name())
	if err == nil {
		delete(being.names, f.to.Name())
		f.name = ""
	}
	return err
}

// Drop leaves everything as it was before. It does nothing to a file that was kept.
func (f *File) Drop() {
	if closesFirst {
		_ = f.close()
	}
	if f.name != "" { // as long as it is held, where it can be
		_ = f.end(os.Remove)
		f.name = ""
	}

	_ = f.close()
}

func (f *File) close() error {
	if f.isClosed {
		return nil
	}
	f.isClosed = true
	return f.to.Close()
}

// version is what a file was at a time. The time of a file alone may be some milliseconds
// old.
type version struct {
	info os.FileInfo
	seed maphash.Seed
	sum  uint64 // of what it holds
}

// versionOf reads a file, and then asks what it is: that is as late as it can be.
func versionOf(name string, seed maphash.Seed) (*version, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read

	var h maphash.Hash
	h.SetSeed(seed)
	if _, err := io.Copy(&h, f); err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	return &version{info, seed, h.Sum64()}, err
}

// isStill reports whether a file is the one that it was, unchanged.
func (v *version) isStill(name string) bool {
	now, err := versionOf(name, v.seed)
	return err == nil && os.SameFile(v.info, now.info) && v.info.Size() == now.info.Size() &&
		v.info.ModTime().Equal(now.info.ModTime()) && v.sum == now.sum
}
