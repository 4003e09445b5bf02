package walk

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// prints are hashes of all parts of some values, each container before what is in it.
// The parts of a container are found one after the other, each by the size of the one
// before. They are made once for an outermost array whose elements are matched, and
// serve the arrays in it as well, so that depth costs no more than width.
//
// Parts whose prints differ differ under the Relation; parts whose prints agree
// are equal but for chance, so that what depends on it is checked.
type prints struct {
	rules  difftree.Rules
	seed   maphash.Seed
	all    []imprint
	hashed []byte // scratch of hash
}

type imprint struct {
	sum  uint64
	bare uint64 // likewise, without regard to marks
	size int    // prints of the part and of all that is in it
	has  contents
}

// A part that has no print is at noPrint.
const noPrint = 0

// noMarks overlooks all marks.
const noMarks = value.IgnoreSecrets | value.IgnoreDependencies

func newPrints(r difftree.Rules) *prints {
	return &prints{rules: r, seed: maphash.MakeSeed()}
}

func (p *prints) reset() { p.all = append(p.all[:0], imprint{}) } // at noPrint

// A child adds about bytesOfChild bytes to what is hashed: its hash and a short key.
const bytesOfChild = 24

func (p *prints) add(v value.Value) int {
	at := len(p.all)
	p.all = append(p.all, imprint{})
	made := imprint{has: contentsOf(v)}
	for _, e := range v.Elems() {
		part := p.add(e)
		made.has |= p.all[part].has
	}
	for _, m := range v.Members() {
		part := p.add(m)
		made.has |= p.all[part].has
	}

	made.size = len(p.all) - at
	made.sum = p.hash(v, at, p.rules.Relation)
	made.bare = made.sum
	if v.ContainsSecret() || v.ContainsDependencies() {
		made.bare = p.hash(v, at, p.rules.Relation|noMarks)
	}
	p.all[at] = made
	return at
}

// hash returns the hash of the value at a place, of which that of a container is made
// of those of its parts. Members that count as missing are left out.
func (p *prints) hash(v value.Value, at int, r value.Relation) uint64 {
	if !v.Kind().IsContainer() {
		return r.Hash(p.seed, v)
	}

	b := append(slices.Grow(p.hashed[:0], bytesOfChild*v.Len()), byte(v.Kind()))
	if v.IsSecret() && r&value.IgnoreSecrets == 0 {
		b = append(b, 's')
	}
	if r&value.IgnoreDependencies == 0 {
		for d := range v.Dependencies() {
			b = appendText(b, d)
		}
	}

	part := at + 1
	sum := func() uint64 {
		if r&noMarks == noMarks {
			return p.all[part].bare
		}
		return p.all[part].sum
	}
	for range v.Elems() {
		b = binary.LittleEndian.AppendUint64(b, sum())
		part = p.beyond(part)
	}
	for k, m := range v.Members() {
		if !p.rules.Absent(m, v.IsSecret()) {
			b = binary.LittleEndian.AppendUint64(appendText(b, k), sum())
		}
		part = p.beyond(part)
	}
	p.hashed = b
	return maphash.Bytes(p.seed, b)
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(s))), s...)
}

func (p *prints) beyond(at int) int { return at + p.all[at].size }

func (p *prints) skip(at, parts int) int {
	for ; parts > 0; parts-- {
		at = p.beyond(at)
	}
	return at
}

// within returns the place of the first part in the container at a place.
func (p *prints) within(at int) int {
	if at == noPrint {
		return noPrint
	}
	return at + 1
}

func (p *prints) parts(at, n int) []int {
	parts := make([]int, n)
	at++
	for i := range parts {
		parts[i] = at
		at = p.beyond(at)
	}
	return parts
}
