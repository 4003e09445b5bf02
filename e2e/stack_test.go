package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stack is a stack of its own in a temporary folder: program, state, plugins,
// the provider's cloud, everything the CLI prints, and the log of gRPC calls.
type stack struct {
	t        *testing.T
	dir      string
	provider string   // the folder of the provider
	env      []string // beside the usual ones
	canaries []string // texts that nothing may show
	commands int
}

// limit is how long one command of the CLI may take; on a free machine it takes
// a second.
const limit = 3 * time.Minute

// newStack makes an empty stack "dev" of the project "e2e", of which in the end
// everything that was written is looked at.
func newStack(t *testing.T) *stack {
	t.Helper()
	s := newBareStack(t)
	t.Cleanup(s.checkLog)
	t.Cleanup(s.checkCanaries)
	return s
}

// newBareStack makes one of which nothing is looked at.
func newBareStack(t *testing.T) *stack {
	t.Helper()
	t.Parallel()
	s := &stack{t: t, dir: t.TempDir(), provider: bin}
	for _, folder := range []string{"program", "state", "home", "cloud", "out"} {
		if err := os.Mkdir(s.in(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.program("resources: {}")
	s.must("stack", "init", "dev")
	return s
}

// in is a path inside the stack's folder.
func (s *stack) in(parts ...string) string {
	return filepath.Join(append([]string{s.dir}, parts...)...)
}

// cloud is the file in which the provider's cloud lies.
func (s *stack) cloud() string { return s.in("cloud", "store.db") }

// write writes a file of the program.
func (s *stack) write(name, text string) {
	s.t.Helper()
	file := s.in("program", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// save writes a file among the outputs of the CLI.
func (s *stack) save(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.in("out", name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// program writes the program: what stands below its header.
func (s *stack) program(body string) {
	s.t.Helper()
	s.write("Pulumi.yaml", "name: e2e\nruntime: yaml\nplugins:\n  providers:\n  - name: demo\n    path: "+s.provider+"\n"+body+"\n")
}

// secretConfig sets a configuration value of the program, encrypted, and makes it
// a canary.
func (s *stack) secretConfig(name, text string) {
	s.t.Helper()
	s.canaries = append(s.canaries, text)
	s.must("config", "set", "--secret", name, text)
}

// result is what a command of the CLI did.
type result struct {
	args           []string
	code           int
	stdout, stderr string
}

// String shows the ends of what was printed; diagnostics come last.
func (r result) String() string {
	const most = 3000
	out, err := r.stdout[max(0, len(r.stdout)-most):], r.stderr[max(0, len(r.stderr)-most):]
	return fmt.Sprintf("pulumi %s: exit %d\n%s\n%s", strings.Join(r.args, " "), r.code, out, err)
}

// run runs the CLI to its end. Its output goes to files: closing a pipe early
// would kill it, and leave the stack locked.
func (s *stack) run(args ...string) result {
	s.t.Helper()
	return s.runWith(func(*exec.Cmd) {}, args...)
}

// runWith is run with something to be done in the meantime.
func (s *stack) runWith(meanwhile func(*exec.Cmd), args ...string) result {
	s.t.Helper()
	s.commands++
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(bin, "pulumi"), append([]string{"--non-interactive", "--color=never"}, args...)...)
	c.Dir = s.in("program")
	c.Env = append([]string{
		"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + s.in("home"), "PULUMI_HOME=" + s.in("home"),
		"PULUMI_BACKEND_URL=file://" + s.in("state"), "PULUMI_CONFIG_PASSPHRASE=no secret",
		"PULUMI_SKIP_UPDATE_CHECK=true", "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true",
		"PULUMI_DEBUG_GRPC=" + s.in("grpc.json"), "DEMO_STORE=" + s.cloud(),
	}, s.env...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 10 * time.Second
	stdout, stderr := s.create(s.output("stdout", args[0])), s.create(s.output("stderr", args[0]))
	c.Stdout, c.Stderr = stdout, stderr
	err := c.Start()
	if err == nil {
		meanwhile(c)
		err = c.Wait()
	}
	stdout.Close()
	stderr.Close()
	if ctx.Err() != nil {
		s.t.Errorf("pulumi %q did not end within %s", args, limit)
	} else if exited := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exited) {
		s.t.Fatal(err)
	}
	return result{args, c.ProcessState.ExitCode(), s.read(stdout.Name()), s.read(stderr.Name())}
}

func (s *stack) create(name string) *os.File {
	s.t.Helper()
	f, err := os.Create(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

func (s *stack) read(file string) string {
	s.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// must runs the CLI, and ends the test if that fails.
func (s *stack) must(args ...string) result {
	s.t.Helper()
	r := s.run(args...)
	if r.code != 0 {
		s.t.Fatal(r)
	}
	return r
}

// revealed is the output of a command that shows secrets, of which nothing is kept.
func (s *stack) revealed(args ...string) string {
	s.t.Helper()
	r := s.must(args...)
	if err := os.Remove(s.output("stdout", args[0])); err != nil {
		s.t.Fatal(err)
	}
	return r.stdout
}

// output is the file to which the last command wrote.
func (s *stack) output(stream, command string) string {
	return s.in("out", fmt.Sprintf("%03d-%s.%s", s.commands, command, stream))
}

// propalg runs the tool of this repository, and gives all that it prints.
func (s *stack) propalg(args ...string) (out string, code int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(bin, "propalg"), args...)
	c.Dir = s.dir
	all, err := c.CombinedOutput()
	if exited := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exited) {
		s.t.Fatal(err)
	}
	return string(all), c.ProcessState.ExitCode()
}

// with sets a variable of the environment for one call of f.
func (s *stack) with(variable string, f func()) {
	before := s.env
	s.env = append(s.env[:len(s.env):len(s.env)], variable)
	defer func() { s.env = before }()
	f()
}

// up makes the stack what the program says. There is nothing left to do then.
func (s *stack) up() result {
	s.t.Helper()
	r := s.must("up", "--yes", "--skip-preview")
	s.settled()
	return r
}

// settled says that a preview finds no change: the engine's exit code is another
// one if it does.
func (s *stack) settled() {
	s.t.Helper()
	if r := s.run("preview", "--diff", "--expect-no-changes"); r.code != 0 {
		s.t.Errorf("not settled: %s", r)
	}
}

// destroy removes everything.
func (s *stack) destroy() {
	s.t.Helper()
	s.must("destroy", "--yes", "--skip-preview")
	if left := s.state().Len(); left != 0 {
		s.t.Errorf("%d resources are left", left)
	}
}
