package value

// NOTE: The order of the kinds is that of Compare. The linter exhaustive names each
// switch that lacks a new kind; no switch are the layout (rep.go, construct.go), the form
// of a digest (digest.go), and the signatures of codec (signature.go).

import "github.com/propalg/propalg/internal/scan"

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
	return scan.Name(k, "invalid kind", []string{
		KindNull: "null", KindBool: "bool", KindNumber: "number", KindString: "string",
		KindArray: "array", KindObject: "object", KindAsset: "asset", KindArchive: "archive",
		KindResourceReference: "resource reference", KindUnknown: "unknown",
		KindSealed: "sealed secret",
	})
}

// IsContainer reports whether values of the kind have children that a path can name.
// Arrays and objects do.
func (k Kind) IsContainer() bool { return k == KindArray || k == KindObject }
