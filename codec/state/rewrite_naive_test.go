package state_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/state"
)

const (
	signature    = "4dabf18193072939515e22adb298388d"
	ofSecret     = "1b47061264138c4ac30d75fd1eb44270"
	ofReference  = "5cf8f73096256a8f31e491e813e4eb8e"
	naiveMembers = "parent dependencies propertyDependencies deletedWith replaceWith provider viewOf aliases inputs outputs"
)

// naive rewrites a file that encoding/json read, as the documentation of [state.Edits]
// says.
type naive struct {
	edits     state.Edits
	resources []any
	left      map[string]bool // URNs of resources that remain, and references to providers that do
	gone      map[string]bool // those of the others
	home      []string        // stack and project to rename
}

// partsOf returns stack, project, qualified type and name of a URN; nil if it is none.
func partsOf(text string) []string {
	parts := strings.SplitN(text, "::", 4)
	if len(parts) < 4 || !strings.HasPrefix(text, "urn:pulumi:") {
		return nil
	}

	parts[0] = strings.TrimPrefix(parts[0], "urn:pulumi:")

	return parts
}

// now returns what a URN becomes. In the fields of resources only the first provider
// reference that is there follows a name.
func (n *naive) now(text string) string { return n.moved(text, n.left["provider "+text]) }

// moved is now for what is known to be a reference to a provider or not.
func (n *naive) moved(text string, isProvider bool) string {
	parts := partsOf(text)
	if parts == nil {
		return text
	}

	if name, ok := n.edits.Rename[text]; ok {
		parts[3] = name
	} else if i := strings.LastIndex(text, "::"); isProvider {
		if name, ok := n.edits.Rename[text[:i]]; ok {
			parts[3] = name + text[i:]
		}
	}

	if slices.Equal(n.home, parts[:2]) {
		if n.edits.OldStack != "" {
			parts[0] = n.edits.NewStack
		}

		if n.edits.OldProject != "" {
			parts[1] = n.edits.NewProject
		}
	}

	return "urn:pulumi:" + strings.Join(parts, "::")
}

// survey notes what remains, and reports whether the edits fit.
func (n *naive) survey() bool {
	n.left, n.gone = map[string]bool{}, map[string]bool{}
	became := map[string]string{}

	for _, r := range n.resources {
		urn := memberOf(r, "urn")
		to := n.left
		if slices.Contains(n.edits.Delete, urn) {
			to = n.gone
		}

		to[urn] = true
		if strings.HasPrefix(memberOf(r, "type"), "pulumi:providers:") {
			to["provider "+urn+"::"+memberOf(r, "id")] = true
		}

		if n.gone[urn] {
			continue
		}

		parts := partsOf(urn)
		if n.home == nil && n.edits.OldStack+n.edits.OldProject != "" && (n.edits.OldStack == "" || parts[0] == n.edits.OldStack) && (n.edits.OldProject == "" || parts[1] == n.edits.OldProject) {
			n.home = parts[:2]
		}
	}

	fits := n.home != nil || n.edits.OldStack+n.edits.OldProject == ""
	for urn := range n.edits.Rename {
		fits = fits && n.left[urn]
	}

	for urn := range n.left {
		if other, there := became[n.now(urn)]; !strings.HasPrefix(urn, "provider ") {
			fits = fits && (!there || other == urn)
			became[n.now(urn)] = urn
		}
	}

	for _, r := range n.resources {
		fits = fits && (!n.left[memberOf(r, "urn")] || n.refers(r.(map[string]any)))
	}

	return fits
}

// refers reports whether nothing that a resource refers to is deleted.
func (n *naive) refers(r map[string]any) bool {
	fits := true

	for _, field := range strings.Fields(naiveMembers)[:7] {
		each(r[field], func(target string) string {
			key := target
			if field == "provider" {
				key = "provider " + target
			}

			fits = fits && !n.gone[key]

			return target
		})
	}

	return fits
}

func memberOf(r any, name string) string {
	s, _ := r.(map[string]any)[name].(string)

	return s
}

// each replaces the strings in arrays and in members of objects.
func each(v any, to func(string) string) any {
	switch v := v.(type) {
	case string:
		return to(v)
	case []any:
		for i := range v {
			v[i] = each(v[i], to)
		}
	case map[string]any:
		for name := range v {
			v[name] = each(v[name], to)
		}
	}

	return v
}

// rewrite changes the resources in place.
func (n *naive) rewrite() {
	n.resources = slices.DeleteFunc(n.resources, func(r any) bool { return !n.left[memberOf(r, "urn")] })

	for _, r := range n.resources {
		r := r.(map[string]any)
		r["urn"] = n.now(memberOf(r, "urn"))

		for _, field := range strings.Fields(naiveMembers) {
			switch {
			case r[field] == nil:
			case field == "inputs" || field == "outputs":
				r[field] = n.property(r[field], "")
			case field == "aliases":
				r[field] = each(r[field], func(urn string) string {
					renames := n.edits.Rename
					n.edits.Rename = nil

					defer func() { n.edits.Rename = renames }()

					return n.now(urn)
				})
			case field == "provider":
				text := memberOf(r, field)
				i := strings.LastIndex(text, "::")
				r[field] = n.moved(text[:i], false) + text[i:]
			default:
				r[field] = each(r[field], func(text string) string { return n.moved(text, false) })
			}
		}
	}
}

// property changes a value in a member of that name.
func (n *naive) property(v any, name string) any {
	switch v := v.(type) {
	case string:
		if n.edits.InProperties && name != signature {
			return n.now(v)
		}
	case []any:
		for i := range v {
			v[i] = n.property(v[i], "")
		}
	case map[string]any:
		for name := range v {
			_, isText := v[name].(string)

			switch {
			case isText && name == "plaintext" && v[signature] == ofSecret: // which is no JSON
			case isText && name == "urn" && v[signature] == ofReference:
				v[name] = each(v[name], n.now)
			default:
				v[name] = n.property(v[name], name)
			}
		}
	case plaintext:
		v.value = n.property(v.value, "")

		return v
	}

	return v
}

// plaintext is what a plaintext is as JSON.
type plaintext struct{ value any }

// opened puts the values of plaintexts into their places.
func opened(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = opened(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = opened(v[name])
		}

		if text, ok := v["plaintext"].(string); ok && v[signature] == ofSecret {
			if inner, err := decoded(text); err == nil {
				v["plaintext"] = plaintext{opened(inner)}
			}
		}
	}

	return v
}

func decoded(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()

	if err = d.Decode(&v); err == nil && d.More() {
		err = errors.New("more")
	}

	return v, err
}

// drawnFile draws the text of a stack, in which everything may be a URN.
func drawnFile(t *rapid.T) string {
	pool := rapid.SampledFrom([]string{
		"urn:pulumi:s::p::a:b:C::x", "urn:pulumi:s::p::a:b:C::y", "urn:pulumi:other::p::a:b:C::x", "urn:pulumi:s::q::a:b:C$d:e:F::x",
		"urn:pulumi:s::p::pulumi:providers:a::x", "urn:pulumi:s::p::pulumi:providers:a::x::i", "urn:pulumi:s::p::pulumi:providers:a::x::j", "urn:pulumi:s::p::a:b:C::x y",
		"urn:pulumi:", "x", ofSecret, ofReference,
	})

	var resources []any

	seen := map[string]bool{}

	for range rapid.IntRange(1, 4).Draw(t, "resources") {
		urn := pool.Filter(func(text string) bool { return partsOf(text) != nil && !seen[text] && strings.Count(text, "::") == 3 }).Draw(t, "urn")
		seen[urn] = true
		qualified := partsOf(urn)[2]
		r := map[string]any{"urn": urn, "type": qualified[strings.LastIndex(qualified, "$")+1:], "id": rapid.SampledFrom([]string{"i", "j"}).Draw(t, "id"), "inputs": map[string]any{"a": drawnValue(t, pool, 3)}, "outputs": map[string]any{"b": drawnValue(t, pool, 2)}}

		for _, field := range strings.Fields(naiveMembers)[:8] {
			if rapid.IntRange(0, 3).Draw(t, field) > 0 {
				continue
			}

			target := any(pool.Filter(func(text string) bool { return partsOf(text) != nil }).Draw(t, field))

			switch field {
			case "dependencies", "replaceWith", "aliases":
				target = []any{target}
			case "propertyDependencies":
				target = map[string]any{"a": []any{target}}
			}

			r[field] = target
		}

		resources = append(resources, r)
	}

	out, _ := json.Marshal(map[string]any{"version": 3, "deployment": map[string]any{"resources": resources}})

	return string(out)
}

// drawnValue draws a value of JSON with texts, secrets and references in it.
func drawnValue(t *rapid.T, texts *rapid.Generator[string], depth int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 1)
	}

	switch kind {
	case 2:
		return []any{drawnValue(t, texts, depth-1), drawnValue(t, texts, depth-1)}
	case 3, 4:
		object := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			object[rapid.SampledFrom([]string{"urn", "plaintext", "id", "a", "b", "\u2028"}).Draw(t, "name")] = drawnValue(t, texts, depth-1)
		}

		if rapid.Bool().Draw(t, "signed") {
			object[signature] = rapid.SampledFrom([]string{ofSecret, ofReference}).Draw(t, "signature")
		}

		return object
	case 5:
		inner, _ := json.Marshal(drawnValue(t, texts, depth-1))

		return map[string]any{signature: ofSecret, "plaintext": string(inner)}
	case 0:
		return json.Number("1")
	}

	return texts.Draw(t, "text")
}

// escapedSome writes some letters of a JSON text as escapes.
func escapedSome(t *rapid.T, text string) string {
	letters := rapid.SampledFrom([]string{"", "u", "x", ":"}).Draw(t, "escaped")
	if letters == "" {
		return text
	}

	var b strings.Builder

	for _, r := range text {
		if inString := strings.Count(b.String(), `"`)%2 == 1 && !strings.Contains(b.String(), `\`); inString && string(r) == letters {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}

	return b.String()
}

// TestRewriteNaively: Rewrite makes of a file what a rewrite of the parsed JSON makes of it,
// and leaves what is between the strings as it is.
func TestRewriteNaively(t *testing.T) {
	for range 10 { // a hundred files each
		rapid.Check(t, rewritesNaively)
	}
}

func rewritesNaively(t *rapid.T) {
	source := escapedSome(t, drawnFile(t))
	e := state.Edits{Rename: map[string]string{}, InProperties: rapid.Bool().Draw(t, "in properties"), Protected: true}

	urns := rapid.SampledFrom([]string{"urn:pulumi:s::p::a:b:C::x", "urn:pulumi:s::p::a:b:C::y", "urn:pulumi:s::p::pulumi:providers:a::x", "urn:pulumi:other::p::a:b:C::x"})
	for range rapid.IntRange(0, 2).Draw(t, "renames") {
		e.Rename[urns.Draw(t, "rename")] = rapid.SampledFrom([]string{"x", "y", "new", "é\"\u2028"}).Draw(t, "to")
	}

	if rapid.Bool().Draw(t, "stack") {
		e.OldStack, e.NewStack = "s", rapid.SampledFrom([]string{"s2", "other"}).Draw(t, "stack")
	}

	if rapid.Bool().Draw(t, "project") {
		e.OldProject, e.NewProject = "p", "p2"
	}

	file, err := decoded(source)
	if err != nil {
		t.Fatal(err)
	}

	n := &naive{edits: e, resources: file.(map[string]any)["deployment"].(map[string]any)["resources"].([]any)}
	for _, r := range n.resources {
		if rapid.IntRange(0, 5).Draw(t, "deleted") == 5 {
			e.Delete = append(e.Delete, memberOf(r, "urn"))
		}
	}

	n.edits = e
	opened(file)

	var out bytes.Buffer

	fits := n.survey()
	if _, err := state.Rewrite(strings.NewReader(source), &out, e); (err == nil) != fits {
		t.Fatalf("%s\n%+v: %v, and naively it fits: %v", source, e, err, fits)
	} else if err != nil {
		return
	}

	n.rewrite()
	file.(map[string]any)["deployment"].(map[string]any)["resources"] = n.resources

	got, err := decoded(out.String())
	if err != nil || !reflect.DeepEqual(opened(got), file) {
		t.Fatalf("%s\n%+v: %v, written is\n%s\nnot\n%v", source, e, err, out.String(), file)
	}

	if len(e.Delete) == 0 && between(source) != between(out.String()) {
		t.Fatalf("%s\n%+v: written is\n%s", source, e, out.String())
	}
}

// between returns a JSON text with empty strings.
func between(text string) string {
	var b strings.Builder

	inString := false

	for i := 0; i < len(text); i++ {
		switch {
		case inString && text[i] == '\\':
			i++

			continue
		case text[i] == '"':
			inString = !inString
		case inString:
			continue
		}

		b.WriteByte(text[i])
	}

	return b.String()
}
