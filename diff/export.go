package diff

import "github.com/propalg/propalg/internal/difftree"

// Tree returns the root of the tree that d is made of, the zero Place for the empty
// diff. Its type is internal: this is the door for the packages of this module that
// render a diff or answer with it.
func Tree(d Diff) difftree.Place { return d.root() }

// ChangeAt returns the change at a place of such a tree.
func ChangeAt(p difftree.Place) Change { return Change{p.Handle()} }
