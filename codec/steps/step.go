package steps

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

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
