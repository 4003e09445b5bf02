package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

func referenceTo(provider *mended) reference {
	return reference{provider.urn, cmp.Or(provider.id, unknownID)}
}

// resolve finds the record that has to come before, for each reference.
func (m *mender) resolve() error {
	used := map[string]bool{} // keys of Providers
	for _, r := range m.kept() {
		for i := range r.bonds {
			b := &r.bonds[i]
			switch {
			case b.to == "":
				b.gone = true
			case b.member == "provider":
				m.provider(r, b, used)
			default:
				b.target = best(r, m.byURN[b.to])
				b.gone = b.target == nil
			}
			if b.gone && b.member == "parent" {
				m.adopt(r, b)
			}
		}
	}

	for _, old := range slices.Sorted(maps.Keys(m.options.Providers)) {
		now := m.options.Providers[old]
		ref, ok := parseReference(now)
		switch {
		case !ok || len(m.providers[ref]) == 0:
			return refused("no provider of the file has the reference %s", now)
		case !used[old]:
			return refused("no record lacks the provider %s", old)
		case !samePackage(old, now):
			return refused("%s is of another package than %s", now, old)
		}
	}
	return nil
}

// kept returns the records that stay, in the order of the file.
func (m *mender) kept() []*mended {
	return slices.DeleteFunc(slices.Clone(m.records), func(r *mended) bool { return r.dropped })
}

func samePackage(old, now string) bool {
	a, _ := parseReference(old)
	b, _ := parseReference(now)
	from, err := urn.Parse(a.urn)
	if err != nil {
		return true // it says no package
	}
	to, err := urn.Parse(b.urn)
	return err == nil && from.Type() == to.Type()
}

// best returns the one of some records that a reference of r is to: if one is before r, it is
// that, and r stays where it is; else one that is pending deletion exactly if r is. It is nil
// if there is none but r.
func best(r *mended, all []*mended) *mended {
	var found *mended
	for _, other := range all {
		rank := func(o *mended) int {
			n := 0
			if o.number < r.number {
				n = 2
			}
			if o.isDeleted == r.isDeleted {
				n++
			}
			return n
		}
		if other != r && (found == nil || rank(other) > rank(found)) {
			found = other
		}
	}
	return found
}

// provider resolves a reference to a provider. One that is missing stays, and is reported,
// unless the options have another.
func (m *mender) provider(r *mended, b *bond, used map[string]bool) {
	ref, ok := parseReference(b.to)
	all := m.providers[ref]
	if now, isGiven := m.options.Providers[b.to]; isGiven && len(all) == 0 {
		used[b.to] = true
		ref, ok = parseReference(now)
		all = m.providers[ref]
		b.now, b.chosen = now, true
	}

	switch {
	case ok && b.now == "" && r.mayLackProvider:
	case !ok:
		m.unmended("provider-malformed", r, b.link)
	case len(all) == 0:
		m.unmended("provider-missing", r, b.link)
	case !isProviderType(r.typ) || referenceTo(r) != ref: // a provider may refer to itself
		b.target = best(r, all)
	}
}

func (m *mender) unmended(code string, r *mended, l link) {
	m.result.Unmended = append(m.result.Unmended, Finding{
		Rule: ruleOf(code), URN: r.urn, Type: r.typ, Record: r.record, Offset: r.offset, At: path.Show(l.path(), -1), Detail: l.to,
	})
}

// adopt makes the stack's own resource the parent of a record that lost its own.
func (m *mender) adopt(r *mended, b *bond) {
	own, err := urn.Parse(r.urn)
	if err != nil || own.QualifiedType() == urn.RootStackType {
		return
	}
	root := urn.Prefix + own.Stack() + "::" + own.Project() + "::" + urn.RootStackType + "::" + own.Project() + "-" + own.Stack()
	for _, stack := range m.byURN[root] {
		if stack != r && len(stack.bonds) == 0 { // else it might be below r
			b.target, b.gone, b.now = stack, false, root
			return
		}
	}
}
