package value

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Value is an immutable property value: a kind, its content, and its marks.
//
// The zero Value is null. Values are small (24 bytes on 64-bit machines), are passed by
// value, and are safe for concurrent use. Compare them with [Value.Equal] or
// [Relation.Equal]; the == operator does not compile, since it would compare memory.
type Value struct {
	// Layout on 64-bit machines (20 bytes on 32-bit ones):
	//
	//	 0       8       16          20      22     23     24
	//	+-------+-------+-----------+-------+------+------+
	//	| ptr   | num   | height    | facts | kind | hint |
	//	+-------+-------+-----------+-------+------+------+
	//
	//	kind       ptr                        num
	//	Null       nil                        0
	//	Bool       nil                        0 or 1
	//	Number     nil                        bits of the float64, NaN canonical
	//	… secret   the 64 bits above          0
	//	String     first byte, or nil         length in bytes
	//	Array      first of num Values        number of elements
	//	Object     first of num Members       number of members, sorted by key
	//	Asset …    the content's own struct   0
	//	Unknown    nil                        0            (hint: the kind expected)
	//	any, with  *box{ptr, num, deps}       0
	//	dependencies
	//
	// Why unsafe: a string needs pointer and length, a number needs 64 bits, and
	// kind, marks and deep facts need a few more; a struct of a string, an
	// interface and flags is 40 bytes, and an interface alone (log/slog's way)
	// allocates for every marked value and leaves no room for deep facts; see
	// docs/notes/values.md for the figures. The argument for its safety is short: ptr is
	// set only by the constructors in this file, from unsafe.StringData,
	// unsafe.SliceData or the address of a struct of the type that kind names; it
	// is read only by the accessors in this file, after testing kind (and the boxed
	// fact) and with the length stored next to it; nothing is ever written through
	// it. As an unsafe.Pointer it keeps its target alive, and no printer follows it (see
	// internal/veil), so that a secret cannot be read through the unexported field of a
	// caller's struct, where our methods are not called: not its text, and not a boolean or
	// a number either, since of these, too, a secret has only a pointer. (Documented
	// limit: lengths are in the struct.)

	_   [0]func() // no ==
	ptr unsafe.Pointer
	num uint64
	meta
}

// meta is a separate struct because the compiler keeps a struct in registers only if it and
// those in it have at most four fields each. A Value of seven is written to the stack piece by
// piece wherever a method is called on it, inlined ones too, and read back in larger pieces,
// for which the processor waits.
type meta struct {
	height uint32
	facts  facts
	kind   Kind
	hint   Kind
}

// facts are the marks of a value and what is true of the tree below it.
type facts uint16

const (
	// ownSecret: this value carries the secret mark itself.
	ownSecret facts = 1 << iota
	// inherited: the value was returned from a secret container. Elements and members
	// in memory never have it (see settle).
	inherited
	// boxed: ptr points to a box, which holds dependencies and the real content.
	boxed
	// deepSecret: this value or one below it has ownSecret.
	deepSecret
	// deepUnknown: this value or one below it is not known.
	deepUnknown
	// deepDeps: this value or one below it has dependencies.
	deepDeps

	deepFacts  = deepSecret | deepUnknown | deepDeps
	secretness = ownSecret | inherited
)

// box is the out-of-line form of a value that has dependencies.
type box struct {
	ptr  unsafe.Pointer
	num  uint64
	deps []string // sorted, distinct, never empty
}

// Member is a member of an object: a key and a value. [Field] makes one.
type Member struct {
	Key   string
	Value Value
}

// MaxDepth is how deep arrays and objects, and literal archives, can be nested.
//
// Decoders refuse what is nested deeper, and so do edits, [FromGo] and [Value.Transform], with
// [ErrDepth]. [Array], [Object] and the methods of [Builder], which have no error, panic.
const MaxDepth = 10_000

func makeString(s string) Value {
	return Value{meta: meta{kind: KindString}, ptr: unsafe.Pointer(unsafe.StringData(s)), num: uint64(len(s))}
}

func makeNumber(f float64) Value {
	bits := math.Float64bits(f)
	if f != f {
		bits = math.Float64bits(math.NaN())
	}
	return Value{meta: meta{kind: KindNumber}, num: bits}
}

// makeArray takes ownership of elems, whose values must be settled. It would be inlined
// in many places, which is more code and no faster.
//
//go:noinline
func makeArray(elems []Value) Value {
	v := Value{meta: meta{kind: KindArray, height: 1}, ptr: unsafe.Pointer(unsafe.SliceData(elems)), num: uint64(len(elems))}
	for i := range elems {
		v.raise(elems[i])
	}
	v.mustBeWithinDepth()
	return v
}

// makeObject takes ownership of members, which must be sorted by key, without
// doubles, and settled. It is not inlined either.
//
//go:noinline
func makeObject(members []Member) Value {
	v := Value{meta: meta{kind: KindObject, height: 1}, ptr: unsafe.Pointer(unsafe.SliceData(members)), num: uint64(len(members))}
	for i := range members {
		v.raise(members[i].Value)
	}
	v.mustBeWithinDepth()
	return v
}

// mustBeWithinDepth panics where a caller, who can check, has made something too deep.
func (v *Value) mustBeWithinDepth() {
	if v.height > MaxDepth {
		panic("value: nested more than 10,000 levels deep")
	}
}

// objectAfter returns the object with these members, which are those of v but for one
// that was removed and one that was added, either of which may be nil. Where it can, it
// takes height and facts from v and the added member alone.
func (v *Value) objectAfter(members []Member, removed, added *Value) Value {
	if v.kind != KindObject || !v.unmoved(removed) {
		return makeObject(members)
	}

	made := Value{meta: v.bare(), ptr: unsafe.Pointer(unsafe.SliceData(members)), num: uint64(len(members))}
	if added != nil {
		made.raise(*added)
	}
	return made
}

func (v *Value) arrayAfter(elems []Value, removed, added *Value) Value {
	if v.kind != KindArray || !v.unmoved(removed) {
		return makeArray(elems)
	}

	made := Value{meta: v.bare(), ptr: unsafe.Pointer(unsafe.SliceData(elems)), num: uint64(len(elems))}
	if added != nil {
		made.raise(*added)
	}
	return made
}

// unmoved reports whether removing a child, which may be nil, certainly changes neither
// the deep facts nor the height of a container.
func (v *Value) unmoved(removed *Value) bool {
	return removed == nil || (removed.facts&deepFacts == 0 && (removed.height == 0 || removed.height < v.height-1))
}

// bare returns what a container has from its children, without its own marks.
func (v *Value) bare() meta { return meta{kind: v.kind, height: v.height, facts: v.facts & deepFacts} }

// raise adds the deep facts and the height of a child.
func (v *Value) raise(child Value) {
	v.facts |= child.facts & deepFacts
	v.height = max(v.height, child.height+1)
}

func makeAsset(a *blobRep) Value { return Value{meta: meta{kind: KindAsset}, ptr: unsafe.Pointer(a)} }

func makeArchive(a *archiveRep) Value {
	return Value{meta: meta{kind: KindArchive}, ptr: unsafe.Pointer(a)}
}

func makeReference(r *ResourceReference) Value {
	v := Value{meta: meta{kind: KindResourceReference}, ptr: unsafe.Pointer(r)}
	if r.ID.IsUnknown() {
		v.facts |= deepUnknown
	}
	return v
}

func makeSealed(s *Sealed) Value {
	return Value{meta: meta{kind: KindSealed, facts: ownSecret | deepSecret}, ptr: unsafe.Pointer(s)}
}

// content returns pointer and number with the box, if any, opened.
func (v *Value) content() (unsafe.Pointer, uint64) {
	if v.facts&boxed != 0 {
		b := (*box)(v.ptr)
		return b.ptr, b.num
	}
	return v.ptr, v.num
}

// The accessors below are called only after a test of kind.

func (v *Value) number() uint64 {
	p, n := v.content()
	if p != nil {
		return *(*uint64)(p)
	}
	return n
}

func (v *Value) size() int {
	_, n := v.content()
	return int(n) //nolint:gosec // the length of a slice that was in memory
}

func (v *Value) str() string {
	p, n := v.content()
	return unsafe.String((*byte)(p), int(n)) //nolint:gosec // the length of a string that was in memory
}

func (v *Value) elems() []Value {
	p, n := v.content()
	return unsafe.Slice((*Value)(p), int(n)) //nolint:gosec // the length of a slice that was in memory
}

func (v *Value) members() []Member {
	p, n := v.content()
	return unsafe.Slice((*Member)(p), int(n)) //nolint:gosec // the length of a slice that was in memory
}

func (v *Value) blob() *blobRep {
	p, _ := v.content()
	return (*blobRep)(p)
}

func (v *Value) archive() *archiveRep {
	p, _ := v.content()
	return (*archiveRep)(p)
}

func (v *Value) reference() *ResourceReference {
	p, _ := v.content()
	return (*ResourceReference)(p)
}

func (v *Value) sealed() *Sealed {
	p, _ := v.content()
	return (*Sealed)(p)
}

// Children is the list of the elements or members of a container. In a long loop,
// [Children.At] is faster than [Value.Elem] and [Value.MemberAt], which examine the
// container on each call.
type Children struct {
	_     [0]func()      // no ==
	first unsafe.Pointer // of n Values, or if named Members; as in Value
	n     int
	of    container // of its own for the same reason as meta
}

// container describes the container of some children.
type container struct{ named, secret bool }

// Children returns the elements of an array or the members of an object. Other kinds
// have none.
func (v Value) Children() Children {
	if !v.kind.IsContainer() {
		return Children{}
	}
	p, n := v.content()
	return Children{first: p, n: int(n), of: container{v.kind == KindObject, v.IsSecret()}} //nolint:gosec // the length of a slice that was in memory
}

// Len returns the number of children.
func (c Children) Len() int { return c.n }

// At returns child i, with its key if the container is an object, or Null if there is
// no such child. Members are in bytewise order of the keys. A child of a secret is
// secret.
func (c Children) At(i int) (key string, child Value) {
	if uint(i) < uint(c.n) { //nolint:gosec // negative ones become too large
		at := (*Value)(unsafe.Add(c.first, uintptr(i)*unsafe.Sizeof(child))) // elem and member, which would be too much to be inlined
		if c.of.named {
			m := (*Member)(unsafe.Add(c.first, uintptr(i)*unsafe.Sizeof(Member{})))
			key, at = m.Key, &m.Value
		}
		child = *at
		if c.of.secret { // as in handOut, which is too much to be inlined here
			child.facts |= inherited
			if child.kind-KindBool < 2 && child.ptr == nil {
				child.ptr, child.num = unsafe.Pointer(&at.num), 0
			}
		}
	}
	return key, child
}

func (c Children) elem(i int) *Value {
	return (*Value)(unsafe.Add(c.first, uintptr(i)*unsafe.Sizeof(Value{})))
}

func (c Children) member(i int) *Member {
	return (*Member)(unsafe.Add(c.first, uintptr(i)*unsafe.Sizeof(Member{})))
}

// deps returns the dependencies, which the caller must not change.
func (v *Value) deps() []string {
	if v.facts&boxed == 0 {
		return nil
	}
	return (*box)(v.ptr).deps
}

// withDeps returns v with exactly these dependencies, which must be sorted and
// distinct; none takes the mark off. It takes ownership of the slice. The fact
// deepDeps of a container is kept only if something below has dependencies.
func (v Value) withDeps(deps []string) Value {
	v.ptr, v.num = v.content()
	v.facts &^= boxed
	if len(deps) == 0 {
		v.facts = v.facts&^deepDeps | v.below()&deepDeps
		if v.facts&secretness != 0 {
			return v.veiled()
		}
		return v.unveiled()
	}

	return v.inBox(&box{deps: deps})
}

// inBox puts the content of v into a box that holds its dependencies: sorted,
// distinct and not empty.
func (v Value) inBox(b *box) Value {
	b.ptr, b.num = v.content()
	v.ptr, v.num = unsafe.Pointer(b), 0
	v.facts |= boxed | deepDeps
	if v.kind == KindUnknown {
		v.hint = KindString
	}
	return v
}

// below computes the deep facts of the children of a container.
func (v *Value) below() facts {
	var f facts
	children := v.Children()
	for i := range children.n {
		_, child := children.At(i)
		f |= child.facts
	}
	return f & deepFacts
}

// sharesMemory reports whether two values have the same memory, kind and marks. Such
// values are identical; others may be identical too. It is O(1).
func sharesMemory(v, w Value) bool {
	return v.ptr == w.ptr && v.num == w.num && v.kind == w.kind && v.hint == w.hint &&
		v.facts&(secretness|boxed) == w.facts&(secretness|boxed)
}

// shape is height, facts, kind and hint in one word.
func (v *Value) shape() uint64 { return *(*uint64)(unsafe.Pointer(&v.height)) }

// veiled returns v, which is secret, so that no printer reaches its content: the bits of
// a boolean or number move from the Value to memory of their own. Everything else is
// reached by a pointer anyway.
func (v Value) veiled() Value {
	if v.isBits() && v.ptr == nil {
		bits := v.num
		v.ptr, v.num = unsafe.Pointer(&bits), 0
	}
	return v
}

// veiledIn returns a veiled copy of a child of a secret container, with an inherited
// mark. The bits are in the container's memory already, so it allocates nothing.
//
//go:noinline
func (v *Value) veiledIn() Value {
	out := *v
	out.facts |= inherited
	if out.isBits() && out.ptr == nil {
		out.ptr, out.num = unsafe.Pointer(&v.num), 0
	}
	return out
}

// unveiled undoes veiled, for a value that lost its secret mark.
func (v Value) unveiled() Value {
	if v.isBits() && v.facts&boxed == 0 && v.ptr != nil {
		v.ptr, v.num = nil, *(*uint64)(v.ptr)
	}
	return v
}

func (v *Value) isBits() bool { return v.kind == KindBool || v.kind == KindNumber }

type look uint8

const (
	otherKeys look = iota // the keys differ
	differ                // the keys are equal, the values differ
	alike                 // the members are equal
	sameKeys              // the keys are equal, the values are not compared
	longKeys              // nothing is compared
)

// glance decides most questions of equality: it compares two keys and then two values, as
// far as possible without a call and without looking into containers and marks. Its
// answers differ and alike are final under every [Relation]: one that compares values
// without marks in another way has to begin here. Equal, Compare and Compatible call it;
// comparing spends most of its time here.
// Values without marks are compared by number and pointer, strings by their bytes. Most
// texts are short: they are compared in overlapping words, without a loop whose end the
// processor has to guess, which is most of the cost of ==.
func glance(k, l string, v, w *Value) look {
	if len(k) != len(l) {
		return otherKeys
	}

	p, q, n := unsafe.Pointer(unsafe.StringData(k)), unsafe.Pointer(unsafe.StringData(l)), uint64(len(k))
	inside, other, long := false, otherKeys, longKeys
	for {
		if p != q {
			if n > longText {
				return long
			}
			for ; n > 4*wordSize; n -= 4 * wordSize {
				if apart(p, q)|apart(unsafe.Add(p, 2*wordSize), unsafe.Add(q, 2*wordSize)) != 0 {
					return other
				}
				p, q = unsafe.Add(p, 4*wordSize), unsafe.Add(q, 4*wordSize)
			}
			var off uint64
			switch {
			case n > 2*wordSize:
				off = apart(p, q) | apart(unsafe.Add(p, n-2*wordSize), unsafe.Add(q, n-2*wordSize))
			case n >= wordSize:
				off = (word(p) ^ word(q)) | (word(unsafe.Add(p, n-wordSize)) ^ word(unsafe.Add(q, n-wordSize)))
			case n >= wordSize/2:
				off = (half(p) ^ half(q)) | (half(unsafe.Add(p, n-wordSize/2)) ^ half(unsafe.Add(q, n-wordSize/2)))
			case n > 0:
				off = (octet(p) ^ octet(q)) | (octet(unsafe.Add(p, n/2)) ^ octet(unsafe.Add(q, n/2))) |
					(octet(unsafe.Add(p, n-1)) ^ octet(unsafe.Add(q, n-1)))
			}
			if off != 0 {
				return other
			}
		}

		switch {
		case inside:
			return alike
		case v.num != w.num || v.shape() != w.shape() || v.facts&(secretness|boxed) != 0:
			return sameKeys
		case v.ptr == w.ptr:
			return alike
		case v.kind != KindString:
			return sameKeys
		}

		p, q, n = v.ptr, w.ptr, v.num
		inside, other, long = true, differ, sameKeys
	}
}

const (
	wordSize = 8
	longText = 256 // bytes, from which on a call is cheaper
)

// word, half and octet return 8, 4 bytes and 1 byte at any address as a number; apart
// returns 0 if 16 bytes at p and at q are equal.
func word(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[wordSize]byte)(p)[:]) }

func half(p unsafe.Pointer) uint64 {
	return uint64(binary.LittleEndian.Uint32((*[wordSize / 2]byte)(p)[:]))
}
func octet(p unsafe.Pointer) uint64 { return uint64(*(*byte)(p)) }

func apart(p, q unsafe.Pointer) uint64 {
	return (word(p) ^ word(q)) | (word(unsafe.Add(p, wordSize)) ^ word(unsafe.Add(q, wordSize)))
}
