package schema

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// union checks a value by the alternatives of a union.
func (c *checker) union(t *Type, v value.Value) {
	switch a, tag := selected(t, v); tag {
	case oneTag:
		c.value(a, v)
		return
	case unknownTag:
		return
	case wrongTag:
		c.failBelow(t.union.discriminator, "a value that selects one of "+t.String(), "another "+v.Field(t.union.discriminator).Kind().String())
		return
	case noTag:
	}

	candidates := t.candidates(v)
	switch {
	case len(candidates) == 0:
		c.fail(t.String(), v.Kind().String())
	case len(candidates) == 1:
		c.value(candidates[0], v)
	default:
		c.alternatives(t, candidates, v)
	}
}

// candidates returns the alternatives that have values of v's kind. The type next to
// them is one if no other is: SDKs without unions give values of it.
func (t *Type) candidates(v value.Value) []*Type {
	var candidates []*Type
	for _, a := range t.union.alternatives {
		if admits(a, v.Kind()) {
			candidates = append(candidates, a)
		}
	}

	if candidates == nil && t.elem != nil && admits(t.elem, v.Kind()) {
		candidates = append(candidates, t.elem)
	}
	return candidates
}

// alternative returns the alternative that a value is of, or nil if there is none, or
// several might be.
func (c *checker) alternative(t *Type, v value.Value) *Type {
	if a, tag := selected(t, v); a != nil || tag != noTag {
		return a
	}
	candidates := t.candidates(v)
	if len(candidates) == 1 {
		return candidates[0]
	}
	if c.trial == nil {
		c.trial = &trial{inner: 1} // reasons are not asked for
	}
	for _, a := range candidates {
		if _, fits := c.try(a, v); fits {
			return a
		}
	}

	return nil
}

// tag is what the discriminator of a union says.
type tag uint8

const (
	noTag      tag = iota // nothing
	oneTag                // which alternative
	wrongTag              // nothing that there is
	unknownTag            // what is not known yet
)

// selected returns the alternative that the discriminator of a value selects.
func selected(t *Type, v value.Value) (*Type, tag) {
	if t.union.discriminator == "" || v.Kind() != value.KindObject {
		return nil, noTag
	}
	member := v.Field(t.union.discriminator)
	if member.IsUnknown() || isSealed(member) {
		return nil, unknownTag
	}

	text, ok := tagText(member)
	if !ok {
		return nil, noTag
	}
	if a := t.union.tags[text]; a != nil {
		return a, oneTag
	}
	if len(t.union.mapping) > 0 {
		return nil, wrongTag
	}
	return nil, noTag
}

// alternatives checks that one of several alternatives of a value's kind fits.
func (c *checker) alternatives(t *Type, candidates []*Type, v value.Value) {
	found := v.Kind().String() + " that is none of them"
	if c.trial != nil {
		c.trial.inner++
		_, fits := c.tryAll(candidates, v)
		c.trial.inner--
		if !fits {
			c.fail(t.String(), found)
		}
		return
	}

	c.trial = &trial{depth: len(c.At)}
	reasons, fits := c.tryAll(candidates, v)
	c.trial = nil
	if !fits {
		c.fail(t.String(), found+" ("+texts(reasons, len(candidates))+")")
	}
}

// reason is why an alternative does not fit.
type reason struct {
	t    *Type
	text string
}

// tryAll reports whether an alternative fits, and if none does, why not the first ones.
func (c *checker) tryAll(candidates []*Type, v value.Value) (reasons []reason, fits bool) {
	defer func(inner int) { c.trial.inner = inner }(c.trial.inner)

	for i, a := range candidates {
		if i == mostReasons { // more are not asked for
			c.trial.inner++
		}
		text, fits := c.try(a, v)
		if fits {
			return nil, true
		}
		if i < mostReasons {
			reasons = append(reasons, reason{a, text})
		}
	}
	return reasons, false
}

// texts returns why the first of so many alternatives do not fit. What is the same of
// several in a row is said once.
func texts(reasons []reason, alternatives int) string {
	var b strings.Builder
	for i, r := range reasons {
		switch {
		case i == 0:
		case r.text == reasons[i-1].text:
			b.WriteString(" and ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(r.t.String())
		if last := i == len(reasons)-1; last || r.text != reasons[i+1].text {
			b.WriteString(": " + r.text)
		}
	}

	if more := alternatives - len(reasons); more > 0 {
		b.WriteString("; and " + strconv.Itoa(more) + " more")
	}
	return b.String()
}

// mostReasons is of how many alternatives a text says why they do not fit.
const mostReasons = 4

// trial is the state of trying the alternatives of a union, outside of which there is no
// other. Alternatives in alternatives would make the time exponential; what was found out
// about a part of the value and a type is kept.
type trial struct {
	depth  int // of the union
	inner  int // how many unions there are between it and the one that is tried, or more
	failed bool
	reason string // why the alternative does not fit
	part   int    // which part of the value is checked, by its number
	parts  map[child]int
	known  map[question]bool
}

// child is a child of a part of a value.
type child struct {
	of   int
	step path.Step
}

// question is whether a part of a value fits a type.
type question struct {
	part int
	t    *Type
}

// enter goes to a child of the part that is checked, and returns how to leave it.
func (t *trial) enter(step path.Step) (leave func()) {
	up := t.part
	here := child{up, step}
	if t.parts[here] == 0 {
		if t.parts == nil {
			t.parts = map[child]int{}
		}
		t.parts[here] = len(t.parts) + 1
	}

	t.part = t.parts[here]
	return func() { t.part = up }
}

// fail ends the trial of an alternative.
func (t *trial) fail(c *checker, want, found string) {
	if t.failed {
		return
	}
	t.failed = true
	if t.inner > 0 {
		return // only the outermost union says why
	}

	if visible := c.outermostSecret - t.depth; c.outermostSecret < 0 || visible >= 0 {
		t.reason = strings.TrimPrefix(scan.Reason(nil, want, found), ": ")
		if at := path.Of(c.At[t.depth:]...); !at.IsRoot() {
			t.reason = scan.Line(path.Show(at, max(visible, -1)).String()) + ": " + t.reason
		}
		return
	}
	t.reason = "inside a secret"
}

// try reports whether a value fits a type, and if not, why.
func (c *checker) try(t *Type, v value.Value) (reason string, fits bool) {
	q := question{c.trial.part, t}
	if fits, asked := c.trial.known[q]; asked {
		return "", fits
	}

	failed, because := c.trial.failed, c.trial.reason
	c.trial.failed, c.trial.reason = false, ""
	c.value(t, v)
	reason, fits = c.trial.reason, !c.trial.failed
	c.trial.failed, c.trial.reason = failed, because
	if c.trial.known == nil {
		c.trial.known = map[question]bool{}
	}
	c.trial.known[q] = fits
	return reason, fits
}
