package value

import (
	"fmt"

	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/veil"
)

// Builder makes arrays and objects from values that arrive one after the other.
//
// It is for decoders: push the children, then close the container with their number. It
// allocates in slabs. The zero Builder is ready to use, by one goroutine at a time.
// Like [Array] and [Object], it panics beyond [MaxDepth], so decoders must check the
// depth.
type Builder struct {
	elems   pile[Value]
	members pile[Member]
	chunk   int                // length of the last slab
	words   veil.Slice[uint64] // for sorting
}

// Format writes no content for any verb, since pushed values may be parts of a secret.
func (b *Builder) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("value.Builder{…}")) }

// Reserve allocates space for the given numbers of members and elements.
//
// The numbers are totals for all containers: one allocation holds all members, and one
// all elements. Wrong numbers only cost memory or time. Reserve has no effect after the
// first Push.
func (b *Builder) Reserve(members, elems int) {
	b.members.reserve(members)
	b.elems.reserve(elems)
}

// Push appends a value to the pending elements. [Builder.Array] makes an array of the last
// of them.
func (b *Builder) Push(v Value) { *b.elems.waiting.Next() = v.settle() }

// PushMember appends a member to the pending members. [Builder.Object] makes an object of
// the last of them.
func (b *Builder) PushMember(key string, v Value) {
	m := b.members.waiting.Next()
	m.Key, m.Value = key, v.settle()
}

// Array removes the last n values pushed, or all if fewer, and returns an array of
// them.
func (b *Builder) Array(n int) Value { return makeArray(b.elems.take(n, &b.chunk)) }

// Object removes the last n members pushed and returns an object of them. If a key was
// pushed more than once, the last of its members is used, repeated is the first such key
// in bytewise order, and isRepeated is true.
func (b *Builder) Object(n int) (v Value, repeated string, isRepeated bool) {
	own, top := b.members.room(n, &b.chunk)
	there := len(own) > 0 && &own[0] == &top[0]
	switch {
	case inOrder(top):
		if !there {
			copy(own, top)
		}
	case there || (b.members.shared && len(*b.members.free.Open()) < len(*b.members.waiting.Open())+len(top)): // one memory, which may overlap
		if !there {
			copy(own, top)
		}
		own, repeated, isRepeated = sortInto(own, own, b.words.Open())
	default:
		own, repeated, isRepeated = sortInto(own, top, b.words.Open())
	}

	b.members.leave(top)
	return makeObject(own), repeated, isRepeated
}

// objectOf returns an object of the given members, whose memory it keeps.
//
// The members must be sorted by key, with no key twice, and their values must have no
// inherited secret mark. objectOf does not check that. It panics if the object is nested
// deeper than [MaxDepth].
func objectOf(members given.Slice[Member]) Value { return makeObject(members.Open()) }

// arrayOf returns an array of the given elements, as [objectOf] does of members.
func arrayOf(elems given.Slice[Value]) Value { return makeArray(elems.Open()) }

// pile holds the children of one kind. They wait until their container is closed; then
// they move to the memory that the container keeps. Both may be the two ends of one
// piece of memory, which the children fill exactly when all containers are closed:
//
//	|<-- waiting -->|            |<-- closed -->|
//	|<----------- free --------->|
//
// What waits is then limited to what is free, so that an append beyond it moves
// it to memory of its own, and no closed container is ever written to.
type pile[T any] struct {
	waiting veil.Slice[T]
	free    veil.Slice[T] // given out from its end
	shared  bool          // waiting began as the beginning of free
}

func (p *pile[T]) reserve(n int) {
	const most = 1 << 20
	waiting, free := p.waiting.Open(), p.free.Open()
	if n = min(n, most); n <= len(*free) || len(*waiting) > 0 {
		return
	}
	*free = make([]T, n)
	*waiting, p.shared = (*free)[:0], true
}

// take moves the last n waiting children to the memory of their container.
func (p *pile[T]) take(n int, chunk *int) []T {
	own, top := p.room(n, chunk)
	if len(own) > 0 && &own[0] != &top[0] {
		copy(own, top)
		p.leave(top)
	}
	return own
}

// room removes the last n waiting children, top, and returns the memory for them, own,
// which may be the same. The caller copies top to own, and calls leave, before it pushes
// anything else.
func (p *pile[T]) room(n int, chunk *int) (own, top []T) {
	waiting, free := p.waiting.Open(), p.free.Open()
	from := max(0, len(*waiting)-max(0, n))
	top = (*waiting)[from:]
	if len(top) == 0 {
		return nil, nil
	}

	if p.shared && cap(*waiting) == len(*free) {
		if from == 0 { // nothing else waits: it stays where it is
			*free = (*free)[len(top):]
			*waiting = (*free)[:0:len(*free)]
			return top[:len(top):len(top)], top
		}
		low := len(*free) - len(top)
		own = (*free)[low:len(*free):len(*free)]
		*free = (*free)[:low]
		*waiting = (*waiting)[:from:low]
		return own, top
	}
	p.shared = false
	own = p.carve(len(top), chunk)
	*waiting = (*waiting)[:from]
	return own, top
}

// leave clears children that have been copied, so that they keep nothing alive.
func (p *pile[T]) leave(top []T) {
	if !p.shared {
		clear(top)
	}
}

// carve returns memory for n children from the end of the slab, or of a new one. Slabs
// grow with use, so that a small document does not pay for a large slab; a large
// container gets its own memory.
func (p *pile[T]) carve(n int, chunk *int) []T {
	const largest = 1024
	free := p.free.Open()
	if n > len(*free) {
		if n >= largest/4 {
			return make([]T, n)
		}
		*chunk = min(largest, max(2**chunk, n, 8))
		*free = make([]T, *chunk)
	}

	low := len(*free) - n
	own := (*free)[low:len(*free):len(*free)]
	*free = (*free)[:low]
	return own
}
