package value

// ResourceReference is a reference to a resource. All texts are kept as they were sent;
// urn.Parse reads the URN, and quotes a part of one that it refuses.
type ResourceReference struct {
	URN            string
	ID             ID
	PackageVersion string // empty: not given
	Name           string // empty: not given
	Type           string // empty: not given
}

// ID is the ID of a referenced resource: absent, known or unknown. The zero ID is
// absent, as for component resources. An empty ID on the wire is unknown. IDs can be
// compared with ==.
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

// KnownID returns a known ID, or an unknown one if the text is empty.
func KnownID(text string) ID {
	if text == "" {
		return UnknownID()
	}
	return ID{idKnown, text}
}

// UnknownID returns an unknown ID.
func UnknownID() ID { return ID{idUnknown, ""} }

// IsUnknown reports whether the ID is unknown.
func (id ID) IsUnknown() bool { return id.state == idUnknown }

// Known returns the text of a known ID, and whether it is known.
func (id ID) Known() (string, bool) { return id.text, id.state == idKnown }

// Value returns the reference as a property value.
func (r ResourceReference) Value() Value { return makeReference(&r) }

// Lower returns the value for code that cannot resolve references: the ID if there is
// one (an unknown if it is unknown), otherwise the URN.
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
