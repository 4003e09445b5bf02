package laws

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// schemaText is a schema whose types have the names and kinds that generated values have.
const schemaText = `{
	"name": "p",
	"provider": {"inputProperties": {"a": {"type": "string", "secret": true}}},
	"types": {
		"p::E": {"type": "string", "enum": [{"value": "x"}, {"value": "y"}]},
		"p::T": {"type": "object", "required": ["a"], "properties": {
			"a": {"oneOf": [{"type": "string"}, {"$ref": "#/types/p::T"}, {"$ref": "#/types/p::U"}]},
			"b": {"type": "array", "items": {"$ref": "#/types/p::T"}},
			"c": {"type": "integer", "secret": true, "willReplaceOnChanges": true}
		}},
		"p::U": {"type": "object", "properties": {"a": {"type": "string", "const": "x"}, "b": {"$ref": "pulumi.json#/Json"}}}
	},
	"resources": {"p::R": {
		"inputProperties": {
			"a": {"type": "string", "default": "x", "defaultInfo": {"environment": ["A", "B"]}},
			"b": {"type": "object", "additionalProperties": {"$ref": "#/types/p::T"}},
			"name": {"$ref": "#/types/p::E"},
			"id": {"oneOf": [{"$ref": "#/types/p::T"}, {"$ref": "#/types/p::U"}], "discriminator": {"propertyName": "a", "mapping": {"x": "#/types/p::U"}}},
			"tags": {"$ref": "#/resources/p::R"}
		},
		"properties": {"a": {"$ref": "#/types/p::T"}, "url": {"$ref": "pulumi.json#/Archive"}}
	}},
	"functions": {"p::f": {"inputs": {"properties": {"a": {"type": "number"}}}, "outputs": {"type": "array", "items": {"type": "boolean"}}}}
}`

// schemaProbes read schemas, and check values by one.
func schemaProbes() []probe {
	read := func(f func(s *scene, p *schema.Package, r *schema.Resource)) func(s *scene) {
		return func(s *scene) {
			p, err := schema.Read([]byte(schemaText), schema.Options{})
			if err != nil {
				panic(err)
			}

			r, _ := p.Resource("p::R")
			f(s, p, r)
		}
	}
	types := func(f func(s *scene, t *schema.Type)) func(s *scene) {
		return read(func(s *scene, p *schema.Package, r *schema.Resource) {
			for _, t := range slices.Concat([]*schema.Type{nil, r.Inputs(), r.State(), p.Provider().Inputs()}, slices.Collect(p.Types())) {
				f(s, t)

				for member := range t.Properties() {
					f(s, member.Type())
				}
			}
		})
	}
	values := func(f func(s *scene, t *schema.Type, v value.Value)) func(s *scene) {
		return types(func(s *scene, t *schema.Type) { s.few(func(v value.Value) { f(s, t, v) }) })
	}
	properties := func(f func(s *scene, p schema.Property)) func(s *scene) {
		return types(func(s *scene, t *schema.Type) {
			for p := range t.Properties() {
				f(s, p)
			}
		})
	}
	resource := func(f func(s *scene, r *schema.Resource)) func(s *scene) {
		return read(func(s *scene, _ *schema.Package, r *schema.Resource) { f(s, r) })
	}
	function := func(f func(s *scene, f *schema.Function)) func(s *scene) {
		return read(func(s *scene, p *schema.Package, _ *schema.Resource) {
			for g := range p.Functions() {
				f(s, g)
			}
		})
	}
	pkg := func(f func(s *scene, p *schema.Package)) func(s *scene) {
		return read(func(s *scene, p *schema.Package, _ *schema.Resource) { f(s, p) })
	}

	return slices.Concat(
		schemaReadProbes(), schemaPackageProbes(pkg), schemaResourceProbes(resource, function),
		schemaTypeProbes(types, values), schemaPropertyProbes(properties),
	)
}

// schemaTypeProbes check values by types, and look at types.
func schemaTypeProbes(types func(f func(s *scene, t *schema.Type)) func(s *scene), values func(f func(s *scene, t *schema.Type, v value.Value)) func(s *scene)) []probe {
	return []probe{
		{"schema.Type.Check", "", values(func(s *scene, t *schema.Type, v value.Value) { s.say(t.Check(v)) })},
		{"schema.Type.MarkSecrets", "", values(func(s *scene, t *schema.Type, v value.Value) { s.say(t.MarkSecrets(v)) })},
		{"schema.Type.WithDefaults", "", values(func(s *scene, t *schema.Type, v value.Value) {
			s.say(t.WithDefaults(v, func(name string) (string, bool) { return "no", name == "B" }))
		})},
		{"schema.Type.ParseConfig", "", values(func(s *scene, t *schema.Type, v value.Value) { s.say(t.ParseConfig(v)) })},
		{"schema.Type.Kind", "", types(func(s *scene, t *schema.Type) { s.say(t.Kind()) })},
		{"schema.Kind.String", "", types(func(s *scene, t *schema.Type) { s.say(t.Kind().String(), schema.Kind(s.index).String()) })},
		{"schema.Type.Token", "", types(func(s *scene, t *schema.Type) { s.say(t.Token()) })},
		{"schema.Type.String", "", types(func(s *scene, t *schema.Type) { s.say(t.String()) })},
		{"schema.Type.Elem", "", types(func(s *scene, t *schema.Type) { s.say(t.Elem()) })},
		{"schema.Type.Properties", "", types(func(s *scene, t *schema.Type) { s.say(len(slices.Collect(t.Properties()))) })},
		{"schema.Type.Property", "", types(func(s *scene, t *schema.Type) {
			for name := range s.v.Keys() {
				p, ok := t.Property(name)
				s.say(p, ok)
			}
		})},
		{"schema.Type.Names", "", types(func(s *scene, t *schema.Type) { s.say(t.Names()) })},
		{"schema.Type.Strings", "", types(func(s *scene, t *schema.Type) { s.say(t.Strings()) })},
		{"schema.Type.Values", "", types(func(s *scene, t *schema.Type) { s.say(slices.Collect(t.Values())) })},
		{"schema.Type.Alternatives", "", types(func(s *scene, t *schema.Type) { s.say(slices.Collect(t.Alternatives())) })},
		{"schema.Type.Discriminator", "", types(func(s *scene, t *schema.Type) { s.say(t.Discriminator()) })},
		{"schema.Type.Mapping", "", types(func(s *scene, t *schema.Type) {
			for tag, a := range t.Mapping() {
				s.say(tag, a)
			}
		})},
	}
}

// schemaPropertyProbes look at properties.
func schemaPropertyProbes(properties func(f func(s *scene, p schema.Property)) func(s *scene)) []probe {
	return []probe{
		{"schema.Property.Name", "", properties(func(s *scene, p schema.Property) { s.say(p.Name()) })},
		{"schema.Property.Type", "", properties(func(s *scene, p schema.Property) { s.say(p.Type()) })},
		{"schema.Property.Required", "", properties(func(s *scene, p schema.Property) { s.say(p.Required()) })},
		{"schema.Property.Plain", "", properties(func(s *scene, p schema.Property) { s.say(p.Plain()) })},
		{"schema.Property.Secret", "", properties(func(s *scene, p schema.Property) { s.say(p.Secret()) })},
		{"schema.Property.ReplaceOnChanges", "", properties(func(s *scene, p schema.Property) { s.say(p.ReplaceOnChanges()) })},
		{"schema.Property.WillReplaceOnChanges", "", properties(func(s *scene, p schema.Property) { s.say(p.WillReplaceOnChanges()) })},
		{"schema.Property.Const", "", properties(func(s *scene, p schema.Property) { s.say(p.Const()) })},
		{"schema.Property.Default", "", properties(func(s *scene, p schema.Property) { s.say(p.Default()) })},
		{"schema.Property.Environment", "", properties(func(s *scene, p schema.Property) { s.say(p.Environment()) })},
		{"schema.Property.Document", "", properties(func(s *scene, p schema.Property) { s.say(p.Document()) })},
	}
}

// schemaResourceProbes look at resources and functions.
func schemaResourceProbes(resource func(f func(s *scene, r *schema.Resource)) func(s *scene), function func(f func(s *scene, f *schema.Function)) func(s *scene)) []probe {
	return []probe{
		{"schema.Resource.Token", "", resource(func(s *scene, r *schema.Resource) { s.say(r.Token()) })},
		{"schema.Resource.Inputs", "", resource(func(s *scene, r *schema.Resource) { s.say(r.Inputs()) })},
		{"schema.Resource.State", "", resource(func(s *scene, r *schema.Resource) { s.say(r.State()) })},
		{"schema.Resource.StateInputs", "", resource(func(s *scene, r *schema.Resource) { s.say(r.StateInputs()) })},
		{"schema.Resource.Outputs", "", resource(func(s *scene, r *schema.Resource) { s.say(r.Outputs()) })},
		{"schema.Resource.Secrets", "", resource(func(s *scene, r *schema.Resource) { s.say(r.Secrets()) })},
		{"schema.Resource.ReplaceOn", "", resource(func(s *scene, r *schema.Resource) { s.say(r.ReplaceOn()) })},
		{"schema.Resource.IsComponent", "", resource(func(s *scene, r *schema.Resource) { s.say(r.IsComponent()) })},
		{"schema.Resource.Document", "", resource(func(s *scene, r *schema.Resource) { s.say(r.Document()) })},
		{"provider.FromSchema", "", resource(func(s *scene, r *schema.Resource) { s.say(provider.FromSchema(r)) })},
		{"schema.Function.Token", "", function(func(s *scene, f *schema.Function) { s.say(f.Token()) })},
		{"schema.Function.Inputs", "", function(func(s *scene, f *schema.Function) { s.say(f.Inputs()) })},
		{"schema.Function.Outputs", "", function(func(s *scene, f *schema.Function) { s.say(f.Outputs()) })},
		{"schema.Function.Document", "", function(func(s *scene, f *schema.Function) { s.say(f.Document()) })},
	}
}

// schemaReadProbes read what is not a schema.
func schemaReadProbes() []probe {
	wrong := func(f func(s *scene, e *schema.Error)) func(s *scene) {
		return func(s *scene) {
			f(s, nil)
			s.few(func(v value.Value) {
				of := value.Object(value.Field("name", v), value.Field("resources", v), value.Field("types", value.Object(value.Field("p::T", v))))
				if v.ContainsSecret() {
					of = v
				}

				_, err := schema.FromValue(of, schema.Options{AllowDangling: s.index%2 == 0})
				if e := (*schema.Error)(nil); errors.As(err, &e) {
					f(s, e)
				}
			})
		}
	}

	return []probe{
		{"schema.Read", "", func(s *scene) { s.say(schema.Read([]byte(s.wiredText), schema.Options{})) }},
		{"schema.FromValue", "", func(s *scene) { s.few(func(v value.Value) { s.say(schema.FromValue(v, schema.Options{})) }) }},
		{"schema.Error.Error", "", wrong(func(s *scene, e *schema.Error) { s.say(e.Error()) })},
		{"schema.Problem.String", "", wrong(func(s *scene, e *schema.Error) {
			if e != nil {
				for _, p := range e.Problems {
					s.say(p.String())
				}
			}
		})},
	}
}

// schemaPackageProbes look things up in a package.
func schemaPackageProbes(pkg func(f func(s *scene, p *schema.Package)) func(s *scene)) []probe {
	return []probe{
		{"schema.Package.Name", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Name()) })},
		{"schema.Package.Version", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Version()) })},
		{"schema.Package.Config", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Config()) })},
		{"schema.Package.Provider", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Provider()) })},
		{"schema.Package.Document", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Document()) })},
		{"schema.Package.Resource", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Resource(s.text)) })},
		{"schema.Package.Resources", "", pkg(func(s *scene, p *schema.Package) { s.say(slices.Collect(p.Resources())) })},
		{"schema.Package.Function", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Function(s.text)) })},
		{"schema.Package.Functions", "", pkg(func(s *scene, p *schema.Package) { s.say(slices.Collect(p.Functions())) })},
		{"schema.Package.Type", "", pkg(func(s *scene, p *schema.Package) { s.say(p.Type(s.text)) })},
		{"schema.Package.Types", "", pkg(func(s *scene, p *schema.Package) { s.say(slices.Collect(p.Types())) })},
	}
}
