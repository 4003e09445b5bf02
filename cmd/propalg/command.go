package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec"
)

type invocation struct {
	command
	streams
	flags *flag.FlagSet
	args  []string
	raw   []string // the arguments before they are parsed

	form   *choice // of the result or the report; nil: there is one
	when   *choice // to colour text
	reveal bool    // secrets are shown, or written, in clear

	written  *bufio.Writer // the buffer of out
	progress *progress     // ends when anything is written
	outName  string        // of the file to write the result to; empty: standard output
	outFile  *whole.File   // that file
	inputs   func() []string
	inPlace  bool // whether the output may be an input, unless secrets would be lost
}

// usageError is bad usage, which is reported with a hint at --help.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func newInvocation(c command, args []string, s streams) *invocation {
	inv := &invocation{command: c, streams: s, raw: args, flags: flag.NewFlagSet(c.name, flag.ContinueOnError)}
	inv.progress = startProgress(c.name, s.err)
	inv.written = bufio.NewWriter(afterProgress{inv.progress, s.out})
	inv.out = inv.written
	inv.flags.SetOutput(io.Discard)
	return inv
}

func (c command) invoke(args []string, s streams) int {
	inv := newInvocation(c, args, s)
	code, err := c.run(inv)
	if failed := inv.written.Flush(); err == nil {
		err = failed
	}
	err = inv.endFile(err)
	inv.progress.end()

	if errors.Is(err, codec.ErrMasked) {
		err = fmt.Errorf("%w; --show-secrets does that", err)
	}
	var usage usageError
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		return s.print(inv.help)
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "propalg %s: %s; try 'propalg %s --help'\n", c.name, errorLine(err), c.name)
	default:
		fmt.Fprintf(s.err, "propalg %s: %s\n", c.name, errorLine(err))
	}

	return exitBad
}

func (inv *invocation) file(inputs func() []string) {
	inv.inputs = inputs
	inv.flags.Var((*outName)(&inv.outName), "out", "write the result to this `file`, which stays as it was until the whole result is there")
}

// leading returns a function for the first arguments, which are files.
func (inv *invocation) leading(n int) func() []string {
	return func() []string { return inv.args[:n] }
}

func (inv *invocation) help(w io.Writer) {
	fmt.Fprintf(w, "Usage: propalg %s\n\n", strings.TrimSpace(inv.name+" [flags] "+inv.usage))
	for _, line := range wrapped(inv.about, helpColumns) {
		fmt.Fprintln(w, line)
	}

	flags := ""
	inv.flags.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		if !slices.Contains([]string{"", "0", "false"}, f.DefValue) {
			text += " (default: " + f.DefValue + ")"
		}
		flags += strings.TrimRight("  "+dashed(f.Name)+" "+value, " ") + "\n"
		for _, line := range wrapped(text, helpColumns-len(helpIndent)) {
			flags += helpIndent + line + "\n"
		}
	})
	if flags != "" {
		fmt.Fprint(w, "\nFlags:\n"+flags)
	}
	fmt.Fprint(w, "\nExit codes:\n  0  success\n")

	if inv.one != "" {
		fmt.Fprintf(w, "  1  %s\n", inv.one)
	}
	fmt.Fprint(w, "  2  bad usage or bad input\n")
	if inv.name == "diff" {
		fmt.Fprintf(w, "  %d  the preview or the update failed, or its file ends before it does\n", exitFailed)
	}
	fmt.Fprintf(w, "\nExample:\n  %s\n", inv.example)
}

const (
	helpColumns = 80
	helpIndent  = "        "
)

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// parse parses flags and arguments in any order; all after "--" are arguments. It
// checks the number of arguments; most < 0 means any number.
func (inv *invocation) parse(least, most int) error {
	rest := inv.formsMeant()
	for {
		if err := inv.flags.Parse(rest); errors.Is(err, flag.ErrHelp) {
			return err
		} else if err != nil {
			return usageError{inv.flagError(err)}
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
		return inv.beginFile()
	}
	return inv.wrongNumber()
}

// noneEmpty returns an error for an empty argument, which in a script is most often a
// variable that is not set: any resource has the empty text in its URN.
func (inv *invocation) noneEmpty() error {
	if i := slices.Index(inv.args, ""); i >= 0 {
		return usageError{fmt.Sprintf("argument %d of %s is empty", i+1, inv.usage)}
	}
	return nil
}

// wrongNumber reports too few or too many arguments.
func (inv *invocation) wrongNumber() error {
	return usageError{fmt.Sprintf("expected %s, got %d of them", cmp.Or(inv.usage, "no arguments"), len(inv.args))}
}

// formsMeant returns the arguments with -o for what other tools call it: --output, and
// -ojson.
func (inv *invocation) formsMeant() []string {
	if inv.flags.Lookup("o") == nil {
		return inv.raw
	}

	args := slices.Clone(inv.raw)
	for i, each := range args {
		name, value, hasValue := strings.Cut(each, "=")
		form, isShort := strings.CutPrefix(each, "-o")
		switch {
		case each == "--":
			return args
		case name == "--output" && hasValue:
			args[i] = "-o=" + value
		case name == "--output":
			args[i] = "-o"
		case isShort && inv.form != nil && slices.Contains(inv.form.of, form):
			args[i] = "-o=" + form
		}
	}

	return args
}

// flagError returns the text of an error in flags, and what may be meant.
func (inv *invocation) flagError(err error) string {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return dashed(name) + " needs a value"
	}
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return "no flag " + dashed(name) + inv.flagMeant(name)
	}

	return strings.NewReplacer(" for flag -o:", " of -o:", " for flag -", " of --", ": parse error", ": expected a number").Replace(text)
}

// flagMeant returns a question for a flag that is not one of this command.
func (inv *invocation) flagMeant(name string) string {
	if inv.form != nil && slices.Contains(inv.form.of, name) {
		return " (did you mean -o " + name + "?)"
	}
	if (name == "o" || name == "output") && inv.flags.Lookup("out") != nil {
		return "; --out names the file to write"
	}
	if strings.IndexAny(name, ".0123456789") == 0 {
		return "; write -- before an argument that begins with a dash"
	}
	if inv.flags.Lookup("color") != nil && strings.HasPrefix(name, "no-col") {
		return " (did you mean --color never?)"
	}

	var names []string
	inv.flags.VisitAll(func(f *flag.Flag) { names = append(names, dashed(f.Name)) })
	return meant(dashed(name), names, "")
}
