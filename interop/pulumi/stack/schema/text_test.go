package schema_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	pulumi "github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// text is a package as lines, one for each property, type and enum, which are the same on
// both sides where both read the same.
type text struct {
	lines []string
	count map[string]int
}

func (t *text) add(kind, format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
	t.count[kind]++
}

// row is what both sides say of a property.
type row struct {
	name, typ   string
	facts       [5]bool
	constant    string
	value       string
	environment []string
}

func (r row) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q: %s", r.name, r.typ)

	for i, fact := range []string{"required", "secret", "plain", "replaceOnChanges", "willReplaceOnChanges"} {
		if r.facts[i] {
			b.WriteString(" " + fact)
		}
	}

	fmt.Fprintf(&b, " const %s default %s %q", r.constant, r.value, r.environment)

	return b.String()
}

func (t *text) properties(where string, rows []row) {
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })

	for _, r := range rows {
		t.add("properties", "%s %v", where, r)
	}
}

// ourText writes what is read here.
func ourText(p *schema.Package) *text {
	t := &text{count: map[string]int{}}
	t.add("packages", "package %s %s", p.Name(), strings.TrimPrefix(p.Version(), "v"))
	t.properties("config", ourRows(p.Config()))

	if provider := p.Provider(); provider != nil {
		t.ourResource("provider", provider, slices.DeleteFunc(ourRows(provider.State()), func(r row) bool {
			p, _ := provider.State().Property(r.name)
			return !isText(p.Type())
		}))
	}

	for r := range p.Resources() {
		t.ourResource("resources", r, ourRows(r.State()))
	}

	for f := range p.Functions() {
		t.add("functions", "function %s", f.Token())
		t.properties(f.Token()+" inputs", ourRows(f.Inputs()))

		switch out := f.Outputs(); {
		case out == nil:
		case out.Kind() == schema.KindObject && out.Token() == "":
			t.properties(f.Token()+" outputs", ourRows(out))
		default:
			t.add("results that are no objects", "%s returns %s", f.Token(), ourType(out))
		}
	}

	for d := range p.Types() {
		if d.Kind() == schema.KindObject {
			t.add("object types", "type %s", d.Token())
			t.properties(d.Token(), ourRows(d))

			continue
		}

		var values []string
		for v := range d.Values() {
			values = append(values, ourConstant(v))
		}

		t.add("enums", "enum %s of %s: %s", d.Token(), ourType(d.Elem()), strings.Join(values, ", "))
	}

	return t
}

// isText reports whether the binder keeps a property of a provider that is of the type.
func isText(t *schema.Type) bool {
	switch t.Kind() {
	case schema.KindString:
		return true
	case schema.KindEnum, schema.KindExternal:
		return t.Elem() != nil && t.Elem().Kind() == schema.KindString
	default:
		return false
	}
}

func (t *text) ourResource(kind string, r *schema.Resource, state []row) {
	t.add(kind, "resource %s component %t", r.Token(), r.IsComponent())
	t.properties(r.Token()+" inputs", ourRows(r.Inputs()))
	t.properties(r.Token()+" state", state)
	t.properties(r.Token()+" stateInputs", ourRows(r.StateInputs()))
}

func ourRows(t *schema.Type) []row {
	var rows []row
	for p := range t.Properties() {
		rows = append(rows, row{
			p.Name(), ourType(p.Type()),
			[5]bool{p.Required(), p.Secret(), p.Plain(), p.ReplaceOnChanges(), p.WillReplaceOnChanges()},
			ourConstant(p.Const()), ourConstant(p.Default()), p.Environment(),
		})
	}

	return rows
}

func ourConstant(v value.Value) string {
	if n, ok := v.AsNumber(); ok {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}

	if s, ok := v.AsString(); ok {
		return strconv.Quote(s)
	}

	if b, ok := v.AsBool(); ok {
		return strconv.FormatBool(b)
	}

	return "none"
}

func ourType(t *schema.Type) string {
	switch t.Kind() {
	case schema.KindArray, schema.KindMap:
		return t.Kind().String() + "(" + ourType(t.Elem()) + ")"
	case schema.KindUnion:
		var all []string
		for a := range t.Alternatives() {
			all = append(all, ourType(a))
		}

		if t.Elem() != nil {
			all = append(all, "or "+ourType(t.Elem()))
		}

		for tag, a := range t.Mapping() {
			all = append(all, strconv.Quote(tag)+" selects "+ourType(a))
		}

		return "union(" + strings.Join(all, "; ") + "; " + t.Discriminator() + ")"
	case schema.KindExternal:
		if t.Elem() != nil {
			return "external " + t.Token() + " as " + ourType(t.Elem())
		}

		return "external " + t.Token()
	case schema.KindObject, schema.KindEnum, schema.KindResource:
		return t.Kind().String() + " " + t.Token()
	default:
		return t.Kind().String()
	}
}

// theirText writes what the binder reads.
func theirText(p *pulumi.Package) *text {
	t := &text{count: map[string]int{}}

	version := ""
	if p.Version != nil {
		version = p.Version.String()
	}

	t.add("packages", "package %s %s", p.Name, version)
	t.properties("config", theirRows(p, p.Config))

	if p.Provider != nil {
		t.theirResource("provider", p, p.Provider)
	}

	for _, r := range p.Resources {
		t.theirResource("resources", p, r)
	}

	for _, f := range p.Functions {
		t.add("functions", "function %s", f.Token)

		if f.Inputs != nil {
			t.properties(f.Token+" inputs", theirRows(p, f.Inputs.Properties))
		}

		switch {
		case f.ReturnType == nil:
		case f.InlineObjectAsReturnType:
			t.properties(f.Token+" outputs", theirRows(p, f.Outputs.Properties))
		default:
			t.add("results that are no objects", "%s returns %s", f.Token, theirType(p, f.ReturnType))
		}
	}

	defined := map[string]pulumi.Type{}

	for _, d := range p.Types {
		switch d := d.(type) {
		case *pulumi.ObjectType:
			if d.IsPlainShape() {
				defined[d.Token] = d
			}
		case *pulumi.EnumType:
			defined[d.Token] = d
		}
	}

	for _, token := range slices.Sorted(maps.Keys(defined)) {
		switch d := defined[token].(type) {
		case *pulumi.ObjectType:
			t.add("object types", "type %s", token)
			t.properties(token, theirRows(p, d.Properties))
		case *pulumi.EnumType:
			var values []string
			for _, e := range d.Elements {
				values = append(values, theirConstant(e.Value))
			}

			t.add("enums", "enum %s of %s: %s", token, theirType(p, d.ElementType), strings.Join(values, ", "))
		}
	}

	return t
}

func (t *text) theirResource(kind string, p *pulumi.Package, r *pulumi.Resource) {
	t.add(kind, "resource %s component %t", r.Token, r.IsComponent)
	t.properties(r.Token+" inputs", theirRows(p, r.InputProperties))
	t.properties(r.Token+" state", theirRows(p, r.Properties))

	if r.StateInputs != nil {
		t.properties(r.Token+" stateInputs", theirRows(p, r.StateInputs.Properties))
	}
}

func theirRows(pkg *pulumi.Package, properties []*pulumi.Property) []row {
	var rows []row

	for _, p := range properties {
		r := row{
			p.Name, theirType(pkg, p.Type),
			[5]bool{p.IsRequired(), p.Secret, p.Plain, p.ReplaceOnChanges, p.WillReplaceOnChanges},
			theirConstant(p.ConstValue), "none", nil,
		}

		if d := p.DefaultValue; d != nil {
			r.value, r.environment = theirConstant(d.Value), d.Environment
		}

		rows = append(rows, r)
	}

	return rows
}

func theirConstant(c any) string {
	switch c := c.(type) {
	case nil:
		return "none"
	case int32:
		return strconv.FormatFloat(float64(c), 'g', -1, 64)
	case float64:
		return strconv.FormatFloat(c, 'g', -1, 64)
	case string:
		return strconv.Quote(c)
	default:
		return fmt.Sprint(c)
	}
}

func theirType(pkg *pulumi.Package, t pulumi.Type) string {
	switch t := t.(type) {
	case *pulumi.OptionalType:
		return theirType(pkg, t.ElementType)
	case *pulumi.InputType:
		return theirType(pkg, t.ElementType)
	case *pulumi.ArrayType:
		return "array(" + theirType(pkg, t.ElementType) + ")"
	case *pulumi.MapType:
		return "map(" + theirType(pkg, t.ElementType) + ")"
	case *pulumi.UnionType:
		return theirUnion(pkg, t)
	case *pulumi.ObjectType:
		return theirName(pkg, t.PackageReference, "object", t.Token)
	case *pulumi.EnumType:
		return theirName(pkg, t.PackageReference, "enum", t.Token)
	case *pulumi.ResourceType:
		return "resource " + t.Token
	case *pulumi.TokenType:
		if t.UnderlyingType != nil {
			return "external " + t.Token + " as " + theirType(pkg, t.UnderlyingType)
		}

		return "external " + t.Token
	}

	names := map[pulumi.Type]string{
		pulumi.BoolType: "boolean", pulumi.IntType: "integer", pulumi.NumberType: "number", pulumi.StringType: "string",
		pulumi.ArchiveType: "archive", pulumi.AssetType: "asset or archive", pulumi.AnyType: "any value", pulumi.JSONType: "JSON",
	}

	return names[t]
}

// theirName returns the text of a named type, which may be one of another package.
func theirName(pkg *pulumi.Package, of pulumi.PackageReference, kind, token string) string {
	if of != nil && of.Identity() != pkg.Reference().Identity() {
		return "external " + token
	}

	return kind + " " + token
}

// theirUnion returns the text of a union. What a discriminator selects is the alternative
// that the mapping refers to.
func theirUnion(pkg *pulumi.Package, t *pulumi.UnionType) string {
	var all []string

	named := map[string]string{}

	for _, e := range t.ElementTypes {
		text := theirType(pkg, e)
		all = append(all, text)

		if _, token, ok := strings.Cut(text, " "); ok && token != "" && !strings.Contains(text, "(") {
			named[token] = text
		}
	}

	if t.DefaultType != nil {
		all = append(all, "or "+theirType(pkg, t.DefaultType))
	}

	for _, tag := range slices.Sorted(maps.Keys(t.Mapping)) {
		token, _ := url.PathUnescape(t.Mapping[tag])
		if _, after, ok := strings.Cut(token, "#/types/"); ok {
			token = after
		}

		if a := named[token]; a != "" {
			all = append(all, strconv.Quote(tag)+" selects "+a)
		}
	}

	return "union(" + strings.Join(all, "; ") + "; " + t.Discriminator + ")"
}

// firstDifference returns the first line that only one side has, or "".
func firstDifference(theirs, ours *text) string {
	for i := range max(len(theirs.lines), len(ours.lines)) {
		a, b := "(no more)", "(no more)"
		if i < len(theirs.lines) {
			a = theirs.lines[i]
		}

		if i < len(ours.lines) {
			b = ours.lines[i]
		}

		if a != b {
			return "theirs: " + a + "\nours:   " + b
		}
	}

	return ""
}
