package patch

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// target is a value that operations edit, one after the other. A container that one of them
// enters is taken apart, and put together when the value is needed:
//
//	{a: [1, 2, 3], b: {…}}      remove /a/1      root ─ members: a ─ elems: 1 ─ 3
//	                                                  (b is still in v)
type target struct {
	root *place
	room int // bytes that may still be copied
}

// place is a place in the target, which moves with its value.
type place struct {
	v       value.Value       // what is there, or was before it changed, with the marks of now
	was     value.Value       // what base had there: its secrets stay
	members map[string]*place // those that were visited; nil: there is none any more
	elems   *elements         // all of them, if the array is open
	isOpen  bool              // an element was visited
	deep    int               // containers in each other, at most
	changed bool              // v is what was there before members and elems changed
	held    bool              // there is or was a secret here or inside
	given   bool              // the operation has the value, without marks
}

func newPlace(v, was value.Value) *place {
	return &place{v: v, was: was, deep: v.Depth(), held: v.ContainsSecret() || was.ContainsSecret()}
}

// settle returns the value at a place.
func (p *place) settle() value.Value {
	if !p.changed {
		return p.v
	}

	secret := p.v.IsSecret()
	var made value.Value
	if p.v.Kind() == value.KindArray {
		elems := make([]value.Value, 0, p.elems.len())
		for e := range p.elems.all {
			elems = append(elems, difftree.NotInherited(e.settle(), secret))
		}
		made = value.Array(elems...)
	} else {
		members := make([]value.Member, 0, p.v.Len()+len(p.members))
		for key, v := range p.v.Members() {
			if _, visited := p.members[key]; !visited {
				members = append(members, value.Field(key, difftree.NotInherited(v, secret)))
			}
		}
		for key, m := range p.members {
			if m != nil {
				members = append(members, value.Field(key, difftree.NotInherited(m.settle(), secret)))
			}
		}
		made = value.Object(members...)
	}

	p.v, p.changed = made.WithMarksOf(p.v), false
	p.deep = p.v.Depth()
	return p.v
}

// member returns a member of an object, or nil.
func (p *place) member(name string) *place {
	m, visited := p.members[name]
	if visited {
		return m
	}
	v, ok := p.v.Lookup(name)
	if !ok {
		return nil
	}

	m = newPlace(v, p.was.Field(name))
	p.set(name, m)
	return m
}

func (p *place) set(name string, m *place) {
	if p.members == nil {
		p.members = map[string]*place{}
	}
	p.members[name] = m
}

// open takes an array apart.
func (p *place) open() *elements {
	if !p.isOpen {
		places := make([]*place, 0, p.v.Len())
		for _, e := range p.v.Elems() {
			places = append(places, newPlace(e, e))
		}
		p.elems, p.isOpen = elementsOf(places), true
	}
	return p.elems
}

// replaces returns the place as it replaces old, which may be nil, outside of secrets:
// secret where old is, or was in base.
func (p *place) replaces(old *place, was value.Value) *place {
	if was.ContainsSecret() {
		p = newPlace(p.settle().WithSecretsOf(was), was)
	}
	if old != nil && old.held {
		p = newPlace(p.settle().WithSecretsOf(old.settle()), p.was)
	}
	return p
}

// changesNothing reports whether what is to replace old is the same but for marks.
func (p *place) changesNothing(old *place) bool {
	return p.given && old != nil && sameJSON(old.settle(), p.v)
}

// way is the way to a place.
type way struct {
	above  []*place // the containers above it, from the root on
	steps  []path.Step
	secret int // how many steps lead to the outermost secret, or -1
}

func (w *way) last() *place { return w.above[len(w.above)-1] }

func (w *way) enter(p *place) {
	if w.secret < 0 && p.v.IsSecret() {
		w.secret = len(w.steps)
	}
	w.above = append(w.above, p)
}

// down returns the child of the last container that a token names, and its index in an
// array.
func (w *way) down(token string) (child *place, i int, err *Error) {
	p := w.last()
	switch p.v.Kind() { //nolint:exhaustive // the others have no children
	case value.KindObject:
		w.steps = append(w.steps, path.Key(token))
		if child = p.member(token); child == nil {
			return nil, 0, w.misfit("a value", "nothing")
		}
	case value.KindArray:
		n := p.open().len()
		i, ok := index(token)
		if !ok || i >= n {
			return nil, 0, w.misfit("an index that it has", "")
		}
		w.steps = append(w.steps, path.Index(i))
		child = p.elems.at(i)
		return child, i, nil
	default:
		return nil, 0, w.misfit("an object or array", p.v.Kind().String())
	}

	return child, 0, nil
}

// index reads a token that is an index.
func index(token string) (i int, ok bool) {
	const longest = 10 // no array is longer than path.MaxIndex

	if token == "" || len(token) > longest || (token[0] == '0' && token != "0") {
		return 0, false
	}
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
		i = 10*i + int(c-'0')
	}
	return i, i <= path.MaxIndex
}

// misfit makes the error for the place that was reached. In a secret it does not say what
// is there.
func (w *way) misfit(want, found string) *Error {
	if w.secret >= 0 {
		want, found = "", ""
	}
	return &Error{At: w.shown(), Offset: -1, Want: want, Found: found, err: diff.ErrFit}
}

func (w *way) shown() path.Shown { return path.Show(path.Of(w.steps...), w.secret) }

// parent goes to the container of the place that a pointer, not that to the root, names.
func (t *target) parent(tokens []string) (*way, *Error) {
	w := &way{secret: -1}
	w.enter(t.root)
	for _, token := range tokens[:len(tokens)-1] {
		p, _, err := w.down(token)
		if err != nil {
			return nil, err
		}
		w.enter(p)
	}
	return w, nil
}

// find goes to the place that a pointer names, which exists.
func (t *target) find(tokens []string) (*way, *place, *Error) {
	if len(tokens) == 0 {
		return &way{secret: -1}, t.root, nil
	}
	w, err := t.parent(tokens)
	if err != nil {
		return nil, nil, err
	}
	x, _, err := w.down(tokens[len(tokens)-1])
	return w, x, err
}

// take goes to the place that a pointer names, and removes it.
func (t *target) take(tokens []string) (*way, *place, *Error) {
	if len(tokens) == 0 {
		return nil, nil, (&way{secret: -1}).misfit("a place inside of the value", "the whole")
	}
	w, err := t.parent(tokens)
	if err != nil {
		return nil, nil, err
	}
	name := tokens[len(tokens)-1]
	x, i, err := w.down(name)
	if err != nil {
		return nil, nil, err
	}

	p := w.last()
	if p.v.Kind() == value.KindArray {
		p.elems = p.elems.without(i)
	} else {
		p.set(name, nil)
	}
	if w.secret >= 0 {
		x.v, x.held = x.v.AsPartOf(w.above[w.secret].v), true
	}
	x.given = false
	w.changed(nil)
	return w, x, nil
}

// put puts x at the place that a pointer names: beside what is there, or instead of it. It
// comes from a place in home, or from elsewhere.
func (t *target) put(tokens []string, x *place, adds bool, home *place) *Error {
	if len(tokens) == 0 {
		if !x.changesNothing(t.root) {
			t.root = x.replaces(t.root, t.root.was)
		}
		return nil
	}
	w, err := t.parent(tokens)
	if err != nil {
		return err
	}

	p, token := w.last(), tokens[len(tokens)-1]
	if x.deep+len(w.above) > value.MaxDepth {
		x.settle()
	}
	if x.deep+len(w.above) > value.MaxDepth {
		return &Error{At: w.shown(), Offset: -1, err: codec.ErrDepth}
	}
	if p.v.Kind() == value.KindArray && adds {
		return w.insert(token, x, p == home)
	}

	var old *place
	was, i := p.was.Field(token), 0
	if p.v.Kind() == value.KindObject && adds {
		old = p.member(token)
	} else if old, i, err = w.down(token); err != nil {
		return err
	}
	if x.changesNothing(old) {
		return nil
	}
	if p.v.Kind() == value.KindArray {
		was = old.was
	}
	if w.secret < 0 {
		x = x.replaces(old, was)
	}
	if p.v.Kind() == value.KindArray {
		p.elems.set(i, x)
	} else {
		p.set(token, x)
	}
	w.changed(x)
	return nil
}

// insert puts x into the array that was reached, where it comes from or not.
func (w *way) insert(token string, x *place, isHome bool) *Error {
	p := w.last()
	n := p.open().len()
	i, ok := index(token)
	if token == "-" {
		i, ok = n, true
	}
	if !ok || i > n {
		return w.misfit("an index that it has or the next one", "")
	}

	if p.held && !isHome && w.secret < 0 {
		x.v, x.held = value.Secret(x.v), true
	}
	p.elems = p.elems.with(i, x)
	w.changed(x)
	return nil
}

// changed notes that the container that was reached has changed: x came into it, or
// something went.
func (w *way) changed(x *place) {
	for i, p := range w.above {
		p.changed = true
		if x != nil {
			p.held = p.held || x.held
			p.deep = max(p.deep, len(w.above)-i+x.deep)
		}
	}
}
