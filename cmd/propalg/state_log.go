package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// logged is what one file has at a place of a resource.
type logged struct {
	file    string
	time    time.Time // of its manifest; zero: it is not known
	isThere bool      // the resource
	has     bool      // the property
	value   value.Value
}

// logger looks a property up in stacks.
type logger struct {
	*invocation
	name string // of the resource
	at   path.Path
	bag  string
	all  []logged
}

func runStateLog(inv *invocation) (int, error) {
	inv.output("text", "json")
	bag := newChoice(bagNames()...)
	inv.flags.Var(bag, "in", "the property `bag` that PATH is in: inputs or outputs")
	byTime := inv.flags.Bool("by-time", false, "order the files by the times in their manifests, not as they are given")
	if err := inv.parse(3, -1); err != nil {
		return 0, err
	}
	if err := inv.noneEmpty(); err != nil {
		return 0, err
	}
	at, err := path.ParsePulumi(inv.args[1])
	if err != nil {
		return 0, fmt.Errorf("PATH: %w", err)
	}

	l := &logger{invocation: inv, name: inv.args[0], at: at, bag: bag.value}
	inv.args = inv.args[2:]
	files, err := inv.stackFiles()
	if err != nil {
		return 0, err
	}
	code := files.each(inv, l.read)
	if *byTime {
		slices.SortStableFunc(l.all, func(a, b logged) int { return a.time.Compare(b.time) })
	}
	if err := l.write(); err != nil {
		return 0, err
	}
	isFound := false
	for _, one := range l.all {
		isFound = isFound || one.has
	}
	if !isFound && code == exitSame {
		inv.say("no file has %v in the %s of %s", l.at, l.bag, clipped(l.name))
		code = exitDifferent
	}
	return code, nil
}

// read looks the property up in a stack.
func (l *logger) read(in *input.Source) error {
	one := logged{file: in.Name}
	reader := state.NewReader(in.Reader(), state.Options{})
	for _, err := range reader.Entries() {
		if err != nil {
			return in.Place(err)
		}
	}
	manifest, err := reader.Document().Manifest()
	if err != nil {
		return in.Place(err)
	}
	one.time = manifest.Time

	r, note, err := pick(in, l.name)
	switch {
	case errors.As(err, &absentError{}):
		l.all = append(l.all, one)
		return nil
	case err != nil:
		return err
	case note != "":
		l.say("%s: %s", in.Name, note)
	}
	one.isThere = true
	bag := r.Inputs
	if l.bag == partOutputs {
		bag = r.SecretOutputs()
	}
	one.value, one.has = shownAt(bag, l.at)
	l.all = append(l.all, one)
	return nil
}

// logJSON is a change of a property, or what the first file has; docs/cli.md describes it.
type logJSON struct {
	File     string          `json:"file"`
	Time     string          `json:"time,omitempty"`
	Resource bool            `json:"resource"` // whether it is there
	Found    bool            `json:"found"`
	Value    json.RawMessage `json:"value,omitempty"`
}

// write writes a line for each change, and for the first file.
func (l *logger) write() error {
	again := 0 // secrets that may only have been encrypted again
	for i, one := range l.all {
		isSecret := one.has && one.value.ContainsSecret()
		if i > 0 {
			before := l.all[i-1]
			verdict := value.Same
			if one.has && before.has {
				verdict = value.Strict.Compatible(before.value.DropDependencies(), one.value.DropDependencies())
			}
			if one.isThere == before.isThere && one.has == before.has && verdict != value.Changed {
				if verdict == value.Maybe {
					again++
				}
				continue
			}
		}

		row := logJSON{File: one.file, Resource: one.isThere, Found: one.has}
		if !one.time.IsZero() {
			row.Time = one.time.Format(time.RFC3339)
		}
		text := "no such resource"
		switch {
		case one.has:
			data, err := masked(one.value)
			if err != nil {
				return fmt.Errorf("%s: %w", one.file, err)
			}
			row.Value, text = data, clip(one.value.String(), mostShown)
			if isSecret && i > 0 && l.all[i-1].has {
				text += "  # changed"
			}
		case one.isThere:
			text = "no such property"
		}
		if err := l.show(row, func() string { return printable.Text(one.file) + ": " + text }); err != nil {
			return err
		}
	}
	if again > 0 {
		l.say("%s with another ciphertext: whether the secret changed is not known", printable.Counted(again, "file"))
	}
	return nil
}

// mostShown is the number of bytes of a value that a line has.
const mostShown = 2_000

// shownAt returns the value at a path or, of a path into a secret, the outermost one.
func shownAt(bag value.Value, at path.Path) (v value.Value, has bool) {
	for n := range at.Len() + 1 {
		if v, has = bag.At(at.Prefix(n)); !has || v.IsSecret() {
			break
		}
	}
	return v, has
}
