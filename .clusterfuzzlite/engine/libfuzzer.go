// Package libfuzzer runs native fuzz targets under libFuzzer.
//
// The testing package itself runs them, so that a target needs no change: [Start]
// takes the part of go's fuzzing engine, which hands inputs to a worker, and
// libFuzzer's driver then calls [Target.Run]. The script .clusterfuzzlite/build.sh
// makes the programs. An input is raw bytes there, and a file of "go test fuzz v1"
// here; [Target.Import] and [Target.Export] convert folders of them.
package libfuzzer

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"
)

// entry is an input as the testing package has it.
type entry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

// Target is a fuzz target that waits for inputs.
type Target struct {
	name  string
	types []reflect.Type // of the arguments after the *testing.T
	seeds []entry
	run   func(entry) error
}

// Start calls target, which has the given name, up to its call of f.Fuzz.
//
// It owns the process: the flags of the testing package are set as for a worker.
func Start(name string, target func(*testing.F)) (*Target, error) {
	t := &Target{name: name}
	e := &engine{target: t, ready: make(chan struct{})}
	main := testing.MainStart(e, nil, nil, []testing.InternalFuzzTarget{{Name: name, Fn: target}}, nil)
	flags := []string{"-test.run=^$", "-test.fuzz=^" + regexp.QuoteMeta(name) + "$", "-test.fuzzcachedir=" + os.TempDir()}

	// As the process that coordinates, for the types and seeds, then as a worker.
	if err := flag.CommandLine.Parse(flags); err != nil {
		return nil, err
	}

	if code := main.Run(); code != 0 || t.types == nil {
		return nil, fmt.Errorf("%s ended with code %d before it called f.Fuzz", name, code)
	}

	if err := flag.Set("test.fuzzworker", "true"); err != nil {
		return nil, err
	}

	ended := make(chan int, 1)

	go func() { ended <- main.Run() }()

	select {
	case <-e.ready:
		return t, nil
	case code := <-ended:
		return nil, fmt.Errorf("%s ended with code %d when it was called again", name, code)
	}
}

// Run runs the target on one input. The error is what a failing target says.
func (t *Target) Run(data []byte) error {
	return t.run(entry{Values: decode(t.types, data)})
}

// engine takes the part of go's fuzzing engine. Its methods are those that the
// testing package asks for.
type engine struct {
	target *Target
	ready  chan struct{} // closed when the target can be run
}

func (e *engine) CoordinateFuzzing(_ time.Duration, _ int64, _ time.Duration, _ int64, _ int, seeds []entry, types []reflect.Type, _, _ string) error {
	e.target.seeds, e.target.types = seeds, types

	return checkTypes(types)
}

// RunFuzzWorker does not return: run may be called from now on.
func (e *engine) RunFuzzWorker(run func(entry) error) error {
	e.target.run = run
	close(e.ready)
	select {}
}

// ReadCorpus reads the files in a folder of testdata; the program may run where
// there is none.
func (e *engine) ReadCorpus(folder string, types []reflect.Type) ([]entry, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	entries := make([]entry, 0, len(files))

	for _, file := range files {
		values, err := readFile(file, types)
		if err != nil {
			return nil, err
		}

		entries = append(entries, entry{Path: file, Values: values})
	}

	return entries, err
}

func (e *engine) CheckCorpus(values []any, types []reflect.Type) error {
	if len(values) != len(types) {
		return fmt.Errorf("%d values for %d arguments", len(values), len(types))
	}

	for i, v := range values {
		if reflect.TypeOf(v) != types[i] {
			return fmt.Errorf("argument %d is a %T, want %v", i, v, types[i])
		}
	}

	return nil
}

func (e *engine) MatchString(pattern, text string) (bool, error) {
	return regexp.MatchString(pattern, text)
}

func (e *engine) ImportPath() string                          { return "" }
func (e *engine) ModulePath() string                          { return "" }
func (e *engine) SetPanicOnExit0(bool)                        {}
func (e *engine) StartCPUProfile(io.Writer) error             { return errors.ErrUnsupported }
func (e *engine) StopCPUProfile()                             {}
func (e *engine) StartTestLog(io.Writer)                      {}
func (e *engine) StopTestLog() error                          { return nil }
func (e *engine) WriteProfileTo(string, io.Writer, int) error { return errors.ErrUnsupported }
func (e *engine) ResetCoverage()                              {}
func (e *engine) SnapshotCoverage()                           {}

func (e *engine) InitRuntimeCoverage() (mode string, tearDown func(string, string) (string, error), snapshot func() float64) {
	return "", nil, nil
}
