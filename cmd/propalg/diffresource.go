package main

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// section is a part of what two resources or deployments are compared by.
type section struct {
	name                 string // "state", "inputs" or "outputs"; empty: of a deployment
	old, now             value.Value
	oldReport, nowReport *codec.Report
	diff                 diff.Diff
	exact                exactly
}

// comparison is what two resources or deployments differ in.
type comparison struct {
	sections []section
	news     news
	leftOut  int // times and source positions that differ
}

// compareResources compares two resources that belong together.
func (f *diffFlags) compareResources(old, now *state.Resource) comparison {
	said, saidReport := facts(old, f.all)
	says, saysReport := facts(now, f.all)
	c := comparison{sections: []section{
		{name: "state", old: said, now: says, oldReport: &saidReport, nowReport: &saysReport},
		{name: "inputs", old: bag(old.Inputs), now: bag(now.Inputs), oldReport: &old.InputsReport, nowReport: &now.InputsReport},
		{name: "outputs", old: bag(old.Outputs), now: bag(now.Outputs), oldReport: &old.OutputsReport, nowReport: &now.OutputsReport},
	}}
	if !f.all {
		c.leftOut = asideChanged(old, now)
	}
	f.compare(&c)
	return c
}

// compareDeployments compares what surrounds the resources of two stacks.
func (f *diffFlags) compareDeployments(old, now *stack) (comparison, error) {
	said, saidReport, err := deploymentFacts(old.document, f.all)
	if err != nil {
		return comparison{}, fmt.Errorf("%s: %w", old.name, err)
	}
	says, saysReport, err := deploymentFacts(now.document, f.all)
	if err != nil {
		return comparison{}, fmt.Errorf("%s: %w", now.name, err)
	}
	c := comparison{sections: []section{{old: said, now: says, oldReport: &saidReport, nowReport: &saysReport}}}
	f.compare(&c)
	return c, nil
}

// compare finds the differences of all sections. Flags are about properties, and
// not about what a state says beyond those.
func (f *diffFlags) compare(c *comparison) {
	for i := range c.sections {
		s := &c.sections[i]
		how := f
		if s.name != "inputs" && s.name != "outputs" {
			how = &diffFlags{comparing: comparing{arrays: newChoice("positional")}}
		}
		s.diff = how.between(s.old, s.now, value.Strict)
		s.exact = how.exact(s.diff, s.old, s.now, s.oldReport, s.nowReport)
		switch {
		case s.diff.Empty() && len(s.exact.hidden) == 0:
		case !f.sealed && len(s.exact.hidden) == 0 && sealedAnew(s.diff):
			c.news = max(c.news, isSealed)
		default:
			c.news = isChanged
		}
	}
}

// sealedAnew reports whether all that a diff has are secrets of which there is
// another ciphertext, as there is of every one each time that an engine saves a
// stack.
func sealedAnew(d diff.Diff) bool {
	for c := range d.Leaves() {
		old, onOld := c.Old()
		now, onNow := c.New()
		if c.Op() != diff.OpUpdate || !onOld || !onNow || old.Kind() != value.KindSealed || now.Kind() != value.KindSealed ||
			c.Verdict() != value.Maybe || c.SecretChanged() || c.DependenciesChanged() {
			return false
		}
	}
	return true
}

// parts are the sections that differ, as lines.
func (c *comparison) parts(f *diffFlags, indent int) (parts []part) {
	for _, s := range c.sections {
		o := f.text(indent)
		switch s.name {
		case "inputs":
			o.ReplaceOn = f.replaceOn
		case "outputs":
		default:
			o.HideDiffs = nil
		}
		if lines := append(slices.Collect(render.Lines(s.diff, o)), s.exact.lines(o)...); len(lines) > 0 {
			parts = append(parts, part{s.name, lines, s.diff.Len() + len(s.exact.hidden)})
		}
	}
	return parts
}
