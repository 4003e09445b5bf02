package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// invocation is one run of one command.
type invocation struct {
	command
	streams
	flags *flag.FlagSet
	args  []string
	raw   []string // the arguments before they are parsed

	written  *bufio.Writer // the buffer of out
	progress *progress     // ends when anything is written
}

// usageError is bad usage, which is reported with a hint at --help.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func (c command) invoke(args []string, s streams) int {
	inv := &invocation{command: c, streams: s, raw: args, flags: flag.NewFlagSet(c.name, flag.ContinueOnError)}
	inv.progress = startProgress(c.name, s.err)
	inv.written = bufio.NewWriter(afterProgress{inv.progress, s.out})
	inv.out = inv.written
	inv.flags.SetOutput(io.Discard)

	code, err := c.run(inv)
	if failed := inv.written.Flush(); err == nil {
		err = failed
	}

	inv.progress.end()

	var usage usageError

	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		return s.print(inv.help)
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "propalg %s: %s; try 'propalg %s --help'\n", c.name, printable.Line(err), c.name)
	default:
		fmt.Fprintf(s.err, "propalg %s: %s\n", c.name, printable.Line(err))
	}

	return exitBad
}

func (inv *invocation) help(w io.Writer) {
	fmt.Fprintf(w, "Usage: propalg %s\n\n%s\n", strings.TrimSpace(inv.name+" [flags] "+inv.usage), inv.about)
	fmt.Fprint(w, "\nFlags:\n")
	inv.flags.SetOutput(w)
	inv.flags.PrintDefaults()
	fmt.Fprintf(w, "\nExample:\n  %s\n", inv.example)
}

// parse parses flags and arguments in any order; all after "--" are arguments. It
// checks the number of arguments; most < 0 means any number.
func (inv *invocation) parse(least, most int) error {
	rest := inv.raw

	for {
		if err := inv.flags.Parse(rest); errors.Is(err, flag.ErrHelp) {
			return err
		} else if err != nil {
			return usageError{err.Error()}
		}

		done := len(rest) - inv.flags.NArg()
		if done > 0 && rest[done-1] == "--" {
			inv.args = append(inv.args, inv.flags.Args()...)
			break
		}

		if inv.flags.NArg() == 0 {
			break
		}

		inv.args = append(inv.args, inv.flags.Arg(0))
		rest = inv.flags.Args()[1:]
	}

	if len(inv.args) >= least && (most < 0 || len(inv.args) <= most) {
		return nil
	}

	usage := inv.usage
	if usage == "" {
		usage = "no arguments"
	}

	return usageError{fmt.Sprintf("expected %s, got %d of them", usage, len(inv.args))}
}
