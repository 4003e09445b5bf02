// Command campaign runs every native fuzz target of this repository, of all its
// packages and nested modules, for a while, which go test -fuzz does for one.
//
//	go run ./fuzz/campaign -time 30m
//
// Each package's tests are built once, with the instrumentation that fuzzing
// wants. Then every target gets the same time, in one turn, which prints one line.
// The table of all is in summary.txt in the end. A finding is where go test -fuzz
// writes it, in the package's testdata/fuzz, and from then on a test.
//
// Inputs that reached new code are kept in a folder, -dir, as corpus/PACKAGE/TARGET,
// and the next campaign goes on from there. So does .ci/libfuzzer, which runs the
// targets under libFuzzer and adds to the same corpora. The output of each target's
// last turn is in logs/PACKAGE.TARGET.txt.
//
// On a busy machine a short turn may end before a target is through its seeds. With
// -every such targets get up to two turns of a minute, and one that then still has
// run no input of its own is a failure: a check that did not run did not pass.
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
	"sync"
	"syscall"
	"time"
)

// The exit codes.
const (
	exitClean = 0
	exitFound = 1
	exitBad   = 2
)

const (
	minTurn = 2 * time.Second
	// For a target that has run its seeds only, of which it gets up to extraTurns.
	extraTurn  = time.Minute
	extraTurns = 2

	folderMode = 0o755
	fileMode   = 0o644
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
	minimize string // for each input that reached new code, and for a finding
	jobs     int    // turns at a time
	workers  int    // of a turn
	match    *regexp.Regexp
	list     bool // say which targets there are, no more
	every    bool // a target that got to no input of its own is a failure
}

// campaign is one run of the program.
type campaign struct {
	config
	mu       sync.Mutex // of all below
	out      io.Writer
	targets  []*target
	failures []string // what could not be built or run
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

	c := &campaign{config: cfg, out: out}

	code, err := c.run(ctx)
	if err != nil {
		fmt.Fprintln(messages, "campaign:", err)

		return exitBad
	}

	return code
}

func parseFlags(args []string, messages io.Writer) (config, error) {
	var (
		cfg   config
		match string
	)

	flags := flag.NewFlagSet("campaign", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.DurationVar(&cfg.total, "time", 10*time.Minute, "how `long` to fuzz in all; building comes on top")
	// Go's default of a minute for each stalls a slow law for hours.
	flags.StringVar(&cfg.minimize, "minimize", "50x", "how `long`, or by how many executions, to minimise an input")
	flags.IntVar(&cfg.jobs, "jobs", 1, "`how many` targets run at a time")
	flags.IntVar(&cfg.workers, "workers", 0, "`how many` processes fuzz one target (0: processors / jobs)")
	flags.StringVar(&cfg.dir, "dir", "", "the `folder` for the corpora (a folder in the user's cache)")
	flags.StringVar(&cfg.root, "root", ".", "the `folder` of the repository")
	flags.StringVar(&match, "run", "", "only targets that match this `pattern`, as package.Target")
	flags.BoolVar(&cfg.every, "every", false, "give targets that ran their seeds only more time, and fail if one still does")
	flags.BoolVar(&cfg.list, "list", false, "list the targets and end")

	if err := flags.Parse(args); err != nil {
		return cfg, err
	}

	if flags.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}

	return cfg.checked(match)
}

// checked completes the configuration with what was parsed as text.
func (cfg config) checked(match string) (config, error) {
	var err error

	switch {
	case cfg.total <= 0:
		return cfg, errors.New("-time must be above 0")
	case cfg.jobs < 1 || cfg.workers < 0:
		return cfg, errors.New("-jobs must be at least 1, -workers 0 or above")
	case cfg.workers == 0:
		cfg.workers = max(1, runtime.NumCPU()/cfg.jobs)
	}

	if cfg.match, err = regexp.Compile(match); err != nil {
		return cfg, fmt.Errorf("-run: %w", err)
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

// run is the whole campaign. Its error is one of usage.
func (c *campaign) run(ctx context.Context) (code int, err error) {
	if err := c.find(ctx); err != nil && ctx.Err() == nil {
		return exitBad, err
	}

	switch {
	case c.list:
		for _, t := range c.targets {
			fmt.Fprintln(c.out, t.id())
		}

		return c.code(), nil
	case len(c.targets) == 0 && len(c.failures) == 0 && ctx.Err() == nil:
		return exitBad, fmt.Errorf("no target matches %q", c.match)
	}

	share := max(minTurn, c.total*time.Duration(c.jobs)/time.Duration(max(1, len(c.targets))))
	fmt.Fprintf(c.out, "%d targets, %v each, %d at a time, %d workers each, in %s\n", len(c.targets), share.Round(time.Second), c.jobs, c.workers, c.dir)

	queue := make(chan *target, len(c.targets))
	for _, t := range c.targets {
		queue <- t
	}

	close(queue)

	var workers sync.WaitGroup
	for range c.jobs {
		workers.Go(func() {
			for t := range queue {
				c.turns(ctx, t, share)
			}
		})
	}

	workers.Wait()

	return c.code(), c.writeSummary()
}

// turns runs one target, again for -every if it has run its seeds only.
func (c *campaign) turns(ctx context.Context, t *target, share time.Duration) {
	for i := 0; ctx.Err() == nil && (i == 0 || c.every && t.idle() && i <= extraTurns); i++ {
		c.turn(ctx, t, share)

		share = extraTurn
	}

	if c.every && t.idle() && ctx.Err() == nil {
		c.fail(t.id(), fmt.Errorf("no input but the seeds was run in %v", t.took.Round(time.Second)))
	}
}

// code is the exit code.
func (c *campaign) code() int {
	if len(c.failures) > 0 {
		return exitFound
	}

	for _, t := range c.targets {
		if t.found {
			return exitFound
		}
	}

	return exitClean
}

// fail notes that a part of the tree cannot be fuzzed.
func (c *campaign) fail(what string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.failures = append(c.failures, what+": "+err.Error())
	fmt.Fprintf(c.out, "FAILED %s: %v\n", what, err)
}

// writeSummary prints and writes the table of all targets.
func (c *campaign) writeSummary() error {
	var b strings.Builder

	fmt.Fprintf(&b, "%-44s %8s %12s %9s %8s %6s %7s\n", "target", "seconds", "executions", "a second", "skipped", "new", "corpus")

	for _, t := range c.targets {
		fmt.Fprintln(&b, t.line())
	}

	for _, f := range c.failures {
		fmt.Fprintf(&b, "FAILED %s\n", f)
	}

	fmt.Fprint(c.out, "\n", b.String())

	return os.WriteFile(filepath.Join(c.dir, "summary.txt"), []byte(b.String()), fileMode)
}
