package diff

import (
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// middles makes what is between an old and a new value when the parts that
// patterns match are as they were.
type middles struct {
	stack   []halfway
	elems   []value.Value
	members []value.Member
	result  halfwayResult
}

// halfway is a container on the way to matched parts: of both values, or of one.
type halfway struct {
	old, now known // containers of one kind; one may be missing
	next     value.Value
	hasNext  bool // next is what to look at when nothing of old has to stay
	state    path.State
	i, j     int    // the next child of either
	base     int    // its children so far are elems[base:] or members[base:]
	key      string // of the child that was visited last
	gone     []value.Value
	as       halfwayResult // what holds of the result so far
	ended    bool
	secret   bool // it is secret on either side, or what it replaces is
	own      bool // by a mark of its own
}

// halfwayResult is a value, and whether it is one of the sides as it is.
type halfwayResult struct {
	known
	asOld, asNew bool
}

// middle makes the value in between, and reports whether there is one.
func (m *middles) middle(old value.Value, hasOld bool, now value.Value, hasNow bool, st path.State) (value.Value, bool) {
	m.visit(known{old, hasOld}, known{now, hasNow}, st)
	for len(m.stack) > 0 {
		f := &m.stack[len(m.stack)-1]
		if f.kind() == value.KindArray {
			m.element(f)
		} else {
			m.member(f)
		}
	}
	return m.result.Value, m.result.ok
}

func (f *halfway) kind() value.Kind {
	if f.old.ok {
		return f.old.Kind()
	}
	return f.now.Kind()
}

// visit deals with a place: by a result, or by opening a container.
func (m *middles) visit(old, now known, st path.State) {
	f := halfway{
		old: old, now: now, state: st, base: len(m.elems),
		secret: old.IsSecret() || now.IsSecret(), own: old.OwnSecret() || now.OwnSecret(),
	}
	switch {
	case st.Covers() || st.Touches() && (old.ok && old.IsUnknown() || now.ok && now.IsUnknown()):
		m.done(halfwayResult{known: old, asOld: true, asNew: !old.ok && !now.ok})
		return
	case st.Dead() || !old.isContainer() && !now.isContainer():
		m.done(halfwayResult{known: now, asNew: true, asOld: !old.ok && !now.ok})
		return
	case old.isContainer() && now.isContainer() && old.Kind() == now.Kind():
		f.as.asNew = true
	case old.isContainer():
		f.now, f.next, f.hasNext = known{}, now.Value, now.ok
		f.as.asOld = true
	default:
		f.old = known{}
		f.as.asNew = true
	}
	if f.kind() == value.KindObject {
		f.base = len(m.members)
	}
	m.stack = append(m.stack, f)
}

func (k known) isContainer() bool { return k.ok && k.Kind().IsContainer() }

// done takes the result of a place into its container.
func (m *middles) done(r halfwayResult) {
	if len(m.stack) == 0 {
		m.result = r
		return
	}
	f := &m.stack[len(m.stack)-1]
	f.as.asOld, f.as.asNew = f.as.asOld && r.asOld, f.as.asNew && r.asNew
	if f.kind() == value.KindObject {
		if r.ok {
			m.members = append(m.members, value.Member{Key: f.key, Value: f.settled(r.Value)})
		}
		return
	}
	switch goes := f.i > f.now.Len(); {
	case !r.ok && goes:
		f.gone = append(f.gone, f.old.Elem(f.i-1))
	case !r.ok:
		f.ended = true
	default:
		for _, v := range f.gone {
			m.elems = append(m.elems, f.settled(v))
		}
		f.gone = f.gone[:0]
		m.elems = append(m.elems, f.settled(r.Value))
	}
}

// owner is the side that the container has its dependencies from.
func (f *halfway) owner() value.Value {
	if f.now.ok {
		return f.now.Value
	}
	return f.old.Value
}

// settled is a child as it is put into the container: below a secret without the
// mark that it inherited.
func (f *halfway) settled(v value.Value) value.Value {
	if f.secret && !v.OwnSecret() {
		return v.DropSecret()
	}
	return v
}

// element goes on in arrays, to the next element or to the end.
func (m *middles) element(f *halfway) {
	if f.ended || f.i >= f.old.Len() && f.i >= f.now.Len() {
		if len(f.gone) > 0 {
			f.as.asOld = false
		}
		made := value.Array(m.elems[f.base:]...)
		empty := len(m.elems) == f.base
		m.elems = m.elems[:f.base]
		m.close(made, empty)
		return
	}
	i := f.i
	f.i++
	m.visit(known{f.old.Elem(i), i < f.old.Len()}, known{f.now.Elem(i), i < f.now.Len()}, f.state.Index(i))
}

// member goes on in objects, to the next member or to the end.
func (m *middles) member(f *halfway) {
	oldKey, old, inOld := f.old.MemberAt(f.i)
	newKey, now, inNow := f.now.MemberAt(f.j)
	if !inOld && !inNow {
		made := value.Object(m.members[f.base:]...)
		empty := len(m.members) == f.base
		m.members = m.members[:f.base]
		m.close(made, empty)
		return
	}
	side := strings.Compare(oldKey, newKey)
	inOld, inNow = inOld && (!inNow || side <= 0), inNow && (!inOld || side >= 0)
	f.key = newKey
	if inNow {
		f.j++
	}
	if inOld {
		f.key = oldKey
		f.i++
	}
	m.visit(known{old, inOld}, known{now, inNow}, f.state.Key(f.key))
}

// close takes a finished container off the stack. One of which nothing has to
// stay makes room for what is new. One that is made of a secret is secret: its
// keys are (law 6), and so is what stands in its place on the other side.
func (m *middles) close(made value.Value, empty bool) {
	f := m.stack[len(m.stack)-1]
	depth := len(m.stack) - 1
	m.stack = m.stack[:depth]
	made = withDependenciesOf(f.owner(), made)
	switch {
	case f.own:
		made = value.Secret(made)
	case f.secret:
		made = made.AsPartOf(value.Secret(value.Null())) // inherited
	}
	switch {
	case f.now.ok && f.as.asNew:
		m.done(halfwayResult{known: f.now, asNew: true})
	case f.now.ok:
		m.done(halfwayResult{known: known{made, true}})
	case empty && f.hasNext:
		m.visit(known{}, known{f.next, true}, f.state)
		if depth < len(m.stack) {
			m.stack[depth].secret, m.stack[depth].own = f.secret, f.own
		}
	case empty:
		m.done(halfwayResult{asNew: true})
	case f.as.asOld:
		m.done(halfwayResult{known: f.old, asOld: true})
	default:
		m.done(halfwayResult{known: known{made, true}})
	}
}
