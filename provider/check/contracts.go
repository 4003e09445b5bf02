package check

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Violation is a place where a call breaks the contract of the protocol. It holds no
// values.
type Violation struct {
	Severity value.Severity
	Message  string     // "CreateRequest"
	Field    string     // "properties"
	At       path.Shown // where in the properties
	What     string     // "unknown", "secret", "resource reference", "ID changed", …: what is wrong, in a word or two
	Why      string     // the rule, in a few words
}

// String returns one line such as `breach: CreateRequest.properties: tags.env: unknown:
// not allowed outside preview`.
func (v Violation) String() string {
	text := v.Severity.String() + ": " + v.Message + "." + v.Field
	if at := v.At.String(); at != "" {
		text += ": " + at
	}
	return text + ": " + v.What + ": " + v.Why
}

// Violations returns every violation of the protocol's contract in a call. They are in
// the order of the fields and, within a field, of [value.Value.Walk]. Either message
// may be nil; rules that need both are then not checked. Messages without a rule, such
// as Call, whose methods may carry anything, have no violations.
//
// These are the rules, with the contract of package value that each bag is checked
// against:
//
//   - Old inputs and old state, of old views too, contain no unknowns
//     ([value.StoredContents]).
//   - The arguments of a function contain no unknowns outside preview; its results
//     never contain any. Secrets and resource references in either are notes
//     ([value.ArgumentContents], [value.PreviewArguments], [value.ResultContents]).
//     Calls that a component makes do not say whether they are in a preview; they are
//     checked as if they were.
//   - Outside preview, Create and Update receive no unknowns and return none, including
//     in [rpc.ErrorResourceInitFailed] ([value.SettledContents]).
//   - Check returns inputs unless it reports failures, and returns unknowns only if it
//     received some. It returns what the program sent: a secret as a secret. A missing
//     input, or one of another kind, is a note. The property of a failure is a path. If
//     it names an input that is or contains a secret, which engines print, that is a
//     note (see [rpc.CheckFailureAt]). A random seed has 32 bytes.
//   - Outside preview, Create returns an ID, even if it failed half way.
//   - Update does not change the ID, where its response has one.
//   - Read returns no unknowns ([value.StoredContents]), and returns inputs if it
//     received none, as on import. Inputs that have no name in common with those
//     received are a note, as are contents without an ID.
//   - A timeout is not negative.
//
// An unknown ID in a resource reference does not count as an unknown here.
func Violations(request, response rpc.Message) []Violation {
	var found contracts
	r := valid(response)
	switch m := valid(request).(type) {
	case *rpc.CheckRequest:
		found.check(m, r)
	case *rpc.DiffRequest:
		found.add(m, "olds", m.Olds, value.StoredContents)
		found.add(m, "old_inputs", m.OldInputs, value.StoredContents)
	case *rpc.CreateRequest:
		found.create(m, r)
	case *rpc.ReadRequest:
		found.read(m, r)
	case *rpc.UpdateRequest:
		found.update(m, r)
	case *rpc.DeleteRequest:
		found.timeout(m, m.Timeout)
		found.add(m, "properties", m.Properties, value.StoredContents)
		found.add(m, "old_inputs", m.OldInputs, value.StoredContents)
		found.views(m, m.OldViews)
	case *rpc.InvokeRequest:
		if m.Preview {
			found.add(m, "args", m.Args, value.PreviewArguments)
		} else {
			found.add(m, "args", m.Args, value.ArgumentContents)
		}
	case *rpc.ResourceInvokeRequest:
		found.add(m, "args", m.Args, value.PreviewArguments)
	}
	switch r := r.(type) {
	case *rpc.InvokeResponse:
		found.failures(r, r.Failures)
		found.add(r, "return", r.Return, value.ResultContents)
	case *rpc.ResourceInvokeResponse:
		found.add(r, "return", r.Return, value.ResultContents)
	}
	return found
}

// valid is the message, or nil if there is none.
func valid(m rpc.Message) rpc.Message {
	if rpc.Name(m) == "" {
		return nil
	}
	return m
}

// messageName is the name of a message without its package.
func messageName(m rpc.Message) string {
	name := rpc.Name(m)

	return name[strings.LastIndexByte(name, '.')+1:]
}

type contracts []Violation

// add finds where properties do not keep a contract.
func (c *contracts) add(m rpc.Message, field string, v value.Value, contract value.Contract) {
	for found := range contract.Violations(v) {
		*c = append(*c, Violation{
			Severity: found.Severity, Message: messageName(m), Field: field,
			At: found.At, What: found.What, Why: found.Why,
		})
	}
}

func (c *contracts) views(m rpc.Message, views []rpc.View) {
	for i, v := range views {
		field := "old_views[" + strconv.Itoa(i) + "]."
		c.add(m, field+"inputs", v.Inputs, value.StoredContents)
		c.add(m, field+"outputs", v.Outputs, value.StoredContents)
	}
}

// returned looks at what Create or Update gave outside preview, in full or in
// part.
func (c *contracts) returned(response rpc.Message) {
	switch r := response.(type) {
	case *rpc.CreateResponse:
		c.add(r, "properties", r.Properties, value.SettledContents)
	case *rpc.UpdateResponse:
		c.add(r, "properties", r.Properties, value.SettledContents)
	case *rpc.ErrorResourceInitFailed:
		c.add(r, "properties", r.Properties, value.SettledContents)
		c.add(r, "inputs", r.Inputs, value.SettledContents)
	}
}

func (c *contracts) create(m *rpc.CreateRequest, response rpc.Message) {
	c.timeout(m, m.Timeout)
	if m.Preview {
		return
	}
	c.add(m, "properties", m.Properties, value.SettledContents)
	c.returned(response)
	const missing, why = "ID missing", "a created resource has one, and engines fail without it"
	switch r := response.(type) {
	case *rpc.CreateResponse:
		if r.ID == "" {
			c.say(value.Breach, r, "id", missing, why)
		}
	case *rpc.ErrorResourceInitFailed:
		if r.ID == "" {
			c.say(value.Breach, r, "id", missing, why)
		}
	}
}

// read judges a call of Read: what it returns is old in the next call.
func (c *contracts) read(m *rpc.ReadRequest, response rpc.Message) {
	c.timeout(m, m.Timeout)
	c.add(m, "properties", m.Properties, value.StoredContents)
	c.add(m, "inputs", m.Inputs, value.StoredContents)
	c.views(m, m.OldViews)
	r, ok := response.(*rpc.ReadResponse)
	if !ok {
		return
	}
	c.add(r, "properties", r.Properties, value.StoredContents)
	c.add(r, "inputs", r.Inputs, value.StoredContents)
	switch {
	case r.ID == "":
		if !protocol.Nothing(r.Properties) && r.Properties.Len() > 0 || !protocol.Nothing(r.Inputs) && r.Inputs.Len() > 0 {
			c.say(value.Note, r, "id", "contents without ID", "an empty ID means that the resource does not exist")
		}
	case protocol.Nothing(m.Inputs) && protocol.Nothing(r.Inputs):
		c.say(value.Breach, r, "inputs", "inputs missing", "an import takes the inputs from this response")
	case m.Inputs.Len() > 0 && !shareName(m.Inputs, r.Inputs):
		c.say(value.Note, r, "inputs", "inputs lost", "none of the known inputs is returned")
	}
}

// shareName reports whether two objects have a name in common.
func shareName(a, b value.Value) bool {
	for name := range a.Members() {
		if _, ok := b.Lookup(name); ok {
			return true
		}
	}
	return false
}

func (c *contracts) update(m *rpc.UpdateRequest, response rpc.Message) {
	c.timeout(m, m.Timeout)
	c.add(m, "olds", m.Olds, value.StoredContents)
	if !m.Preview {
		c.add(m, "news", m.News, value.SettledContents)
	}
	c.add(m, "old_inputs", m.OldInputs, value.StoredContents)
	c.views(m, m.OldViews)
	if !m.Preview {
		c.returned(response)
	}
	changed := Violation{Severity: value.Breach, What: "ID changed", Why: "an update keeps the ID"}
	switch r := response.(type) {
	case *rpc.UpdateResponse:
		if id, ok := r.Properties.Field("id").AsString(); ok && id != m.ID {
			changed.Message, changed.Field, changed.At = messageName(r), "properties", path.Show(path.Of(path.Key("id")), -1)
			*c = append(*c, changed)
		}
	case *rpc.ErrorResourceInitFailed:
		if r.ID != m.ID {
			changed.Message, changed.Field = messageName(r), "id"
			*c = append(*c, changed)
		}
	}
}

// hasUnknown says whether properties hold an unknown that is not just the ID of a
// reference.
func hasUnknown(v value.Value) bool {
	for range value.StoredContents.Violations(v) {
		return true
	}
	return false
}
