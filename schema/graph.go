package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// cycles refuses object types whose required properties hold themselves: no value of them
// ends.
func (r *reader) cycles() {
	const open, done = 1, 2

	seen := make(map[*Type]int8, len(r.p.types))
	var visit func(t *Type)
	visit = func(t *Type) {
		seen[t] = open
		for _, p := range t.properties {
			if p.typ.kind != KindObject || !p.Required() {
				continue
			}
			switch seen[p.typ] {
			case open:
				r.wrong("a required property holds a value of this same type", path.Key("types"), path.Key(t.token), path.Key("properties"), path.Key(p.name))
			case done:
			default:
				visit(p.typ)
			}
		}

		seen[t] = done
	}
	for t := range r.p.Types() {
		if t.kind == KindObject && seen[t] == 0 {
			visit(t)
		}
	}
}

// collisions refuses tokens of resources and functions that programs cannot distinguish:
// tokens that differ only in case, or in the parts of the module that meta.moduleFormat
// leaves out, and tokens that name a module of other tokens.
func (r *reader) collisions() {
	if r.modules == nil {
		return
	}

	type entry struct{ section, token, canonical string }
	var entries []entry
	for token := range r.p.resources {
		entries = append(entries, entry{"resources", token, r.modules.canonical(token)})
	}
	for token := range r.p.functions {
		entries = append(entries, entry{"functions", token, r.modules.canonical(token)})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.section, b.section), strings.Compare(a.token, b.token))
	})

	var modules folders
	for _, e := range entries {
		modules = append(modules, r.modules.ofToken(e.canonical)+"/")
	}
	slices.Sort(modules)

	names := map[string]entry{}
	for _, e := range entries {
		for _, name := range slices.Compact([]string{strings.ToLower(e.token), e.canonical}) {
			wrong := func(reason string) { r.wrong(reason, path.Key(e.section), path.Key(e.token)) }
			if other, taken := names[name]; taken && other != e {
				wrong("programs cannot distinguish it from " + scan.Line(other.token) + " in " + other.section)
			}
			names[name] = e
			if parts := strings.Split(name, ":"); len(parts) == 3 {
				at := parts[2]
				if parts[1] != "index" {
					at = parts[1] + "/" + at
				}
				if modules.has(at) {
					wrong("programs cannot distinguish it from the module " + scan.Line(at))
				}
			}
		}
	}
}
