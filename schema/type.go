package schema

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/value"
)

// Kind is the kind of a type.
type Kind uint8

// The kinds of types. Their names are those of the metaschema, where it has one.
const (
	KindAny      Kind = iota // pulumi.json#/Any
	KindJSON                 // pulumi.json#/Json, anything that JSON has
	KindBool                 // boolean
	KindInteger              // integer: a whole number
	KindNumber               // number
	KindString               // string
	KindAsset                // pulumi.json#/Asset: an asset or an archive, as in Pulumi's SDKs
	KindArchive              // pulumi.json#/Archive
	KindArray                // array
	KindMap                  // object without properties of its own
	KindObject               // an object type of the package, inputs, or outputs
	KindEnum                 // an enum of the package
	KindUnion                // oneOf
	KindResource             // a reference to a resource
	KindExternal             // a type of another package, or one that the schema lacks
)

// String returns a word such as "integer".
func (k Kind) String() string {
	return scan.Name(k, "unknown kind", []string{
		"any value", "JSON", "boolean", "integer", "number", "string", "asset or archive", "archive",
		"array", "map", "object", "enum", "union", "resource", "external type",
	})
}

// Type says which values a property, or all properties of a resource, may have. It is
// immutable. The methods of a nil *Type are those of an object type without properties; the
// zero Type has any value.
type Type struct {
	kind  Kind
	token string
	elem  *Type
	members
	values   []value.Value
	sorted   []value.Value // the values, if there are many
	union    *union
	of       *Resource // of this package
	dangling bool      // the package should have it
	also     string    // a property that engines or providers add, or ""
}

// members are what only an object has.
type members struct {
	properties []Property // sorted by name
	required   []int32    // the indexes of those that are required
	filled     []int32    // the indexes of those that have a constant or a default
}

// union is what only a union has.
type union struct {
	alternatives  []*Type
	kinds         kinds // that a value of it may have
	discriminator string
	mapping       map[string]*Type // by values of the discriminator
	tags          map[string]*Type // the same, and by constants of the alternatives
}

// Kind returns the kind of the type.
func (t *Type) Kind() Kind {
	if t == nil {
		return KindObject
	}
	return t.kind
}

// Token returns the token of an object type, an enum, a resource or an external type. It
// is empty for other kinds, and for objects that have no name of their own, such as the
// inputs of a resource.
func (t *Type) Token() string {
	if t == nil {
		return ""
	}
	return t.token
}

// Elem returns the type of the elements of an array or a map, or of the values of an enum.
// For a union, or a reference to a type that the schema lacks, Elem returns the primitive
// type that the schema gives next to it, if any. Otherwise it returns nil.
func (t *Type) Elem() *Type {
	if t == nil {
		return nil
	}
	return t.elem
}

// Properties returns the properties of an object, in the order of their names.
func (t *Type) Properties() iter.Seq[Property] {
	if t == nil {
		return slices.Values[[]Property](nil)
	}
	return slices.Values(t.properties)
}

// Property returns the property of an object with a name, and reports whether there is one.
func (t *Type) Property(name string) (Property, bool) {
	if p := t.property(name); p != nil {
		return *p, true
	}
	return Property{}, false
}

func (t *Type) property(name string) *Property {
	if t == nil {
		return nil
	}
	return t.members.property(name)
}

func (m *members) property(name string) *Property {
	i, found := slices.BinarySearchFunc(m.properties, name, func(p Property, name string) int { return strings.Compare(p.name, name) })
	if !found {
		return nil
	}
	return &m.properties[i]
}

// Names returns the names of the properties of an object, sorted.
func (t *Type) Names() []string {
	var names []string
	for p := range t.Properties() {
		names = append(names, p.name)
	}
	return names
}

// Strings returns the names of those properties of an object that may be strings. SDKs
// send all other configuration as JSON text, which
// [rpc.ConfigureRequest.PropertiesWithStrings] parses, given these names.
//
// [rpc.ConfigureRequest.PropertiesWithStrings]: https://pkg.go.dev/github.com/propalg/propalg/codec/rpc#ConfigureRequest.PropertiesWithStrings
func (t *Type) Strings() []string {
	return slices.DeleteFunc(t.Names(), func(name string) bool { return !admits(t.property(name).typ, value.KindString) })
}

// Values returns the values of an enum, and none for other kinds.
func (t *Type) Values() iter.Seq[value.Value] {
	if t == nil {
		return slices.Values[[]value.Value](nil)
	}
	return slices.Values(t.values)
}

// Alternatives returns the types of a union, and none for other kinds.
func (t *Type) Alternatives() iter.Seq[*Type] {
	if t == nil || t.union == nil {
		return slices.Values[[]*Type](nil)
	}
	return slices.Values(t.union.alternatives)
}

// Discriminator returns the name of the property that selects the alternative of a union,
// or "".
func (t *Type) Discriminator() string {
	if t == nil || t.union == nil {
		return ""
	}
	return t.union.discriminator
}

// Mapping returns the values of the discriminator of a union, sorted, and the alternatives
// that they select.
func (t *Type) Mapping() iter.Seq2[string, *Type] {
	return func(yield func(string, *Type) bool) {
		if t == nil || t.union == nil {
			return
		}

		for _, tag := range slices.Sorted(maps.Keys(t.union.mapping)) {
			if !yield(tag, t.union.mapping[tag]) {
				return
			}
		}
	}
}

// String returns a short text such as "array of string" or "object aws:s3/Bucket:Bucket".
// A text that would be longer than about 160 bytes is cut, and ends in three dots.
func (t *Type) String() string {
	var b strings.Builder
	t.describe(&b)
	return b.String()
}

// longest is about how long the text of a type may be.
const longest = 160

// describe writes the text of a type, unless there is enough text already.
func (t *Type) describe(b *strings.Builder) {
	if b.Len() > longest {
		if !strings.HasSuffix(b.String(), "…") {
			b.WriteString("…")
		}

		return
	}

	switch kind := t.Kind(); kind { //nolint:exhaustive // the others have a token, or nothing
	case KindArray, KindMap:
		b.WriteString(kind.String() + " of ")
		t.elem.describe(b)
	case KindUnion:
		for i, a := range t.union.alternatives {
			if i > 0 && b.Len() <= longest {
				b.WriteString(" or ")
			}
			if a.describe(b); strings.HasSuffix(b.String(), "…") {
				break
			}
		}
	default:
		b.WriteString(kind.String())
		if t.Token() != "" {
			b.WriteString(" " + scan.Line(t.token))
		}
	}
}

// Property is a property of an object, as the schema describes it. The zero Property has no
// name, and an object without properties for its type.
type Property struct {
	name string
	typ  *Type
	doc  value.Value
	is   facts
}

// facts are what a property is, or holds.
type facts uint8

const (
	isRequired facts = 1 << iota
	isSecret
	isPlain
	replaceOnChanges
	willReplaceOnChanges
)

// Name returns the name of the property.
func (p Property) Name() string { return p.name }

// Type returns the type of the property.
func (p Property) Type() *Type { return p.typ }

// Required reports whether the schema requires the property.
func (p Property) Required() bool { return p.is&isRequired != 0 }

// Plain reports whether the schema calls the property plain, so that SDKs accept values
// for it but no outputs.
func (p Property) Plain() bool { return p.is&isPlain != 0 }

// Secret reports whether the schema calls the property secret.
func (p Property) Secret() bool { return p.is&isSecret != 0 }

// ReplaceOnChanges reports whether SDKs ask the engine to replace the resource when the
// property changes.
func (p Property) ReplaceOnChanges() bool { return p.is&replaceOnChanges != 0 }

// WillReplaceOnChanges reports whether the provider replaces the resource when the property
// changes.
func (p Property) WillReplaceOnChanges() bool { return p.is&willReplaceOnChanges != 0 }

// Const returns the only value that the property can have, or null.
func (p Property) Const() value.Value { return p.doc.Field("const") }

// Default returns the default value of the property, or null.
func (p Property) Default() value.Value { return p.doc.Field("default") }

// Environment returns the names of the environment variables that may hold the default.
// [Type.WithDefaults] uses the first one that is set and not empty instead of Default.
func (p Property) Environment() []string {
	var names []string
	for _, name := range p.doc.Field("defaultInfo").Field("environment").Elems() {
		text, _ := name.AsString()
		names = append(names, text)
	}
	return names
}

// Document returns the object that describes the property in the schema, including members
// that this package does not know.
func (p Property) Document() value.Value { return p.doc }
