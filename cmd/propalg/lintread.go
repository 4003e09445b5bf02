package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
)

// lintFiles checks the calls of all logs, and tells how far it is.
func (inv *invocation) lintFiles(l *linter) error {
	var size int64 // of all; 0: of one it is not known
	for _, name := range inv.args {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			size = 0
			break
		}
		size += info.Size()
	}
	var read counting
	inv.progress.tell(func() string { return percentOf(read.n.Load(), size) })
	for _, name := range inv.args {
		if err := inv.lintFile(l, name, &read); err != nil {
			return err
		}
	}
	return nil
}

// lintFile checks the calls of one log. That its last line is cut off is no more
// than a message: the engine may still run.
func (inv *invocation) lintFile(l *linter, name string, read *counting) error {
	read.from = inv.in
	l.log = "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, reason(err))
		}
		defer func() { _ = f.Close() }() // it was only read
		read.from, l.log = f, name
	}
	from := bufio.NewReader(read)
	begin, _ := from.Peek(3) // an error comes again
	if len(begin) == 0 {
		if _, err := from.Peek(1); !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", l.log, reason(err))
		}
		return fmt.Errorf("%s: the file is empty", l.log)
	}
	if err := notUTF8(string(begin)); err != nil {
		return fmt.Errorf("%s: %w", l.log, err)
	}
	if err := noObject(string(begin)); err != nil { // nor is there a line's end, maybe
		return fmt.Errorf("%s: line 1: %w", l.log, err)
	}
	l.session = check.Session{} // logs are of runs that need not have to do with each other
	for c, err := range rpc.ReadLog(from) {
		switch {
		case errors.Is(err, rpc.ErrTruncated):
			inv.say("%s: %w", l.log, err)
		case err != nil:
			return fmt.Errorf("%s: %w", l.log, reason(err))
		default:
			l.line(c)
		}
		if l.failure != nil {
			return l.failure
		}
	}
	return nil
}

// counting counts the bytes that are read.
type counting struct {
	from io.Reader
	n    atomic.Int64
}

// Read reads on.
func (c *counting) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n.Add(int64(n))
	return n, err
}
