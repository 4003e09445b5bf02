// Command engine is the other half of examples/provider: a planner, as an engine
// has one. It reads a program and a state file, asks the provider of each resource
// what changed, and prints what an engine would do, and why. It changes nothing.
//
//	engine [-plugins FOLDER,FOLDER] [-state FILE] PROGRAM
//
// PROGRAM is JSON (see program.go). FILE is what `pulumi stack export
// --show-secrets` writes. Folders hold plugins as Pulumi's own does
// (resource-demo-v0.1.0/pulumi-resource-demo).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/interop/grpc"
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
	old, err := state.Parse(exported, state.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", *stateFile, err)
	}
	all := &providers{folders: strings.Split(*folders, ","), packages: p.Packages, running: map[string]*grpc.Plugin{}}
	defer all.close()
	plan := &planner{program: p, old: old, providers: all}
	err = plan.plan(ctx)
	_, failed := plan.out.WriteTo(out)
	return errors.Join(err, failed)
}
