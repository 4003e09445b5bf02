// Command engine is the other half of examples/provider: a preview, as an engine
// makes one. It reads a program and a state file, starts the plugins of their providers,
// and prints what an engine would do, and why. It changes nothing.
//
//	engine [-plugins FOLDER,FOLDER] [-state FILE] PROGRAM
//
// PROGRAM is JSON (see program.go). FILE is what `pulumi stack export
// --show-secrets` writes. Folders hold plugins as Pulumi's own does
// (resource-demo-v0.1.0/pulumi-resource-demo).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/provider/check"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1) //nolint:forbidigo,gocritic // main may, and stop has nothing left to do
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	folders := flags.String("plugins", os.ExpandEnv("$HOME/.pulumi/plugins"), "folders with plugins, separated by commas")
	stateFile := flags.String("state", "", "an exported stack; none: nothing exists yet")
	if err := flags.Parse(args); err != nil {
		return err
	}
	text, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	p, err := parseProgram(text)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	exported := []byte(`{"version":3,"deployment":{}}`)
	if *stateFile != "" {
		if exported, err = os.ReadFile(*stateFile); err != nil {
			return err
		}
	}
	file, err := state.Parse(exported, state.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", *stateFile, err)
	}
	stack := engine.Stack{Launch: launcher(strings.Split(*folders, ","))}
	for r, err := range file.Resources() {
		if err != nil {
			return fmt.Errorf("%s: %w", *stateFile, err)
		}
		stack.Resources = append(stack.Resources, r)
	}
	for action, err := range stack.Preview(ctx, p) {
		if err != nil {
			return err
		}
		if err := show(out, action); err != nil {
			return err
		}
	}
	return nil
}

// show prints an action that does something, and what differs. What a provider answered
// against the protocol is an error.
func show(out io.Writer, a engine.Action) error {
	for _, c := range a.Calls {
		for _, f := range check.Violations(c.Request, c.Response) {
			if f.Severity == check.SeverityError {
				return fmt.Errorf("%s: %s: the provider's answer is not true: %v", a.URN, c.Method, f)
			}
		}
	}
	if a.Op == engine.OpSame {
		return nil
	}
	text := []byte(a.String() + "\n")
	if (a.Response.Changes == rpc.DiffSome && a.Op == engine.OpCreateReplacement) || a.Op == engine.OpUpdate {
		text = render.AppendText(text, check.ReadResponse(a.Response, a.Sides).Diff, render.Options{Indent: 1})
	}
	_, err := out.Write(text)
	return err
}
