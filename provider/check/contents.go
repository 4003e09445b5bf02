package check

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// contract is a rule for what a bag of properties may contain.
type contract uint8

const (
	storedContents   contract = iota // old inputs and old state, also of views
	settledContents                  // what Create and Update receive and return outside preview, and inputs checked for them
	argumentContents                 // arguments of a function outside preview
	previewArguments                 // arguments of a function in preview
	resultContents                   // results of a function, in preview too
)

// forbids returns why a contract allows no unknowns, or "" if it does, and whether the
// guide for providers forbids secrets and references.
func (k contract) forbids() (unknowns string, others bool) {
	switch k {
	case storedContents:
		return "not allowed in old values", false
	case settledContents:
		return "not allowed outside preview", false
	case argumentContents:
		return "not allowed outside preview", true
	case previewArguments:
		return "", true
	case resultContents:
		return "not allowed in results", true
	}

	return "", false
}

// add adds where properties do not keep a contract.
//
// Unknowns below secrets count, and so does a reference with an unknown ID, which an empty
// one is too. Of nested secrets only the outermost counts.
func (c *findings) add(m rpc.Message, field string, v value.Value, k contract) {
	unknowns, _ := k.forbids()
	c.addBecause(m, field, v, k, unknowns)
}

// addBecause is add with the reason why the contract allows no unknowns.
func (c *findings) addBecause(m rpc.Message, field string, v value.Value, k contract, why string) {
	unknowns, others := k.forbids()
	if !others && !v.ContainsUnknown() {
		return
	}

	list := reporter{findings: c, message: m, field: field}
	for at := range v.Walk() {
		list.enter(at)
		if others && at.Value().IsSecret() && list.secret == at.Depth() {
			list.add(at, "secret")
		}
		reference, isReference := at.Value().AsResourceReference()
		if unknowns != "" && (at.Value().IsUnknown() || (isReference && reference.ID.IsUnknown())) {
			list.unknown(at, why)
		}
		if isReference && others {
			list.add(at, "resource-reference")
		}
	}
}

// reporter adds findings about the places of a walk, whose paths it keeps within bounds.
type reporter struct {
	*findings
	message rpc.Message
	field   string

	top    path.Step // the top-level property that the walk is in
	secret int       // the depth of the outermost secret that the walk is in, -1 for none
	size   int       // of the paths so far, in bytes
	named  []string  // the codes that the top-level property was named for
}

func (l *reporter) enter(at *value.Cursor) {
	depth := at.Depth()
	if depth == 0 {
		l.secret = -1
	}
	if depth == 1 {
		l.top, _ = at.Step()
		l.named = l.named[:0]
	}

	if depth <= l.secret {
		l.secret = -1
	}
	if l.secret < 0 && at.Value().IsSecret() {
		l.secret = depth
	}
}

// add adds a finding about a place, and reports whether it did. Past [path.MaxListed]
// bytes the top-level property is named instead, once for each code.
func (l *reporter) add(at *value.Cursor, code string) bool {
	var place path.Shown
	switch {
	case l.size <= path.MaxListed || at.Depth() == 0:
		place = at.Shown()
		l.size += place.RevealPath().Size()
	case slices.Contains(l.named, code):
		return false
	default:
		l.named = append(l.named, code)
		place = path.Show(path.Of(l.top), l.secret)
	}
	l.at(code, l.message, l.field, place)

	return true
}

// unknown adds a finding about an unknown, with the reason why none is allowed.
func (l *reporter) unknown(at *value.Cursor, why string) {
	const sent = "an unknown is sent where the protocol wants a value (%s); look for the response that let it into the state"
	if !l.add(at, "unknown") {
		return
	}

	last := &(*l.findings)[len(*l.findings)-1]
	if side(l.message) == "request" {
		last.Advice = sent
	}
	last.because(why)
}

// because puts the reason of a finding into its advice.
func (f *Finding) because(why string) { f.Advice = strings.Replace(f.Advice, "%s", why, 1) }
