package laws

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// Law13Rewrite is the law that a state file which is rewritten has the texts that its
// edits name in all places where they are, and every other byte: it is the text that is
// written of a model in which the same was changed. Names there and back give the file
// again. Where something would refer to what is deleted, or two URNs become one, it is an
// error, and nothing is written.
func Law13Rewrite(t *rapid.T) {
	m := drawStack(t)
	text := m.text(nil)
	e := state.Edits{Rename: map[string]string{}, InProperties: m.inProperties, ClearPending: m.cleared, Protected: true}
	if m.newStack != m.stack {
		e.OldStack, e.NewStack = m.stack, m.newStack
	}
	if m.newProject != m.project {
		e.OldProject, e.NewProject = m.project, m.newProject
	}
	for i, r := range m.resources {
		if r.deleted {
			e.Delete = append(e.Delete, m.old(i)+"::"+r.id)
		}
		if r.newName != r.name {
			e.Rename[m.old(i)] = r.newName
		}
	}

	var out strings.Builder
	_, err := state.Rewrite(strings.NewReader(text), &out, e)
	if why := m.impossible(); why != "" {
		if !errors.Is(err, state.ErrEdit) || out.Len() > 0 {
			t.Fatalf("%s\n%+v: %s, but %v, and written is %q", text, e, why, err, out.String())
		}
		return
	}
	if want := m.text(&e); err != nil || out.String() != want {
		t.Fatalf("%s\n%+v: %v, written is\n%s\nnot\n%s", text, e, err, out.String(), want)
	}
	if len(e.Delete) > 0 || m.cleared {
		return
	}

	back := state.Edits{Rename: map[string]string{}, OldStack: e.NewStack, NewStack: e.OldStack, OldProject: e.NewProject, NewProject: e.OldProject, InProperties: e.InProperties}
	for i, r := range m.resources {
		if r.newName != r.name {
			back.Rename[m.now(i)] = r.name
		}
	}

	there := out.String()
	out.Reset()
	if _, err := state.Rewrite(strings.NewReader(there), &out, back); err != nil || out.String() != text {
		t.Fatalf("%s\n%+v: there it is\n%s\nand back, %v, it is\n%s", text, e, there, err, out.String())
	}
}

// modelStack is a stack whose resources refer to each other by index, to any that come
// before or after them, and its edits.
type modelStack struct {
	stack, project, newStack, newProject string
	resources                            []modelResource
	pending                              int // parent of a pending operation; -1: there is none
	begin                                string
	inProperties, cleared                bool
}

// modelResource is a resource of a model. References are indexes; -1: none.
type modelResource struct {
	foreign                bool // of another stack and project, which are not renamed
	typ, name, newName, id string
	parent, provider       int
	dependencies           []int
	deletedWith            int
	inProperties           int       // in the bag there is a reference to it, a text, and both in a secret
	secret                 plaintext // the contents of that secret
	bag                    string    // other members
	space                  string    // between parts
	escaped                bool      // whether URNs have an escape
	deleted                bool
}

func drawStack(t *rapid.T) *modelStack {
	names := rapid.SampledFrom([]string{"a", "b", "c", "a::b", "é", `q"`, `\`, "\u2028", "\b\x1f", "\x7f\u2029", "<", "", "🙂", "🙃"})
	m := &modelStack{stack: "stack-1", project: "project-1", pending: -1, begin: rapid.SampledFrom([]string{"", "\ufffd", `\"`}).Draw(t, "begin")}
	m.newStack = rapid.SampledFrom([]string{m.stack, "stack-2", "s"}).Draw(t, "stack")
	m.newProject = rapid.SampledFrom([]string{m.project, "é"}).Draw(t, "project")
	m.inProperties = rapid.Bool().Draw(t, "in properties")
	m.cleared = rapid.Bool().Draw(t, "cleared")
	renames := map[string]string{}
	n := rapid.IntRange(0, 6).Draw(t, "resources")
	for i := range n {
		other := func(label string) int {
			if rapid.Bool().Draw(t, label) {
				return rapid.IntRange(-1, n-1).Draw(t, label)
			}
			return -1
		}
		r := modelResource{
			foreign: rapid.IntRange(0, 3).Draw(t, "foreign") == 3,
			typ:     rapid.SampledFrom([]string{"t:m:C", "t:m:C$u:m:D", "pulumi:providers:t"}).Draw(t, "type"), name: names.Draw(t, "name"), id: fmt.Sprint("id-", i),
			parent: other("parent"), provider: other("provider"), deletedWith: other("deletedWith"), inProperties: other("properties"),
			space: rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space"), escaped: rapid.Bool().Draw(t, "escaped"),
			deleted: rapid.IntRange(0, 5).Draw(t, "deleted") == 5,
		}
		if r.inProperties >= 0 {
			r.secret = drawPlaintext(t, 2)
		}
		for range rapid.IntRange(0, 2).Draw(t, "dependencies") {
			if d := other("dependency"); d >= 0 {
				r.dependencies = append(r.dependencies, d)
			}
		}

		if rapid.Bool().Draw(t, "bag") {
			bag := fuzz.Objects(fuzz.Options{Nodes: 8}).Draw(t, "members")
			if text, err := codec.AppendJSONValue(nil, trees.Bare(bag), codec.Options{Form: codec.FormState}); err == nil {
				r.bag = strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "}")
			}
		}

		r.newName = r.name
		if to, ok := renames[fmt.Sprint(r.foreign, r.typ, "::", r.name)]; ok {
			r.newName = to
		} else if rapid.Bool().Draw(t, "renamed") {
			r.newName = names.Draw(t, "new name")
		}
		renames[fmt.Sprint(r.foreign, r.typ, "::", r.name)] = r.newName
		m.resources = append(m.resources, r)
	}

	for i := range m.resources {
		if p := &m.resources[i].provider; *p >= 0 && !m.isProvider(*p) {
			*p = -1
		}
	}

	if n > 0 && rapid.Bool().Draw(t, "pending") {
		m.pending = rapid.IntRange(0, n-1).Draw(t, "pending")
	}
	return m
}

type plaintext func(inReference, others string) string

// drawPlaintext draws an object whose members have names that mean something in objects
// with a signature, with secrets and references in it.
func drawPlaintext(t *rapid.T, depth int) plaintext {
	parts := []plaintext{
		func(_, _ string) string { return `"id":"1"` },
		func(_, urn string) string { return `"urn":` + urn },
		func(_, urn string) string { return `"plaintext":` + urn },
		func(_, urn string) string { return `"via":[` + urn + `,"urn:pulumi:",` + urn + `]` },
	}
	if depth > 0 && rapid.Bool().Draw(t, "nested") {
		inner := drawPlaintext(t, depth-1)
		parts = append(parts,
			func(ref, urn string) string { return `"in":` + inner(ref, urn) },
			func(ref, urn string) string {
				return `"ref":{"urn":` + ref + `,"in":` + inner(ref, urn) + `,"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e"}`
			},
			func(ref, urn string) string {
				return `"secret":{"plaintext":` + quotedText(inner(ref, urn)) + `,"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"}`
			})
	}

	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}

	order = rapid.Permutation(order).Draw(t, "members")
	order = order[:rapid.IntRange(1, len(parts)).Draw(t, "of")]
	return func(ref, urn string) string {
		members := make([]string, len(order))
		for i, part := range order {
			members[i] = parts[part](ref, urn)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
}

func (m *modelStack) isProvider(i int) bool { return m.resources[i].typ == "pulumi:providers:t" }

// before and after are the stack and the project of a resource.
func (m *modelStack) before(i int) string {
	if m.resources[i].foreign {
		return "stack-9::other"
	}
	return m.stack + "::" + m.project
}

func (m *modelStack) after(i int) string {
	if m.resources[i].foreign {
		return "stack-9::other"
	}
	return m.newStack + "::" + m.newProject
}

func (m *modelStack) old(i int) string {
	return "urn:pulumi:" + m.before(i) + "::" + m.resources[i].typ + "::" + m.resources[i].name
}

func (m *modelStack) now(i int) string {
	return "urn:pulumi:" + m.after(i) + "::" + m.resources[i].typ + "::" + m.resources[i].newName
}

// impossible says why the edits do not fit, or "".
func (m *modelStack) impossible() string {
	left := map[string]bool{} // URNs that remain
	home := false             // whether one of the stack remains
	taken := map[string]string{}

	for i, r := range m.resources {
		if !r.deleted {
			left[m.old(i)] = true
			home = home || !r.foreign
		}
	}

	for i, r := range m.resources {
		if !left[m.old(i)] && r.newName != r.name {
			return "renamed and deleted"
		}
		if r.deleted {
			continue
		}
		if other := taken[m.now(i)]; other != "" && other != m.old(i) {
			return "two URNs become one"
		}
		taken[m.now(i)] = m.old(i)
		for _, to := range append([]int{r.parent, r.deletedWith}, r.dependencies...) {
			if to >= 0 && !m.resolves(i, to, left) {
				return "a reference to what is deleted"
			}
		}
		if r.provider >= 0 && m.resources[r.provider].deleted {
			return "a provider that is deleted"
		}
	}

	if (m.newStack != m.stack || m.newProject != m.project) && !home {
		return "no resource that could be of the stack"
	}
	if m.pending >= 0 && !m.cleared && !left[m.old(m.pending)] {
		return "a pending operation below what is deleted"
	}
	return ""
}

// resolves reports whether a reference of resource i to the URN of another one leads to
// one that remains. If one that is deleted comes before it, it has to be before it, too:
// where a resource and its replacement have the same URN, it was about the one before it, and
// is not to become one of a resource to itself.
func (m *modelStack) resolves(i, to int, left map[string]bool) bool {
	remains, deleted := false, false
	for j := range m.resources[:i] {
		if m.old(j) == m.old(to) {
			remains = remains || !m.resources[j].deleted
			deleted = deleted || m.resources[j].deleted
		}
	}

	return remains || (!deleted && left[m.old(to)])
}

// text returns the text of the stack, after the edits if there are any.
func (m *modelStack) text(e *state.Edits) string {
	urn, gone := m.old, func(int) bool { return false }
	if e != nil {
		urn, gone = m.now, func(i int) bool { return m.resources[i].deleted }
	}
	var b strings.Builder
	b.WriteString(`{"version":3,"note":"` + m.begin + `","deployment":{"manifest":{"time":"2024-01-01T00:00:00Z"},"resources":[ `)
	after := ""
	for i, r := range m.resources {
		if gone(i) {
			continue
		}
		b.WriteString(after)
		m.resource(&b, &r, i, urn, e)
		after = r.space + ", "
	}

	b.WriteString(`]`)
	if m.pending >= 0 {
		b.WriteString(`,"pending_operations": `)
		if e != nil && m.cleared {
			b.WriteString("[]")
		} else {
			b.WriteString(`[{"resource":{"urn":"u","parent":` + quotedURN(urn(m.pending), false) + `},"type":"creating"}]`)
		}
	}

	b.WriteString("}}\n")
	return b.String()
}

func (m *modelStack) resource(b *strings.Builder, r *modelResource, i int, urn func(int) string, e *state.Edits) {
	quoted := func(i int) string { return quotedURN(urn(i), r.escaped) }
	member := func(name, text string) { b.WriteString("," + r.space + `"` + name + `":` + r.space + text) }
	b.WriteString(`{"id":"` + r.id + `"`)
	if r.parent >= 0 {
		member("parent", quoted(r.parent))
	}
	member("urn", quoted(i))
	member("type", `"`+r.typ[strings.LastIndex(r.typ, "$")+1:]+`"`)

	if to := r.inProperties; to >= 0 {
		text, provider := quotedURN(m.old(to), r.escaped), m.old(to)
		if e != nil && e.InProperties {
			text, provider = quoted(to), urn(to)
		}
		if !m.isProvider(to) || m.resources[to].deleted {
			provider = ""
		} else {
			provider = `,"own-provider":` + quotedText(provider+"::"+m.resources[to].id)
		}
		inner := r.secret(quotedURN(urn(to), false), quotedURN(unquotedURN(text), false))
		bag := `"own-ref":{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","id":"x","urn":` + quoted(to) + `},"own-text":[` + text + foreign +
			`],"own-secret":{"plaintext":` + quotedText(inner) + `,"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"}` + provider
		if r.bag != "" {
			bag += "," + r.bag
		}
		member("inputs", `{`+bag+`}`)
		member("outputs", `{`+r.bag+`}`)
	}
	if r.provider >= 0 {
		member("provider", quotedURN(urn(r.provider)+"::"+m.resources[r.provider].id, r.escaped))
	}
	list := make([]string, len(r.dependencies))
	for i, d := range r.dependencies {
		list[i] = quoted(d)
	}
	member("dependencies", "["+strings.Join(list, ", ")+"]")
	member("propertyDependencies", `{"own-ref":[`+strings.Join(list, ",")+`],"none":null}`)

	if r.deletedWith >= 0 {
		member("deletedWith", quoted(r.deletedWith))
		member("viewOf", quoted(r.deletedWith))
		member("replaceWith", `[`+quoted(r.deletedWith)+`]`)
	}

	b.WriteString("}")
}

// foreign are URNs of other projects, one in a stack of the old name and one of the new,
// which stay.
const foreign = `,"urn:pulumi:stack-1::other::t:m:C::a","urn:pulumi:stack-2::other::t:m:C::a"`

// quotedURN quotes a URN, with an escape in a part that never changes or without.
func quotedURN(text string, escaped bool) string {
	quoted := quotedText(text)
	if escaped {
		return strings.Replace(quoted, `"urn:`, `"\u0075rn:`, 1)
	}
	return quoted
}

func unquotedURN(quoted string) string {
	v, err := codec.DecodeJSONValue(quoted, codec.Options{})
	if err != nil {
		return ""
	}
	text, _ := v.AsString()
	return text
}

// quotedText quotes a text as engines do.
func quotedText(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return "" // strings can be written
	}

	return strings.TrimSuffix(b.String(), "\n")
}
