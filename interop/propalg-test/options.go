package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/schema"
)

// options are those of the command line.
type options struct {
	flags     *flag.FlagSet
	program   program
	config    config
	resources []string
	functions []string
	env       []string
	rules     rulebook.Book
	tries     int
	time      time.Duration
	timeout   time.Duration
	seed      int
	form      string
	log       string
	live      bool
	journal   string
	cleanup   string
	name      string // of the resources that are made
	gate      gating
	repro     string
	mask      mask

	parameters []string
	schemas    packages // of other packages
}

// Defaults. Without --live a call takes a millisecond, and a hundred tries a few seconds.
const (
	defaultTries = 100
	defaultTime  = 5 * time.Minute
	defaultCall  = 20 * time.Second
	liveTime     = 24 * time.Hour
	liveCall     = 10 * time.Minute // some clouds take long to make a database
)

// parse reads the command line. Flags and the argument may be in any order.
func parse(args []string) (*options, error) {
	o := &options{flags: flag.NewFlagSet("propalg-test", flag.ContinueOnError), name: "propalg-test"}
	attach := o.add()
	o.flags.SetOutput(io.Discard)

	var names []string
	for rest := args; ; {
		if err := o.flags.Parse(rest); err != nil {
			return o, err
		}
		if o.flags.NArg() == 0 {
			break
		}
		names, rest = append(names, o.flags.Arg(0)), o.flags.Args()[1:]
	}
	if err := o.settle(); err != nil {
		return o, err
	}
	switch {
	case *attach != "" && len(names) == 0:
		o.program = program{name: "provider", port: *attach}
		return o, nil
	case *attach != "" || len(names) != 1:
		return o, fmt.Errorf("expected PROGRAM or --attach, found %d arguments", len(names))
	}

	var err error
	o.program, err = programOf(names[0])
	o.program.live = o.live
	return o, err
}

// settle checks the flags, and sets the defaults of those that --live changes.
func (o *options) settle() error {
	if !slices.Contains(forms(), o.form) {
		return fmt.Errorf("-o: expected %s, found %q", strings.Join(forms(), ", "), o.form)
	}
	if severityOf(o.gate.severity) == 0 {
		return fmt.Errorf("--severity: expected note, warning or error, found %q", o.gate.severity)
	}
	if err := o.gate.begin(); err != nil {
		return err
	}
	if !o.live && o.cleanup == "" {
		return nil
	}

	if o.cleanup == "" && len(o.resources) == 0 {
		return errors.New("--live makes real resources, and needs --resource")
	}
	set := map[string]bool{}
	o.flags.Visit(func(f *flag.Flag) { set[f.Name] = true })
	if !set["tries"] {
		o.tries = 1
	}
	if !set["time"] {
		o.time = liveTime
	}
	if !set["timeout"] {
		o.timeout = liveCall
	}
	id := make([]byte, 4)
	_, _ = rand.Read(id)
	o.name, o.live = "propalg-test-"+hex.EncodeToString(id), true
	return nil
}

// add adds the flags.
func (o *options) add() (attach *string) {
	f := o.flags
	each := func(name, usage string, add func(string) error) { f.Func(name, usage+" (repeatable)", add) }
	appendTo := func(list *[]string) func(string) error {
		return func(text string) error { *list = append(*list, text); return nil }
	}
	rule := func(set func(text string) rulebook.JSON) func(string) error {
		return func(text string) error { return o.rules.At("*").Add(set(text)) }
	}

	attach = f.String("attach", "", "test the provider that listens at this `port`; its environment is not limited then")
	each("config", "configure the provider with `NAME=VALUE`, NAME=@FILE or NAME=$VARIABLE; the latter two are secrets", func(text string) error { return o.config.add(text, &o.mask) })
	each("resource", "test the resources whose tokens this `pattern` matches, in which * is any text", appendTo(&o.resources))
	each("functions", "also call the functions whose tokens this `pattern` matches; they may do anything", appendTo(&o.functions))
	each("env", "pass this variable of the environment to the provider, by its `name`", appendTo(&o.env))
	each("rules", "read what the schema does not say of resources from this `file`", ofFile(o.rules.Read))
	each("inputs", "vary the inputs in this JSON `file`: an object with a list of them for each token", ofFile(o.rules.ReadInputs))
	each("fix", "set an input to a value wherever a resource has it: `NAME=VALUE`", o.fix)
	each("set", "the arrays that this `pattern` matches have no order", rule(func(s string) rulebook.JSON { return rulebook.JSON{Set: []string{s}} }))
	each("write-only", "Read cannot find out what this `pattern` matches", rule(func(s string) rulebook.JSON { return rulebook.JSON{WriteOnly: []string{s}} }))
	each("replaces", "a change of what this `pattern` matches replaces the resource", rule(func(s string) rulebook.JSON { return rulebook.JSON{Replaces: []string{s}} }))
	each("quiet", "Diff need not report a change of what this `pattern` matches", rule(func(s string) rulebook.JSON { return rulebook.JSON{Quiet: []string{s}} }))
	each("same", "spellings mean the same: `PATTERN=FORM`, where FORM is fold, json, number, bool, space or empty", rule(func(s string) rulebook.JSON {
		pattern, form, _ := strings.Cut(s, "=")
		return rulebook.JSON{Same: map[string]string{pattern: form}}
	}))
	each("schema", "components register and call what the package schema in this JSON `file` has", ofFile(o.addSchema))
	each("parameter", "parameterize the provider with this `argument`, as 'pulumi package add' does", appendTo(&o.parameters))
	f.IntVar(&o.tries, "tries", defaultTries, "try this `number` of inputs for each resource")
	f.DurationVar(&o.time, "time", defaultTime, "end after this `duration`; each resource gets the same share of what is left")
	f.DurationVar(&o.timeout, "timeout", defaultCall, "a call that takes longer than this `duration` is a finding")
	f.IntVar(&o.seed, "seed", 1, "generate from this `number`: the same inputs for the same number")
	f.BoolVar(&o.live, "live", false, "MAKE REAL RESOURCES of those that --resource names: create, read, update and delete them, once unless --tries says more, with all of the environment")
	f.StringVar(&o.journal, "journal", "propalg-test.journal", "with --live, note in this `file` what is made, until it is deleted")
	f.StringVar(&o.cleanup, "cleanup", "", "delete what this `journal` of a run that was killed has, and test nothing")
	f.StringVar(&o.form, "o", "text", "write the report in this `form`: text, json, github or junit")
	f.StringVar(&o.gate.severity, "severity", "note", "report findings of this `severity` and above: note, warning or error")
	f.StringVar(&o.gate.suppressFile, "suppress", "", "leave out the findings that this `file` names: a code a line, and then a token, with * for any text; # begins a comment")
	f.StringVar(&o.gate.baselineFile, "baseline", "", "leave out the findings that this `file` has, which --write-baseline wrote")
	f.StringVar(&o.gate.writeFile, "write-baseline", "", "write the findings to this `file` instead of reporting them")
	f.StringVar(&o.repro, "repro", "", "write the calls and the program that show each finding to this `folder`")
	f.StringVar(&o.log, "log", "", "write the calls to this `file`, as an engine does for PULUMI_DEBUG_GRPC; secrets of the configuration are masked")
	return attach
}

// addSchema adds a package schema. It may refer to types of packages that are not known.
func (o *options) addSchema(text []byte) error {
	p, err := schema.Read(text, schema.Options{AllowDangling: true})
	if err != nil {
		return fmt.Errorf("not a package schema: %w", err)
	}
	o.schemas = append(o.schemas, p)
	return nil
}

// ofFile returns a function that reads a file by its name.
func ofFile(read func(text []byte) error) func(name string) error {
	return func(name string) error {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
		if err := read(text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}

func (o *options) fix(text string) error {
	name, is, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("expected NAME=VALUE")
	}
	v := parsed(is)
	raw := json.RawMessage(plainJSON(v))
	return o.rules.At("*").Add(rulebook.JSON{Fix: map[string]json.RawMessage{name: raw}})
}

// help returns the usage.
func (o *options) help() string {
	text := "Usage: propalg-test [flags] PROGRAM\n\nTest a Pulumi provider by its schema: a program, or a folder with PulumiPlugin.yaml.\n\nFlags:\n"
	o.flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		dashes := "--"
		if len(f.Name) == 1 {
			dashes = "-"
		}
		if f.DefValue != "" && f.DefValue != "false" {
			usage += " (default: " + f.DefValue + ")"
		}
		text += strings.TrimRight("  "+dashes+f.Name+" "+value, " ") + "\n        " + usage + "\n"
	})
	return text + "\nExit codes: 0 nothing found, 1 findings, 2 bad usage or a provider that does not start.\n"
}

// tester returns the test of the provider, and a function that ends it.
func (o *options) tester(ctx context.Context) (t *tester, end func() error, err error) {
	e, err := newEngine()
	if err != nil {
		return nil, nil, err
	}
	home, err := os.MkdirTemp("", "propalg-test")
	if err != nil {
		e.close()
		return nil, nil, err
	}
	closed := []func() error{func() error { e.close(); return nil }, func() error { return os.RemoveAll(home) }}
	end = func() error {
		all := make([]error, 0, len(closed))
		for _, f := range closed {
			all = append(all, f())
		}
		return errors.Join(all...)
	}

	calls := &callLog{mask: &o.mask}
	if o.log != "" {
		file, err := os.OpenFile(o.log, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		calls.to, closed = file, append(closed, file.Close)
	}
	p := &plugin{
		program: o.program, engine: e, home: home, env: o.env, timeout: o.timeout, config: o.config,
		log: calls, mask: &o.mask, ctx: ctx, parameters: parameters{args: o.parameters},
	}
	t = &tester{plugin: p, o: o, rules: &o.rules}
	if o.live {
		t.journal, err = openJournal(cmp.Or(o.cleanup, o.journal), o.cleanup == "")
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		closed = append(closed, t.journal.close)
	}
	return t, end, nil
}
