package check

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Violation is one place where a call breaks the contract of the protocol. It
// holds no payload.
type Violation struct {
	Severity value.Severity
	Message  string     // "CreateRequest"
	Field    string     // "properties"
	At       path.Shown // where in the properties
	What     string     // "unknown", "secret", "resource reference", "ID changed", …: what is wrong, in a word or two
	Why      string     // the rule, in a few words
}

// String returns one line such as
// `breach: CreateRequest.properties: tags.env: unknown: none outside preview`.
func (v Violation) String() string {
	text := v.Severity.String() + ": " + v.Message + "." + v.Field
	if at := v.At.String(); at != "" {
		text += ": " + at
	}
	return text + ": " + v.What + ": " + v.Why
}

// Violations returns every violation of the contract in a call, in the order of the
// fields and, within one, of [value.Value.Walk]. Either message may be nil, and
// what needs both is then left out; so is what this package knows no rule for,
// such as Call, whose methods may carry anything. The rules, with the contract of
// package value that each bag has to keep:
//
//   - Old inputs and old state, of old views too, hold no unknown
//     ([value.StoredContents]).
//   - The arguments of a function hold none outside preview, its results never;
//     secrets and resource references in either are notes
//     ([value.ArgumentContents], [value.PreviewArguments], [value.ResultContents]).
//     A component's own calls of functions do not say whether there is a preview,
//     and are taken for calls in one.
//   - Create and Update get no unknown outside preview, and then return none, in
//     [rpc.ErrorResourceInitFailed] neither ([value.SettledContents]).
//   - Check returns inputs unless something failed, and unknowns only if it got
//     some. What the program sent comes back: secret if it was secret; as a note,
//     there at all and of the same kind. A failure names a path; that it names an
//     input that is or holds a secret, which engines print, is a note (see
//     [rpc.CheckFailureAt]). A random seed has 32 bytes.
//   - Create returns an ID outside preview, also where it failed half way.
//   - Update does not change the ID, as far as its response has one.
//   - Read returns no unknown ([value.StoredContents]), and inputs if it got none,
//     as for an import. Inputs that have no name in common with those it got, or
//     contents without an ID, are notes.
//   - A timeout is not negative.
//
// An unknown ID in a resource reference is no unknown here.
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
	if rpc.IsNil(m) {
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
	const missing, why = "ID missing", "what was created has one, and engines end without"
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
			c.say(value.Note, r, "id", "contents without ID", "an empty ID says that the resource is gone")
		}
	case protocol.Nothing(m.Inputs) && protocol.Nothing(r.Inputs):
		c.say(value.Breach, r, "inputs", "inputs missing", "an import takes them from here")
	case m.Inputs.Len() > 0 && !shareName(m.Inputs, r.Inputs):
		c.say(value.Note, r, "inputs", "inputs lost", "none of those that are known is in them")
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
	changed := Violation{Severity: value.Breach, What: "ID changed", Why: "an update keeps it"}
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
