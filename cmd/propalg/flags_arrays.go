package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// arrayFlags say how the elements of arrays are matched.
type arrayFlags struct {
	arrays *choice
	rules  arrayRules
}

func (a *arrayFlags) addTo(inv *invocation, ways ...string) {
	a.arrays = newChoice(ways...)
	inv.flags.Var(a.arrays, "arrays", "`how` to match the elements of arrays: "+strings.Join(ways, " or "))
	inv.flags.Func("array", "`pattern=how` to match the elements of some arrays: aligned, set, positional, or by a key as in rules=keyed:name (repeatable)", a.rules.Set)
}

// With autoArrays the comparison chooses a key itself.
const autoArrays = "auto"

// isPlain reports whether all arrays are compared index by index.
func (a *arrayFlags) isPlain() bool { return a.arrays.value == "positional" && len(a.rules.list) == 0 }

// options returns the options for comparing the values of a part.
func (a *arrayFlags) options(part string, r value.Relation) diff.Options {
	o := diff.Options{Relation: r}
	o.ArrayRules, _ = a.rules.in(part)
	if o.Arrays = diff.Auto(); a.arrays.value != autoArrays {
		o.Arrays, _, _ = matchOf(a.arrays.value) // one of the choices
	}
	return o
}

// comparing is how the values of two files are compared.
type comparing struct {
	arrayFlags
	ignore   scoped
	internal bool            // changes of internal names are shown
	hidden   int             // those that were not, of the last diff
	names    *equality.Rules // those of internal names, once they are needed
}

func (c *comparing) addTo(inv *invocation) {
	c.arrayFlags.addTo(inv, autoArrays, "positional", "aligned", "set")
	inv.flags.Lookup("array").Usage += "; of stacks also below inputs or outputs"
	inv.flags.Func("ignore", "`pattern`, in Pulumi's dialect (rules[*].port, tags[\"a.b\"]), of properties whose changes are left out; of stacks also below inputs, outputs or state (repeatable)", c.ignore.Set)
}

// options returns the options for comparing the values of a part. Of an array that moves
// elements an index says little: without --arrays, arrays of which --ignore names an element
// by its index are compared by index.
func (c *comparing) options(part string, r value.Relation) diff.Options {
	o := c.arrayFlags.options(part, r)
	if c.arrays.value != autoArrays || isMetadata(part) {
		return o
	}

	for _, p := range c.ignore.in(part).set.Patterns() {
		var array path.Pattern
		for step := range p.Steps() {
			if _, isIndex := step.AsIndex(); isIndex {
				o.ArrayRules = append(o.ArrayRules, diff.ArrayRule{Pattern: array, Match: diff.Positional()})
			}
			array = array.Append(step)
		}
	}
	return o
}

// between compares two values, without the changes that are to be ignored in a part.
func (c *comparing) between(part string, old, now value.Value, r value.Relation) diff.Diff {
	d := diff.Between(old, now, c.options(part, r))
	c.rules.checkKeys(part, d, old, now)
	return c.without(part, c.withoutInternal(part, d, old, now, r))
}

// withoutInternal returns the diff of two values of a part without the changes of internal
// names, and counts these.
func (c *comparing) withoutInternal(part string, d diff.Diff, old, now value.Value, r value.Relation) diff.Diff {
	c.hidden = 0
	if c.internal || isMetadata(part) || d.Empty() {
		return d
	}
	if c.names == nil {
		c.names = equality.MustRules(equality.Internal()...)
	}
	for _, side := range []value.Value{old, now} {
		for range side.Find(c.names.Patterns()) {
			rest := c.names.Between(old, now, c.options(part, r))
			c.hidden = max(0, d.Len()-rest.Len())
			return rest
		}
	}
	return d
}

// without returns the diff of a part without the changes that are to be ignored, and
// notes which arrays with changes patterns name.
func (c *comparing) without(part string, d diff.Diff) diff.Diff {
	if !isMetadata(part) {
		c.rules.all.in(part).matched(d)
	}
	return c.ignore.in(part).cut(d)
}

// matchOf returns the way of matching elements that has a name, and its key; the root: it
// has none.
func matchOf(name string) (diff.Match, path.Path, error) {
	key, isKeyed := strings.CutPrefix(name, "keyed:")
	switch {
	case isKeyed:
		p, err := path.ParsePulumi(key)
		if err == nil && p.IsRoot() {
			err = errors.New("expected a property after keyed:, as in keyed:name")
		}
		return diff.Keyed(p), p, err
	case name == "positional":
		return diff.Positional(), path.Path{}, nil
	case name == "aligned":
		return diff.Aligned(), path.Path{}, nil
	case name == "set":
		return diff.Unordered(), path.Path{}, nil
	}

	return diff.Match{}, path.Path{}, errors.New("expected pattern=positional, =aligned, =set or =keyed:name")
}

// arrayRules is a repeatable flag of patterns of arrays, and how to match their
// elements.
type arrayRules struct {
	list    []diff.ArrayRule
	all     scoped      // their patterns
	keys    []path.Path // of each rule; the root: it has none
	useless []string    // why the key of a rule distinguishes no elements; empty: it does
}

// in returns the rules for a part, and which of all rules these are. There are none for
// metadata.
func (a *arrayRules) in(part string) (rules []diff.ArrayRule, from []int) {
	if isMetadata(part) {
		return nil, nil
	}

	of := a.all.in(part)
	for i, p := range of.set.Patterns() {
		rules = append(rules, diff.ArrayRule{Pattern: p, Match: a.list[of.from[i]].Match})
	}
	return rules, of.from
}

// checkKeys notes the rules whose key is in no element of an array with changes of a part, is
// an object or array, or is not unique in one.
func (a *arrayRules) checkKeys(part string, d diff.Diff, old, now value.Value) {
	if !slices.ContainsFunc(a.keys, func(key path.Path) bool { return !key.IsRoot() }) {
		return
	}

	rules, from := a.in(part)
	for at, before := range arraysIn(d) {
		i := slices.IndexFunc(rules, func(r diff.ArrayRule) bool { return r.Pattern.Matches(at) })
		if i < 0 || a.keys[from[i]].IsRoot() {
			continue
		}

		x, _ := old.At(before)
		y, _ := now.At(at)
		key := a.keys[from[i]]
		if why := cmp.Or(uselessKey(x, key), uselessKey(y, key)); why != "" {
			a.useless[from[i]] = why
		}
	}
}

// uselessKey says why a key does not distinguish the elements of an array; it is empty if it
// distinguishes some.
func uselessKey(array value.Value, key path.Path) string {
	seen, n, containers := map[[32]byte]bool{}, 0, 0
	for _, element := range array.Elems() {
		v, ok := element.At(key)
		if element.IsSecret() || v.IsSecret() || secretAt(key, element) < key.Len() {
			return "" // nothing is said about what secrets hold
		}
		switch {
		case !ok || v.IsNull():
		case v.Kind().IsContainer():
			containers++
		default:
			n++
			seen[v.DropDependencies().Digest()] = true
		}
	}

	switch {
	case array.Kind() != value.KindArray || array.Len() == 0:
		return ""
	case containers > 0:
		return "elements have an object or array as the key"
	case n == 0:
		return "no element has that key"
	case len(seen) < n:
		return "elements have the same key"
	}

	return ""
}

func (a *arrayRules) names(part string, array path.Path) bool {
	rules, _ := a.in(part)
	return slices.ContainsFunc(rules, func(r diff.ArrayRule) bool { return r.Pattern.Matches(array) })
}

// Set adds a rule.
func (a *arrayRules) Set(text string) error {
	cut := strings.LastIndex(text, "=keyed:")
	if cut < 0 {
		cut = strings.LastIndexByte(text, '=')
	}
	if cut < 0 {
		_, _, err := matchOf("")
		return err
	}
	pattern, err := parsePattern(text[:cut])
	if err != nil {
		return errors.New(plain(err)) // as in patterns.Set
	}
	if pattern.IsRoot() {
		return errors.New("an empty pattern does not match an array of a bag")
	}

	how, key, err := matchOf(text[cut+1:])
	if err != nil {
		return err
	}
	a.keys, a.useless = append(a.keys, key), append(a.useless, "")
	a.list = append(a.list, diff.ArrayRule{Pattern: pattern, Match: how})
	a.all.list = append(a.all.list, pattern)
	return nil
}

const (
	mostNamed  = 4     // arrays that a note names
	mostLooked = 1_000 // arrays that are looked at for it
)

// keyedNote names the arrays with changes whose elements were matched by a key that the
// tool chose.
func (a *arrayFlags) keyedNote(part string, d diff.Diff, old, now value.Value) string {
	if a.arrays.value != autoArrays {
		return ""
	}

	var notes []string
	for at, before := range arraysIn(d) {
		if a.rules.names(part, at) {
			continue
		}
		if note := keyOf(at, before, old, now); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if more := len(notes) - mostNamed; more > 0 {
		notes = append(notes[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(notes, ", ")
}

// arraysIn iterates over the paths above changes, each once: that of the new side and that
// of the old one.
func arraysIn(d diff.Diff) iter.Seq2[path.Path, path.Path] {
	return func(yield func(at, before path.Path) bool) {
		seen := map[path.Path]bool{}
		for c := range d.Changes() {
			if len(seen) > mostLooked {
				return
			}

			at, before := c.NewPath(), c.OldPath()
			for n := range min(c.Shown().Path().Len(), at.Len(), before.Len()) {
				if array := at.Prefix(n); !seen[array] {
					seen[array] = true
					if !yield(array, before.Prefix(n)) {
						return
					}
				}
			}
		}
	}
}

// keyOf says by which key the elements of an array are matched; it is empty if by none.
func keyOf(at, before path.Path, old, now value.Value) string {
	x, _ := old.At(before)
	y, _ := now.At(at)
	if x.Kind() != value.KindArray || y.Kind() != value.KindArray {
		return ""
	}
	key, isKeyed := strings.CutPrefix(diff.Auto().For(x, y).String(), "keyed:")
	if !isKeyed {
		return ""
	}

	var steps []path.Step
	for step := range at.Steps() {
		if !step.IsKey() {
			step = path.Any()
		}
		steps = append(steps, step)
	}
	return printable.Text(path.PatternOf(steps...).String()) + " by " + key
}
