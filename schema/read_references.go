package schema

import (
	"net/url"
	"path"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	steps "github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// reference returns the type that the $ref of a type names.
func (r *reader) reference(ref string, doc value.Value) *Type {
	switch ref {
	case "pulumi.json#/Any":
		return r.simple(KindAny)
	case "pulumi.json#/Json":
		return r.simple(KindJSON)
	case "pulumi.json#/Asset":
		return r.simple(KindAsset)
	case "pulumi.json#/Archive":
		return r.simple(KindArchive)
	}

	if token, ok := strings.CutPrefix(ref, "#/types/"); ok && path.Clean(token) == token && !strings.Contains(token, "%") { // most are written so
		if t := r.p.types[token]; t != nil {
			return t
		}
	}
	t, wrong := r.parsed(ref)
	if t != nil && wrong != "" && r.dangling {
		var ok bool
		if t.elem, ok = r.primitive(doc.Field("type")); ok || doc.Field("type").IsNull() {
			return t
		}
		wrong = "expected boolean, integer, number or string next to a reference to a type that is not there"
	}
	if wrong != "" {
		r.wrong(wrong, steps.Key("$ref"))
		return r.simple(kindWrong)
	}

	return t
}

// parsed is reference for any text: "#/provider", "#/resources/TOKEN" or "#/types/TOKEN",
// with "/NAME/vVERSION/schema.json" in front for another package. Tokens may have escapes,
// and slashes that should have been escaped.
func (r *reader) parsed(ref string) (t *Type, wrong string) {
	u, err := url.Parse(ref)
	if err != nil {
		return nil, "not a reference: " + scan.Line(ref)
	}

	name, ours := r.p.name, true
	if u.Path != "" {
		file, err := url.PathUnescape(u.Path)
		if err != nil {
			return nil, "not a reference: " + scan.Line(ref)
		}
		parts := strings.Split(strings.TrimPrefix(file, "/"), "/")
		if len(parts) != 3 || parts[0] == "" || !isReferable(parts[0]) || parts[1] == "" || parts[1][0] != 'v' || parts[2] != "schema.json" {
			return nil, "expected /PACKAGE/vVERSION/schema.json, found " + scan.Line(u.Path)
		}
		v, ok := looseVersion(parts[1])
		if !ok {
			return nil, "expected the version of a package, found " + scan.Line(parts[1])
		}
		name = parts[0]
		ours = name == r.p.name && (r.version == "" || r.version == v)
	}

	section, token, _ := strings.Cut(strings.TrimPrefix(path.Clean(u.EscapedFragment()), "/"), "/")
	if token, err = url.PathUnescape(token); err != nil {
		return nil, "not a token: " + scan.Line(token)
	}
	switch {
	case section == "provider" && token == "":
		return r.referred(KindResource, "pulumi:providers:"+name, ours)
	case section == "resources":
		return r.referred(KindResource, token, ours)
	case section == "types":
		return r.referred(KindExternal, token, ours)
	}

	return nil, "expected #/provider, #/resources/TOKEN or #/types/TOKEN, found " + scan.Line(u.Fragment)
}

// isReferable reports whether a text is letters, digits, hyphens and underscores.
func isReferable(name string) bool {
	return isPackageName("a" + name)
}

// referred returns the type of a reference to a resource or a type, of this package or of
// another. A type that is not there is returned with what is wrong.
func (r *reader) referred(kind Kind, token string, ours bool) (t *Type, wrong string) {
	switch {
	case kind == KindExternal && ours && r.p.types[token] != nil:
		return r.p.types[token], ""
	case kind == KindExternal && ours:
		return &Type{kind: kind, token: token, dangling: true}, "there is no type " + scan.Line(token)
	case ours && token == "pulumi:providers:"+r.p.name && r.p.provider != nil:
		return &Type{kind: kind, token: token}, ""
	case ours && r.p.resources[token] == nil:
		return nil, "there is no resource " + scan.Line(token)
	}

	return &Type{kind: kind, token: token, of: r.p.resources[token]}, ""
}

// unescaped returns a reference without escapes, or as it is.
func unescaped(ref string) string {
	if text, err := url.PathUnescape(ref); err == nil {
		return text
	}
	return ref
}
