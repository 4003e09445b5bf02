package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// identity is what a resource of one stack is found by in another: its URN; of
// several with one URN (replaced ones that wait for deletion) also by that
// and by ID.
type identity struct {
	urn      string
	deleting bool
	id       string
}

// tally counts the resources of a comparison.
type tally struct{ created, deleted, updated, replaced, same int }

// String is the last line.
func (t tally) String() string {
	replaced := ""
	if t.replaced > 0 {
		replaced = fmt.Sprintf(" (%d of them to be replaced)", t.replaced)
	}
	return fmt.Sprintf("Resources: %d created, %d deleted, %d updated%s, %d the same\n", t.created, t.deleted, t.updated, replaced, t.same)
}

func (inv *invocation) diffStacks(before, after *input, f *diffFlags) (int, error) {
	olds, err := collect(before)
	if err != nil {
		return 0, err
	}
	news, err := collect(after)
	if err != nil {
		return 0, err
	}
	partners := match(olds, news)
	f.noteStacks(before.name, after.name, olds, news, partners)
	matched := make([]bool, len(olds))
	var out []byte
	var count tally
	for i := range news {
		if o := partners[i]; o >= 0 {
			matched[o] = true
			text, replaces := resourceDiff(&olds[o], &news[i], f)
			if len(text) == 0 {
				count.same++
				continue
			}
			count.updated++
			if replaces {
				count.replaced++
			}
			out = append(out, text...)
			continue
		}
		count.created++
		out = append(out, whole(&news[i], diff.MarkAdd, f)...)
	}
	for i := range olds {
		if !matched[i] {
			count.deleted++
			out = append(out, whole(&olds[i], diff.MarkDelete, f)...)
		}
	}
	different := len(out) > 0
	out = append(out, count.String()...)
	if _, err := inv.out.Write(out); err != nil {
		return 0, err
	}
	if different {
		return exitDifferent, nil
	}
	return exitSame, nil
}

// collect reads all resources.
func collect(in *input) ([]state.Resource, error) {
	var all []state.Resource
	for r, err := range in.stack.Resources() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// noteStacks notes what was rounded in the resources of two stacks.
func (f *diffFlags) noteStacks(before, after string, olds, news []state.Resource, partners []int) {
	note := func(file string, r, other *state.Resource) {
		f.notes = append(f.notes, roundedNotes(file+": "+r.URN+": inputs", &r.InputsReport, other.Inputs)...)
		f.notes = append(f.notes, roundedNotes(file+": "+r.URN+": outputs", &r.OutputsReport, other.Outputs)...)
	}
	none := &state.Resource{}
	became := make([]*state.Resource, len(olds))
	for i, o := range partners {
		if o >= 0 {
			became[o] = &news[i]
		}
	}
	for i := range olds {
		note(before, &olds[i], cmp.Or(became[i], none))
	}
	for i, o := range partners {
		was := none
		if o >= 0 {
			was = &olds[o]
		}
		note(after, &news[i], was)
	}
}

// match returns, for each new resource, the index of its old one or -1. Live
// resources find each other by URN alone, so that a replaced one is shown as an
// update of its properties; those that wait for deletion also need the ID.
func match(olds, news []state.Resource) []int {
	at := make(map[identity][]int, len(olds))
	for i := range olds {
		k := identify(&olds[i])
		at[k] = append(at[k], i)
	}
	partners := make([]int, len(news))
	for i := range news {
		partners[i] = -1
		k := identify(&news[i])
		if found := at[k]; len(found) > 0 {
			partners[i], at[k] = found[0], found[1:]
		}
	}
	return partners
}

func identify(r *state.Resource) identity {
	if r.Delete {
		return identity{r.URN, true, r.ID}
	}
	return identity{urn: r.URN}
}

// facts are what a state says of a resource beside its properties.
func facts(r *state.Resource) value.Value {
	text := func(key, s string) value.Member {
		return value.Member{Key: key, Value: value.String(s)}
	}
	flag := func(key string, b bool) value.Member {
		return value.Member{Key: key, Value: value.Bool(b)}
	}
	list := func(key string, ss []string) value.Member {
		vs := make([]value.Value, len(ss))
		for i, s := range ss {
			vs[i] = value.String(s)
		}
		return value.Member{Key: key, Value: value.Array(vs...)}
	}
	byProperty := make(map[string]value.Value, len(r.PropertyDependencies))
	for property, urns := range r.PropertyDependencies {
		byProperty[property] = list("", urns).Value
	}
	return value.Object(
		value.Member{Key: "propertyDependencies", Value: value.ObjectFromMap(byProperty)},
		text("type", r.Type), text("id", r.ID), text("parent", r.Parent), text("provider", r.Provider),
		flag("custom", r.Custom), flag("delete", r.Delete), flag("external", r.External), flag("protect", r.Protect),
		list("dependencies", r.Dependencies), list("initErrors", r.InitErrors), list("aliases", r.Aliases),
	)
}

// section is one of the bags of a resource.
type section struct {
	name                 string
	old, now             value.Value
	oldReport, nowReport *codec.Report
}

// resourceDiff is the text of what changed in one resource, or nothing, and
// whether that replaces the resource.
func resourceDiff(old, now *state.Resource, f *diffFlags) (text []byte, replaces bool) {
	var body []byte
	for _, s := range []section{
		{"state", facts(old), facts(now), &codec.Report{}, &codec.Report{}},
		{"inputs", old.Inputs, now.Inputs, &old.InputsReport, &now.InputsReport},
		{"outputs", old.Outputs, now.Outputs, &old.OutputsReport, &now.OutputsReport},
	} {
		o := f.text(2)
		d := diff.Between(s.old, s.now, diff.Options{})
		if s.name != "state" {
			d = f.between(s.old, s.now, value.Strict)
		}
		exact := f.exact(d, s.old, s.now, s.oldReport, s.nowReport)
		if s.name == "inputs" {
			o.ReplaceOn = f.replaceOn
			replaces = f.forces(exact.Diff)
		}
		text := exact.appendText(diff.AppendText(nil, d, o), o)
		if len(text) > 0 {
			body = append(body, "    "+s.name+":\n"...)
			body = append(body, text...)
		}
	}
	if len(body) == 0 {
		return nil, false
	}
	mark := diff.MarkUpdate
	if replaces {
		mark = diff.MarkReplace
	}
	return append(header(now, mark, f.colour), body...), replaces
}

// header names a resource: its type, its name, then the whole URN.
func header(r *state.Resource, mark diff.Mark, colour diff.Colour) []byte {
	name := r.URN
	if u, err := urn.Parse(r.URN); err == nil {
		name = u.Name()
	}
	suffix := ""
	if r.Delete {
		suffix = " (waits for deletion)"
	}
	line := diff.Line{Mark: mark, Fold: diff.FoldOpen, Spans: []diff.Span{
		{Text: plain(r.Type) + " " + value.String(name).String() + suffix, Style: diff.StyleKey},
	}}
	return fmt.Appendf(line.AppendText(nil, colour), "\n    [urn=%s]\n", plain(r.URN))
}

// plain makes a text safe for a terminal; the types and URNs of real stacks
// come out as they are.
func plain(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return s
	}
	return value.String(s).String()
}

// whole is the text of a resource that was created or deleted: its inputs, or
// its outputs when it has no inputs.
func whole(r *state.Resource, mark diff.Mark, f *diffFlags) []byte {
	text := header(r, mark, f.colour)
	bag, name := r.Inputs, "inputs"
	if bag.Len() == 0 {
		bag, name = r.Outputs, "outputs"
	}
	if bag.Len() == 0 {
		return text
	}
	none, all := value.Object(), bag
	if mark == diff.MarkDelete {
		none, all = all, none
	}
	text = append(text, "    "+name+":\n"...)
	return diff.AppendText(text, diff.Between(none, all, diff.Options{}), f.text(2))
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
