package walk

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// prints are hashes of all parts of some values, in the order in which a walk
// comes to them, each container before what is in it. The parts of one container
// are found one after the other, each by the size of the one before. They are
// made once for an array whose elements are to be matched, and serve the arrays
// in it as well, so that depth costs no more than width.
//
// Parts whose prints differ differ under the Relation; parts whose prints agree
// are equal but for chance, so that what hangs on it is checked.
type prints struct {
	rules difftree.Rules
	seed  maphash.Seed
	hash  maphash.Hash
	all   []imprint
	open  []unprinted
	work  work
}

type imprint struct {
	sum  uint64
	bare uint64 // likewise, without regard to marks
	size int    // prints of the part and of all that is in it
	has  contents
}

// unprinted is a container whose print is not made yet.
type unprinted struct {
	at   value.Value
	part int
	next int
}

// noPrint is the place of a part that has none.
const noPrint = -1

func newPrints(r difftree.Rules) *prints {
	p := &prints{rules: r, seed: maphash.MakeSeed()}
	p.hash.SetSeed(p.seed)
	return p
}

// add makes the prints of a value and returns the place of its own.
func (p *prints) add(v value.Value) int {
	at := len(p.all)
	p.visit(v)
	for len(p.open) > 0 {
		top := &p.open[len(p.open)-1]
		if top.next == top.at.Len() {
			p.close(*top)
			p.open = p.open[:len(p.open)-1]
			continue
		}
		top.next++
		if top.at.Kind() == value.KindArray {
			p.visit(top.at.Elem(top.next - 1))
			continue
		}
		_, member, _ := top.at.MemberAt(top.next - 1)
		p.visit(member)
	}
	return at
}

func (p *prints) visit(v value.Value) {
	if v.Kind().IsContainer() {
		p.open = append(p.open, unprinted{at: v, part: len(p.all)})
		p.all = append(p.all, imprint{})
		return
	}
	leaf := imprint{sum: p.rules.Relation.Hash(p.seed, v), size: 1, has: contentsOf(v)}
	leaf.bare = leaf.sum
	if v.IsSecret() || v.HasDependencies() {
		leaf.bare = (p.rules.Relation | value.IgnoreSecrets | value.IgnoreDependencies).Hash(p.seed, v)
	}
	p.all = append(p.all, leaf)
}

// close makes the print of a container of those of its parts. Members that count
// as missing leave no trace.
func (p *prints) close(c unprinted) {
	made, end := p.sum(c, false)
	whole := imprint{sum: made, bare: made, size: end - c.part}
	if c.at.IsSecret() {
		whole.has = hasSecret
	}
	for part := c.part + 1; part < end; part = p.beyond(part) {
		whole.has |= p.all[part].has
	}
	p.all[c.part] = whole
	if c.at.ContainsSecret() || c.at.ContainsDependencies() {
		p.all[c.part].bare, _ = p.sum(c, true)
	}
}

// sum is the hash of a container, and the place of what follows its parts.
func (p *prints) sum(c unprinted, bare bool) (made uint64, end int) {
	p.hash.Reset()
	p.byte(byte(c.at.Kind()))
	if !bare && c.at.IsSecret() && p.rules.Relation&value.IgnoreSecrets == 0 {
		p.byte('s')
	}
	if !bare && c.at.HasDependencies() && p.rules.Relation&value.IgnoreDependencies == 0 {
		for d := range c.at.Dependencies() {
			p.text(d)
		}
	}
	end = c.part + 1
	part := func() {
		if bare {
			p.number(p.all[end].bare)
		} else {
			p.number(p.all[end].sum)
		}
	}
	for range c.at.Elems() {
		part()
		end += p.all[end].size
	}
	for k, v := range c.at.Members() {
		if !p.rules.Absent(v, c.at.IsSecret()) {
			p.text(k)
			part()
		}
		end += p.all[end].size
	}
	return p.hash.Sum64(), end
}

func (p *prints) byte(b byte) { _ = p.hash.WriteByte(b) } // never fails

func (p *prints) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	_, _ = p.hash.Write(b[:]) // never fails
}

func (p *prints) text(s string) {
	p.number(uint64(len(s)))
	_, _ = p.hash.WriteString(s) // never fails
}

// beyond is the place of the part that follows the one at a place.
func (p *prints) beyond(at int) int {
	if at == noPrint {
		return noPrint
	}
	return at + p.all[at].size
}

// within is the place of the first part in the container at a place.
func (p *prints) within(at int) int {
	if at == noPrint {
		return noPrint
	}
	return at + 1
}

// parts are the places of the n parts of the container at a place.
func (p *prints) parts(at, n int) []int {
	parts := make([]int, n)
	at++
	for i := range parts {
		parts[i] = at
		at += p.all[at].size
	}
	return parts
}

// work counts what matching elements took, for tests of its cost.
type work struct {
	align.Work
	hashed int // parts whose prints were made
}
