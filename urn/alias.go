package urn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Child returns the URN of a resource whose parent has the URN u, in the same stack and
// project. The error is that of [Build].
func (u URN) Child(typ, name string) (URN, error) {
	return child(u.Stack(), u.Project(), u, typ, name)
}

// child returns the URN of a resource, of which the parent may be zero.
func child(stack, project string, parent URN, typ, name string) (URN, error) {
	parts := Parts{Stack: stack, Project: project, Type: typ, Name: name}
	if !parent.IsZero() && parent.QualifiedType() != RootStackType {
		parts.Parents = append(slices.Collect(parent.Parents()), parent.Type())
	}
	return Build(parts)
}

// Alias is what a resource was called before, as a program says it: its URN, or the parts of
// that which were others.
type Alias struct {
	URN URN // if it is not zero, nothing else counts

	Name, Type     string // empty: as it is now
	Stack, Project string // empty: as it is now; below a parent, those of the parent
	Parent         URN    // zero: as it is now
	NoParent       bool   // it had none
}

// Aliases returns the URNs that a resource may have had before it was called u, in the order in
// which an engine looks for them in a state: those that its aliases say, and what its own and
// these would be if its parent were still called as in the state. Names that begin with that of
// the parent do so there too.
//
// The parent is zero if there is none. The function old returns what a resource of the program
// is called in the state if an alias has found it there, and else the zero URN. If old is nil,
// no alias has found anything. The error is that of [Build], for parts of an alias.
func (u URN) Aliases(parent URN, aliases []Alias, old func(URN) URN) (all []URN, err error) {
	add := func(alias URN) {
		if !slices.Contains(all, alias) {
			all = append(all, alias)
		}
	}
	for _, a := range aliases {
		alias, err := u.alias(parent, a, old)
		if err != nil {
			return nil, fmt.Errorf("alias: %w", err)
		}
		add(alias)
	}
	if parent.IsZero() || old == nil || old(parent).IsZero() {
		return all, nil
	}

	was := old(parent)
	for _, own := range append([]URN{u}, all...) {
		alias, err := own.below(parent, was, u)
		if err != nil {
			return nil, fmt.Errorf("alias of the parent: %w", err)
		}
		add(alias)
	}
	return all, nil
}

func (u URN) alias(parent URN, a Alias, old func(URN) URN) (URN, error) {
	switch {
	case !a.URN.IsZero():
		return a.URN, nil
	case a.NoParent:
		parent = URN{}
	case !a.Parent.IsZero():
		parent = a.Parent
		if old != nil && !old(parent).IsZero() {
			parent = old(parent)
		}
	}
	typ, name := cmp.Or(a.Type, u.Type()), cmp.Or(a.Name, u.Name())
	if !parent.IsZero() && parent.QualifiedType() != RootStackType {
		return parent.Child(typ, name)
	}
	return child(cmp.Or(a.Stack, u.Stack()), cmp.Or(a.Project, u.Project()), URN{}, typ, name)
}

// below returns what u would be below a parent that was called so, in the stack of another URN.
func (u URN) below(parent, was, of URN) (URN, error) {
	name := u.Name()
	if rest, ok := strings.CutPrefix(name, parent.Name()); ok {
		name = was.Name() + rest
	}
	return child(of.Stack(), of.Project(), was, u.Type(), name)
}
