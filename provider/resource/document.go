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
func (p Package) Document() (value.Value, error) { return p.document(nil) }

func (p Package) document(source shape.Source) (value.Value, error) {
	w := writer{pkg: p.Name, source: source, named: map[string]*shape.Type{}, types: members{}}
	doc := members{"name": value.String(p.Name), "resources": w.resources(p.Resources)}
	if p.Version != "" {
		doc["version"] = value.String(p.Version)
	}
	if p.Description != "" {
		doc["description"] = value.String(p.Description)
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
	pkg    string
	source shape.Source           // or nil
	named  map[string]*shape.Type // by token
	types  members
	in     string // the token of what is written
	err    error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("resource: schema: "+format, args...)
	}
}

// failAt fails for a field.
func (w *writer) failAt(f *shape.Field, want, found string) {
	w.fail("%s: %s: expected %s, found %s", w.in, f.Name, want, found)
}

// shape returns the shape of a struct, given a pointer to one.
func (w *writer) shape(pointer any, of string) *shape.Type {
	w.in = of
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
		t := w.shape(state, token)
		outputs, always := w.properties(t, false)
		m := w.described(resourceOf(inputs, required, outputs, always), t, token)
		if r.isComponent() {
			m = with(with(m, "isComponent", value.Bool(true)), "inputProperties", plainly(w.shape(args, token), inputs))
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
		t := w.shape(result, token)
		outputs, always := w.properties(t, false)
		m := value.Object(value.Field("inputs", objectOf(inputs, required)), value.Field("outputs", objectOf(outputs, always)))
		made[token] = w.described(m, t, token)
	}
	return value.ObjectFromMap(made)
}

// plainly returns the properties of a component, of which those are plain, for SDKs, whose
// fields cannot hold what is not known yet.
func plainly(t *shape.Type, properties value.Value) value.Value {
	for i := range t.Fields {
		if f := &t.Fields[i]; !f.Unknowns {
			properties = with(properties, f.Name, plain(properties.Field(f.Name)))
		}
	}
	return properties
}

func plain(described value.Value) value.Value {
	for _, name := range []string{"items", "additionalProperties"} {
		if elem := described.Field(name); !elem.IsNull() {
			described = with(described, name, plain(elem))
		}
	}
	return with(described, "plain", value.Bool(true))
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

// described adds what the source says of a type, which has another name in the schema.
func (w *writer) described(v value.Value, t *shape.Type, token string) value.Value {
	all := members{}
	w.describe(all, t, "", t.Name, token[strings.LastIndexByte(token, ':')+1:])
	for name, m := range all {
		v = with(v, name, m)
	}
	return v
}

// describe adds the documentation of a type or a field. Where that begins with the name in Go,
// it has the name in the schema.
func (w *writer) describe(to members, t *shape.Type, field, name, as string) {
	if w.source == nil || t.Name == "" {
		return
	}
	text := strings.TrimSpace(w.source.Doc(t, field))
	text, why, deprecated := strings.Cut(text, "Deprecated: ")
	if rest, begins := strings.CutPrefix(text, name+" "); begins {
		text = as + " " + rest
	}
	if text = strings.TrimSpace(text); text != "" {
		to["description"] = value.String(text)
	}
	if deprecated {
		to["deprecationMessage"] = value.String(strings.Join(strings.Fields(why), " "))
	}
}

// property describes a field. Outputs have no defaults.
func (w *writer) property(f *shape.Field, inputs bool) value.Value {
	for _, word := range f.Words {
		if !slices.Contains(tagWords[:], word) && !strings.HasPrefix(word, "type=") {
			w.failAt(f, "a word of the tag provider, such as secret", scan.Line(word))
		}
	}
	made := w.typeOf(f.Type)
	w.describe(made, f.Owner, f.Go, f.Go, f.Name)
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

// tagWords are the words of the tag provider. The last one, and type=…, are of infer, and say
// nothing here.
var tagWords = [...]string{"secret", "replaceOnChanges", "shown", "writeOnly", "computed", "stable", "set", "fold", "json", "output"} //nolint:gochecknoglobals // a table

// outerWords are those that say something of whole properties.
var outerWords = [...]string{"shown", "writeOnly", "computed", "stable"} //nolint:gochecknoglobals // a table

// constant returns the value of the tag default.
func (w *writer) constant(f *shape.Field) value.Value {
	text := *f.Default
	switch f.Type.Form {
	case shape.String:
		return value.String(text)
	case shape.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			w.failAt(f, "true or false as default", "another text")
		}
		return value.Bool(b)
	case shape.Integer, shape.Number:
		var n float64
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			w.failAt(f, "a number as default", "another text")
		}
		return value.Number(n)
	case shape.Any, shape.Asset, shape.Archive, shape.Array, shape.Map, shape.Object:
	}

	w.failAt(f, "no default for this type", "one")
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
		return w.primitive(t)
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

// primitive describes a type without children: an enum if the source has constants of it.
func (w *writer) primitive(t *shape.Type) members {
	primitive := value.String(primitives[t.Form])
	if w.source == nil || t.Pkg == "" || t.Form == shape.Bool {
		return members{"type": primitive}
	}
	var constants []value.Value
	for _, c := range w.source.Constants(t) {
		v, err := value.FromGo(c.Value)
		if err != nil {
			continue
		}
		all := members{"name": value.String(c.Name), "value": v}
		if c.Doc = strings.TrimSpace(c.Doc); c.Doc != "" {
			all["description"] = value.String(c.Doc)
		}
		constants = append(constants, value.ObjectFromMap(all))
	}
	if len(constants) == 0 {
		return members{"type": primitive}
	}

	token := w.pkg + ":index:" + typeName(t.Name)
	if w.claim(token, t) {
		all := members{"type": primitive, "enum": value.Array(constants...)}
		w.describe(all, t, "", t.Name, typeName(t.Name))
		w.types[token] = value.ObjectFromMap(all)
	}
	return ref("#/types/" + token)
}

// claim reports whether a type is to be described, and fails if another one has its token.
func (w *writer) claim(token string, t *shape.Type) bool {
	known := w.named[token]
	if known == nil {
		w.named[token] = t
		return true
	}
	if known.Name != t.Name || known.Pkg != t.Pkg {
		w.fail("%s: expected one type of this name, found two", token)
	}
	return false
}

func ref(to string) members { return members{"$ref": value.String(to)} }

func (w *writer) object(t *shape.Type) members {
	token := w.pkg + ":index:" + typeName(t.Name)
	if t.Name == "" {
		w.fail("expected a type with a name for a struct in a property, found a struct without")
		return ref("pulumi.json#/Any")
	}
	for i := range t.Fields {
		for _, word := range t.Fields[i].Words {
			if slices.Contains(outerWords[:], word) {
				w.failAt(&t.Fields[i], "the word "+word+" at a property of the resource", "it inside of one")
			}
		}
	}
	if w.claim(token, t) {
		all, required := w.properties(t, true) // of inputs, too
		w.types[token] = w.described(objectOf(all, required), t, token)
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
