package value

// Builder makes arrays and objects out of values that arrive one after the
// other, as they do in a decoder: push the children, then close the container
// with their number. It allocates in slabs and never hands out its own memory,
// so that what it returns is as immutable as any other value. The zero Builder
// is ready. A Builder is for one goroutine.
type Builder struct {
	elems      []Value // pushed, not yet part of a container
	members    []Member
	elemSlab   []Value // free room for closed containers
	memberSlab []Member
	chunk      int
}

// Push adds an element to the containers that are still open.
func (b *Builder) Push(v Value) { b.elems = append(b.elems, v.settle()) }

// PushMember adds a member to the containers that are still open.
func (b *Builder) PushMember(key string, v Value) {
	b.members = append(b.members, Member{key, v.settle()})
}

// Array makes an array of the last n values pushed, which it takes off. Fewer
// than n there: all of them.
func (b *Builder) Array(n int) Value {
	from := max(0, len(b.elems)-max(0, n))
	top := b.elems[from:]
	own := carve(&b.elemSlab, len(top), &b.chunk)
	copy(own, top)
	clear(top)
	b.elems = b.elems[:from]
	return makeArray(own)
}

// Object makes an object of the last n members pushed, which it takes off,
// sorted by key. When two have one key the later wins; double is then the first
// such key, and hasDouble is true.
func (b *Builder) Object(n int) (v Value, double string, hasDouble bool) {
	from := max(0, len(b.members)-max(0, n))
	top := b.members[from:]
	own := carve(&b.memberSlab, len(top), &b.chunk)
	copy(own, top)
	clear(top)
	b.members = b.members[:from]
	own, double, hasDouble = sortMembers(own)
	return makeObject(own), double, hasDouble
}

// carve takes n places off a slab, or makes a new slab. Slabs grow with what
// has been asked for, so that a small document does not pay for a large slab,
// and a large container gets memory of its own.
func carve[T any](slab *[]T, n int, chunk *int) []T {
	const largest = 1024
	if n == 0 {
		return nil
	}
	if n > len(*slab) {
		if n >= largest/4 {
			return make([]T, n)
		}
		*chunk = min(largest, max(2**chunk, n, 8))
		*slab = make([]T, *chunk)
	}
	own := (*slab)[:n:n]
	*slab = (*slab)[n:]
	return own
}
