package value

// NOTE: Of members with one key the last counts. The readers of codec refuse such members
// of JSON, and leave those of bytes to this file.

import (
	"math/bits"
	"sync/atomic"

	"github.com/propalg/propalg/internal/keysort"
	"github.com/propalg/propalg/internal/scan"
)

// sortMembers sorts by key and keeps the last of equal keys, in place.
func sortMembers(ms []Member) []Member {
	if inOrder(ms) {
		return ms
	}
	kept, _, _ := sortInto(ms, ms, nil)
	return kept
}

// inOrder reports whether members are sorted by key, without duplicates. For most keys
// the first byte decides.
func inOrder(ms []Member) bool {
	for i := 1; i < len(ms); i++ {
		if k, l := ms[i-1].Key, ms[i].Key; (k == "" || l == "" || k[0] >= l[0]) && k >= l {
			return false
		}
	}
	return true
}

// sortInto sorts ms into dst, which has the same length and is ms or does not overlap it.
// It also returns the first duplicate key. For very many members it allocates; spare, if
// not nil, keeps that memory for the next call.
func sortInto(dst, ms []Member, spare *[]uint64) (kept []Member, double string, hasDouble bool) {
	n := len(ms)
	switch {
	case n <= 4 && sortFew(dst, ms):
		return dst, "", false
	case n <= 16:
		var room [16]uint64
		return sortBy(dst, ms, room[:n])
	case n <= 128:
		var room [128]uint64
		return sortBy(dst, ms, room[:n])

	case n <= 1024:
		return sortMany(dst, ms)
	case spare == nil:
		return sortBy(dst, ms, make([]uint64, n))
	default:
		if cap(*spare) < n {
			*spare = make([]uint64, max(n, 2*cap(*spare)))
		}
		return sortBy(dst, ms, (*spare)[:n])
	}
}

// sortFew sorts up to four members. If two have the same key it returns false and changes
// nothing.
func sortFew(dst, ms []Member) bool {
	var from [4]int
	for i := range ms {
		j := i
		for ; j > 0; j-- {
			p, q := ms[from[j-1]].Key, ms[i].Key
			if p == q {
				return false
			}
			if p < q {
				break
			}
			from[j] = from[j-1]
		}
		from[j] = i
	}

	var own [4]Member // dst may be ms
	copy(own[:], ms)
	for i := range dst {
		dst[i] = own[from[i]]
	}
	return true
}

// sortMany sorts up to 1024 members. It is a separate function so that only its own
// stack frame is large.
//
//go:noinline
func sortMany(dst, ms []Member) (kept []Member, double string, hasDouble bool) {
	var room [1024]uint64
	return sortBy(dst, ms, room[:len(ms)])
}

// sortBy sorts by one word for each member. Members are large, so each moves only once.
func sortBy(dst, ms []Member, words []uint64) (kept []Member, double string, hasDouble bool) {
	low, skip := keysort.Low(len(ms)), common(ms)
	for i := range ms {
		words[i] = keysort.Word(ms[i].Key[skip:], i, low)
	}
	keysort.Sort(words)
	at := keysort.Ties(words, low, func(i int) string { return ms[i].Key[skip:] })
	if at >= 0 {
		double = ms[words[at]&low].Key
	}
	if &dst[0] == &ms[0] {
		arrange(ms, words, low)
	} else {
		for i, w := range words {
			dst[i] = ms[w&low]
		}
	}

	if at >= 0 {
		dst = lastOfEach(dst)
	}
	return dst, double, at >= 0
}

// common returns the length of the longest prefix that all keys share.
func common(ms []Member) int {
	first := ms[0].Key
	n := len(first)
	for i := 1; i < len(ms) && n > 0; i++ {
		key := ms[i].Key
		n = min(n, len(key))
		for j := range n {
			if key[j] != first[j] {
				n = j
				break
			}
		}
	}
	return n
}

// arrange moves each member to its place, along the cycles of the permutation in words.
func arrange(ms []Member, words []uint64, low uint64) {
	for i := range words {
		if int(words[i]&low) == i { //nolint:gosec // a place
			continue
		}
		first, to := ms[i], i
		for {
			from := int(words[to] & low) //nolint:gosec // a place
			words[to] = uint64(to)       //nolint:gosec // a place
			if from == i {
				ms[to] = first
				break
			}

			ms[to] = ms[from]
			to = from
		}
	}
}

// lastOfEach returns ms, which is sorted, with the last member of each key.
func lastOfEach(ms []Member) []Member {
	n := 0
	for i := range ms {
		if i+1 < len(ms) && ms[i+1].Key == ms[i].Key {
			continue
		}
		if n != i {
			ms[n] = ms[i]
		}
		n++
	}

	clear(ms[n:])
	return ms[:n:n]
}

// fewMembers is the number of members up to which a search is linear. Nearly all objects
// have fewer.
const fewMembers = 16

// memberOf returns the value of the member with this name among members sorted by
// key, in their memory, or nil.
func memberOf(ms []Member, name string) *Value {
	if len(ms) > fewMembers {
		return memberOfMany(ms, name)
	}
	if len(name) < 8 || len(name) > 16 {
		for i := range ms {
			if ms[i].Key == name {
				return &ms[i].Value
			}
		}
		return nil
	}

	// The first 8 bytes and the last 8, which may overlap, are the whole name. The loop
	// calls nothing. Neighbours often share a prefix, so it compares the ends first.
	first, last := scan.Word(name), scan.Word(name[len(name)-8:])
	for i := range ms {
		m := &ms[i]
		if len(m.Key) == len(name) && scan.Word(m.Key[len(m.Key)-8:]) == last && scan.Word(m.Key) == first {
			return &m.Value
		}
	}
	return nil
}

// hints says where members with some names were found in objects of some sizes, by a hash
// of both. It is a guess that spares a search: the same object is asked again, or one with
// the same keys.
var hints [1 << 12]atomic.Uint32 //nolint:gochecknoglobals // nothing depends on it but time

func memberOfMany(ms []Member, name string) *Value {
	n := len(name)
	var first, last uint64
	if n >= 8 {
		first, last = scan.Word(name), scan.Word(name[n-8:])
	} else {
		first = keysort.Prefix(name)
	}
	high, low := bits.Mul64(first^0x9e3779b97f4a7c15, last^0xbf58476d1ce4e5b9)
	hint := &hints[(high^low^uint64(len(ms)))%uint64(len(hints))]
	if i := int(hint.Load()); i < len(ms) {
		m := &ms[i]
		switch {
		case len(m.Key) != n:
		case n < 8 || n > 16:
			if m.Key == name {
				return &m.Value
			}
		case scan.Word(m.Key) == first && scan.Word(m.Key[n-8:]) == last:
			return &m.Value
		}
	}

	i, isThere := findMember(ms, name)
	if !isThere {
		return nil
	}
	hint.Store(uint32(i)) //nolint:gosec // memory does not hold so many members
	return &ms[i].Value
}

// bigEndian returns the first 8 bytes of s, which has as many, as a number that compares
// as they do.
func bigEndian(s string) uint64 { return bits.ReverseBytes64(scan.Word(s)) }

// findMember returns the index of the member with this name, or where it would be, and
// whether it exists.
func findMember(ms []Member, name string) (int, bool) {
	lo, hi, p := 0, len(ms), keysort.Prefix(name)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1) //nolint:gosec // neither is negative
		key := ms[mid].Key
		var q uint64
		if len(key) >= 8 {
			q = bigEndian(key)
		} else {
			q = keysort.Prefix(key)
		}
		if q < p || (q == p && key < name) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(ms) && ms[lo].Key == name
}
