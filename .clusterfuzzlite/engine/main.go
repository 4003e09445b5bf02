package libfuzzer

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Main starts the target that the name of the program ends with, after a "_". By
//
//	PROGRAM -import FROM TO
//	PROGRAM -export FROM TO
//
// it converts inputs instead, and there is nothing left to be done.
//
// A target may read files of its package's folder before it calls f.Fuzz: those in a
// folder beside the program, PACKAGE_files.
func Main(args []string, targets map[string]func(*testing.F)) (t *Target, done bool, err error) {
	const converting = 4

	cut := strings.LastIndexByte(args[0], '_')
	name := args[0][cut+1:]

	target, ok := targets[name]
	if !ok {
		return nil, false, fmt.Errorf("%s: there is no target %q here", args[0], name)
	}

	if t, err = startIn(args[0][:cut]+"_files", name, target); err != nil || len(args) != converting {
		return t, false, err
	}

	switch args[1] {
	case "-import":
		err = t.Import(args[2], args[3])

		return t, true, err
	case "-export":
		err = t.Export(args[2], args[3])

		return t, true, err
	}

	return t, false, nil
}

// startIn is Start in a folder, if there is one, and back again.
func startIn(folder, name string, target func(*testing.F)) (*Target, error) {
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}

	if err := os.Chdir(folder); err != nil {
		return Start(name, target) // it needs no files
	}

	t, err := Start(name, target)
	if err == nil {
		err = os.Chdir(back)
	}

	return t, err
}
