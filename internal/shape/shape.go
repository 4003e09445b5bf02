// Package shape describes Go types as package value/bind reads and writes them, for what
// makes schemas and rules of structs.
package shape

// Form is what a value of a type is.
type Form uint8

// The forms of types.
const (
	Any Form = iota
	Bool
	Integer
	Number
	String
	Asset
	Archive
	Array
	Map
	Object
)

// Type is a Go type without its pointers and Outputs, which are what they lead to. A type
// that refers to itself does so here too.
type Type struct {
	Form   Form
	Name   string  // of the Go type, or empty if it has none
	Pkg    string  // the import path of the package that declares it
	Elem   *Type   // of arrays and maps
	Fields []Field // of objects, in the order of their names
}

// Field is a field of a struct that is a property.
type Field struct {
	Name     string // of the property
	Go       string // of the field
	Owner    *Type  // the struct that declares it, which may be embedded in the object
	Optional bool
	Nullable bool // the field tells a missing value from a zero one
	Unknowns bool // the field holds a value that is not known yet
	Secret   bool
	Words    []string // of the tag "provider"
	Default  *string  // the text of the tag "default"
	Env      []string // the words of the tag "env"
	Type     *Type
}

// Has reports whether the tag "provider" has a word.
func (f *Field) Has(word string) bool {
	for _, w := range f.Words {
		if w == word {
			return true
		}
	}
	return false
}

// Source is what only the source of a program says of its types.
type Source interface {
	// Doc returns the documentation of a type, or of one of its fields.
	Doc(t *Type, field string) string
	// Constants returns the constants of a type.
	Constants(t *Type) []Constant
}

// Constant is a constant of a type.
type Constant struct {
	Name, Doc string
	Value     any // a string, a float64 or a bool
}
