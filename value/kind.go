package value

// Kind is the kind of a value. The set is closed; linters check switches over it.
type Kind uint8

// The kinds of values, in the order of [Relation.Compare]. Secret is a mark,
// not a kind, and an output of the wire is a value (or an unknown) with dependencies.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
	KindAsset
	KindArchive
	KindResourceReference
	KindUnknown
	KindSealed
)

// String returns the name of the kind in lower case, for example "object".
func (k Kind) String() string {
	switch k {
	case KindNull:
		return "null"
	case KindBool:
		return "bool"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	case KindArray:
		return "array"
	case KindObject:
		return "object"
	case KindAsset:
		return "asset"
	case KindArchive:
		return "archive"
	case KindResourceReference:
		return "resource reference"
	case KindUnknown:
		return "unknown"
	case KindSealed:
		return "sealed secret"
	}
	return "invalid kind"
}

// IsContainer reports whether values of the kind have children that a path can name.
// Arrays and objects do.
func (k Kind) IsContainer() bool { return k == KindArray || k == KindObject }
