package align

// Chain marks the pairs that have to move. Pairs are sorted by New and no two
// have the same Old; a longest chain that increases in Old keeps its place, and
// all others are marked as moved. Work is O(k log k).
func Chain(pairs []Pair, work *Work) {
	if work == nil {
		work = &Work{}
	}

	keys := make([]int32, len(pairs))
	for k, p := range pairs {
		keys[k] = p.Old
		pairs[k].Moved = true
	}

	for _, k := range increasing(keys, work) {
		pairs[k].Moved = false
	}
}

// increasing returns the indexes of a longest strictly increasing subsequence.
// Of several it takes the one whose last key is least, and so on backwards: where
// two neighbours change places, the one that was first stays.
func increasing(keys []int32, work *Work) []int32 {
	var (
		ends   []int32                    // ends[l]: index of the least key that ends a subsequence of l+1 keys
		before = make([]int32, len(keys)) // the key before each in its subsequence
		probes = len(keys)
	)

	for k, key := range keys {
		// Lower bound, from the end first: most sequences are nearly in order.
		lo, hi := 0, len(ends)
		if hi > 0 && keys[ends[hi-1]] < key {
			lo = hi
		}

		for lo < hi {
			probes++

			if mid := int(uint(lo+hi) >> 1); keys[ends[mid]] < key {
				lo = mid + 1
			} else {
				hi = mid
			}
		}

		before[k] = none
		if lo > 0 {
			before[k] = ends[lo-1]
		}

		switch {
		case lo == len(ends):
			ends = append(ends, int32(k))
		case keys[ends[lo]] != key: // an equal key that came earlier stays
			ends[lo] = int32(k)
		}
	}

	work.Probed += probes

	if len(ends) == 0 {
		return nil
	}

	chain := ends
	for l, k := len(ends)-1, ends[len(ends)-1]; l >= 0; l-- {
		chain[l] = k
		k = before[k]
	}

	return chain
}
