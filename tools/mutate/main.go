// Command mutate draws mutants of Go packages by seed and runs tests over them.
//
//	mutate draw -root REPO -lists DIR -seed 6 -n 230 >mutants.tsv
//	mutate run -root REPO -mutants mutants.tsv -results results.tsv -stage own
//	mutate run … -stage laws      (only what survived the stage before)
//	mutate run … -stage importers
//	mutate sum -mutants mutants.tsv -results results.tsv
//
// A results file is appended to after every mutant; a run that is stopped goes on
// where it was.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail("draw, run or sum?")
	}
	switch os.Args[1] {
	case "draw":
		draw(os.Args[2:])
	case "run":
		run(os.Args[2:])
	case "sum":
		sum(os.Args[2:])
	default:
		fail("draw, run or sum?")
	}
}

func fail(text string, of ...any) {
	fmt.Fprintf(os.Stderr, text+"\n", of...)
	os.Exit(2)
}

// packages are what is mutated, in the order of the layers.
func packages() []string { return []string{"urn", "path", "value", "diff", "codec"} }
