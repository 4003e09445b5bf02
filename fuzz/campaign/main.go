// Command campaign runs every native fuzz target of this repository, of all its
// packages and nested modules, for a while.
//
//	go run ./fuzz/campaign -time 30m
//
// Each package's tests are built once, with the instrumentation that fuzzing
// wants. Then the targets take turns, in fair shares: one that found something
// stops, and the others divide its time. A turn prints one line: executions,
// rate, inputs that reached new code, size of the corpus, findings.
//
// What is learned is kept in a folder, -dir, and the next campaign goes on from
// there:
//
//	corpus/PACKAGE/TARGET/    inputs that reached new code
//	findings/PACKAGE/TARGET/  inputs that fail, minimised, and how to reproduce each
//	fixed/PACKAGE/TARGET/     findings of the past that fail no more
//	summary.txt, summary.json figures of each target, of this campaign and of all
//
// One campaign at a time uses a folder. Nothing of this is in the repository: a
// finding is copied to testdata/fuzz with its fix, as its report says.
//
// On a busy machine a short turn may end before a target is through its seeds. With
// -every such targets get up to two turns of -slice when the time is up, and one that
// then still has run no input of its own is a failure: a check that did not run did
// not pass.
//
// It exits with 0 when nothing was found, 1 with a finding or a package that does
// not build, 2 for bad usage. Interrupted, it ends the turn and writes the
// summary as always. What it does not do: limit memory, or watch for inputs that
// are slow (an input that takes over 10 s counts as one that hangs).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// The exit codes.
const (
	exitClean = 0
	exitFound = 1
	exitBad   = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)

	stop()
	os.Exit(code) //nolint:forbidigo // this is main
}

// config is what the flags say.
type config struct {
	root     string // of the repository
	dir      string // what is kept
	total    time.Duration
	slice    time.Duration // the longest turn
	minimize time.Duration // for a finding
	jobs     int           // turns at a time
	workers  int           // of a turn
	match    *regexp.Regexp
	modules  []string // folders below root; nil: all
	list     bool     // say which targets there are, no more
	every    bool     // a target that got to no input of its own is a failure
}

// run is main without the process around it.
func run(ctx context.Context, args []string, out, messages io.Writer) int {
	cfg, err := parseFlags(args, messages)

	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		fmt.Fprintln(messages, "campaign:", err)

		return exitBad
	}

	c := &campaign{config: cfg, out: out, began: time.Now()}

	code, err := c.run(ctx)
	if err != nil {
		fmt.Fprintln(messages, "campaign:", err)

		return exitBad
	}

	return code
}

func parseFlags(args []string, messages io.Writer) (config, error) {
	var (
		cfg            config
		match, modules string
	)

	flags := flag.NewFlagSet("campaign", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.DurationVar(&cfg.total, "time", 10*time.Minute, "how `long` to fuzz in all; building comes on top")
	flags.DurationVar(&cfg.slice, "slice", time.Minute, "the `longest` turn of a target")
	flags.DurationVar(&cfg.minimize, "minimize", 30*time.Second, "how `long` to minimise a finding")
	flags.IntVar(&cfg.jobs, "jobs", 1, "`how many` targets run at a time")
	flags.IntVar(&cfg.workers, "workers", 0, "`how many` processes fuzz one target (0: processors / jobs)")
	flags.StringVar(&cfg.dir, "dir", "", "the `folder` for corpus and findings (a folder in the user's cache)")
	flags.StringVar(&cfg.root, "root", ".", "the `folder` of the repository")
	flags.StringVar(&match, "run", "", "only targets that match this `pattern`, as package.Target")
	flags.StringVar(&modules, "modules", "", "only these `modules`, as folders with commas between them; . is the root")
	flags.BoolVar(&cfg.every, "every", false, "give targets that ran their seeds only more time, and fail if one still does")
	flags.BoolVar(&cfg.list, "list", false, "list the targets and end")

	if err := flags.Parse(args); err != nil {
		return cfg, err
	}

	if flags.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}

	return cfg.checked(match, modules)
}

// checked completes the configuration with what was parsed as text.
func (cfg config) checked(match, modules string) (config, error) {
	var err error

	switch {
	case cfg.total <= 0 || cfg.slice < minTurn || cfg.minimize < 0:
		return cfg, fmt.Errorf("-time must be above 0, -slice at least %v, -minimize 0 or above", minTurn)
	case cfg.jobs < 1 || cfg.workers < 0:
		return cfg, errors.New("-jobs must be at least 1, -workers 0 or above")
	case cfg.workers == 0:
		cfg.workers = max(1, runtime.NumCPU()/cfg.jobs)
	}

	if cfg.match, err = regexp.Compile(match); err != nil {
		return cfg, fmt.Errorf("-run: %w", err)
	}

	if modules != "" {
		cfg.modules = strings.Split(modules, ",")
	}

	if cfg.root, err = filepath.Abs(cfg.root); err != nil {
		return cfg, err
	}

	if _, err := os.Stat(filepath.Join(cfg.root, "go.mod")); err != nil {
		return cfg, fmt.Errorf("-root: no module here: %w", err)
	}

	if cfg.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return cfg, fmt.Errorf("-dir is needed: %w", err)
		}

		cfg.dir = filepath.Join(cache, "propalg", "campaign")
	}

	cfg.dir, err = filepath.Abs(cfg.dir)

	return cfg, err
}
