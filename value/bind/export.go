package bind

import (
	"reflect"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/value"
)

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// Shape returns the shape of the type that a pointer points to.
func (exporter) Shape(pointer any) (*shape.Type, error) {
	p, err := planOf(reflect.TypeOf(pointer).Elem(), opDecode, Options{})
	if err != nil {
		return nil, err
	}
	return shapes{}.of(p), nil
}

// EncodeLike returns data as a value, with what it cannot hold taken from a model, as
// [Info.Encode] does with the value that was decoded.
func (exporter) EncodeLike(from any, model value.Value) (value.Value, error) {
	return encode(from, model, Options{})
}

type shapes map[*plan]*shape.Type

func (s shapes) of(p *plan) *shape.Type {
	for p.form == formPointer || p.form == formOutput {
		p = p.elem
	}
	if t, there := s[p]; there {
		return t
	}
	t := &shape.Type{Form: shapeForms[p.form]}
	s[p] = t
	if p.form != formDuration && p.form != formText && p.form != formBytes { // their texts are not their values
		t.Name, t.Pkg = p.typ.Name(), p.typ.PkgPath()
	}
	if p.form == formSlice || p.form == formArray || p.form == formMap {
		t.Elem = s.of(p.elem)
	}
	for i := range p.fields {
		t.Fields = append(t.Fields, s.field(p.typ, &p.fields[i]))
	}

	return t
}

func (s shapes) field(in reflect.Type, f *field) shape.Field {
	owner := in
	for _, i := range f.index[:len(f.index)-1] {
		owner = owner.Field(i).Type
	}
	declared := in.FieldByIndex(f.index)

	made := shape.Field{
		Name: f.name, Go: declared.Name, Owner: &shape.Type{Form: shape.Object, Name: owner.Name(), Pkg: owner.PkgPath()},
		Optional: f.optional, Nullable: slices.Contains([]form{formPointer, formOutput, formValue}, f.plan.form), Unknowns: f.plan.form == formOutput || f.plan.form == formValue, Secret: f.secret, Words: words(declared.Tag.Get("provider"), ","), Env: words(declared.Tag.Get("env"), ","),
		Type: s.of(f.plan),
	}
	if text, there := declared.Tag.Lookup("default"); there {
		made.Default = &text
	}
	return made
}

func words(text, separator string) []string {
	return slices.DeleteFunc(strings.Split(text, separator), func(w string) bool { return w == "" })
}

// shapeForms has the form of a shape for each form of a plan; the others are any value.
var shapeForms = map[form]shape.Form{ //nolint:gochecknoglobals // a table
	formAsset: shape.Asset, formArchive: shape.Archive,
	formDuration: shape.String, formText: shape.String, formString: shape.String, formBytes: shape.String,
	formBool: shape.Bool, formInt: shape.Integer, formUint: shape.Integer, formFloat: shape.Number,
	formSlice: shape.Array, formArray: shape.Array, formMap: shape.Map, formStruct: shape.Object,
}
