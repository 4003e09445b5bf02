package check

import (
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// keepsSecrets checks that what was sent as a secret is not returned in clear: the same
// content at the same place. Of several bags that were sent, the first that has a property
// counts. What is no input may be a secret because a program names it in
// additionalSecretOutputs: providers do not know of these, and engines mark them again.
func (c *findings) keepsSecrets(m rpc.Message, field string, returned, inputs value.Value, sent ...value.Value) {
	for i, bag := range sent {
		if !bag.ContainsSecret() {
			continue
		}

		list := reporter{findings: c, message: m, field: field}
		backs := beside{returned}
		for at := range bag.Walk() {
			list.enter(at)
			back := backs.enter(at)
			if at.Depth() == 1 && inAny(sent[:i], list.top) {
				at.SkipBelow()
				continue
			}
			if !at.Value().IsSecret() || at.Depth() == 0 {
				continue
			}

			at.SkipBelow()
			if back.ContainsSecret() || protocol.Nothing(back) || !contents.Equal(at.Value(), back) {
				continue
			}
			if list.secretLost(at, back) && !inAny([]value.Value{inputs}, list.top) {
				(*c)[len(*c)-1].Severity = SeverityWarning
			}
		}
	}
}

// secretLost adds that a secret is returned in clear, or as an unknown without the mark, and
// reports whether it did.
func (l *reporter) secretLost(at *value.Cursor, back value.Value) bool {
	if !l.add(at, "secret-lost") {
		return false
	}
	if back.IsUnknown() {
		(*l.findings)[len(*l.findings)-1].Advice = "secret lost (what was sent as a secret is returned as an unknown that is none); mark the unknown as a secret too, else what it turns out to be may be shown"
	}

	return true
}

func inAny(bags []value.Value, step path.Step) bool {
	name, _ := step.AsKey()
	for _, bag := range bags {
		if _, there := bag.Lookup(name); there {
			return true
		}
	}

	return false
}

// shortestSecret is how long a secret text is at least that an ID or a reason may not
// contain: shorter ones are contained by chance. Package fuzz has bounds of its own, for states
// (leastDerived) and for errors (leastTold).
const shortestSecret = 6

// shows reports whether a text contains the text of a secret.
func shows(text string, bags ...value.Value) bool {
	for _, bag := range bags {
		if !bag.ContainsSecret() {
			continue
		}
		for at := range bag.Walk() {
			secret, ok := at.Value().AsString()
			if ok && at.Value().IsSecret() && len(secret) >= shortestSecret && strings.Contains(text, secret) {
				return true
			}
		}
	}

	return false
}
