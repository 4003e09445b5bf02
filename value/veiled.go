package value

import "unsafe"

// veiled returns v, which is secret, such that no printer reaches what it holds: a
// boolean or number, whose bits stand in the Value itself, has them in memory of its
// own. All else is behind a pointer anyway.
func (v Value) veiled() Value {
	if v.isBits() && v.ptr == nil {
		bits := v.num
		v.ptr, v.num = unsafe.Pointer(&bits), 0
	}
	return v
}

// veiledIn is a copy of what is in a secret container, with the mark that it inherits,
// and veiled: the bits are in the container's memory already, so it allocates nothing.
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

// unveiled is the way back, for what is no secret any more.
func (v Value) unveiled() Value {
	if v.isBits() && v.facts&boxed == 0 && v.ptr != nil {
		v.ptr, v.num = nil, *(*uint64)(v.ptr)
	}
	return v
}

// isBits reports whether v is a boolean or a number.
func (v *Value) isBits() bool { return v.kind == KindBool || v.kind == KindNumber }
