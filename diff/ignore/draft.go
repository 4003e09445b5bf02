package ignore

import (
	"slices"
	"sort"

	"github.com/propalg/propalg/internal/marks"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// draft is a container that is being edited. Drafts hang together as the
// containers do, so that many edits cost no more than making every container anew
// once, at the end:
//
//	draft ── slots ── as it was
//	              ── set to a value
//	              ── gone
//	              ── open: a draft
type draft struct {
	marks  value.Value // the container whose marks it has
	from   value.Value // the container whose children it has, but for
	slots  []slot      // one for each of these; nil: all are as they were
	added  map[string]slot
	secret bool // it is secret, or something above it is
}

type slot struct {
	value value.Value // settled
	below *draft
	state slotState
}

type slotState uint8

const (
	slotKept slotState = iota
	slotSet
	slotGone
	slotOpen
)

// settled is a value that was handed out, as it stands in another container:
// below a secret it loses the mark that it inherited, elsewhere that becomes its
// own.
func settled(v value.Value, secret bool) value.Value {
	switch {
	case !v.IsSecret() || v.OwnSecret():
		return v
	case secret:
		return v.DropSecret()
	}
	return value.Secret(v)
}

// place is the index of a child of from, or where it would be.
func (d *draft) place(s path.Step) (i int, there bool) {
	if i, indexed := s.Index(); indexed {
		return i, i < d.from.Len()
	}
	name, _ := s.Key()
	i = sort.Search(d.from.Len(), func(i int) bool {
		k, _, _ := d.from.MemberAt(i)
		return k >= name
	})
	k, _, there := d.from.MemberAt(i)
	return i, there && k == name
}

// kept is child i as it was.
func (d *draft) kept(i int) value.Value {
	v := d.from.Elem(i)
	if d.from.Kind() == value.KindObject {
		_, v, _ = d.from.MemberAt(i)
	}
	return settled(v, d.secret)
}

// slot is what became of child i of from.
func (d *draft) slot(i int) slot {
	if i < len(d.slots) {
		return d.slots[i]
	}
	return slot{}
}

func (d *draft) child(s path.Step) (v value.Value, below *draft, there bool) {
	i, inFrom := d.place(s)
	var at slot
	switch {
	case inFrom:
		at = d.slot(i)
	default:
		name, _ := s.Key()
		if at, there = d.added[name]; !there {
			return value.Value{}, nil, false
		}
	}
	switch at.state {
	case slotSet:
		return at.value, nil, true
	case slotOpen:
		return at.below.marks, at.below, true
	case slotGone:
		return value.Value{}, nil, false
	case slotKept:
	}
	return d.kept(i), nil, true
}

// put changes a child, or adds a member.
func (d *draft) put(s path.Step, at slot) {
	i, there := d.place(s)
	if there {
		if d.slots == nil {
			d.slots = make([]slot, d.from.Len())
		}
		d.slots[i] = at
		return
	}
	name, _ := s.Key()
	if at.state == slotGone {
		delete(d.added, name)
		return
	}
	if d.added == nil {
		d.added = map[string]slot{}
	}
	d.added[name] = at
}

// keys are the keys of an object, in order.
func (d *draft) keys() []string {
	keys := make([]string, 0, d.from.Len()+len(d.added))
	i := 0
	for k := range d.from.Keys() {
		if d.slot(i).state != slotGone {
			keys = append(keys, k)
		}
		i++
	}
	for k := range d.added {
		keys = append(keys, k)
	}
	if len(d.added) > 0 {
		slices.Sort(keys)
	}
	return keys
}

// freezing is a draft on its way to be a value.
type freezing struct {
	*draft
	key   string // in the draft above
	extra []string
	next  int // the child to come to next, those of from first
	only  int // the child that alone has changed, if one edit makes all of it; else -1
	base  int // where its children begin, among elems or members
}

// freeze makes a value of a draft and all that are in it.
func (d *draft) freeze() value.Value {
	var (
		elems   []value.Value
		members []value.Member
		stack   []freezing
		made    value.Value
	)
	object := d.from.Kind() == value.KindObject
	begin := func(d *draft, key string) {
		f := freezing{draft: d, key: key, base: len(elems), only: d.only()}
		if d.from.Kind() == value.KindObject {
			f.base = len(members)
		}
		for k := range d.added {
			f.extra = append(f.extra, k)
		}
		slices.Sort(f.extra)
		stack = append(stack, f)
	}
	put := func(key string, v value.Value) {
		if object {
			members = append(members, value.Member{Key: key, Value: v})
		} else {
			elems = append(elems, v)
		}
	}
	for begin(d, ""); len(stack) > 0; {
		f := &stack[len(stack)-1]
		object = f.from.Kind() == value.KindObject
		key, at, there := f.step()
		switch {
		case there && at.state == slotOpen:
			begin(at.below, key)
		case there && at.state == slotSet:
			put(key, at.value)
		case there:
		default:
			if object {
				made = f.object(members[f.base:])
				members = members[:f.base]
			} else {
				made = f.array(elems[f.base:])
				elems = elems[:f.base]
			}
			made, key = f.marked(made), f.key
			if stack = stack[:len(stack)-1]; len(stack) > 0 {
				object = stack[len(stack)-1].from.Kind() == value.KindObject
				put(key, made)
			}
		}
	}
	return made
}

// only is the child that alone is not as it was, where neither it is gone nor anything
// has marks; else -1. Then one edit makes the container.
func (d *draft) only() int {
	if d.secret || len(d.added) > 0 || d.from.IsSecret() || d.from.HasDependencies() || d.marks.HasDependencies() {
		return -1
	}
	only := -1
	for i := range d.slots {
		switch d.slots[i].state {
		case slotKept:
			continue
		case slotSet, slotOpen:
			if only < 0 {
				only = i
				continue
			}
		case slotGone:
		}
		return -1
	}
	return only
}

// object makes an object, without its marks, of the members that step has led to.
func (f *freezing) object(members []value.Member) value.Value {
	if f.only < 0 {
		return value.Object(members...)
	}
	made, _ := f.from.With(path.Of(path.Key(members[0].Key)), members[0].Value)
	return made
}

// array is object for an array.
func (f *freezing) array(elems []value.Value) value.Value {
	if f.only < 0 {
		return value.Array(elems...)
	}
	made, _ := f.from.With(path.Of(path.Index(f.only)), elems[0])
	return made
}

// step goes to the next child: one that is set, gone or open.
func (f *freezing) step() (key string, at slot, there bool) {
	i := f.next
	f.next++
	if f.only >= 0 {
		key, _, _ = f.from.MemberAt(f.only)
		return key, f.slot(f.only), i == 0
	}
	if extra := i - f.from.Len(); extra >= 0 {
		if extra >= len(f.extra) {
			return "", slot{}, false
		}
		return f.extra[extra], f.added[f.extra[extra]], true
	}
	if f.from.Kind() == value.KindObject {
		key, _, _ = f.from.MemberAt(i)
	}
	if at = f.slot(i); at.state != slotKept {
		return key, at, true
	}
	return key, slot{state: slotSet, value: f.kept(i)}, true
}

// marked gives a container made anew its marks.
func (d *draft) marked(made value.Value) value.Value {
	made = marks.WithDependenciesOf(d.marks, made)
	if d.marks.OwnSecret() {
		made = value.Secret(made)
	}
	return made
}
