package state

import (
	"slices"

	"github.com/propalg/propalg/path"
)

// breakUp decides about all references.
func (m *mover) breakUp() error {
	for _, r := range m.all {
		if r.copied && r.met == nil {
			m.result.BrokenThere = append(m.result.BrokenThere, brokenOf(r, m.copyBonds(r))...)
		}
		for i := range r.bonds {
			if r.goes {
				m.away(r, &r.bonds[i])
			} else {
				m.left(r, &r.bonds[i])
			}
		}
		switch {
		case !r.goes:
			m.result.Broken = append(m.result.Broken, brokenOf(r, r.bonds)...)
			m.from.sorted = append(m.from.sorted, r.mended)
		case r.met == nil:
			m.result.BrokenThere = append(m.result.BrokenThere, brokenOf(r, r.bonds)...)
		}
	}
	return m.operations()
}

// left decides about a reference of a record that stays: it goes if all went that it may be to.
func (m *mover) left(r *traveller, b *bond) {
	if b.member == "provider" || b.member == "parent" { // which stay
		return
	}
	_, goes := m.goes[b.to]
	if !goes || m.isBefore(m.stays, b.to, r) {
		return
	}
	if b.gone = true; b.member == "viewOf" {
		m.refuse(r, "viewOf", "%s is moved, and this view of it is not", b.to)
	}
}

// away decides about a reference of a record that goes.
func (m *mover) away(r *traveller, b *bond) {
	switch {
	case b.member == "provider":
		if b.now = m.now[b.to]; b.now == "" && !r.mayLackProvider {
			m.refuse(r, "provider", "%s does not come before it; repair the file first", b.to)
		}
	case b.member == "parent":
		b.now = m.parentOf(r)
	case m.isBefore(m.goes, b.to, r):
		b.now = m.renamed[b.to]
	default:
		if b.gone = true; b.member == "viewOf" {
			m.refuse(r, "viewOf", "it is a view of %s, which is not moved", b.to)
		}
	}
}

// copyBonds returns the references of the copy of a provider.
func (m *mover) copyBonds(r *traveller) []bond {
	all := slices.Clone(r.bonds)
	for i := range all {
		b := &all[i]
		b.gone = false
		if b.member == "provider" || b.member == "parent" {
			m.away(r, b)
		} else {
			b.gone = true
		}
	}
	return all
}

// brokenOf lists references of a record that are taken out.
func brokenOf(r *traveller, bonds []bond) (all []Mend) {
	for _, b := range bonds {
		if b.gone {
			all = append(all, Mend{
				Mending: MendingRemoved, URN: r.urn, Record: r.record, Offset: r.offset, At: path.Show(b.path(), -1), From: b.to,
			})
		}
	}
	return all
}

// operations refuses to move what pending operations of the source refer to.
func (m *mover) operations() error {
	for op, err := range m.document.PendingOperations() {
		if err != nil {
			return err
		}
		m.operation(op.Resource.URN)
		for l := range op.Resource.links() {
			if ref, ok := parseReference(l.to); ok && l.member == "provider" {
				l.to = ref.urn
			}
			m.operation(l.to)
		}
	}
	return nil
}

func (m *mover) operation(refersTo string) {
	n, goes := m.goes[refersTo]
	if _, stays := m.stays[refersTo]; goes && !stays {
		m.refuse(m.all[n], "", "a pending operation refers to it; remove those first")
	}
}
