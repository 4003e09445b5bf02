package value

import "github.com/propalg/propalg/internal/keysort"

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
