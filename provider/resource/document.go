package resource

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Document returns the schema that follows from the types of the package, without
// descriptions. Package provider/resource/resourcetest adds these.
func (p Package) Document() (value.Value, error) {
	w := writer{pkg: p.Name, named: map[string]*shape.Type{}, types: members{}}
	doc := members{"name": value.String(p.Name), "resources": w.resources(p.Resources)}
	if p.Version != "" {
		doc["version"] = value.String(p.Version)
	}
	if p.Config != nil {
		t := w.shape(p.Config.configType(), "the configuration")
		inputs, required := w.properties(t, true)
		doc["config"] = value.Object(value.Field("variables", w.variables(t)))
		doc["provider"] = resourceOf(inputs, required, inputs, value.Null())
	}
	if functions := w.functions(p.Functions); functions.Len() > 0 {
		doc["functions"] = functions
	}
	if len(w.types) > 0 {
		doc["types"] = value.ObjectFromMap(w.types)
	}
	if w.err != nil {
		return value.Value{}, w.err
	}
	return value.ObjectFromMap(doc), nil
}

type members = map[string]value.Value

// writer writes the parts of a schema. Its first error counts.
type writer struct {
	pkg   string
	named map[string]*shape.Type // by token
	types members
	err   error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("resource: schema: "+format, args...)
	}
}

// shape returns the shape of a struct, given a pointer to one.
func (w *writer) shape(pointer any, of string) *shape.Type {
	t, err := bind.Internal.Shape(pointer)
	switch {
	case err != nil:
		w.fail("%s: %w", of, err)
	case t.Form != shape.Object:
		w.fail("%s: expected a struct, found %s", of, t.Name)
	default:
		return t
	}
	return &shape.Type{Form: shape.Object}
}

func (w *writer) resources(all []Resource) value.Value {
	made := members{}
	for _, r := range all {
		if r == nil {
			w.fail("expected a resource, found nil")
			continue
		}
		token, args, state := r.types()
		w.token(token)
		inputs, required := w.properties(w.shape(args, token), true)
		outputs, always := w.properties(w.shape(state, token), false)
		m := resourceOf(inputs, required, outputs, always)
		if r.isComponent() {
			m, _ = m.WithField("isComponent", value.Bool(true))
		}
		made[token] = m
	}
	return value.ObjectFromMap(made)
}

func (w *writer) functions(all []Function) value.Value {
	made := members{}
	for _, f := range all {
		if f == nil {
			w.fail("expected a function, found nil")
			continue
		}
		token, args, result := f.types()
		w.token(token)
		inputs, required := w.properties(w.shape(args, token), true)
		outputs, always := w.properties(w.shape(result, token), false)
		made[token] = value.Object(value.Field("inputs", objectOf(inputs, required)), value.Field("outputs", objectOf(outputs, always)))
	}
	return value.ObjectFromMap(made)
}

// token refuses one of another package.
func (w *writer) token(token string) {
	if pkg, rest, _ := strings.Cut(token, ":"); pkg != w.pkg || strings.Count(rest, ":") != 1 {
		w.fail("%q: expected a token such as %s:index:Name", token, scan.Line(w.pkg))
	}
}

func resourceOf(inputs, requiredInputs, properties, required value.Value) value.Value {
	all := members{"inputProperties": inputs, "properties": properties}
	if requiredInputs.Len() > 0 {
		all["requiredInputs"] = requiredInputs
	}
	if required.Len() > 0 {
		all["required"] = required
	}
	return value.ObjectFromMap(all)
}

func objectOf(properties, required value.Value) value.Value {
	all := members{"type": value.String("object"), "properties": properties}
	if required.Len() > 0 {
		all["required"] = required
	}
	return value.ObjectFromMap(all)
}

// properties returns those of an object, and which of them are required.
func (w *writer) properties(t *shape.Type, inputs bool) (all, required value.Value) {
	made := members{}
	var names []value.Value
	for i := range t.Fields {
		f := &t.Fields[i]
		made[f.Name] = w.property(f, inputs)
		filled := inputs && (f.Default != nil || len(f.Env) > 0)
		if !f.Optional && !filled {
			names = append(names, value.String(f.Name))
		}
	}
	return value.ObjectFromMap(made), value.Array(names...)
}

// variables returns the properties of the configuration as the variables that programs have.
func (w *writer) variables(t *shape.Type) value.Value {
	all, _ := w.properties(t, false)
	return all
}

// property describes a field. Only inputs have defaults.
func (w *writer) property(f *shape.Field, inputs bool) value.Value {
	made := w.typeOf(f.Type)
	if f.Secret {
		made["secret"] = value.Bool(true)
	}
	if f.Has("replaceOnChanges") {
		made["willReplaceOnChanges"] = value.Bool(true)
	}
	if !inputs {
		return value.ObjectFromMap(made)
	}

	if f.Default != nil {
		made["default"] = w.constant(f)
	}
	if len(f.Env) > 0 {
		var names []value.Value
		for _, name := range f.Env {
			names = append(names, value.String(name))
		}
		made["defaultInfo"] = value.Object(value.Field("environment", value.Array(names...)))
	}
	return value.ObjectFromMap(made)
}

// constant returns the value of the tag default.
func (w *writer) constant(f *shape.Field) value.Value {
	text := *f.Default
	switch f.Type.Form {
	case shape.String:
		return value.String(text)
	case shape.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			w.fail("%s: expected true or false as default, found another text", f.Name)
		}
		return value.Bool(b)
	case shape.Integer, shape.Number:
		var n float64
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			w.fail("%s: expected a number as default, found another text", f.Name)
		}
		return value.Number(n)
	case shape.Any, shape.Asset, shape.Archive, shape.Array, shape.Map, shape.Object:
	}

	w.fail("%s: expected no default for this type, found one", f.Name)
	return value.Null()
}

var primitives = map[shape.Form]string{ //nolint:gochecknoglobals // a table
	shape.Bool: "boolean", shape.Integer: "integer", shape.Number: "number", shape.String: "string",
}

// typeOf returns what describes a type. A struct becomes a type of the package, with its own
// name.
func (w *writer) typeOf(t *shape.Type) members {
	switch t.Form {
	case shape.Bool, shape.Integer, shape.Number, shape.String:
		return members{"type": value.String(primitives[t.Form])}
	case shape.Asset:
		return ref("pulumi.json#/Asset")
	case shape.Archive:
		return ref("pulumi.json#/Archive")
	case shape.Array:
		return members{"type": value.String("array"), "items": value.ObjectFromMap(w.typeOf(t.Elem))}
	case shape.Map:
		return members{"type": value.String("object"), "additionalProperties": value.ObjectFromMap(w.typeOf(t.Elem))}
	case shape.Object:
		return w.object(t)
	case shape.Any:
	}
	return ref("pulumi.json#/Any")
}

func ref(to string) members { return members{"$ref": value.String(to)} }

func (w *writer) object(t *shape.Type) members {
	token := w.pkg + ":index:" + typeName(t.Name)
	if t.Name == "" {
		w.fail("expected a type with a name for a struct in a property, found a struct without")
		return ref("pulumi.json#/Any")
	}
	if known := w.named[token]; known == nil {
		w.named[token] = t
		all, required := w.properties(t, false)
		w.types[token] = objectOf(all, required)
	} else if known != t && (known.Name != t.Name || known.Pkg != t.Pkg) {
		w.fail("%s: expected one type of this name, found two", token)
	}
	return ref("#/types/" + token)
}

// typeName returns the name of a type in the schema: that of the Go type with a capital, and
// without the brackets of type arguments.
func typeName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	for i, r := range name {
		return strings.ToUpper(string(r)) + name[i+len(string(r)):]
	}
	return name
}

// namesOf returns the names of the fields that have a word.
func namesOf(t *shape.Type, word string) []string {
	var names []string
	for i := range t.Fields {
		if t.Fields[i].Has(word) {
			names = append(names, t.Fields[i].Name)
		}
	}
	return slices.Clip(names)
}

// required returns the names of the fields that are not optional.
func required(t *shape.Type) []string {
	var names []string
	for i := range t.Fields {
		if !t.Fields[i].Optional {
			names = append(names, t.Fields[i].Name)
		}
	}
	return names
}
