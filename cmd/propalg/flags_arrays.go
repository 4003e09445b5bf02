package main

import (
	"errors"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// comparing is how the values of two files are compared.
type comparing struct {
	arrays *choice
	rules  arrayRules
	ignore patterns
}

// flags adds the flags that say so.
func (c *comparing) flags(inv *invocation) {
	c.arrays = newChoice("positional", "aligned", "set")
	inv.flags.Var(c.arrays, "arrays", "`how` the elements of arrays are matched: positional, aligned or set")
	inv.flags.Var(&c.rules, "array", "`pattern=how` the elements of some arrays are matched: aligned, set, positional, or by a key as in rules=keyed:name (repeatable)")
	inv.flags.Var(&c.ignore, "ignore", "`pattern`, in Pulumi's dialect, of properties whose changes are left out (repeatable)")
}

// isPlain reports whether nothing was said about how arrays are compared.
func (c *comparing) isPlain() bool { return c.arrays.value == "positional" && len(c.rules.list) == 0 }

// options returns the options for comparing values.
func (c *comparing) options(r value.Relation) diff.Options {
	o := diff.Options{Relation: r, ArrayRules: c.rules.list}
	o.Arrays, _ = matchOf(c.arrays.value) // one of the choices

	return o
}

// between compares two values, without the changes that are to be ignored.
func (c *comparing) between(old, now value.Value, r value.Relation) diff.Diff {
	d := diff.Between(old, now, c.options(r))
	if len(c.ignore.list) > 0 {
		d, _ = diff.Split(d, c.ignore.set())
	}

	return d
}

// matchOf is the way of matching elements that a name stands for.
func matchOf(name string) (diff.Match, error) {
	switch key, keyed := strings.CutPrefix(name, "keyed:"); {
	case keyed:
		p, err := path.ParsePulumi(key)
		if err == nil && p.IsRoot() {
			err = errors.New("keyed: wants a property, as in keyed:name")
		}
		return diff.Keyed(p), err
	case name == "positional":
		return diff.Positional(), nil
	case name == "aligned":
		return diff.Aligned(), nil
	case name == "set":
		return diff.Set(), nil
	}
	return diff.Match{}, errors.New("wants pattern=positional, =aligned, =set or =keyed:name")
}

// arrayRules is a repeatable flag of patterns of arrays, and how their elements
// are matched.
type arrayRules struct{ list []diff.ArrayRule }

// String returns the rules, joined by commas.
func (a *arrayRules) String() string {
	texts := make([]string, 0, len(a.list))
	for _, r := range a.list {
		texts = append(texts, r.Pattern.String()+"="+r.Match.String())
	}
	return strings.Join(texts, ", ")
}

// Set adds a rule.
func (a *arrayRules) Set(text string) error {
	cut := strings.LastIndex(text, "=keyed:")
	if cut < 0 {
		cut = strings.LastIndexByte(text, '=')
	}
	if cut < 0 {
		_, err := matchOf("")
		return err
	}
	pattern, err := path.ParsePulumiPattern(text[:cut])
	if err != nil {
		return err
	}
	if pattern.IsRoot() {
		return errors.New("an empty pattern names no array of a bag")
	}
	how, err := matchOf(text[cut+1:])
	if err != nil {
		return err
	}
	a.list = append(a.list, diff.ArrayRule{Pattern: pattern, Match: how})
	return nil
}
