package value

import (
	"slices"
	"strings"
)

// sortMembers sorts by key and keeps the last of equal keys, in place. It also
// returns the first key that stood there twice. Members are large to move and
// keys slow to reach, so what is sorted is the beginning of each key, and where
// its member is; the members then move once, to where they belong. For very many
// members that takes memory, which spare, if not nil, keeps for the next call.
func sortMembers(ms []Member, spare *[]place) (kept []Member, double string, hasDouble bool) {
	i := 1
	for i < len(ms) && ms[i-1].Key < ms[i].Key {
		i++
	}
	if i >= len(ms) {
		return ms, "", false
	}
	switch {
	case len(ms) <= 16:
		var room [16]place
		insertPlaces(ms, room[:len(ms)])
	case len(ms) <= 48:
		var room [48]place
		insertPlaces(ms, room[:len(ms)])
	case len(ms) <= 128:
		var room [128]place
		sortPlaces(ms, room[:len(ms)])
	case len(ms) <= 1024:
		sortMany(ms)
	case spare == nil:
		sortPlaces(ms, make([]place, len(ms)))
	default:
		if cap(*spare) < len(ms) {
			*spare = make([]place, max(len(ms), 2*cap(*spare)))
		}
		sortPlaces(ms, (*spare)[:len(ms)])
	}
	return lastOfEach(ms)
}

// sortMany sorts many members, in a function of its own so that the stack is
// large for nobody else.
//
//go:noinline
func sortMany(ms []Member) {
	var room [1024]place
	sortPlaces(ms, room[:len(ms)])
}

// place is a member on its way: the first bytes of its key that are not common to
// all, and where it is.
type place struct {
	prefix uint64
	at     int
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

// insertPlaces sorts few members.
func insertPlaces(ms []Member, ps []place) {
	skip := common(ms)
	for i := range ms {
		p := place{prefix(ms[i].Key[skip:]), i}
		j := i
		for j > 0 && (ps[j-1].prefix > p.prefix || ps[j-1].prefix == p.prefix && ms[ps[j-1].at].Key > ms[i].Key) {
			ps[j] = ps[j-1]
			j--
		}
		ps[j] = p
	}
	arrange(ms, ps)
}

// sortPlaces sorts any number of members.
func sortPlaces(ms []Member, ps []place) {
	skip := common(ms)
	for i := range ms {
		ps[i] = place{prefix(ms[i].Key[skip:]), i}
	}
	slices.SortFunc(ps, func(p, q place) int {
		switch {
		case p.prefix < q.prefix:
			return -1
		case p.prefix > q.prefix:
			return 1
		}
		if c := strings.Compare(ms[p.at].Key, ms[q.at].Key); c != 0 {
			return c
		}
		return p.at - q.at
	})
	arrange(ms, ps)
}

// arrange moves each member to its place: along the cycles of the permutation,
// each of which it marks as done.
func arrange(ms []Member, ps []place) {
	for i := range ps {
		if ps[i].at == i {
			continue
		}
		first, to := ms[i], i
		for {
			from := ps[to].at
			ps[to].at = to
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
func lastOfEach(ms []Member) (kept []Member, double string, hasDouble bool) {
	n := 0
	for i := range ms {
		if i+1 < len(ms) && ms[i+1].Key == ms[i].Key {
			if !hasDouble {
				double, hasDouble = ms[i].Key, true
			}
			continue
		}
		if n != i {
			ms[n] = ms[i]
		}
		n++
	}
	if hasDouble {
		clear(ms[n:])
	}
	return ms[:n:n], double, hasDouble
}
