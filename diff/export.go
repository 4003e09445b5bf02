package diff

import "github.com/propalg/propalg/internal/difftree"

// Tree returns the root of the tree of d, for packages of this module only: its type is
// internal. Users have [Diff.Places]. For the empty diff it returns the zero Place.
func Tree(d Diff) difftree.Place { return d.root() }

// ChangeAt returns the change at a place of [Tree], for packages of this module only.
// Users have [Place.Change].
func ChangeAt(p difftree.Place) Change { return Change{p.Handle()} }
