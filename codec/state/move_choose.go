package state

import (
	"slices"

	"github.com/propalg/propalg/urn"
)

// choose finds the records that go, and the providers that they need.
func (m *mover) choose() error {
	m.named()
	if len(m.refusals) > 0 {
		return nil
	}
	if m.options.Parents {
		m.parents()
	}
	m.below()
	m.needed()
	m.index()
	for _, r := range m.all {
		m.swept(r)
	}

	if len(m.goes) == 0 && len(m.refusals) == 0 {
		m.refuse(nil, "", "nothing is below what is named")
	}
	return nil
}

// named notes the records that the options name.
func (m *mover) named() {
	all := newNaming(m.options.Resources)
	for _, r := range m.all {
		all.visit(&Resource{URN: r.urn, ID: r.id, Number: r.number})
	}
	if len(m.options.Resources) == 0 {
		m.refuse(nil, "", "no resource to move is named")
	}
	for _, name := range m.options.Resources {
		numbers := all.names[name].numbers()
		if len(numbers) == 0 {
			m.refuse(nil, "", "no resource is named %s", name)
		}
		for _, n := range numbers {
			r := m.all[n]
			if isProviderType(r.typ) {
				m.refuse(r, "", "a provider is not moved; it goes with the resources that need it")
			}
			r.isNamed, r.goes = true, !r.isRoot()
		}
	}
}

// parents adds the parents of what goes.
func (m *mover) parents() {
	want := map[string]bool{}
	for _, r := range slices.Backward(m.all) {
		if want[r.urn] && !r.isRoot() && !isProviderType(r.typ) {
			r.isNamed, r.goes = true, true
		}
		if r.goes {
			want[r.linkTo("parent")] = true
		}
	}
}

// below adds what is below what goes: all whose parent, of the records before, is one.
func (m *mover) below() {
	type last struct{ isNamed, goes, stays bool }
	seen := map[string]last{}
	for _, r := range m.all {
		if above := seen[r.linkTo("parent")]; above.isNamed && !above.stays && !r.isRoot() {
			r.isNamed = true
			r.goes = r.goes || above.goes || !isProviderType(r.typ) // providers cannot stay below what goes
		}
		above := seen[r.urn]
		if r.isNamed {
			above.isNamed, above.goes = true, above.goes || r.goes
		} else {
			above.stays = true
		}
		seen[r.urn] = above
	}
}

// needed notes the providers that go, or that are copied, with those that they need.
func (m *mover) needed() {
	for _, r := range m.all {
		if ref := referenceTo(r.mended); isProviderType(r.typ) && (m.providers[ref] == nil || m.providers[ref].isDeleted) {
			m.providers[ref] = r
		}
	}
	for _, r := range slices.Backward(m.all) {
		to := r.linkTo("provider")
		if to == "" || (!r.goes && !r.copied) {
			continue
		}
		ref, ok := parseReference(to)
		switch p := m.providers[ref]; {
		case ok && p != nil && (p.number <= r.number || !p.goes):
			p.copied = !p.goes
		case ok && p != nil:
			m.refuse(r, "provider", "%s comes after it; repair the file first", to)
		case !r.mayLackProvider || !ok:
			m.refuse(r, "provider", "%s is missing; repair the file first", to)
		}
	}
}

func (m *mover) index() {
	for _, r := range slices.Backward(m.all) {
		if r.goes {
			m.goes[r.urn] = r.number
		} else {
			m.stays[r.urn] = r.number
		}
	}
}

// swept checks a record that stays: neither its parent nor its provider may go.
func (m *mover) swept(r *traveller) {
	if r.goes {
		return
	}
	ref, _ := parseReference(r.linkTo("provider"))
	if p := m.providers[ref]; p != nil && p.goes {
		m.refuse(r, "provider", "it stays, and its provider %s is below what is moved", p.urn)
	}
	parent := r.linkTo("parent")
	if _, goes := m.goes[parent]; goes && !m.isBefore(m.stays, parent, r) {
		m.refuse(r, "parent", "%s is moved, and comes after it; repair the file first", parent)
	}
}

// isBefore reports whether there is a record with a URN before another one.
func (m *mover) isBefore(among map[string]int, urn string, r *traveller) bool {
	n, isThere := among[urn]
	return isThere && n < r.number
}

// URNs may get mostLonger bytes longer in all. Those of records that say their parents' types
// already get only shorter, but for the names of stack and project; of others, each of which
// is below the one before, they could have the square of the size of the file.
const mostLonger = 16 << 20

// rename finds the URNs that records get in the destination.
func (m *mover) rename() error {
	longer := 0
	for _, isCopy := range []bool{true, false} { // copies come first in the destination
		for _, r := range m.all {
			if (isCopy && !r.copied) || (!isCopy && !r.goes) {
				continue
			}
			m.renameOne(r)
			m.result.all = append(m.result.all, r)
			if longer += len(r.now) - len(r.urn) - len(m.to.root); longer > mostLonger {
				m.refuse(r, "urn", "the URNs of what is below one another would get too long")
				return nil
			}
		}
	}
	return nil
}

func (m *mover) renameOne(r *traveller) {
	old, err := urn.Parse(r.urn)
	if err != nil {
		m.refuse(r, "urn", "malformed, so that it cannot be renamed")
		return
	}
	r.now = m.from.name(below(m.parentOf(r), m.to.stack, m.to.project, old.Type(), old.Name()))

	other := m.taken[r.now]
	switch {
	case other != nil && (other.urn != r.urn || (!other.isDeleted && !r.isDeleted)):
		m.refuse(r, "urn", "%s would have the same URN %s", numbered(other.urn, other.record), r.now)
	case m.renamed[r.urn] != "" && m.renamed[r.urn] != r.now:
		m.refuse(r, "urn", "it and another one with this URN would have different ones")
	}
	m.renamed[r.urn] = r.now
	if other == nil || other.isDeleted {
		m.taken[r.now] = r
	}
}

// parentOf returns the URN of the parent that a record gets.
func (m *mover) parentOf(r *traveller) string {
	if parent := r.linkTo("parent"); !r.copied && m.isBefore(m.goes, parent, r) {
		return m.renamed[parent]
	}
	return m.to.root
}
