package fuzz

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// tried is what all tries of a run have in common. Its methods do nothing for nil, outside
// of runs.
type tried struct {
	some      bool           // a response was judged
	unmatched []path.Pattern // patterns that have matched nothing so far
	tries     int
	created   int           // tries in which Create made a resource
	reached   int           // tries in which Diff answered
	refusals  []string      // the first different ones
	kept      []value.Value // some inputs that Check returned

	properties map[string]*property // by name
}

// leastReached is the number of tries of which one has to reach Diff. It is far from what
// happens by chance: if Check accepts half of the inputs, one try in four reaches Diff, and
// of 100 tries, fewer than five once in fifty million runs.
const leastReached = 20

// At most mostKept resources are worked on at the same time.
const mostKept = 8

// At most mostRefusals refusals are shown, with as many places each.
const mostRefusals = 3

func (p Provider) tryAll(t testing.TB) *tried {
	t.Helper()
	p.tried = &tried{properties: map[string]*property{}}
	rapid.Check(t, p.Law)
	return p.tried
}

func (a *tried) begin() {
	if a != nil {
		a.tries++
	}
}

func (a *tried) reach() {
	if a != nil {
		a.reached++
	}
}

// create counts a try in which Create made a resource. One may be replaced.
func (a *tried) create() {
	if a != nil {
		a.created++
	}
}

// keep keeps inputs for resources that are worked on at the same time.
func (a *tried) keep(inputs value.Value) {
	if a != nil && len(a.kept) < mostKept && !slices.ContainsFunc(a.kept, inputs.Equal) {
		a.kept = append(a.kept, inputs)
	}
}

// refuse keeps the first refusals.
func (a *tried) refuse(refusal string) {
	if a != nil && len(a.refusals) < mostRefusals && !slices.Contains(a.refusals, refusal) {
		a.refusals = append(a.refusals, refusal)
	}
}

// match notes which patterns have matched nothing so far.
func (a *tried) match(o *provider.Differ, sides provider.Sides) {
	if a == nil {
		return
	}

	unmatched := o.Unmatched(sides)
	if a.some {
		unmatched = slices.DeleteFunc(a.unmatched, func(q path.Pattern) bool { return !slices.ContainsFunc(unmatched, q.Equal) })
	}
	a.some, a.unmatched = true, unmatched
}

// tooFew returns what to say if a method was hardly tested.
func (a *tried) tooFew(p Provider) string {
	what, reached := "reached Diff", a.reached
	few := a.created*leastReached < a.tries
	switch {
	case p.Create != nil && few:
		what, reached = "made a resource", a.created
	case p.Diff == nil || a.reached*leastReached >= a.tries:
		return ""
	}

	return fmt.Sprintf("%d of %d tries %s, so that little was tested; before that: %s. "+
		"Set Inputs to a generator of inputs that Check and Create accept; if they refuse secrets or unknowns, set NoSecrets or NoUnknowns of Options",
		reached, a.tries, what, strings.Join(a.refusals, "; "))
}

// told returns what to say of an error of a method that was given these values. One that
// shows a secret is left out, since this is not a reproduction.
func told(method string, err error, given ...value.Value) string {
	text := err.Error()
	if slices.ContainsFunc(given, func(v value.Value) bool { return showsSecret(text, v) }) {
		return method + " returned an error, which shows a secret"
	}
	return method + " returned the error: " + scan.Line(text)
}

// leastTold is how long a text of a secret is at least that an error may not contain:
// shorter ones are contained by chance.
const leastTold = 4

// showsSecret reports whether a text contains a text, a number or a key of a secret.
func showsSecret(text string, v value.Value) bool {
	for _, place := range trees.Places(v) {
		if !place.BelowSecret && !place.Value.IsSecret() {
			continue
		}
		secret, _ := place.Value.AsString()
		if number, ok := place.Value.AsNumber(); ok {
			secret = strconv.FormatFloat(number, 'f', -1, 64)
		}

		key := ""
		if last, ok := place.At.Last(); ok && place.BelowSecret {
			key, _ = last.AsKey()
		}
		for _, hidden := range []string{secret, key} {
			if len(hidden) >= leastTold && (strings.Contains(text, hidden) || strings.Contains(text, strings.Trim(strconv.Quote(hidden), `"`))) {
				return true
			}
		}
	}

	return false
}

// refusedAt returns where Check refused inputs, or "" if it did not. The reasons are left
// out and paths end at the outermost secret, since this is not a reproduction.
func refusedAt(inputs value.Value, failures []rpc.CheckFailure) string {
	if len(failures) == 0 {
		return ""
	}

	var places []string
	for _, f := range failures[:min(len(failures), mostRefusals)] {
		place := "the root"
		if p, err := path.ParsePulumi(f.Property); err == nil && !p.IsRoot() { // any other was a violation
			place = shown(inputs, p).String()
		}
		places = append(places, place)
	}
	if more := len(failures) - len(places); more > 0 {
		places = append(places, fmt.Sprintf("%d more", more))
	}
	return "Check failed at " + strings.Join(places, ", ")
}

// shown returns a path in a value that ends at the outermost secret, or at the first step
// that the value does not have.
func shown(v value.Value, p path.Path) path.Shown {
	depth := 0
	for step := range p.Steps() {
		if v.IsSecret() {
			return path.Show(p, depth)
		}
		depth++
		var there bool
		if v, there = v.At(path.Of(step)); !there {
			break
		}
	}

	return path.Show(p.Prefix(depth), -1)
}
