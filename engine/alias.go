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

	Name, Type     string // empty: as it is now
	Stack, Project string // empty: as it is now; below a parent, those of the parent
	Parent         string // a URN; empty: as it is now
	NoParent       bool   // it had none
}

// childURN returns the URN of a resource, of which the parent may be "".
func childURN(stack, project, parent, typ, name string) (string, error) {
	if parent == "" {
		built, err := urn.Build(urn.Parts{Stack: stack, Project: project, Type: typ, Name: name})
		return built.String(), err
	}
	of, err := urn.Parse(parent)
	if err != nil {
		return "", err
	}
	u, err := of.Child(typ, name)
	if err == nil && (of.Stack() != stack || of.Project() != project) { // it has a name of before
		parts := u.Parts()
		parts.Stack, parts.Project = stack, project
		u, err = urn.Build(parts)
	}
	return u.String(), err
}

// aliases returns the URNs that a resource of the program may have in the state.
func (r *run) aliases(g *Goal, u, parent string) ([]urn.URN, error) {
	given := g.Aliases
	if g.ReadID != "" { // what is read has only those of its parent
		given = nil
	}
	if len(given) == 0 && r.aliasOf[parent] == "" {
		return nil, nil
	}

	own, err := urn.Parse(u)
	parsed := func(text string) (p urn.URN) {
		if text != "" && err == nil {
			p, err = urn.Parse(text)
		}
		return p
	}
	of, said := parsed(parent), make([]urn.Alias, len(given))
	for i, a := range given {
		said[i] = urn.Alias{URN: parsed(a.URN), Name: a.Name, Type: a.Type, Stack: a.Stack, Project: a.Project, Parent: parsed(a.Parent), NoParent: a.NoParent}
	}
	if err != nil {
		return nil, fmt.Errorf("alias: %w", err)
	}
	return own.Aliases(of, said, func(u urn.URN) urn.URN { return parsed(r.aliasOf[u.String()]) })
}

// claim finds the resource of the state that a task is about, by the URN or by an alias.
func (r *run) claim(t *task) error {
	aliases, err := r.aliases(t.goal, t.now.URN, t.now.Parent)
	if err != nil {
		return err
	}
	u := t.now.URN
	for i := -1; i < len(aliases); i++ {
		at := u
		if i >= 0 {
			at = aliases[i].String()
		}
		e := r.live(at)
		switch {
		case e == nil:
			continue
		case e.claimed:
			return fmt.Errorf("another resource of the program is %s in the state", at)
		case e.dropped:
			continue
		}
		t.old, e.claimed = e, true
		if at != u {
			t.now.Aliases, r.aliasOf[u] = []string{at}, at
		}
		return nil
	}
	return nil
}

// renamed returns the resources of a state in which each is called, and refers to others, as
// those with aliases are called now. What is before a resource does not refer to it: of two with
// an old name, each is known to what follows it. A child does not take the name of another
// that stays.
func renamed(all []state.Resource) []state.Resource {
	if !slices.ContainsFunc(all, func(r state.Resource) bool { return len(r.Aliases) > 0 }) {
		return all
	}

	now, live := map[string]string{}, map[string]bool{}
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
		for _, alias := range r.Aliases {
			now[alias] = r.URN
		}
		of, err := urn.Parse(r.URN)
		parent, err2 := urn.Parse(now[r.Parent])
		if err == nil && err2 == nil && parent.Type() != urn.RootStackType { // a child that is not registered yet
			if u, err := childURN(of.Stack(), of.Project(), parent.String(), of.Type(), of.Name()); err == nil && (r.Delete || !live[u]) {
				now[r.URN] = u
			}
		}

		r.Aliases = nil
		r.URN, r.Parent, r.DeletedWith = name(r.URN), name(r.Parent), name(r.DeletedWith)
		live[r.URN] = live[r.URN] || !r.Delete
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
