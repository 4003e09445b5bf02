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
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// fewest is the number of resources from which those that change alike are shown as one.
const fewest = 3

// eachShown is eachEntry for text and pages: what is shown of the entries, with lines that are
// indented by a number of levels. Those that look alike are one, and default providers are
// last. Until all are known they are kept, without their properties; draw, if it is not nil,
// is called at once, and may take the parts away.
func (f *diffFlags) eachShown(s *stacks, indent int, draw, show func(*changed.Resource)) (*tally, error) {
	secrets, upgrades := 0, map[upgrade]int{}
	var all []*changed.Resource
	alike := map[[sha256.Size]byte][]*changed.Resource{}
	count, err := f.eachEntry(s, func(e *entry) error {
		if f.leaveOutUpgrade(e, upgrades) {
			return nil
		}
		parts, sealed := f.parts(e, indent)
		secrets += sealed
		r := e.shown(parts)
		if r.URN != "" && !r.Whole && len(parts) > 0 {
			look := r.Look()
			alike[look] = append(alike[look], r)
		}
		if draw != nil {
			draw(r)
		}
		r.Own()
		all = append(all, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	count.secrets, count.upgrades = secrets, upgrades

	isGrouped := map[*changed.Resource]bool{}
	for _, list := range alike {
		if len(list) >= fewest {
			list[0].Alike = list
			for _, r := range list[1:] {
				isGrouped[r] = true
			}
		}
	}
	for _, isLast := range []bool{false, true} {
		for _, r := range all {
			if changed.IsDefaultProvider(r.Type, r.Name) == isLast && !isGrouped[r] {
				show(r)
			}
		}
	}
	return count, nil
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
