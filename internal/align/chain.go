package align

import "sort"

// chain finds a longest sequence of links that increases strictly in old, among links
// that are added in the order of new.
//
// Of several it is the one whose last old is least, and so on backwards: where two
// neighbours change places, the one that was first stays.
type chain struct {
	links []link
	ends  []int32 // ends[l] is the link with the least old that ends a chain of l+1 links
}

type link struct {
	old, new int32
	before   int32 // the link before it in its chain
}

func newChain(links int) *chain {
	return &chain{links: make([]link, 0, links)}
}

func (c *chain) add(older, newer int32) {
	n := len(c.ends)
	if n > 0 && c.links[c.ends[n-1]].old >= older { // most sequences are nearly in order
		n = sort.Search(n, func(l int) bool { return c.links[c.ends[l]].old >= older })
		if c.links[c.ends[n]].old == older {
			return // an equal one that was earlier stays
		}
	}

	l := link{old: older, new: newer, before: None}
	if n > 0 {
		l.before = c.ends[n-1]
	}
	if n == len(c.ends) {
		c.ends = append(c.ends, None)
	}
	c.ends[n] = int32(len(c.links))
	c.links = append(c.links, l)
}

func (c *chain) longest() []link {
	longest := make([]link, len(c.ends))
	at := None
	if len(c.ends) > 0 {
		at = c.ends[len(c.ends)-1]
	}
	for k := len(longest) - 1; k >= 0; k-- {
		longest[k] = c.links[at]
		at = longest[k].before
	}

	return longest
}
