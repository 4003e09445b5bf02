package schema

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Package is the schema of a package. It is immutable. The zero Package has nothing.
type Package struct {
	doc       value.Value
	name      string
	version   string
	config    *Type
	provider  *Resource
	resources map[string]*Resource
	functions map[string]*Function
	types     map[string]*Type
}

// Options selects what [Read] and [FromValue] accept. The zero Options refuses references
// to types that the package does not have.
type Options struct {
	// AllowDangling accepts references to types that the package does not have, as pulumi
	// schema check does with --allow-dangling-references. Some older schemas have such
	// references. Any value fits a missing type, unless a primitive type is given next to
	// the reference.
	AllowDangling bool
}

// Read reads a schema from JSON text. The error is an [*Error], or one of package codec if
// the text is not JSON.
//
// The package shares memory with a copy of data. Reading takes time and memory
// proportional to the length of data. The regular expression meta.moduleFormat, which is
// matched with every token, is therefore limited: to 64 bytes, and to 100 instructions when
// it is compiled, as by Go's package regexp.
func Read(data []byte, o Options) (*Package, error) {
	doc, err := codec.DecodeJSONValue(data, codec.Options{RoundNumbers: true})
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return FromValue(doc, o)
}

// FromValue reads a schema from a value, which may come from YAML. The error is an
// [*Error].
func FromValue(doc value.Value, o Options) (*Package, error) {
	r := reader{dangling: o.AllowDangling, p: &Package{
		doc:       doc,
		resources: make(map[string]*Resource, doc.Field("resources").Len()),
		functions: make(map[string]*Function, doc.Field("functions").Len()),
		types:     make(map[string]*Type, doc.Field("types").Len()),
	}}
	switch {
	case doc.Kind() != value.KindObject:
		r.wrong("expected object, found " + doc.Kind().String())
	case doc.ContainsSecret():
		r.wrong("there is a secret in it")
	default:
		r.read()
	}

	if len(r.problems) > 0 {
		return nil, &Error{Problems: r.problems}
	}
	return r.p, nil
}

// Name returns the name of the package.
func (p *Package) Name() string { return p.name }

// Version returns the version of the package as the schema has it, or "".
func (p *Package) Version() string { return p.version }

// Config returns the type of the package's configuration: an object whose properties are
// the variables, named without the prefix of the package.
func (p *Package) Config() *Type { return p.config }

// Provider returns the provider itself, a resource whose inputs are what CheckConfig,
// DiffConfig and Configure are given. It is nil for a package that extends another
// provider.
func (p *Package) Provider() *Resource { return p.provider }

// Resource returns the resource with a token such as "aws:s3/bucket:Bucket", and reports
// whether the package has one.
func (p *Package) Resource(token string) (*Resource, bool) {
	r, ok := p.resources[token]
	return r, ok
}

// Resources returns the resources, in the order of their tokens.
func (p *Package) Resources() iter.Seq[*Resource] { return inOrder(p.resources) }

// Function returns the function with a token such as "aws:s3/getBucket:getBucket", and
// reports whether the package has one.
func (p *Package) Function(token string) (*Function, bool) {
	f, ok := p.functions[token]
	return f, ok
}

// Functions returns the functions, in the order of their tokens.
func (p *Package) Functions() iter.Seq[*Function] { return inOrder(p.functions) }

// Type returns the object type or enum with a token, and reports whether the package has
// one.
func (p *Package) Type(token string) (*Type, bool) {
	t, ok := p.types[token]
	return t, ok
}

// Types returns the object types and enums, in the order of their tokens.
func (p *Package) Types() iter.Seq[*Type] { return inOrder(p.types) }

// Document returns the schema as it was read, with members that this package does not know.
func (p *Package) Document() value.Value { return p.doc }

func inOrder[T any](all map[string]T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, token := range slices.Sorted(maps.Keys(all)) {
			if !yield(all[token]) {
				return
			}
		}
	}
}

// Resource is the schema of a resource. It is immutable. The zero Resource has no
// properties.
type Resource struct {
	doc         value.Value
	token       string
	inputs      *Type
	state       *Type
	stateInputs *Type
	aliases     []string // sorted
	component   bool
}

// Token returns the token of the resource.
func (r *Resource) Token() string { return r.token }

// Inputs returns the type of the inputs, which programs give and Check is called with.
func (r *Resource) Inputs() *Type { return r.inputs }

// State returns the type of the properties that Create, Read and Update return.
func (r *Resource) State() *Type { return r.state }

// StateInputs returns the type of the properties that a program may give, in addition to
// the ID, to look up an existing resource.
func (r *Resource) StateInputs() *Type { return r.stateInputs }

// Outputs returns the names of the properties that are not inputs, sorted:
// [value.Value.WithUnknowns] fills them in previews.
func (r *Resource) Outputs() []string {
	return slices.DeleteFunc(r.state.Names(), func(name string) bool { return r.inputs.property(name) != nil })
}

// isAlias reports whether the resource had another token.
func (r *Resource) isAlias(token string) bool {
	_, found := slices.BinarySearch(r.aliases, token)
	return found
}

// IsComponent reports whether the resource is a component.
func (r *Resource) IsComponent() bool { return r.component }

// Document returns the object that describes the resource in the schema, including members
// that this package does not know.
func (r *Resource) Document() value.Value { return r.doc }

// Function is the schema of a function. It is immutable. The zero Function has no
// arguments and returns nothing.
type Function struct {
	doc     value.Value
	token   string
	inputs  *Type
	outputs *Type
	onSelf  bool // the first argument is __self__
	method  bool // of a resource
}

// Token returns the token of the function.
func (f *Function) Token() string { return f.token }

// Inputs returns the type of the arguments, an object.
func (f *Function) Inputs() *Type { return f.inputs }

// Outputs returns the type of the result, which is an object for most functions, and nil
// for one that returns nothing.
func (f *Function) Outputs() *Type { return f.outputs }

// Document returns the object that describes the function in the schema, including members
// that this package does not know.
func (f *Function) Document() value.Value { return f.doc }
