package main

import (
	"iter"
	"strings"
)

// resourceTree has the resources of a stack, to be listed below their parents.
type resourceTree struct {
	all   []branch
	byURN map[string]int // of resources with one URN the first that is not pending deletion
}

type branch struct {
	urn, parent, text string
	isListed          bool // or has a descendant that is
	isWritten         bool
	waits             bool // for deletion
	children          []int
}

// deepestIndent is how far lines are indented: there may be any number of ancestors.
const deepestIndent = 50

func (t *resourceTree) add(row *resourceJSON, isListed bool) {
	t.all = append(t.all, branch{urn: row.URN, parent: row.Parent, text: row.text(), isListed: isListed, waits: row.Delete})
}

// lines returns the resources that are listed and their ancestors, siblings in the order of
// the file. Those without a parent in the file, or that are their own ancestors, are roots.
func (t *resourceTree) lines() iter.Seq[string] {
	t.link()
	return func(yield func(string) bool) {
		for _, areCycles := range []bool{false, true} {
			for i := range t.all {
				isRoot := t.parentOf(i) < 0
				if (isRoot || areCycles) && !t.write(i, yield) {
					return
				}
			}
		}
	}
}

func (t *resourceTree) link() {
	t.byURN = make(map[string]int, len(t.all))
	for i := range t.all {
		if first, isKnown := t.byURN[t.all[i].urn]; !isKnown || (t.all[first].waits && !t.all[i].waits) {
			t.byURN[t.all[i].urn] = i
		}
	}

	for i := range t.all {
		if parent := t.parentOf(i); parent >= 0 {
			t.all[parent].children = append(t.all[parent].children, i)
		}
	}
	for i := range t.all {
		if !t.all[i].isListed {
			continue
		}
		for up := t.parentOf(i); up >= 0 && !t.all[up].isListed; up = t.parentOf(up) {
			t.all[up].isListed = true
		}
	}
}

// parentOf returns the index of the parent of a resource, or -1.
func (t *resourceTree) parentOf(i int) int {
	parent, isThere := t.byURN[t.all[i].parent]
	if t.all[i].parent == "" || !isThere || parent == i {
		return -1
	}
	return parent
}

// write writes a resource and what is below it, unless that was written.
func (t *resourceTree) write(root int, yield func(string) bool) bool {
	type at struct{ index, depth int }
	for next := []at{{root, 0}}; len(next) > 0; {
		now := next[len(next)-1]
		next = next[:len(next)-1]
		b := &t.all[now.index]
		if b.isWritten || !b.isListed {
			continue
		}
		b.isWritten = true
		indent := strings.Repeat("  ", min(now.depth, deepestIndent))
		if !yield(indent + strings.ReplaceAll(b.text, "\n", "\n"+indent)) {
			return false
		}
		for i := len(b.children) - 1; i >= 0; i-- {
			next = append(next, at{b.children[i], now.depth + 1})
		}
	}
	return true
}
