package steps

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Status says how far a step got.
type Status uint8

// How far a step got.
const (
	Planned    Status = iota // in a preview or a plan: it would be done
	Done                     // it was done
	Failed                   // it failed: see the diagnostics with its URN
	Unfinished               // it began, and was interrupted or is not known to have ended
)

// String returns the name of the status in lower case.
func (s Status) String() string {
	return scan.Name(s, "invalid status", []string{Planned: "planned", Done: "done", Failed: "failed", Unfinished: "unfinished"})
}

// Step is one step of an update. It shares memory with the text that it was read from.
type Step struct {
	Op     Op
	Status Status
	URN    string // of New, or of Old where there is no New

	// Old and New are the states before and after the step; nil: there is none, or the text
	// does not have it. If their URNs differ, an alias has renamed the resource. The old
	// state of an import is no state before, and is Imported. Where nothing changes, New may
	// be Old itself.
	Old, New *state.Resource
	// Imported is what the provider had of a resource that is imported. New has the inputs
	// of the program.
	Imported *state.Resource

	// Found is what a refresh found, as the engine says it: OpSame, OpUpdate, OpDelete. It is
	// empty if the run is not a refresh as a whole, and for other operations.
	Found Op
	// Pending says that the step is about a resource that was replaced and is pending
	// deletion, rather than about the live one of its URN.
	Pending bool
	// Logical says that the engine counts the step, see [Step.Counted].
	Logical bool
	// PartialFailure says that a failed step changed the resource nevertheless.
	PartialFailure bool

	// InputsPartial says that the inputs are only those that change, as in plans: Old has as
	// an unknown those that have an old value, and New the new values. Outputs are likewise
	// if the plan has what changes of them; else those of Old are null.
	InputsPartial bool
	// OutputsPartial says that an output that New lacks is unknown rather than removed, as in
	// previews, and in a replacement that deletes first. An empty ID of New is unknown, too.
	OutputsPartial bool

	Provider string           // a URN, two colons and an ID
	Changed  []string         // names of the properties that changed, by the provider; nil if it does not say
	Replaces []string         // of these, what makes the engine replace the resource
	Details  []PropertyChange // the provider's detailed diff; nil if there is none, empty if it has no changes

	Number int           // in the order in which steps begin, from 0
	Offset int64         // of the step in the text, in bytes
	Extra  []state.Field // other members of the step, as they are
}

// PropertyChange is an entry of the detailed diff of a provider.
type PropertyChange struct {
	Path   string // in Pulumi's dialect
	Kind   string // such as "add" or "update-replace"
	Inputs bool   // old inputs differ from new ones; else the old state does
}

// Effect returns what the step does to the resources of a stack: it takes one away and puts
// one in its place; nil is none. The resource that is taken away is the one with its URN and
// ID, pending deletion if the step is Pending. What a replacement puts in is put beside
// the live resource with the URN of Old, or of the step if that is nil, which is pending
// deletion then, unless another step took it away before. [OpReplace] itself has no effect,
// nor has a step that is neither Planned nor Done.
func (s *Step) Effect() (taken, put *state.Resource) {
	if s.Status > Done {
		return nil, nil
	}
	does := s.Op.does()
	if does.takes {
		taken = s.Old
	}
	if does.puts {
		put = s.New
	}
	return taken, put
}

// step reads a step, as it stands in a preview or in an event.
func (in *reading) step(c chunk, number int) (*Step, error) {
	s := &Step{Number: number, Offset: c.at}
	var logical, old, now chunk
	err := in.record("step", c,
		member{"op", (*string)(&s.Op)}, member{"urn", &s.URN}, member{"provider", &s.Provider},
		member{"old", &old}, member{"oldState", &old}, member{"new", &now}, member{"newState", &now},
		member{"diffs", &s.Changed}, member{"diffReasons", &s.Changed}, member{"keys", &s.Replaces}, member{"replaceReasons", &s.Replaces},
		member{"detailedDiff", s.details(in)}, member{"logical", &logical},
		member{"", func(name string, c chunk) error {
			s.Extra = append(s.Extra, state.Internal.Field(name, c.text, c.at))
			return nil
		}},
	)
	s.Op = Op(strings.Clone(string(s.Op)))                          // who keeps it need not keep the text
	s.Logical = in.run.Format != formatLog && s.Op.does().isLogical // events leave out false
	if err == nil {
		err = in.decode("logical", logical, &s.Logical)
	}
	if err != nil {
		return nil, in.about(s, err)
	}
	if s.Op == "" {
		return nil, in.about(s, in.lacks(c, "op", "string"))
	}

	if err := in.states(s, old, now); err != nil {
		return nil, in.about(s, err)
	}
	return s, nil
}

// about adds the URN of a step to an error.
func (in *reading) about(s *Step, err error) error {
	if e, ok := err.(*Error); ok && e.URN == "" { //nolint:errorlint // it was made here
		e.URN = s.URN
	}
	return err
}

// states reads the states before and after a step.
func (in *reading) states(s *Step, old, now chunk) error {
	isSame := s.Op == OpSame || s.Op == OpRead
	var err error
	if s.Old, err = in.resource(s.Number, old, "old", isSame); err != nil {
		return err
	}
	if isSame && now.text == old.text {
		s.New = s.Old
	} else if s.New, err = in.resource(s.Number, now, "new", isSame); err != nil {
		return err
	}
	if s.Op == OpImport || s.Op == OpImportReplacement {
		s.Old, s.Imported = nil, s.Old
	}

	switch {
	case s.URN != "":
	case s.New != nil:
		s.URN = s.New.URN
	case s.Old != nil:
		s.URN = s.Old.URN
	}
	s.Pending = s.Op.does().takes && s.Old != nil && s.Old.Delete
	return nil
}

// resource reads a resource; null is nil.
func (in *reading) resource(number int, c chunk, side string, isSame bool) (*state.Resource, error) {
	if c.isNull() {
		return nil, nil //nolint:nilnil // there is none
	}
	if c.text[0] != '{' {
		return nil, in.malformed(side, c, "object")
	}

	r, err := state.Internal.Resource(c.text, state.Resource{Offset: c.at, Number: number}, in.options)
	if err != nil {
		return nil, in.adopt(c, side, err)
	}
	for i, f := range r.Extra {
		if f.Name != "hideDiffs" { // the name in events
			continue
		}
		if err := in.decode(f.Name, chunk{f.RevealText(), c.at, c.line}, &r.HideDiff); err != nil {
			return nil, err
		}
		r.Extra = append(r.Extra[:i:i], r.Extra[i+1:]...)
		break
	}

	if !strings.Contains(c.text, masked) && !strings.Contains(c.text, `\u`) {
		return &r, nil // no secret, however it is spelled: a quarter of the time
	}
	cipher := in.mark + strconv.Itoa(number)
	if !isSame {
		cipher += side
	}
	r.Inputs = unmasked(r.Inputs, cipher)
	r.Outputs = unmasked(r.Outputs, cipher)
	return &r, nil
}

// masked is what engines write in place of a secret.
const masked = "[secret]"

// unmasked returns a bag in which masked secrets are sealed ones, with a ciphertext that no
// other has. They come as a string, or as the ciphertext of a secret.
func unmasked(bag value.Value, cipher string) value.Value {
	v, err := bag.Transform(func(c *value.Cursor) (value.Value, error) {
		v := c.Value()
		if s, ok := v.AsSealed(); ok && s.Ciphertext == masked {
			c.DropMarks()
			return value.Sealed{Ciphertext: cipher, Provider: s.Provider}.Value(), nil
		}
		if s, ok := v.AsString(); ok && s == masked && !v.IsSecret() {
			return value.Sealed{Ciphertext: cipher}.Value(), nil
		}
		return v, nil
	})
	if err != nil {
		return bag // cannot happen: no container grows
	}
	return v
}

// details returns a reader of the detailed diff.
func (s *Step) details(in *reading) func(name string, c chunk) error {
	return func(name string, c chunk) error {
		if !c.isNull() {
			s.Details = []PropertyChange{}
		}
		return in.each(name, c, func(path string, c chunk) error {
			change := PropertyChange{Path: path}
			err := in.record(name, c, member{"diffKind", &change.Kind}, member{"kind", &change.Kind}, member{"inputDiff", &change.Inputs})
			s.Details = append(s.Details, change)
			return err
		})
	}
}

// Counted returns the operation as which the engine's summary counts the step, and whether
// it does.
func (s *Step) Counted() (Op, bool) {
	switch {
	case s.Status > Done, s.Op == OpRemovePendingReplace, isDefaultProvider(s.URN):
		return "", false
	case s.Op == OpRefresh:
		return s.Found, s.Found != ""
	case s.Op == OpRead: // the engine calls those that changed nothing the same
		return s.Op, s.Old != nil && s.New != nil && !s.OutputsPartial && !s.Old.Outputs.Equal(s.New.Outputs)
	}
	return s.Op, s.Logical
}

// isDefaultProvider reports whether a URN is that of a provider that an engine made, which
// it treats as internal.
func isDefaultProvider(text string) bool {
	u, err := urn.Parse(text)
	return err == nil && strings.HasPrefix(u.Type(), "pulumi:providers:") && strings.HasPrefix(u.Name(), "default")
}
