package rpc

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Severity says how bad a violation is.
type Severity uint8

// The severities.
const (
	Note   Severity = iota // the guide for providers forbids it, and engines do it
	Breach                 // one side breaks the contract
)

// String returns "note" or "breach".
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Breach:
		return "breach"
	}
	return "invalid severity"
}

// Violation is one place where a call breaks the contract of the protocol.
type Violation struct {
	Severity Severity
	Message  string     // "CreateRequest"
	Field    string     // "properties"
	At       path.Shown // where in the properties
	What     string     // "unknown", "secret", "resource reference" or "ID changed"
	Why      string     // the rule, in a few words
}

// String returns one line without a payload, such as
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
// such as Call, whose methods may carry anything.
//
//   - Old inputs and old state hold no unknown.
//   - The arguments of a function hold none outside preview, its results never.
//     Secrets and resource references in either are notes.
//   - Create and Update get no unknown outside preview, and then return none.
//   - Check returns unknowns only if it got some.
//   - Update does not change the ID, as far as the state has one.
//
// An unknown ID in a resource reference is no unknown here.
func Violations(request, response Message) []Violation {
	const (
		old      = "none in what is old"
		outside  = "none outside preview"
		preview  = "none when the request had none"
		answered = "none in results"
	)
	var found contracts
	switch m := valid(request).(type) {
	case *CheckRequest:
		found.unknowns(m, "olds", m.Olds, old)
		if r, ok := valid(response).(*CheckResponse); ok && !hasUnknown(m.News) && !hasUnknown(m.Olds) {
			found.unknowns(r, "inputs", r.Inputs, preview)
		}
	case *DiffRequest:
		found.unknowns(m, "olds", m.Olds, old)
		found.unknowns(m, "old_inputs", m.OldInputs, old)
	case *CreateRequest:
		if !m.Preview {
			found.unknowns(m, "properties", m.Properties, outside)
			if r, ok := valid(response).(*CreateResponse); ok {
				found.unknowns(r, "properties", r.Properties, outside)
			}
		}
	case *ReadRequest:
		found.unknowns(m, "properties", m.Properties, old)
		found.unknowns(m, "inputs", m.Inputs, old)
	case *UpdateRequest:
		found.update(m, valid(response), old, outside)
	case *DeleteRequest:
		found.unknowns(m, "properties", m.Properties, old)
		found.unknowns(m, "old_inputs", m.OldInputs, old)
	case *InvokeRequest:
		if !m.Preview {
			found.unknowns(m, "args", m.Args, outside)
		}
		found.notes(m, "args", m.Args)
	}
	if r, ok := valid(response).(*InvokeResponse); ok {
		found.unknowns(r, "return", r.Return, answered)
		found.notes(r, "return", r.Return)
	}
	return found
}

// valid is the message, or nil if there is none.
func valid(m Message) Message {
	if !present(m) {
		return nil
	}
	return m
}

type contracts []Violation

func (c *contracts) update(m *UpdateRequest, response Message, old, outside string) {
	c.unknowns(m, "olds", m.Olds, old)
	if !m.Preview {
		c.unknowns(m, "news", m.News, outside)
	}
	c.unknowns(m, "old_inputs", m.OldInputs, old)
	r, ok := response.(*UpdateResponse)
	if !ok {
		return
	}
	if !m.Preview {
		c.unknowns(r, "properties", r.Properties, outside)
	}
	id := path.Of(path.Key("id"))
	if after, ok := r.Properties.Field("id").AsString(); ok && after != m.ID {
		*c = append(*c, Violation{
			Severity: Breach, Message: shortName(r), Field: "properties", At: path.Show(id, -1),
			What: "ID changed", Why: "an update keeps it",
		})
	}
}

// unknowns finds every unknown in properties.
func (c *contracts) unknowns(m Message, field string, v value.Value, why string) {
	if !v.ContainsUnknown() {
		return
	}
	c.each(m, field, v, Breach, why, func(k value.Kind, _ bool) string {
		if k == value.KindUnknown {
			return "unknown"
		}
		return ""
	})
}

// notes finds the secrets, but for those below others, and the references.
func (c *contracts) notes(m Message, field string, v value.Value) {
	c.each(m, field, v, Note, "the guide forbids it", func(k value.Kind, isSecret bool) string {
		switch {
		case isSecret:
			return "secret"
		case k == value.KindResourceReference:
			return "resource reference"
		}
		return ""
	})
}

// each walks properties and keeps what look has a word for. It does not go on
// below a secret that it kept.
func (c *contracts) each(m Message, field string, v value.Value, s Severity, why string, look func(k value.Kind, isSecret bool) string) {
	for at := range v.Walk() {
		part := at.Value()
		what := look(part.Kind(), part.IsSecret())
		if what == "" {
			continue
		}
		*c = append(*c, Violation{Severity: s, Message: shortName(m), Field: field, At: at.Shown(), What: what, Why: why})
		if what == "secret" {
			at.SkipBelow()
		}
	}
}

// hasUnknown says whether properties hold an unknown that is not just the ID of a
// reference.
func hasUnknown(v value.Value) bool {
	if !v.ContainsUnknown() {
		return false
	}
	for at := range v.Walk() {
		if at.Value().Kind() == value.KindUnknown {
			return true
		}
	}
	return false
}
