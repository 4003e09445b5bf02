package diff

import "github.com/propalg/propalg/internal/difftree"

// Tree returns the root of the tree of d, or the zero Place if d is empty. Its type is
// internal: the packages of this module use it to render diffs and to answer with them.
func Tree(d Diff) difftree.Place { return d.root() }

// ChangeAt returns the change at a place of the tree.
func ChangeAt(p difftree.Place) Change { return Change{p.Handle()} }
