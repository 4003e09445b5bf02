// Command propalg-test tests a Pulumi provider, whatever it is written in, by its schema: it
// starts the provider, calls it as an engine does, and lists what is wrong.
//
//	propalg-test [flags] PROGRAM
//
// PROGRAM is a provider's program, or a folder with PulumiPlugin.yaml. docs/guides/any-provider.md
// explains the flags. The exit code is 0 if nothing was found, 1 for findings, and 2 for bad
// usage or a provider that does not start.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// The exit codes.
const (
	exitNothing  = 0
	exitFindings = 1
	exitBad      = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends the process, and not what it does
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code) //nolint:forbidigo // main may
}

// run runs the command. What it writes has no secrets of the user.
func run(ctx context.Context, args []string, out, messages io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, _ = io.WriteString(out, o.help())
		return exitNothing
	case err != nil:
		_, _ = fmt.Fprintf(messages, "propalg-test: %s; try 'propalg-test --help'\n", line(o.mask.text(err.Error())))
		return exitBad
	}

	code, err := o.test(ctx, out, messages)
	if err != nil {
		_, _ = fmt.Fprintf(messages, "propalg-test: %s\n", line(o.mask.text(err.Error())))
		return exitBad
	}
	return code
}

var errInterrupted = errors.New("interrupted")

// test tests the provider and writes the report.
func (o *options) test(ctx context.Context, out, messages io.Writer) (code int, failed error) {
	t, end, err := o.tester(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { failed = errors.Join(failed, end()) }()
	err = t.run()
	left := t.cleanUp()
	if err == nil && ctx.Err() == nil {
		t.subject = t.own
		t.cancel()
	}
	t.end()
	for _, text := range left {
		_, _ = fmt.Fprintf(messages, "propalg-test: %s\n", line(o.mask.text(text)))
	}
	switch {
	case err != nil:
		return 0, err
	case o.cleanup != "":
		return exitIf(len(left) > 0), nil
	}

	doc, err := t.report()
	if err != nil {
		return 0, err
	}
	for _, text := range o.gate.notes() {
		_, _ = fmt.Fprintf(messages, "propalg-test: %s\n", line(text))
	}
	if o.gate.writeFile != "" {
		return exitNothing, o.gate.writeBaseline(doc, messages)
	}
	if err := errors.Join(doc.writeReproductions(o.repro), doc.write(out, o.form)); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, errInterrupted
	}
	return exitIf(doc.Summary.Errors+doc.Summary.Warnings+doc.Summary.Notes+len(left) > 0), nil
}

func exitIf(found bool) int {
	if found {
		return exitFindings
	}
	return exitNothing
}

// line returns a text on one line, without what moves the cursor of a terminal.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}
