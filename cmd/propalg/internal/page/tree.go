package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/urn"
)

// Tree sorts resources that changed by the tree of their parents, and adds their
// ancestors that did not change, unless only one branch is below them: then they are
// Above the next one. Siblings are sorted by type and name and providers last, after
// those with something urgent in their branch, such as a deletion.
// parents has the parent of every resource of both stacks, by URN.
func Tree(resources []Resource, parents map[string]string) []Resource {
	t := tree{all: withAncestors(resources, parents)}
	t.link()
	t.rank()
	t.sort(t.roots)
	for _, list := range t.children {
		t.sort(list)
	}

	t.add(t.roots, 0)
	for i := range t.all { // those that are their own ancestors
		t.add([]int{i}, 0)
	}
	return t.sorted
}

// tree is a tree of resources, by their indexes in all.
type tree struct {
	all      []Resource
	roots    []int
	children [][]int
	ranks    []int // of the most urgent change in a branch
	isAdded  []bool
	sorted   []Resource
}

// link finds roots and children. Of resources with one URN, the parent of others is
// the first that does not wait for deletion.
func (t *tree) link() {
	byURN := map[string]int{}
	for i := range t.all {
		first, known := byURN[t.all[i].URN]
		if !known || (t.all[first].Waits && !t.all[i].Waits) {
			byURN[t.all[i].URN] = i
		}
	}

	t.children, t.isAdded = make([][]int, len(t.all)), make([]bool, len(t.all))
	for i := range t.all {
		parent, known := byURN[printable.Text(t.all[i].Parent)]
		if known && t.all[i].Parent != "" && parent != i {
			t.children[parent] = append(t.children[parent], i)
		} else {
			t.roots = append(t.roots, i)
		}
	}
}

// rank ranks branches by what is most urgent in them.
func (t *tree) rank() {
	t.ranks = make([]int, len(t.all))
	above, order, isSeen := make([]int, len(t.all)), slices.Clone(t.roots), make([]bool, len(t.all))
	for i := range t.all {
		t.ranks[i], above[i] = urgency(&t.all[i]), i
	}

	for i := 0; i < len(order); i++ { // which grows: parents are before their children
		for _, child := range t.children[order[i]] {
			if !isSeen[child] {
				isSeen[child], above[child] = true, order[i]
				order = append(order, child)
			}
		}
	}
	for _, i := range slices.Backward(order) {
		t.ranks[above[i]] = min(t.ranks[above[i]], t.ranks[i])
	}
}

// urgency ranks the deployment, what failed, deletions and replacements first, and ancestors
// and default providers last, whatever happened to these.
func urgency(r *Resource) int {
	switch {
	case r.Op == "" || changed.IsDefaultProvider(r.Type, r.Name):
		return math.MaxInt
	case r.URN == "":
		return -1
	}
	return min(r.Op.Rank(), ops.Create.Rank())
}

func (t *tree) sort(list []int) {
	slices.SortFunc(list, func(a, b int) int {
		x, y := &t.all[a], &t.all[b]

		return cmp.Or(
			cmp.Compare(t.ranks[a], t.ranks[b]), cmp.Compare(providerRank(x), providerRank(y)),
			cmp.Compare(x.Type, y.Type), cmp.Compare(x.Name, y.Name), cmp.Compare(a, b),
		)
	})
}

// providerRank sorts providers, of which there may be dozens, after the others.
func providerRank(r *Resource) int {
	if strings.HasPrefix(r.Type, "pulumi:providers:") {
		return 1
	}
	return 0
}

// add adds resources and their descendants, each once. It does not recurse, since
// a state may nest resources in each other to any depth.
func (t *tree) add(list []int, depth int) {
	type branch struct {
		at, depth int
		above     []string
	}
	var open []branch
	push := func(list []int, depth int, above []string) {
		for _, i := range slices.Backward(list) {
			open = append(open, branch{i, depth, above})
		}
	}
	push(list, depth, nil)

	for len(open) > 0 {
		b := open[len(open)-1]
		open = open[:len(open)-1]
		if t.isAdded[b.at] {
			continue
		}
		t.isAdded[b.at] = true
		r := t.all[b.at]
		if below := t.children[b.at]; r.Op == "" && len(below) == 1 && !t.isAdded[below[0]] {
			push(below, b.depth, append(b.above, r.Name))
			continue
		}

		r.Depth, r.Above = b.depth, b.above
		t.sorted = append(t.sorted, r)
		push(t.children[b.at], b.depth+1, nil)
	}
}

// withAncestors appends the ancestors that did not change.
func withAncestors(all []Resource, parents map[string]string) []Resource {
	known := map[string]bool{}
	for i := range all {
		known[all[i].URN] = true
	}

	for i := 0; i < len(all); i++ { // which grows
		up := all[i].Parent
		parent, exists := parents[up]
		if up == "" || !exists || known[printable.Text(up)] {
			continue
		}
		known[printable.Text(up)] = true
		r := Named(up)
		r.Parts, r.Parent = []Part{}, parent
		all = append(all, r)
	}
	return all
}

// Named returns a resource with a URN, and with the type and the name that the URN
// has.
func Named(text string) Resource {
	r := Resource{URN: printable.Text(text), Name: printable.Text(text)}
	if u, err := urn.Parse(text); err == nil {
		r.Type, r.Name = printable.Text(u.Type()), printable.Text(u.Name())
	}
	return r
}
