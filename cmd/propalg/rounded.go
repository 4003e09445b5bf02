package main

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// noteRounded lists on standard error which numbers a double could not hold. No path in the
// lines goes below a secret of others.
func (inv *invocation) noteRounded(place string, r *codec.Report, others ...value.Value) {
	for _, each := range roundedNotes(place, r, others...) {
		inv.say("%s", each)
	}
}

// roundedNotes say which numbers a double could not hold. No path in them goes below
// a secret of the values that theirs is compared with.
func roundedNotes(place string, r *codec.Report, others ...value.Value) (notes []string) {
	for _, at := range roundedPlaces(r, others) {
		notes = append(notes, fmt.Sprintf("%s: %s: the number is rounded, since a double cannot hold it", place, at))
	}

	if r.More > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d more numbers are rounded", place, r.More))
	}
	return notes
}

// roundedPlaces returns where numbers were rounded. A secret is there once, however many
// numbers are in it.
func roundedPlaces(r *codec.Report, others []value.Value) (all []string) {
	for _, each := range r.Rounded {
		all = append(all, cutAt(each.At, others).String())
	}
	return slices.Compact(all)
}

// cutAt cuts a path at the outermost secret that it leads to in other values.
func cutAt(at path.Shown, others []value.Value) path.Shown {
	for _, other := range others {
		if n := secretAt(at.Path(), other); n < at.Path().Len() {
			at = path.Show(at.Path(), n)
		}
	}
	return at
}

// secretAt returns how many steps of a path lead to the outermost secret in a value;
// all, if none does.
func secretAt(p path.Path, v value.Value) int {
	n := 0
	for step := range p.Steps() {
		child, ok := v.At(path.Of(step))
		if v.IsSecret() || !ok {
			break
		}
		v = child
		n++
	}
	if v.IsSecret() {
		return n
	}

	return p.Len()
}

// side is one of two values, and the numbers in it that were rounded.
type side struct {
	value  value.Value
	report *codec.Report
}

const differInDigits = "differ in digits that a double cannot hold"

// noteDigits notes which numbers at the same place differ as texts and round to the same
// double, so that Pulumi finds them equal, and reports whether there are any. Of begins the
// notes.
func (f *diffFlags) noteDigits(of, part string, old, now side) (differ bool) {
	texts := [2]map[path.Path]string{{}, {}}
	for i, s := range [2]side{old, now} {
		for _, each := range s.report.Rounded {
			texts[i][each.At.RevealPath()] = each.RevealText()
		}
	}
	for i, s := range [2]side{old, now} {
		for _, each := range s.report.Rounded {
			at := each.At.RevealPath()
			isKnown := i == 1 && texts[0][at] != ""
			x, _ := old.value.At(at)
			y, _ := now.value.At(at)
			a, isNumber := x.AsNumber()
			b, areNumbers := y.AsNumber()
			isSame := isNumber && areNumbers && a == b
			if isKnown || texts[0][at] == texts[1][at] || !isSame || f.ignore.in(part).set.Covers(at) {
				continue
			}
			f.note("%s%v: the numbers %s", of, cutAt(each.At, []value.Value{old.value, now.value}), differInDigits)
			differ = true
		}
	}
	return differ
}

// noteRoundedSides lists on standard error which numbers of bags that are compared
// were rounded.
func (inv *invocation) noteRoundedSides(sides []*input.File) {
	for _, side := range sides {
		inv.noteRounded(side.Name, &side.Report, bagsOf(sides)...)
	}
}

type roundedJSON struct {
	File string `json:"file"`
	At   string `json:"at,omitempty"`
	More int    `json:"more,omitempty"` // numbers that are not listed
}

// roundedRows returns the numbers of files that a double could not hold. No path goes
// below a secret of the values that its own is compared with.
func roundedRows(sides []*input.File) (rows []roundedJSON) {
	for _, side := range sides {
		for _, at := range roundedPlaces(&side.Report, bagsOf(sides)) {
			rows = append(rows, roundedJSON{File: side.Name, At: at})
		}
		if side.Report.More > 0 {
			rows = append(rows, roundedJSON{File: side.Name, More: side.Report.More})
		}
	}

	return rows
}
