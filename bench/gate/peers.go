package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// peers builds the benchmarks of the nested modules and runs them in turns, a
// process each, so that every round begins anew and every row's sides run close to
// each other.
func peers(args []string, out, log io.Writer) (err error) {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(log)
	rounds := flags.Int("rounds", 10, "how often everything runs")
	benchtime := flags.String("benchtime", "200ms", "how long each side of a row runs, as of go test")
	modules := flags.String("modules", "interop/peers,interop/pulumi", "folders of modules with a BenchmarkRow")
	rows := flags.String("rows", ".", "a regular expression: only rows of such names")
	megabytes := flags.Int("state.mb", 100, "megabytes of the state file that the row \"state\" reads")
	file := flags.String("o", "", "where the results go, as benchmark lines; stdout without it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	repository, err := root(".")
	if err != nil {
		return err
	}

	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	var programs []string
	for i, module := range strings.Split(*modules, ",") {
		folder := filepath.Join(repository, module)
		program := filepath.Join(dir, fmt.Sprintf("%d.test", i))
		if _, err := output(folder, "go", "test", "-c", "-o", program, "."); err != nil {
			return err
		}
		programs = append(programs, program+"\x00"+folder)
		fmt.Fprintf(log, "built %s\n", module)
	}
	if *file != "" {
		results, err := os.Create(*file)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, results.Close()) }()
		out = results
	}
	commit, err := output(repository, "git", "describe", "--always", "--dirty")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "commit: %sgo: %s\n", commit, runtime.Version())
	for round := range *rounds {
		for _, program := range programs {
			if err := roundOf(program, *rows, *benchtime, *megabytes, out); err != nil {
				return err
			}
		}
		fmt.Fprintf(log, "round %d of %d\n", round+1, *rounds)
	}

	return nil
}

// roundOf runs one program's benchmarks once, in its module's folder.
func roundOf(program, rows, benchtime string, megabytes int, out io.Writer) error {
	program, folder, _ := strings.Cut(program, "\x00")
	args := []string{"-test.run=^$", "-test.bench=^BenchmarkRow$/" + cmp.Or(rows, "."), "-test.benchtime=" + benchtime}
	if strings.HasSuffix(filepath.ToSlash(folder), "interop/pulumi") {
		args = append(args, fmt.Sprintf("-state.mb=%d", megabytes))
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = folder
	text, err := cmd.Output()
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", folder, err), fmt.Errorf("%s", text)) //nolint:err113 // what the benchmarks said
	}

	_, err = out.Write(text)
	return err
}
