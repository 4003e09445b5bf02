package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// fewest is the number of resources from which those that change alike are shown as one.
const fewest = 3

// eachShown is eachEntry for text and pages: entries have parts, whose lines are indented
// by a number of levels. Those that look alike are one, and default providers are last. Until
// all are known they are kept, without their properties; draw, if it is not nil, is called at
// once, and may take the parts away.
func (f *diffFlags) eachShown(s *stacks, indent int, draw, show func(*entry)) (*tally, error) {
	secrets, upgrades := 0, map[upgrade]int{}
	var all []*entry
	alike := map[[sha256.Size]byte][]*entry{}
	count, err := f.eachEntry(s, func(e *entry) error {
		if f.leaveOutUpgrade(e, upgrades) {
			return nil
		}
		var sealed int
		e.parts, sealed = f.parts(e, indent)
		secrets += sealed
		if e.of != nil && !e.isWhole && len(e.parts) > 0 {
			look := e.look()
			alike[look] = append(alike[look], e)
		}
		e.close(draw)
		all = append(all, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	count.secrets, count.upgrades = secrets, upgrades

	isGrouped := map[*entry]bool{}
	for _, list := range alike {
		if len(list) >= fewest {
			list[0].group = list
			for _, e := range list[1:] {
				isGrouped[e] = true
			}
		}
	}
	for _, isLast := range []bool{false, true} {
		for _, e := range all {
			if e.isDefaultProvider() == isLast && !isGrouped[e] {
				show(e)
			}
		}
	}
	return count, nil
}

// close drops the resources, and all but a copy of what is shown.
func (e *entry) close(draw func(*entry)) {
	if e.of != nil {
		e.of = &state.Resource{
			URN: strings.Clone(e.of.URN), Type: strings.Clone(e.of.Type), Parent: strings.Clone(e.of.Parent), Delete: e.of.Delete,
		}
	}
	e.Change, e.sections = steps.Change{}, nil
	if draw != nil {
		draw(e)
	}
	for _, p := range e.parts {
		for _, l := range p.lines {
			for i := range l.Spans {
				l.Spans[i].Text = strings.Clone(l.Spans[i].Text)
			}
		}
	}
}

func (e *entry) isDefaultProvider() bool {
	return e.of != nil && changed.IsDefaultProvider(e.of.Type, nameIn(e.of.URN))
}

// look is the same for entries that are shown alike, but for their names.
func (e *entry) look() [sha256.Size]byte {
	text := []byte(string(e.op) + e.note)
	for _, p := range e.parts {
		text = append(append(text, 0), p.heading()...)
		for _, l := range p.lines {
			text = l.AppendText(append(text, 0), false)
		}
	}
	return sha256.Sum256(text)
}

// members returns the entries of a group, or the entry alone.
func (e *entry) members() []*entry {
	if e.group == nil {
		return []*entry{e}
	}
	return e.group
}

// title returns the type and the name of a resource, or the type that a group has in common
// and its number of resources.
func (e *entry) title() (kind, name string) {
	if e.group == nil {
		return printable.Text(e.of.Type), plainName(e.of.URN)
	}
	kind = printable.Text(e.of.Type)
	for _, each := range e.group {
		if each.of.Type != e.of.Type {
			kind = ""
		}
	}
	return kind, printable.Counted(len(e.group), "resource")
}

// upgrade is another version of a provider.
type upgrade struct{ name, from, to string }

// leaveOutUpgrade counts a resource that got another version of its provider, leaves that out
// of its changes, and reports whether there are no others.
func (f *diffFlags) leaveOutUpgrade(e *entry, to map[upgrade]int) (isAll bool) {
	at := path.Of(path.Key("provider"))
	if f.all || e.of == nil || e.isWhole || !e.sections[0].Diff.Changed(at) {
		return false
	}
	from, isOld := providerOf(e.Old)
	now, isNew := providerOf(e.New)
	if !isOld || !isNew || from.Type() != now.Type() {
		return false
	}
	to[upgrade{strings.TrimPrefix(from.Type(), "pulumi:providers:"), versionOf(from), versionOf(now)}]++

	metadata := e.sections[0].PartDiff
	metadata.Diff, _ = metadata.Diff.Split(path.NewSet(at.Pattern()))
	isAll = (e.op == ops.Update || e.op == ops.Same) && e.note == ""
	for _, s := range e.sections {
		isAll = isAll && s.Diff.Empty() && !s.inDigits
	}
	return isAll
}

// providerOf returns the URN of the provider of a resource.
func providerOf(r *state.Resource) (urn.URN, bool) {
	text := r.Provider
	if i := strings.LastIndex(text, "::"); i >= 0 {
		text = text[:i] // without the ID
	}
	u, err := urn.Parse(text)
	return u, err == nil && strings.HasPrefix(u.Type(), "pulumi:providers:")
}

// versionOf returns the version that is in the name of a default provider, or else the name.
func versionOf(u urn.URN) string {
	if number, ok := strings.CutPrefix(u.Name(), "default_"); ok {
		return strings.ReplaceAll(number, "_", ".")
	}
	return u.Name()
}

// upgraded says which resources got other versions of their providers, a line each.
func (t *tally) upgraded() (lines []string) {
	all := slices.SortedFunc(maps.Keys(t.upgrades), func(a, b upgrade) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	for _, up := range all {
		text := fmt.Sprintf("Provider %s %s → %s: ", up.name, up.from, up.to)
		if up.from == up.to {
			text = fmt.Sprintf("Provider %s %s, made anew: ", up.name, up.from)
		}
		lines = append(lines, printable.Text(text)+printable.Counted(t.upgrades[up], "resource"))
	}
	return lines
}
