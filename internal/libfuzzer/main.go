package libfuzzer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Main starts the target that the name of the program ends with, after a "_". By
//
//	PROGRAM -import FROM TO
//	PROGRAM -export FROM TO
//
// it converts inputs instead, and there is nothing left to be done.
func Main(args []string, targets map[string]func(*testing.F)) (t *Target, done bool, err error) {
	const converting = 4

	program := filepath.Base(args[0])
	name := program[strings.LastIndexByte(program, '_')+1:]

	target, ok := targets[name]
	if !ok {
		return nil, false, fmt.Errorf("%s: there is no target %q here", program, name)
	}

	if t, err = Start(name, target); err != nil || len(args) != converting {
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
