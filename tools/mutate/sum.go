package main

import (
	"flag"
	"fmt"
)

// sum prints what became of the mutants, and every survivor with its place.
func sum(args []string) {
	flags := flag.NewFlagSet("sum", flag.ExitOnError)
	list := flags.String("mutants", "mutants.tsv", "what was drawn")
	results := flags.String("results", "results.tsv", "the results file")
	flags.Parse(args)
	done := outcomes(*results)
	fmt.Printf("%-8s%8s%8s%8s%8s%8s%8s\n", "", "drawn", "tried", "own", "laws", "import", "left")
	for _, pkg := range packages() {
		drawn, tried, by := 0, 0, map[string]int{}
		for _, m := range readMutants(*list) {
			if m.pkg != pkg {
				continue
			}
			if !m.reserve {
				drawn++
			}
			of := done[m.id]
			if of["own"] == killed || of["own"] == survived {
				tried++
			} else {
				continue
			}
			by[killer(of)]++
		}
		fmt.Printf("%-8s%8d%8d%8d%8d%8d%8d\n", pkg, drawn, tried, by["own"], by["laws"], by["importers"], by[""])
	}
	for _, m := range readMutants(*list) {
		if of := done[m.id]; of["own"] == survived && killer(of) == "" {
			fmt.Printf("%s\t%s/%s:%d:%d\t%s\t%q -> %q\tlaws: %s, importers: %s\n",
				m.id, m.pkg, m.file, m.line, m.col, m.kind, m.before, m.text, of["laws"], of["importers"])
		}
	}
}

func killer(of map[string]string) string {
	for _, stage := range []string{"own", "laws", "importers"} {
		if of[stage] == killed {
			return stage
		}
	}
	return ""
}
