package main

import (
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func runIgnore(inv *invocation) (int, error) {
	var named patterns
	inv.reportForm()
	rules := newChoice("engine", "corrected")
	inv.flags.Var(rules, "rules", "`rules` to follow: those of Pulumi's engine, or the same without its pitfalls: engine or corrected")
	inv.fileInPlace(2)
	if err := inv.parse(3, -1); err != nil {
		return 0, err
	}
	texts := inv.args[2:]
	for _, text := range texts {
		if err := named.Set(text); err != nil {
			return 0, usageError{err.Error()}
		}
	}

	inv.args = inv.args[:2]
	sides, err := inv.bags()
	if err != nil {
		return 0, err
	}

	mode := ignore.AsEngine
	if rules.value == "corrected" {
		mode = ignore.Corrected
	}
	ignored := ignore.Changes(sides[0].Bag, sides[1].Bag, named.list, mode)
	masked, err := inv.writeResult(ignored.Value)
	if err != nil {
		return 0, err
	}

	results := everyPattern(ignored, named.list)
	if inv.isJSON() {
		return exitSame, inv.report(ignoreReport(results, texts, sides, masked, inv.reveal))
	}
	inv.noteRoundedSides(sides)
	for _, p := range results {
		inv.say("%v", p)
	}
	inv.noteMasked(masked)
	return exitSame, nil
}

// everyPattern returns a result for each pattern, also for those without an effect.
func everyPattern(ignored ignore.Result, patterns []path.Pattern) []ignore.PatternResult {
	all := make([]ignore.PatternResult, len(patterns))
	for i, p := range patterns {
		all[i].Pattern = p
	}

	for _, r := range ignored.Patterns {
		all[r.Index] = r
	}
	return all
}

func bagsOf(sides []*input.File) (all []value.Value) {
	for _, side := range sides {
		all = append(all, side.Bag)
	}
	return all
}

type mismatchJSON struct {
	At  string `json:"at"`
	Why string `json:"why"`
}

type ignoredJSON struct {
	Pattern  string         `json:"pattern"`
	Matched  int            `json:"matched"`
	Mismatch []mismatchJSON `json:"mismatch"`
	More     int            `json:"more,omitempty"` // mismatches that are not listed
}

type ignoreJSON struct {
	Patterns []ignoredJSON `json:"patterns"`
	Rounded  []roundedJSON `json:"rounded,omitempty"`
	Masked   int           `json:"masked,omitempty"` // secrets in the result
}

// ignoreReport returns all messages as one document.
func ignoreReport(results []ignore.PatternResult, texts []string, sides []*input.File, masked int, reveal bool) ignoreJSON {
	r := ignoreJSON{Rounded: roundedRows(sides), Masked: masked}
	left := path.MaxListed
	for i, p := range results {
		row := ignoredJSON{Pattern: texts[i], Matched: p.Matched, Mismatch: []mismatchJSON{}}
		for n, m := range p.Mismatches {
			if left <= 0 {
				row.More = len(p.Mismatches) - n
				break
			}

			at := m.At().String()
			if reveal {
				at = m.At().RevealPath().String()
			}
			left -= len(at)
			row.Mismatch = append(row.Mismatch, mismatchJSON{at, m.Why()})
		}
		r.Patterns = append(r.Patterns, row)
	}

	return r
}
