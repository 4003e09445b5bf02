package state

import (
	"cmp"
	"io"
	"strconv"
	"strings"
)

// Numbers returns the numbers of the resources that each name stands for, as [Edits] has
// them. A name that no resource has is missing in the result.
func Numbers(r io.ReaderAt, names ...string) (map[string][]int, error) {
	if r == nil {
		return nil, &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	all := newNaming(names)
	if _, err := pass(r, all.read); err != nil {
		return nil, err
	}

	found := make(map[string][]int, len(names))
	for name, one := range all.names {
		if one.numbers() != nil {
			found[name] = one.numbers()
		}
	}
	return found, nil
}

// naming finds the resources that names stand for.
type naming struct {
	names map[string]*called
	seen  map[string]int // how many resources there were with a URN that is a name without its position
}

// called is what was found of a name.
type called struct {
	asWritten []int // numbers of resources with this URN, or this URN, two colons and ID
	atPlace   []int // number of the resource with the URN before the # at the position after it
	urn       string
	ids       map[string]bool
}

// numbers returns which resources have the name. A name that is in the file as it is
// written is that: those of resources may end as if they had a position.
func (c *called) numbers() []int {
	if len(c.asWritten) > 0 {
		return c.asWritten
	}
	return c.atPlace
}

// areAlike reports whether IDs do not tell the resources with the name apart.
func (c *called) areAlike() bool { return len(c.ids) < len(c.asWritten) || c.ids[""] }

func newNaming(names []string) *naming {
	n := &naming{names: map[string]*called{}, seen: map[string]int{}}
	for _, name := range names {
		n.names[name] = &called{ids: map[string]bool{}}
		if i := strings.LastIndexByte(name, '#'); i >= 0 {
			n.seen[name[:i]] = 0
		}
	}
	return n
}

func (n *naming) read(in io.Reader) error {
	_, err := new(rewriter).each(in, func(r *reading) error {
		err := r.links(isName)
		if err == nil {
			n.visit(&r.to)
		}
		return err
	})
	return err
}

func (n *naming) visit(r *Resource) {
	for _, name := range [2]string{r.URN, r.URN + "::" + r.ID} {
		if c := n.names[name]; c != nil {
			c.asWritten, c.urn = append(c.asWritten, r.Number), strings.Clone(r.URN)
			c.ids[strings.Clone(r.ID)] = true
		}
	}

	before, isBase := n.seen[r.URN]
	if !isBase {
		return
	}
	n.seen[r.URN] = before + 1
	if c := n.names[r.URN+"#"+strconv.Itoa(before+1)]; c != nil {
		c.atPlace = []int{r.Number}
	}
}

// one returns the number of the only resource with a name.
func (n *naming) one(name string) (int, error) {
	c := n.names[name]
	all := c.numbers()
	switch {
	case len(all) == 0:
		return 0, refused("no resource is named %s", name)
	case len(all) == 1:
		return all[0], nil
	case c.areAlike():
		urn := cmp.Or(c.urn, name)
		return 0, refused("several resources are named %s; name one by its position, as %s#1 or %s#2", name, urn, urn)
	}
	return 0, refused("several resources are named %s; add two colons and the ID of one, or #1 or #2, which is its position", name)
}
