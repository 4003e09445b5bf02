package value

import (
	"github.com/propalg/propalg/internal/keysort"
)

// sortMembers sorts by key and keeps the last of equal keys, in place.
func sortMembers(ms []Member) []Member {
	if inOrder(ms) {
		return ms
	}
	kept, _, _ := sortInto(ms, ms, nil)
	return kept
}

// inOrder reports whether members are sorted by key, without doubles. Of most keys the
// first byte tells.
func inOrder(ms []Member) bool {
	for i := 1; i < len(ms); i++ {
		if k, l := ms[i-1].Key, ms[i].Key; (k == "" || l == "" || k[0] >= l[0]) && k >= l {
			return false
		}
	}
	return true
}

// sortInto is sortMembers into memory as long as that of the members, which is
// their own or does not overlap it. It also returns the first key that stood there
// twice. For very many members it takes memory, which spare, if not nil, keeps for
// the next call.
func sortInto(dst, ms []Member, spare *[]uint64) (kept []Member, double string, hasDouble bool) {
	switch n := len(ms); {
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

// sortFew sorts up to four members, which have no need of words; false, with
// nothing done, when two have one key.
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

// sortMany sorts many members, in a function of its own so that the stack is
// large for nobody else.
//
//go:noinline
func sortMany(dst, ms []Member) (kept []Member, double string, hasDouble bool) {
	var room [1024]uint64
	return sortBy(dst, ms, room[:len(ms)])
}

// sortBy sorts with the help of as many words as there are members. Members are
// large to move, so they move once, to where they belong.
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

// common returns how many bytes all keys begin with.
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

// arrange moves each member to its place: along the cycles of the permutation,
// each of which it marks as done.
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

// lastOfEach keeps of equal keys, which are neighbours, the last.
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

// fewMembers is how many members are looked at one after the other. That is nearly
// all objects there are; where there are more, halving ends here.
const fewMembers = 16

// memberOf returns the value of the member with this name among members sorted by
// key, in their memory, or nil.
func memberOf(ms []Member, name string) *Value {
	if len(name) < 8 || len(name) > 16 {
		if len(ms) > fewMembers {
			lo, hi := narrow(ms, 0, len(ms), name)
			ms = ms[lo:hi]
		}
		for i := range ms {
			if ms[i].Key == name {
				return &ms[i].Value
			}
		}
		return nil
	}
	// The first 8 bytes and the last 8, which may have some in common, are all of
	// it. There is no call in here, but for keys that are shorter.
	first := bigEndian(name)
	lo, hi := 0, len(ms)
	for hi-lo > fewMembers {
		mid := int(uint(lo+hi) >> 1) //nolint:gosec // neither is negative
		key := ms[mid].Key
		if len(key) < 8 {
			lo, hi = narrow(ms, lo, hi, name)
			break
		}
		p, q := first, bigEndian(key)
		if p == q { // what is left: up to the end of the shorter, then the lengths
			end := min(len(key), len(name))
			p, q = bigEndian(name[end-8:]), bigEndian(key[end-8:])
			if p == q {
				p, q = uint64(len(name)), uint64(len(key))
			}
		}
		if p < q {
			hi = mid
		} else {
			lo = mid
		}
	}
	// Names that stand together begin alike, so that it is the ends that differ.
	ms, last := ms[lo:hi], littleEndian(name[len(name)-8:])
	for i := range ms {
		m := &ms[i]
		if len(m.Key) == len(name) && littleEndian(m.Key[len(m.Key)-8:]) == last && bigEndian(m.Key) == first {
			return &m.Value
		}
	}
	return nil
}

// narrow returns the bounds of a few members between lo and hi, among which the
// one with this name is if there is one.
func narrow(ms []Member, lo, hi int, name string) (_, _ int) {
	for p := keysort.Prefix(name); hi-lo > fewMembers; {
		mid := int(uint(lo+hi) >> 1) //nolint:gosec // neither is negative
		key := ms[mid].Key
		if q := keysort.Prefix(key); q > p || q == p && key > name {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo, hi
}

// bigEndian is the first 8 bytes of a text that has so many, as a number that
// compares as they do.
func bigEndian(s string) uint64 {
	_ = s[7]
	return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
		uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
}

// littleEndian is the first 8 bytes of a text that has so many, as they stand in
// the memory of most machines: as good for what need not be ordered, and cheaper.
func littleEndian(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// findMember returns where the member with this name is, or would be, and whether
// it is there.
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
		if q < p || q == p && key < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(ms) && ms[lo].Key == name
}
