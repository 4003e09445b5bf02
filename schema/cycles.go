package schema

import "github.com/propalg/propalg/path"

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
