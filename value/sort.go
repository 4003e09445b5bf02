package value

import "github.com/propalg/propalg/internal/keysort"

// sortMembers sorts by key and keeps the last of equal keys, in place. It also
// returns the first key that stood there twice.
func sortMembers(ms []Member, spare *[]uint64) (kept []Member, double string, hasDouble bool) {
	if inOrder(ms) {
		return ms, "", false
	}
	return sortInto(ms, ms, spare)
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
// their own or does not overlap it. For very many members it takes memory, which
// spare, if not nil, keeps for the next call.
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
