package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/propalg/propalg/urn"
)

// tree puts resources that changed into the order of the tree that their parents
// make, siblings by type and name (providers last), with those above them that did not change.
func tree(both *indexed, changed []pageResource) []pageResource {
	all := above(both, changed)
	at := map[string]int{} // the first of a URN, or the one that does not wait for deletion
	for i := range all {
		all[i].number = i
		if first, ok := at[all[i].URN]; !ok || all[first].Waits && !all[i].Waits {
			at[all[i].URN] = i
		}
	}
	below := make([][]int, len(all))
	var roots []int
	for i := range all {
		if up, ok := at[plain(all[i].parent)]; ok && all[i].parent != "" && up != i {
			below[up] = append(below[up], i)
		} else {
			roots = append(roots, i)
		}
	}
	t := trunk{all: all, below: below, seen: make([]bool, len(all)), made: make([]pageResource, 0, len(all))}
	t.sort(roots)
	for _, list := range below {
		t.sort(list)
	}
	t.grow(roots)
	for i := range all { // what is its own ancestor
		t.grow([]int{i})
	}
	return t.made
}

// trunk is a tree that is being put in order.
type trunk struct {
	all   []pageResource
	below [][]int
	seen  []bool
	made  []pageResource
}

func (t *trunk) sort(list []int) {
	slices.SortFunc(list, func(a, b int) int {
		x, y := &t.all[a], &t.all[b]
		if first, second := isProvider(x), isProvider(y); first != second { // of which there may be dozens
			if second {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.Type, y.Type), cmp.Compare(x.Name, y.Name), cmp.Compare(x.number, y.number))
	})
}

func isProvider(r *pageResource) bool { return strings.HasPrefix(r.Type, "pulumi:providers:") }

// grow appends resources and what is below them, each once.
func (t *trunk) grow(roots []int) {
	type branch struct{ at, depth int }
	var open []branch
	push := func(list []int, depth int) {
		for _, i := range slices.Backward(list) {
			open = append(open, branch{i, depth})
		}
	}
	push(roots, 0)
	for len(open) > 0 {
		b := open[len(open)-1]
		open = open[:len(open)-1]
		if t.seen[b.at] {
			continue
		}
		t.seen[b.at] = true
		r := t.all[b.at]
		r.Depth = b.depth
		t.made = append(t.made, r)
		push(t.below[b.at], b.depth+1)
	}
}

// above appends the unchanged resources that are above others, of either stack.
func above(both *indexed, changed []pageResource) []pageResource {
	parents := map[string]string{}
	for _, s := range []*stack{both.old, both.now} {
		for i := range s.entries {
			parents[s.entries[i].URN] = s.entries[i].Parent
		}
	}
	there := map[string]bool{}
	for i := range changed {
		there[changed[i].URN] = true
	}
	for i := 0; i < len(changed); i++ { // it grows
		up := changed[i].parent
		parent, exists := parents[up]
		if up == "" || !exists || there[plain(up)] {
			continue
		}
		there[plain(up)] = true
		r := pageResource{URN: plain(up), Name: plain(shortName(up)), Change: "same", Parts: []pagePart{}, parent: parent}
		if u, err := urn.Parse(up); err == nil {
			r.Type = plain(u.Type())
		}
		changed = append(changed, r)
	}
	return changed
}
