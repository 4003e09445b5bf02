package ignore

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
func keysAtRoots(old, now value.Value, mode Mode, patterns int) (r rootKeys) {
	r.old, r.now = old, now
	r.usable = mode.form(old) == formObject && mode.form(now) == formObject
	if !r.usable || patterns < hashFrom || r.old.Len()+r.now.Len() > hashMost*patterns {
		return r
	}
	r.hashed = true
	for _, v := range [...]value.Value{r.old, r.now} {
		for i := range v.Len() {
			key, _, _ := v.MemberAt(i)
			at := hashKey(key)
			r.table[at/64] |= 1 << (at % 64)
		}
	}
	return r
}

// hashKey is a number of a key below 256.
func hashKey(key string) uint8 {
	if key == "" {
		return 0
	}
	return key[0]*31 + key[len(key)/2]*101 + key[len(key)-1]*7 + uint8(len(key)) //nolint:gosec // a hash
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
	if at := hashKey(name); r.hashed && r.table[at/64]&(1<<(at%64)) == 0 {
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
