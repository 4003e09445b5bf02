package value

import (
	"math/bits"
	"slices"
	"strings"
)

// sortMembers sorts by key and keeps the last of equal keys, in place. It also
// returns the first key that stood there twice.
func sortMembers(ms []Member, spare *[]uint64) (kept []Member, double string, hasDouble bool) {
	if inOrder(ms) {
		return ms, "", false
	}
	return sortInto(ms, ms, spare)
}

// inOrder reports whether members are sorted by key, without doubles.
func inOrder(ms []Member) bool {
	for i := 1; i < len(ms); i++ {
		if ms[i-1].Key >= ms[i].Key {
			return false
		}
	}
	return true
}

// sortInto is sortMembers into memory as long as that of the members, which is
// their own or does not overlap it. For very many members it takes memory, which
// spare, if not nil, keeps for the next call.
func sortInto(dst, ms []Member, spare *[]uint64) (kept []Member, double string, hasDouble bool) {
	switch n := len(ms); {
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

// sortMany sorts many members, in a function of its own so that the stack is
// large for nobody else.
//
//go:noinline
func sortMany(dst, ms []Member) (kept []Member, double string, hasDouble bool) {
	var room [1024]uint64
	return sortBy(dst, ms, room[:len(ms)])
}

// sortBy sorts with the help of as many words as there are members. Members are
// large to move and keys slow to reach, so what is sorted is words: the first bytes
// of a key that are not common to all, and in the low bits where its member is. The
// members then move once, to where they belong.
func sortBy(dst, ms []Member, words []uint64) (kept []Member, double string, hasDouble bool) {
	low := uint64(1)<<bits.Len(uint(len(ms)-1)) - 1
	skip := common(ms)
	for i := range ms {
		words[i] = prefix(ms[i].Key[skip:])&^low | uint64(i) //nolint:gosec // not negative
	}
	if len(words) <= 24 {
		insertWords(words)
	} else {
		slices.Sort(words)
	}
	double, hasDouble = settleTies(ms, words, low)
	if &dst[0] == &ms[0] {
		arrange(ms, words, low)
	} else {
		for i, w := range words {
			dst[i] = ms[w&low]
		}
	}
	if hasDouble {
		dst = lastOfEach(dst)
	}
	return dst, double, hasDouble
}

// insertWords sorts few words.
func insertWords(words []uint64) {
	for i := 1; i < len(words); i++ {
		w, j := words[i], i
		for ; j > 0 && words[j-1] > w; j-- {
			words[j] = words[j-1]
		}
		words[j] = w
	}
}

// settleTies sorts those words among themselves whose keys begin alike: by the
// whole key, and by place where that is equal. It returns the first equal key.
func settleTies(ms []Member, words []uint64, low uint64) (double string, hasDouble bool) {
	for i := 1; i < len(words); i++ {
		if (words[i-1]^words[i])&^low != 0 {
			continue
		}
		from := i - 1
		for i++; i < len(words) && (words[from]^words[i])&^low == 0; {
			i++
		}
		run := words[from:i]
		slices.SortFunc(run, func(p, q uint64) int {
			if c := strings.Compare(ms[p&low].Key, ms[q&low].Key); c != 0 {
				return c
			}
			return int(p&low) - int(q&low) //nolint:gosec // places
		})
		for j := 1; j < len(run) && !hasDouble; j++ {
			double = ms[run[j]&low].Key
			hasDouble = ms[run[j-1]&low].Key == double
		}
	}
	if !hasDouble {
		double = ""
	}
	return double, hasDouble
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

// prefix returns the first bytes of a key so that they compare as the key does,
// but that keys which differ may have one prefix.
func prefix(key string) (p uint64) {
	if len(key) >= 8 {
		return uint64(key[0])<<56 | uint64(key[1])<<48 | uint64(key[2])<<40 | uint64(key[3])<<32 |
			uint64(key[4])<<24 | uint64(key[5])<<16 | uint64(key[6])<<8 | uint64(key[7])
	}
	if n := len(key); n >= 4 { // the last bytes of which some stood in the first ones move out
		last := uint32(key[n-4])<<24 | uint32(key[n-3])<<16 | uint32(key[n-2])<<8 | uint32(key[n-1])
		return uint64(key[0])<<56 | uint64(key[1])<<48 | uint64(key[2])<<40 | uint64(key[3])<<32 | uint64(last<<(8*(8-n)))
	}
	for i := range len(key) {
		p |= uint64(key[i]) << (56 - 8*i)
	}
	return p
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
