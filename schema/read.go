package schema

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// reader reads a document into a package. The rules are those of Pulumi's metaschema and
// of the binder of its code generators.
type reader struct {
	document

	dangling bool // references may be
	p        *Package
	version  string          // without build metadata
	modules  *modules        // nil if meta.moduleFormat is wrong
	names    map[string]bool // of packages in tokens
	kinds    [kindWrong + 1]*Type
	unions   []*Type // with a discriminator
}

// read reads the document.
func (r *reader) read() {
	doc := r.p.doc
	r.about(doc)
	r.declare(doc)
	config := r.object(doc, "config")
	r.in(path.Key("config"), func() {
		r.p.config = &Type{kind: KindObject, members: r.properties(config, "variables", "defaults")}
	})

	for _, t := range r.unions {
		t.union.tags = tags(t.union)
	}
}

// about reads what the document says about the package as a whole.
func (r *reader) about(doc value.Value) {
	r.ignored(doc, value.KindString, "displayName", "description", "homepage", "license", "attribution", "repository", "logoUrl", "pluginDownloadURL", "publisher")
	r.texts(doc, "keywords")
	r.object(doc, "language")
	r.names = map[string]bool{}
	for _, name := range r.texts(doc, "allowedPackageNames") {
		r.names[name] = true
	}

	r.p.name = r.text(doc, "name")
	switch {
	case r.p.name == "":
		r.wrong("a package has a name", path.Key("name"))
	case !isPackageName(r.p.name):
		r.wrong("expected a letter, then letters, digits, hyphens and underscores", path.Key("name"))
	case r.p.name == "pulumi", r.p.name == "input":
		r.wrong("the name is reserved", path.Key("name"))
	}

	r.p.version, r.version = r.versionAt(doc, "version", true)
	if namespace := r.text(doc, "namespace"); namespace != "" && !isNamespace(namespace) {
		r.wrong("expected words of small letters and digits, with hyphens between them", path.Key("namespace"))
	}
	r.meta(doc)
}

// meta reads how the package is used, and what it extends.
func (r *reader) meta(doc value.Value) {
	meta := r.object(doc, "meta")
	r.in(path.Key("meta"), func() {
		var wrong string
		if r.modules, wrong = newModules(r.text(meta, "moduleFormat")); wrong != "" {
			r.wrong(wrong, path.Key("moduleFormat"))
		}
		if r.flag(meta, "supportPack") && r.p.version == "" {
			r.wrong("a package that supports packing has a version", path.Key("supportPack"))
		}
	})
	r.eachElem(doc, "dependencies", func(_ int, d value.Value) { r.dependency(d, true) })

	base, extended := r.object(doc, "parameterization"), r.object(doc, "extensionParameterization")
	if !base.IsNull() && !extended.IsNull() {
		r.wrong("a package has this or parameterization", path.Key("extensionParameterization"))
	}
	if !extended.IsNull() && !doc.Field("provider").IsNull() {
		r.wrong("a package that extends another provider has none", path.Key("provider"))
	}

	r.parameter(base, "parameterization", "baseProvider")
	r.required(base, "parameterization", "parameter")
	r.parameter(extended, "extensionParameterization", "baseProvider")
	provider := r.object(extended, "baseProvider")
	r.in(path.Key("extensionParameterization"), func() {
		r.in(path.Key("baseProvider"), func() { r.parameter(r.object(provider, "parameterization"), "parameterization", "basePlugin") })
	})
}

// required refuses an object, which is a member of this name, that lacks a member.
func (r *reader) required(doc value.Value, name, member string) {
	if !doc.IsNull() && doc.Field(member).IsNull() {
		r.wrong("it is required", path.Key(name), path.Key(member))
	}
}

// dependency reads the name and the version of another package, and its parameter.
func (r *reader) dependency(d value.Value, optional bool) {
	if name := r.text(d, "name"); !isPackageName(name) {
		r.wrong("expected the name of a package", path.Key("name"))
	}
	if !optional || !d.Field("version").IsNull() {
		r.versionAt(d, "version", false)
	}
	r.ignored(d, value.KindString, "downloadURL")

	if p := r.object(d, "parameterization"); !p.IsNull() {
		r.required(p, "parameterization", "value")
		r.in(path.Key("parameterization"), func() {
			r.dependency(p, false)
			r.base64(p, "value")
		})
	}
}

// parameter reads the provider that a parameter is for, and the parameter.
func (r *reader) parameter(doc value.Value, name, of string) {
	if doc.IsNull() {
		return
	}

	r.in(path.Key(name), func() {
		base := r.object(doc, of)
		r.in(path.Key(of), func() {
			if !isPackageName(r.text(base, "name")) {
				r.wrong("expected the name of a package", path.Key("name"))
			}
			r.versionAt(base, "version", false)
		})
		r.base64(doc, "parameter")
	})
}

func (r *reader) base64(doc value.Value, name string) {
	if _, err := base64.StdEncoding.DecodeString(r.text(doc, name)); err != nil {
		r.wrong("expected base64", path.Key(name))
	}
}

// versionAt reads a semantic version, and returns it as it is written and without build
// metadata. That of the package may be missing, and may have a "v" in front.
func (r *reader) versionAt(doc value.Value, name string, ours bool) (text, v string) {
	text = r.text(doc, name)
	if ours && text == "" {
		return "", ""
	}

	bare := text
	if ours {
		bare = strings.TrimPrefix(text, "v")
	}
	v, ok := version(bare)
	if !ok {
		r.wrong("expected a semantic version such as 1.2.3", path.Key(name))
	}
	return text, v
}

// declare makes what references can name, and then reads all of it.
func (r *reader) declare(doc value.Value) {
	for token, doc := range doc.Field("types").Members() {
		t := &Type{kind: KindEnum, token: token}
		var ok bool
		if t.elem, ok = r.primitive(doc.Field("type")); !ok {
			t.elem = r.simple(kindWrong)
		}
		if kind, _ := doc.Field("type").AsString(); kind == "object" {
			t.kind, t.elem = KindObject, nil
		}
		r.p.types[token] = t
	}

	for token, doc := range doc.Field("resources").Members() {
		r.p.resources[token] = &Resource{doc: doc, token: token}
	}
	for token, doc := range doc.Field("functions").Members() {
		r.p.functions[token] = &Function{doc: doc, token: token}
	}
	if doc.Field("extensionParameterization").IsNull() {
		r.p.provider = &Resource{token: "pulumi:providers:" + r.p.name}
	}
	r.each(doc, "types", func(token string, doc value.Value) {
		r.token(token, false)
		r.definition(r.p.types[token], doc)
	})
	r.each(doc, "functions", func(token string, doc value.Value) {
		r.token(token, true)
		r.function(r.p.functions[token], doc)
	})

	provider := r.object(doc, "provider")
	if r.p.provider != nil {
		r.in(path.Key("provider"), func() { r.provider(provider) })
	}

	r.each(doc, "resources", func(token string, doc value.Value) {
		r.token(token, false)
		r.resource(r.p.resources[token], doc)
	})
	r.cycles()
	r.collisions()
}

// token checks the token of what is read.
func (r *reader) token(token string, function bool) {
	pkg, rest, _ := strings.Cut(token, ":")
	module, name, _ := strings.Cut(rest, ":")
	switch {
	case !isToken(token, function):
		r.wrong("expected a token: package:module:name")
		return
	case !isVisible(token):
		r.wrong("the token has white space in it, or what cannot be printed")
	case pkg == r.p.name:
	case function && pkg == "pulumi" && module == "providers":
	case !r.names[pkg]:
		r.wrong("expected the name of this package, " + scan.Line(r.p.name) + ", before the first colon")
	}

	if (module == "" || strings.EqualFold(module, "index")) && strings.EqualFold(name, "provider") {
		r.wrong("the name is reserved for the provider")
	}

	if r.modules != nil {
		if is := r.modules.of(module); is.found {
			module = is.seen
		}
	}
	if strings.HasPrefix(module, "index/") {
		r.wrong("there are no modules in the module index")
	}
	if name == "pulumi" {
		r.wrong("the name is reserved")
	}
}

// shape reads what all objects have, and returns the type of an object with the
// properties.
func (r *reader) shape(doc value.Value) *Type {
	r.ignored(doc, value.KindString, "description", "type")
	r.ignored(doc, value.KindObject, "language")
	r.flag(doc, "isOverlay")
	r.languages(doc)
	r.retired(doc, "plain")
	return &Type{kind: KindObject, members: r.properties(doc, "properties", "required")}
}

func (r *reader) languages(doc value.Value) {
	for i, name := range r.texts(doc, "overlaySupportedLanguages") {
		if !slices.Contains([]string{"nodejs", "python", "go", "csharp", "java", "yaml"}, name) {
			r.wrong("expected nodejs, python, go, csharp, java or yaml", path.Key("overlaySupportedLanguages"), path.Index(i))
		}
	}
}

// retired refuses a list that schemas no longer have.
func (r *reader) retired(doc value.Value, name string) {
	if len(r.texts(doc, name)) > 0 {
		r.wrong("there is no such list any more: the types of properties are plain", path.Key(name))
	}
}

// nested reads an object of this name, and returns its type.
func (r *reader) nested(doc value.Value, name string) (t *Type) {
	member := r.object(doc, name)
	r.in(path.Key(name), func() { t = r.shape(member) })
	return t
}

// resource reads a resource.
func (r *reader) resource(to *Resource, doc value.Value) {
	to.doc = doc
	to.state = r.shape(doc)
	to.state.also = "id"
	to.inputs = &Type{kind: KindObject, members: r.properties(doc, "inputProperties", "requiredInputs")}
	to.stateInputs = r.nested(doc, "stateInputs")
	to.component = r.flag(doc, "isComponent")
	r.nested(doc, "listInputs")
	r.retired(doc, "plainInputs")
	r.ignored(doc, value.KindString, "deprecationMessage")
	if to.stateInputs.property("id") != nil {
		r.wrong("the name is reserved", path.Key("stateInputs"), path.Key("properties"), path.Key("id"))
	}

	for i, alias := range r.member(doc, "aliases", value.KindArray).Elems() {
		if alias.Kind() == value.KindObject {
			r.in(path.Key("aliases"), func() { r.in(path.Index(i), func() { alias = value.String(r.text(alias, "type")) }) })
		}
		text, ok := alias.AsString()
		if !ok && !alias.IsNull() {
			r.wrong("expected string or object, found "+alias.Kind().String(), path.Key("aliases"), path.Index(i))
		}
		to.aliases = append(to.aliases, text)
	}

	slices.Sort(to.aliases)
	methods := r.object(doc, "methods")
	r.in(path.Key("methods"), func() { r.methods(to, methods) })
}

// provider reads the provider as a resource.
func (r *reader) provider(doc value.Value) {
	r.resource(r.p.provider, doc)
	r.p.provider.inputs.also = "version"
	if r.p.provider.inputs.property("version") != nil {
		r.wrong("the name is reserved", path.Key("inputProperties"), path.Key("version"))
	}
}

// methods reads which functions are methods of a resource.
func (r *reader) methods(of *Resource, doc value.Value) {
	for name := range doc.Keys() {
		token := r.text(doc, name)
		f := r.p.functions[token]
		wrong := func(reason string) { r.wrong(reason, path.Key(name)) }
		i := strings.LastIndexByte(token, '/')
		switch {
		case f == nil:
			wrong("there is no function " + scan.Line(token))
		case f.method:
			wrong("the function is a method already")
		case i < 0 || token[:i] != of.token:
			wrong("expected a function " + scan.Line(of.token) + "/name")
		case !f.onSelf:
			wrong("the first argument of the function is not __self__")
		case of.state.property(name) != nil:
			wrong("there is a property of the same name")

		default:
			f.method = true
		}
	}
}

// function reads a function.
func (r *reader) function(to *Function, doc value.Value) {
	to.doc = doc
	to.inputs = r.nested(doc, "inputs")
	r.ignored(doc, value.KindString, "description", "deprecationMessage")
	r.ignored(doc, value.KindObject, "language")
	r.flag(doc, "isOverlay")
	r.flag(doc, "plain")
	r.languages(doc)
	arguments := map[string]bool{}
	listed := r.texts(doc, "multiArgumentInputs")
	to.onSelf = first(listed, to.inputs) == "__self__"
	for i, name := range listed {
		arguments[name] = true
		if to.inputs.property(name) == nil {
			r.wrong("there is no input "+scan.Line(name), path.Key("multiArgumentInputs"), path.Index(i))
		}
	}

	for p := range to.inputs.Properties() {
		if len(arguments) > 0 && !arguments[p.name] {
			r.wrong("there is no "+scan.Line(p.name)+" in it", path.Key("multiArgumentInputs"))
		}
	}

	r.outputs(to, doc)
}

// first returns the name of the first argument of a function: as they are listed, or by
// name. Of a name that is listed twice, the last place counts.
func first(listed []string, inputs *Type) (name string) {
	if len(listed) == 0 && len(inputs.properties) > 0 {
		return inputs.properties[0].name
	}

	seen := make(map[string]bool, len(listed))
	for _, argument := range slices.Backward(listed) {
		if !seen[argument] {
			seen[argument], name = true, argument
		}
	}
	return name
}

// outputs reads the result of a function.
func (r *reader) outputs(to *Function, doc value.Value) {
	outputs := r.object(doc, "outputs")
	if outputs.Len() == 0 {
		return
	}
	r.in(path.Key("outputs"), func() {
		if r.object(outputs, "properties").IsNull() {
			to.outputs = r.typ(outputs)
			return
		}

		if plain := outputs.Field("plain"); plain.Kind() == value.KindBool {
			outputs, _ = outputs.WithField("plain", value.Null())
		}
		to.outputs = r.shape(outputs)
	})
}
