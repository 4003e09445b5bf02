package value

// NOTE: The form is one where equal.go finds values equal; see relation.go.

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"hash/maphash"
	"math"
)

// The stable form of a value, version 1, of which [Value.Digest] is the
// SHA-256. Equal values have one form, different ones differ: every text is
// prefixed by its length, every container ends with a byte of its own.
//
//	form    = "propalg value 1\n" value
//	value   = [ 'S' ] [ 'D' count { text } ] content
//	content = 'n' | 't' | 'f'                    null, true, false
//	        | 'd' 8 bytes                        IEEE-754 bits, big endian; one NaN, one zero
//	        | 's' text                           string
//	        | '[' { value } ']'                  array
//	        | '{' { ':' text value } '}'         object, sorted by key
//	        | 'a' text | 'A' source text         asset by hash, or by source
//	        | 'r' text | 'R' source text { ':' text value } '}'   archive likewise
//	        | '@' text idstate text text text text   URN, ID, version, name, type
//	        | '?'                                unknown
//	        | 'c' text text                      provider and ciphertext of a sealed secret
//	text    = uvarint(length) bytes              count = uvarint
//
// 'S' stands at the outermost secret only.
const formHeader = "propalg value 1\n"

// Digest returns the SHA-256 of a stable form of the value.
//
// It is the same on every run, release and machine, and equal exactly for values that
// are [Value.Equal]. The digest of a secret that is easy to guess reveals it.
func (v Value) Digest() [32]byte {
	f := form{rel: Strict, stable: sha256.New(), spill: make([]byte, 256)}
	f.raw(formHeader)
	f.value(&v, false)
	f.flush()
	return [32]byte(f.stable.Sum(nil))
}

// Hash returns a hash that agrees with [Relation.Equal], for hash tables in memory. It
// depends on the seed, so that data cannot be made to collide.
func (r Relation) Hash(seed maphash.Seed, v Value) uint64 {
	f := form{rel: r & known}
	f.quick.SetSeed(seed)
	f.value(&v, false)
	f.flush()
	return f.quick.Sum64()
}

type form struct {
	rel    Relation
	stable hash.Hash    // where it goes, by way of spill, or
	quick  maphash.Hash // here when stable is nil
	spill  []byte       // what an interface is handed escapes: buf must not
	n      int          // used part of buf
	buf    [256]byte
}

func (f *form) value(v *Value, below bool) {
	if f.rel.secret(v, below) {
		f.byte('S')
	}
	below = below || v.facts&secretness != 0

	if d := v.deps(); len(d) > 0 && f.rel&IgnoreDependencies == 0 {
		f.byte('D')
		f.uvarint(len(d))
		for _, u := range d {
			f.text(u)
		}
	}

	switch v.kind {
	case KindNull:
		f.byte('n')
	case KindBool:
		f.byte("ft"[v.number()])
	case KindNumber:
		f.number(math.Float64frombits(v.number()))
	case KindString:
		f.byte('s')
		f.text(v.str())
	case KindArray:
		f.byte('[')
		es := v.elems()
		for i := range es {
			f.value(&es[i], below)
		}
		f.byte(']')
	case KindObject:
		f.byte('{')
		f.members(v.members(), below)
	case KindAsset:
		f.blob('a', v.blob())
	case KindArchive:
		f.blob('r', v.blob())
		if a := v.archive(); a.hash == "" {
			f.members(a.entries, false)
		}
	case KindResourceReference:
		f.reference(v.reference())

	case KindUnknown:
		f.byte('?')
	case KindSealed:
		f.byte('c')
		f.text(v.sealed().Provider)
		f.text(v.sealed().Ciphertext)
	}
}

// members writes members, but those that count as missing, and the end of their container.
func (f *form) members(ms []Member, below bool) {
	for i := range ms {
		m := &ms[i]
		if f.rel.absent(&m.Value, below) {
			continue
		}
		f.byte(':')
		f.text(m.Key)
		f.value(&m.Value, below)
	}

	f.byte('}')
}

func (f *form) number(x float64) {
	if x == 0 {
		x = 0 // drops the sign
	}
	f.byte('d')
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], math.Float64bits(x))
	f.bytes(b[:])
}

// blob writes an asset, or an archive up to its entries.
func (f *form) blob(tag byte, r *blobRep) {
	if r.hash != "" {
		f.byte(tag)
		f.text(r.hash)
		return
	}

	f.byte(tag - 'a' + 'A')
	f.byte(byte(r.source))
	f.text(r.text)
}

func (f *form) reference(r *ResourceReference) {
	f.byte('@')
	f.text(r.URN)
	f.byte(byte(r.ID.state))
	f.text(r.ID.text)

	if f.rel&IgnoreReferenceDetails == 0 {
		f.text(r.PackageVersion)
		f.text(r.Name)
		f.text(r.Type)
	}
}

func (f *form) text(s string) {
	f.uvarint(len(s))
	f.raw(s)
}

func (f *form) uvarint(n int) {
	var b [binary.MaxVarintLen64]byte
	f.bytes(b[:binary.PutUvarint(b[:], uint64(n))]) //nolint:gosec // a length
}

func (f *form) byte(b byte) {
	if f.n == len(f.buf) {
		f.flush()
	}
	f.buf[f.n] = b
	f.n++
}

func (f *form) bytes(b []byte) {
	for _, c := range b {
		f.byte(c)
	}
}

func (f *form) raw(s string) {
	if len(s) > len(f.buf) && f.stable == nil {
		f.flush()
		_, _ = f.quick.WriteString(s) // never fails
		return
	}

	for len(s) > 0 {
		if f.n == len(f.buf) {
			f.flush()
		}
		k := copy(f.buf[f.n:], s)
		f.n += k
		s = s[k:]
	}
}

func (f *form) flush() {
	if f.stable != nil {
		_, _ = f.stable.Write(f.spill[:copy(f.spill, f.buf[:f.n])]) // never fails
	} else {
		_, _ = f.quick.Write(f.buf[:f.n])
	}
	f.n = 0
}
