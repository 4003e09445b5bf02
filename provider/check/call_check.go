package check

import (
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Engines send seedSize bytes of randomness.
const seedSize = 32

func (c *findings) check(m *rpc.CheckRequest, response rpc.Message) {
	c.add(m, "olds", m.Olds, storedContents)
	if n := len(m.RandomSeed.Reveal()); n != 0 && n != seedSize {
		c.say("seed-size", m, "random_seed")
	}

	r, ok := response.(*rpc.CheckResponse)
	if !ok {
		return
	}

	if !protocol.Nothing(m.News) && protocol.Nothing(r.Inputs) && len(r.Failures) == 0 {
		c.inputsMissing(r, "engines fail without them")
	}
	if len(r.Failures) > 0 && !protocol.Nothing(r.Inputs) && r.Inputs.Len() > 0 {
		c.say("inputs-unused", r, "inputs")
	}
	if !m.News.ContainsUnknown() && !m.Olds.ContainsUnknown() {
		c.addBecause(r, "inputs", r.Inputs, settledContents, "not allowed if the request had none")
	}
	// If something failed the inputs are not used, and may be missing.
	if !protocol.Nothing(r.Inputs) && (len(r.Failures) == 0 || r.Inputs.Len() > 0) {
		c.preserved(m, r)
	}
	c.failures(r, r.Failures, m.News, r.Inputs)
	c.autonaming(m, r)
}

// inputsMissing adds that a response has no inputs, and why it needs some.
func (c *findings) inputsMissing(response rpc.Message, why string) {
	c.say("inputs-missing", response, "inputs")
	(*c)[len(*c)-1].because(why)
}

// failures checks the properties that failed checks name.
func (c *findings) failures(m rpc.Message, failures []rpc.CheckFailure, bags ...value.Value) {
	for i, f := range failures {
		field := "failures[" + strconv.Itoa(i) + "].property"
		if _, err := path.ParsePulumi(f.Property); f.Property != "" && err != nil {
			c.say("unreadable-path", m, field)
		}
		if strings.TrimSpace(f.Reason) == "" {
			c.say("reason-missing", m, "failures["+strconv.Itoa(i)+"].reason")
		}
		for _, inputs := range bags {
			if input, _ := inputs.Lookup(f.Property); f.Property != "" && input.ContainsSecret() {
				c.say("secret-shown", m, field)
				break
			}
		}
	}

	if shows(reasons(failures), bags...) {
		c.say("secret-in-reason", m, "failures")
	}
}

// At most mostReasons bytes of reasons are searched for secrets.
const mostReasons = 64 << 10

func reasons(failures []rpc.CheckFailure) string {
	var text strings.Builder
	for _, f := range failures {
		if text.Len()+len(f.Reason) > mostReasons {
			break
		}
		text.WriteString(f.Reason)
		text.WriteByte('\n')
	}

	return text.String()
}

// preserved compares what Check returned with what the program sent. A provider may add
// to it and write it in another way; what the program sent should remain what it is.
func (c *findings) preserved(m *rpc.CheckRequest, r *rpc.CheckResponse) {
	list := reporter{findings: c, message: r, field: "inputs"}
	returned := beside{r.Inputs}
	olds := beside{m.Olds}

	for at := range m.News.Walk() {
		list.enter(at)

		sent, back, old := at.Value(), returned.enter(at), olds.enter(at)
		if step, _ := at.Step(); at.Depth() > 0 && !step.IsKey() {
			old, olds[at.Depth()] = value.Null(), value.Null() // only the provider knows which element is which
		}
		switch {
		case protocol.Nothing(sent): // a null counts as missing
			at.SkipBelow()
		case protocol.Nothing(back):
			list.add(at, "input-dropped")
			at.SkipBelow()
		case sent.IsSecret() && !back.ContainsSecret():
			list.secretLost(at, back)
			at.SkipBelow()
		case sent.IsUnknown() && !back.ContainsUnknown():
			list.add(at, "unknown-lost")
		case sent.IsUnknown(), back.IsUnknown():
			at.SkipBelow()
		case sent.Kind() != back.Kind():
			at.SkipBelow()
			if !isJSONOf(sent, back.Kind()) {
				list.add(at, "kind-changed")
			}
		case sent.Kind() == value.KindArray && sent.Len() != back.Len():
			at.SkipBelow() // only the provider knows which element is which
		case isKept(old, sent, back):
			list.add(at, "input-kept")
		}
	}
}

// beside holds the values of another bag at the place that a walk is at, and above it, by
// depth.
type beside []value.Value

func (b *beside) enter(at *value.Cursor) value.Value {
	depth := at.Depth()
	if depth == 0 {
		return (*b)[0]
	}

	above := (*b)[depth-1]
	step, _ := at.Step()
	var v value.Value
	if key, ok := step.AsKey(); ok {
		v = above.Field(key)
	} else if i, ok := step.AsIndex(); ok {
		v = above.Elem(i)
	}
	*b = append((*b)[:depth], v)
	return v
}

// contents compares values whose marks may differ.
const contents = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies

// isKept reports whether an old value is returned, and not the one that was sent. An empty
// text often means that the provider is to choose.
func isKept(old, sent, back value.Value) bool {
	return isScalar(sent) && !sent.Equal(value.String("")) && contents.Equal(old, back) && !contents.Equal(sent, back)
}

func isScalar(v value.Value) bool {
	return v.Kind() == value.KindBool || v.Kind() == value.KindNumber || v.Kind() == value.KindString
}

// isJSONOf reports whether a value is a text of JSON of another kind, as which
// configuration is sent.
func isJSONOf(v value.Value, kind value.Kind) bool {
	text, ok := v.AsString()
	if !ok {
		return false
	}
	decoded, err := codec.DecodeJSONValue(text, codec.Options{})
	return err == nil && decoded.Kind() == kind
}

func (c *findings) timeout(m rpc.Message, seconds float64) {
	if seconds < 0 || math.IsNaN(seconds) {
		c.say("invalid-duration", m, "timeout")
	}
}

// keepsUnknowns checks that what was sent as an unknown does not come back as something
// known. Elements of arrays may have other places.
func (c *findings) keepsUnknowns(m rpc.Message, field string, returned, sent value.Value) {
	if !sent.ContainsUnknown() {
		return
	}

	list := reporter{findings: c, message: m, field: field}
	backs := beside{returned}
	for at := range sent.Walk() {
		list.enter(at)
		back := backs.enter(at)
		if at.Value().Kind() == value.KindArray || !at.Value().ContainsUnknown() {
			at.SkipBelow()
			continue
		}
		if !at.Value().IsUnknown() {
			continue
		}
		if !back.ContainsUnknown() && !protocol.Nothing(back) {
			list.add(at, "unknown-lost")
		}
	}
}
