package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/whole"
)

// beginFile begins to write the result to the file of --out.
func (inv *invocation) beginFile() (err error) {
	switch {
	case inv.inputs == nil: // no such flag, or another one
		return nil
	case inv.outName == "" || inv.outName == "-":
		return nil
	case !inv.inPlace && inv.isInput(inv.outName):
		return fmt.Errorf("%s is an input of the command; write the result to another file", inv.outName)
	}

	if inv.outFile, err = inv.create(inv.outName, inv.reveal); err != nil {
		inv.outFile = nil
		return err
	}

	inv.written.Reset(inv.outFile)
	inv.colours, inv.columns = false, 0
	return nil
}

// create begins to write a file. One that the command reads too is edited: it may not have
// changed before it is replaced.
func (inv *invocation) create(name string, isPrivate bool) (f *whole.File, err error) {
	switch {
	case inv.isInput(name):
		f, err = whole.Edit(name)
		if err == nil && !inv.reads(f.Replaces) { // standard input, of the file before
			f.Drop()
			err = whole.ErrChanged
		}
	case isPrivate:
		f, err = whole.Create(name, 0o600)
	default:
		f, err = whole.Create(name, 0o666) // before umask
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, input.Reason(err))
	}

	return f, nil
}

// isInput reports whether a file is one of those that the command reads, by whatever name.
// Devices and pipes are not: they can be both.
func (inv *invocation) isInput(name string) bool {
	out, err := os.Stat(name)
	if err != nil || !out.Mode().IsRegular() {
		return false
	}
	return inv.reads(func(in os.FileInfo) bool { return os.SameFile(in, out) })
}

// reads reports whether one of the files that the command reads is a certain one.
func (inv *invocation) reads(is func(os.FileInfo) bool) bool {
	return slices.ContainsFunc(inv.inputs(), func(name string) bool {
		in, err := inv.stat(name)
		return err == nil && is(in)
	})
}

func (inv *invocation) stat(name string) (os.FileInfo, error) {
	if stdin, isFile := inv.in.(*os.File); isFile && name == "-" {
		return stdin.Stat()
	}
	return os.Stat(name)
}

// endFile gives the file its name, unless there was an error.
func (inv *invocation) endFile(err error) error {
	switch {
	case inv.outFile == nil:
		return err
	case err != nil:
		inv.outFile.Drop()
		return err
	}

	return inv.keep(inv.outFile, inv.outName)
}

// keep gives a file its name, and says what did not stay of the one before.
func (inv *invocation) keep(f *whole.File, name string) error {
	if err := f.Keep(); err != nil {
		return fmt.Errorf("%s: %w", name, input.Reason(err))
	}
	for _, each := range f.Lost() {
		inv.say("%s: %s", name, each)
	}
	return nil
}

// fileInPlace adds the flags of a command that may write its result, a bag, onto one of its
// first arguments, as a merge driver of git does.
func (inv *invocation) fileInPlace(inputs int) {
	inv.flags.BoolVar(&inv.reveal, "show-secrets", false, "write secrets in clear, so that the result can be read again")
	inv.file(inv.leading(inputs))
	inv.inPlace = true
}

// outName is the flag --out. It is not the name of a form, which is meant for -o: a file
// with secrets in it would get that name.
type outName string

// String returns the name.
func (o *outName) String() string { return string(*o) }

// Set sets the name.
func (o *outName) Set(name string) error {
	switch {
	case name == "":
		return errors.New("the name of the file to write is empty")
	case slices.Contains([]string{"text", "json", "html", "markdown", "md", "github"}, name):
		return fmt.Errorf("it is a form, as for -o; for a file of this name write ./%s", name)
	}

	*o = outName(name)
	return nil
}
