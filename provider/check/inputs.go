package check

import (
	"math"
	"slices"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// seedSize is how many bytes of randomness engines send.
const seedSize = 32

// check judges a call of Check or CheckConfig.
func (c *contracts) check(m *rpc.CheckRequest, response rpc.Message) {
	c.add(m, "olds", m.Olds, value.StoredContents)

	if n := len(m.RandomSeed); n != 0 && n != seedSize {
		c.say(value.Breach, m, "random_seed", "seed size", "a random seed has "+strconv.Itoa(seedSize)+" bytes")
	}

	r, ok := response.(*rpc.CheckResponse)
	if !ok {
		return
	}

	if !protocol.Nothing(m.News) && protocol.Nothing(r.Inputs) && len(r.Failures) == 0 {
		c.say(value.Breach, r, "inputs", "inputs missing", "engines fail without them")
	}

	if !hasUnknown(m.News) && !hasUnknown(m.Olds) {
		before := len(*c)
		c.add(r, "inputs", r.Inputs, value.SettledContents)

		for i := range (*c)[before:] {
			(*c)[before+i].Why = "not allowed if the request had none"
		}
	}

	// Where something failed the inputs are of no use, and may be none.
	if !protocol.Nothing(r.Inputs) && (len(r.Failures) == 0 || r.Inputs.Len() > 0) {
		c.preserved(m, r)
	}

	c.failures(r, r.Failures, m.News, r.Inputs)
}

// failures judges the properties that failed checks name.
func (c *contracts) failures(m rpc.Message, failures []rpc.CheckFailure, bags ...value.Value) {
	for i, f := range failures {
		field := "failures[" + strconv.Itoa(i) + "].property"

		if _, err := path.ParsePulumi(f.Property); f.Property != "" && err != nil {
			c.say(value.Breach, m, field, "unreadable path", "a property is named by a path")
		}

		for _, inputs := range bags {
			if input, _ := inputs.Lookup(f.Property); f.Property != "" && input.ContainsSecret() {
				c.say(value.Note, m, field, "secret shown", "engines print the input that a failure names")
				break
			}
		}
	}
}

// preserved holds what Check returned against what the program sent. A provider
// may add to it and spell it otherwise; the program's own inputs should come back
// as what they are.
func (c *contracts) preserved(m *rpc.CheckRequest, r *rpc.CheckResponse) {
	list := listing{contracts: c, message: r, field: "inputs"}
	returned := []value.Value{r.Inputs} // by depth, above the place that the walk is at

	for at := range m.News.Walk() {
		depth := at.Depth()
		returned = returned[:depth+1]

		if depth > 0 {
			step, _ := at.Step()

			returned[depth] = child(returned[depth-1], step)
		}

		returned = append(returned, value.Value{})
		sent, back := at.Value(), returned[depth]

		switch {
		case protocol.Nothing(sent): // a null is none
			at.SkipBelow()
		case protocol.Nothing(back):
			list.add(at, value.Note, "input dropped", "Check returns what the program sent")
			at.SkipBelow()
		case sent.IsSecret() && !back.ContainsSecret():
			list.add(at, value.Breach, "secret lost", "Check returns the secret marks that were sent")
			at.SkipBelow()
		case sent.IsUnknown(), back.IsUnknown():
			at.SkipBelow()
		case sent.Kind() != back.Kind():
			at.SkipBelow()

			if !isJSONOf(sent, back.Kind()) {
				list.add(at, value.Note, "kind changed", "Check returns what the program sent")
			}
		case sent.Kind() == value.KindArray && sent.Len() != back.Len():
			at.SkipBelow() // which element is which is the provider's to know
		}
	}
}

// child returns what is one step down, or null.
func child(v value.Value, step path.Step) value.Value {
	if key, ok := step.Key(); ok {
		return v.Field(key)
	}

	i, _ := step.Index()
	if i >= v.Len() {
		return value.Null()
	}

	return v.Elem(i)
}

// isJSONOf reports whether a value is a text that can be JSON of another kind, as
// configuration is sent.
func isJSONOf(v value.Value, kind value.Kind) bool {
	text, ok := v.AsString()
	if !ok {
		return false
	}

	decoded, err := codec.DecodeJSON(text, codec.Options{})

	return err == nil && decoded.Kind() == kind
}

// timeout judges a time limit in seconds.
func (c *contracts) timeout(m rpc.Message, seconds float64) {
	if seconds < 0 || math.IsNaN(seconds) {
		c.say(value.Breach, m, "timeout", "invalid duration", "a timeout is 0 or more seconds")
	}
}

// say adds a violation of a field as a whole.
func (c *contracts) say(s value.Severity, m rpc.Message, field, what, why string) {
	*c = append(*c, Violation{Severity: s, Message: messageName(m), Field: field, What: what, Why: why})
}

// listing adds violations with places, whose paths it keeps within bounds.
type listing struct {
	*contracts
	message rpc.Message
	field   string
	size    int
	whole   []string // the rules that the field as a whole was named for
}

// add adds a violation at a place. Past [path.MaxListed] bytes the field alone is
// named, once for each rule.
func (l *listing) add(at *value.Cursor, s value.Severity, what, why string) {
	v := Violation{Severity: s, Message: messageName(l.message), Field: l.field, What: what, Why: why}

	if l.size < path.MaxListed {
		v.At = at.Shown()
		l.size += v.At.RevealPath().Size()
	} else {
		if slices.Contains(l.whole, what) {
			return
		}

		l.whole = append(l.whole, what)
	}

	*l.contracts = append(*l.contracts, v)
}
