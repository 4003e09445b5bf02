package diff

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// rootKeys says of most patterns that come to nothing that they do so: those that
// begin with a key which neither side has at its root. No pattern brings a key to
// new's root that old has not, so that this is true of every pattern, whatever
// others do before. Where many patterns meet few keys, the keys are put into a
// table of bits, one for each of 256 hashes, so that a pattern costs next to
// nothing.
type rootKeys struct {
	old, now value.Value
	usable   bool
	hashed   bool
	table    [4]uint64
}

// hashFrom is the number of patterns, and the share of it in keys, from which a
// table of them costs less than it saves.
const (
	hashFrom = 8
	hashMost = 8
)

// keysAtRoots are the keys at the roots of both sides, where both are objects.
func keysAtRoots(old, now value.Value, mode IgnoreMode, patterns int) (r rootKeys) {
	r.old, r.now = old, now
	r.usable = mode.form(old) == formObject && mode.form(now) == formObject
	if !r.usable || patterns < hashFrom || r.old.Len()+r.now.Len() > hashMost*patterns {
		return r
	}
	r.hashed = true
	for _, v := range [...]value.Value{r.old, r.now} {
		for i := range v.Len() {
			key, _, _ := v.MemberAt(i)
			at := hashKey(key) % 256
			r.table[at/64] |= 1 << (at % 64)
		}
	}
	return r
}

// hashKey is a number of a key, of which the lower bits are to be used.
func hashKey(key string) uint32 {
	if key == "" {
		return 0
	}
	h := uint32(key[0])*31 + uint32(key[len(key)/2])*101 + uint32(key[len(key)-1])*7 + uint32(len(key))*257 //nolint:gosec // a hash
	return h ^ h>>8
}

// lacks reports whether a pattern certainly comes to nothing.
func (r *rootKeys) lacks(p path.Pattern) bool {
	if !r.usable {
		return false
	}
	name, ok := firstKey(p)
	if !ok {
		return false
	}
	if at := hashKey(name) % 256; r.hashed && r.table[at/64]&(1<<(at%64)) == 0 {
		return true
	}
	return !has(r.old, name) && !has(r.now, name)
}

// firstKey is the key that a pattern begins with; false for one that begins
// otherwise, or not at all.
func firstKey(p path.Pattern) (name string, ok bool) {
	first, _, ok := p.Cut()
	step, exact := first.Step()
	name, isKey := step.Key()
	return name, ok && exact && isKey
}

func has(v value.Value, name string) bool {
	_, there := v.Lookup(name)
	return there
}
