package value

import (
	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/urn"
)

// ResourceReference points to a resource. URN and the other texts are kept as
// they were sent.
type ResourceReference struct {
	URN            string
	ID             ID
	PackageVersion string // empty: not given
	Name           string // empty: not given
	Type           string // empty: not given
}

// ID is the ID of a referenced resource: absent (a component resource has none;
// the zero ID), known, or not known yet. An ID that is there and empty is not
// known.
type ID struct {
	state idState
	text  string
}

type idState uint8

const (
	idAbsent idState = iota
	idKnown
	idUnknown
)

// NoID is the ID of a component resource.
func NoID() ID { return ID{} }

// KnownID returns a known ID; the empty text gives an unknown one.
func KnownID(text string) ID {
	if text == "" {
		return UnknownID()
	}
	return ID{idKnown, text}
}

// UnknownID returns an ID that is not known yet.
func UnknownID() ID { return ID{idUnknown, ""} }

// IsAbsent reports whether the ID is absent.
func (id ID) IsAbsent() bool { return id.state == idAbsent }

// IsUnknown reports whether there is an ID that is not known yet.
func (id ID) IsUnknown() bool { return id.state == idUnknown }

// Known returns the text of a known ID.
func (id ID) Known() (string, bool) { return id.text, id.state == idKnown }

// Value returns the reference as a property value.
func (r ResourceReference) Value() Value { return makeReference(&r) }

// ParseURN parses the URN, which need not be one. The error wraps
// [urn.ErrSyntax] and does not quote the text, which may be a secret's.
func (r ResourceReference) ParseURN() (urn.URN, error) { return parseURN(r.URN) }

func parseURN(text string) (urn.URN, error) {
	u, err := urn.Parse(text)
	if err != nil {
		return urn.URN{}, &Error{Op: "parse URN", err: urn.ErrSyntax}
	}
	return u, nil
}

// Lower returns what code that cannot resolve references takes instead: the ID
// if there is one (an unknown if it is not known), else the URN.
func (r ResourceReference) Lower() Value {
	switch r.ID.state {
	case idKnown:
		return String(r.ID.text)
	case idUnknown:
		return Unknown()
	case idAbsent:
	}
	return String(r.URN)
}

// Sealed is a secret that was not decrypted: the ciphertext, and which secrets
// provider made it. As a value it is always secret, and equals only the same
// ciphertext of the same provider.
type Sealed struct {
	Ciphertext string
	Provider   string // as the state file names it; empty: not given
}

// Value returns the sealed secret as a property value.
func (s Sealed) Value() Value { return makeSealed(&s) }

// UnmarshalJSON returns an error that names value.KnownID.
func (*ID) UnmarshalJSON([]byte) error { return refuse.JSON("value.ID", "value.KnownID") }
