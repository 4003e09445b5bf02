package state

import "slices"

// visitor visits records after all that they refer to, each once.
type visitor struct {
	next   func(i int) []int // of a record, those to visit before
	state  []uint8           // of a record: not visited, being visited, visited
	order  []int
	cyclic bool
	open   []visit
}

// visit is a record that is being visited, and how many of those before it are begun.
type visit struct{ at, begun int }

const (
	isOpen = 1 + iota
	isDone
)

func newVisitor(n int, next func(i int) []int) *visitor {
	return &visitor{next: next, state: make([]uint8, n)}
}

// from visits a record, and returns the part of the order that it added.
func (v *visitor) from(root int) []int {
	begin := len(v.order)
	v.begin(root)
	for len(v.open) > 0 {
		top := &v.open[len(v.open)-1]
		if next := v.next(top.at); top.begun < len(next) {
			top.begun++
			v.begin(next[top.begun-1])
			continue
		}
		v.state[top.at] = isDone
		v.order = append(v.order, top.at)
		v.open = v.open[:len(v.open)-1]
	}
	return v.order[begin:]
}

func (v *visitor) begin(i int) {
	v.cyclic = v.cyclic || v.state[i] == isOpen
	if v.state[i] == 0 {
		v.state[i] = isOpen
		v.open = append(v.open, visit{i, 0})
	}
}

// edges returns the numbers of the records that each refers to with some kinds of
// references, in the order of the file.
func (m *mender) edges(counts func(b *bond) bool) [][]int {
	all := make([][]int, len(m.records))
	for _, r := range m.kept() {
		for i := range r.bonds {
			if b := &r.bonds[i]; b.target != nil && !b.gone && counts(b) {
				all[r.number] = append(all[r.number], b.target.number)
			}
		}
		slices.Sort(all[r.number])
		all[r.number] = slices.Compact(all[r.number])
	}
	return all
}

func isAny(*bond) bool { return true }

// acyclic takes references out of cycles: those that are no parents or providers and, in a
// cycle of parents and providers, parents.
func (m *mender) acyclic() {
	for _, isStrong := range []func(b *bond) bool{
		func(b *bond) bool { return b.member == "provider" || b.member == "parent" },
		func(b *bond) bool { return b.member == "provider" },
	} {
		parts := m.cycles()
		if parts == nil {
			return
		}
		m.cut(parts, isStrong)
	}

	parts := m.cycles()
	of := m.partOf(parts)
	for _, i := range slices.Concat(parts...) {
		for _, b := range m.records[i].bonds {
			if b.member == "provider" && b.target != nil && of[b.target.number] == of[i] {
				m.unmended("provider-order", m.records[i], b.link)
			}
		}
	}
}

// partOf returns for each record which set it is in, from 1; 0: none.
func (m *mender) partOf(parts [][]int) []int {
	of := make([]int, len(m.records))
	for n, all := range parts {
		for _, i := range all {
			of[i] = n + 1
		}
	}
	return of
}

// cycles returns the sets of records of which each refers to each by way of others. The
// records of a set are in an order in which, apart from the references that close cycles,
// each comes after what it refers to: if it can be, those that were before it in the file.
func (m *mender) cycles() (parts [][]int) {
	edges := m.edges(isAny)
	all := newVisitor(len(edges), func(i int) []int { return edges[i] })
	for i := len(edges) - 1; i >= 0; i-- { // where references were right but for one, that one is then what closes the cycle
		all.from(i)
	}
	if !all.cyclic {
		return nil
	}

	back := make([][]int, len(edges))
	place := make([]int, len(edges))
	for at, i := range all.order {
		place[i] = at
		for _, to := range edges[i] {
			back[to] = append(back[to], i)
		}
	}
	component := newVisitor(len(edges), func(i int) []int { return back[i] })
	for _, i := range slices.Backward(all.order) {
		if part := slices.Clone(component.from(i)); len(part) > 1 {
			slices.SortFunc(part, func(a, b int) int { return place[a] - place[b] })
			parts = append(parts, part)
		}
	}
	return parts
}

// cut takes weak references out of cycles: those that an order with all strong ones does not
// allow. Where strong ones alone are a cycle, all stays.
func (m *mender) cut(parts [][]int, isStrong func(b *bond) bool) {
	of := m.partOf(parts)
	strong := m.edges(isStrong)
	for i := range strong {
		strong[i] = slices.DeleteFunc(strong[i], func(to int) bool { return of[to] != of[i] })
	}

	all := newVisitor(len(strong), func(i int) []int { return strong[i] })
	place := make([]int, len(strong))
	for _, part := range parts {
		all.cyclic = false
		for _, i := range part {
			all.from(i)
		}
		if all.cyclic {
			continue
		}
		for at, i := range all.order[len(all.order)-len(part):] {
			place[i] = at
		}
		for _, i := range part {
			m.cutAt(m.records[i], func(b *bond) bool {
				return of[b.target.number] == of[i] && place[b.target.number] > place[i] && !isStrong(b)
			})
		}
	}
}

// cutAt takes references of a record out.
func (m *mender) cutAt(r *mended, isCut func(b *bond) bool) {
	for i := range r.bonds {
		b := &r.bonds[i]
		if b.target == nil || !isCut(b) {
			continue
		}
		b.gone, b.target = true, nil
		if b.member == "parent" {
			m.adopt(r, b)
		}
	}
}

// sort puts each record after those that it refers to, and otherwise leaves the order.
func (m *mender) sort() {
	edges := m.edges(isAny)
	all := newVisitor(len(edges), func(i int) []int { return edges[i] })
	for _, r := range m.kept() {
		for _, i := range all.from(r.number) {
			own := m.records[i]
			if own != r {
				own.before = r
			}
			m.sorted = append(m.sorted, own)
		}
	}
}
