package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
)

// Alias is what a resource was called before: its URN, or the parts of it that were others.
type Alias struct {
	URN string // if it is not empty, nothing else counts

	Name, Type, Stack, Project string // empty: as it is now
	Parent                     string // a URN; empty: as it is now
	NoParent                   bool   // it had none
}

// childURN returns the URN of a resource, of which the parent may be "".
func childURN(stack, project, parent, typ, name string) (string, error) {
	parts := urn.Parts{Stack: stack, Project: project, Type: typ, Name: name}
	if parent != "" {
		of, err := urn.Parse(parent)
		if err != nil {
			return "", err
		}
		if of.Type() != urn.RootStackType {
			parts.Parents = append(slices.Collect(of.Parents()), of.Type())
		}
	}
	built, err := urn.Build(parts)
	return built.String(), err
}

// aliases returns the URNs that a goal may have in the state: those that it says, and what
// these and its own would be if its parent were still called as in the state.
func (r *run) aliases(g *Goal, parent string) (all []string, err error) {
	was := r.aliasOf[parent]
	for _, a := range g.Aliases {
		u := a.URN
		if u == "" {
			of := cmp.Or(a.Parent, parent)
			if old := r.aliasOf[a.Parent]; old != "" {
				of = old
			}
			if a.NoParent {
				of = ""
			}
			u, err = childURN(cmp.Or(a.Stack, r.program.Stack), cmp.Or(a.Project, r.program.Project), of, cmp.Or(a.Type, g.Type), cmp.Or(a.Name, g.Name))
			if err != nil {
				return nil, fmt.Errorf("alias: %w", err)
			}
		}
		all = append(all, u)
	}
	if was == "" {
		return all, nil
	}

	inherited := func(typ, name string) error { // names are often made of that of the parent
		if rest, ok := strings.CutPrefix(name, nameOf(parent)); ok {
			name = nameOf(was) + rest
		}
		u, err := childURN(r.program.Stack, r.program.Project, was, typ, name)
		all = append(all, u)
		return err
	}
	own := slices.Clone(all)
	if err = inherited(g.Type, g.Name); err != nil {
		return nil, fmt.Errorf("alias of the parent: %w", err)
	}
	for _, u := range own {
		of, err := urn.Parse(u)
		if err == nil {
			err = inherited(of.Type(), of.Name())
		}
		if err != nil {
			return nil, fmt.Errorf("alias: %w", err)
		}
	}
	return all, nil
}

// claim finds the resource of the state that a task is about, by the URN or by an alias.
func (r *run) claim(t *task) error {
	aliases, err := r.aliases(t.goal, t.now.Parent)
	if err != nil {
		return err
	}
	u := t.now.URN
	for i := -1; i < len(aliases); i++ {
		at := u
		if i >= 0 {
			at = aliases[i]
		}
		for _, e := range r.index.byURN[at] {
			switch {
			case e.claimed:
				return fmt.Errorf("another resource of the program is %s in the state", at)
			case e.Delete || e.dropped:
				continue
			}
			t.old, e.claimed = e, true
			if at != u {
				t.now.Aliases, r.aliasOf[u] = []string{at}, at
			}
			return nil
		}
	}
	return nil
}

// renamed returns the resources of a state in which each is called, and refers to others, as
// those with aliases are called now.
func renamed(all []state.Resource) []state.Resource {
	if !slices.ContainsFunc(all, func(r state.Resource) bool { return len(r.Aliases) > 0 }) {
		return all
	}

	now := map[string]string{}
	for _, r := range all {
		for _, alias := range r.Aliases {
			now[alias] = r.URN
		}
		of, err := urn.Parse(r.URN)
		parent, err2 := urn.Parse(now[r.Parent])
		if err == nil && err2 == nil && parent.Type() != urn.RootStackType { // a child that is not registered yet
			if u, err := childURN(of.Stack(), of.Project(), parent.String(), of.Type(), of.Name()); err == nil {
				now[r.URN] = u
			}
		}
	}

	name := func(u string) string { return cmp.Or(now[u], u) }
	names := func(urns []string) []string {
		urns = slices.Clone(urns)
		for i, u := range urns {
			urns[i] = name(u)
		}
		return urns
	}
	for i := range all {
		r := &all[i]
		r.Aliases = nil
		r.URN, r.Parent, r.DeletedWith = name(r.URN), name(r.Parent), name(r.DeletedWith)
		r.Dependencies, r.ReplaceWith = names(r.Dependencies), names(r.ReplaceWith)
		if u := providerOf(r.Provider); now[u] != "" {
			r.Provider = now[u] + strings.TrimPrefix(r.Provider, u)
		}
		depends := make(map[string][]string, len(r.PropertyDependencies))
		for property, urns := range r.PropertyDependencies {
			depends[property] = names(urns)
		}
		r.PropertyDependencies = depends
	}
	return all
}
