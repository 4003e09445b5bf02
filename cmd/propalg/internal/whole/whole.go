// Package whole writes files that are either there as a whole or as they were before.
package whole

import (
	"crypto/rand"
	"os"
	"path/filepath"
)

// File is a file that is being written. It gets its name when it is kept.
type File struct {
	to   *os.File
	name string // the one that it will have; empty: it has it, as a device does
}

// Create begins to write a file, in the folder where it will be.
func Create(name string) (*File, error) { return create(name, 0o666) } // before umask

// CreatePrivate is Create for secrets: only the user can read the file, if it is new.
func CreatePrivate(name string) (*File, error) { return create(name, 0o600) }

func create(name string, perm os.FileMode) (*File, error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // the link stays
	}

	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() { // a device, or a pipe
			to, err := os.OpenFile(name, os.O_WRONLY, 0)
			return &File{to: to}, err
		}

		perm = info.Mode().Perm()
	}

	to, err := os.OpenFile(filepath.Join(filepath.Dir(name), ".propalg-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)

	return &File{to, name}, err
}

// Write writes a part of the file.
func (f *File) Write(text []byte) (int, error) { return f.to.Write(text) }

// Keep ends the file and gives it its name.
func (f *File) Keep() error {
	err := f.to.Close()
	if f.name == "" {
		return err
	}

	if err == nil {
		err = os.Rename(f.to.Name(), f.name)
	}

	if err != nil {
		_ = os.Remove(f.to.Name()) // the error is the first one
	}

	return err
}

// Drop leaves everything as it was before.
func (f *File) Drop() {
	_ = f.to.Close()

	if f.name != "" {
		_ = os.Remove(f.to.Name())
	}
}
