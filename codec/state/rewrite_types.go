package state

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/urn"
)

// checkRetype returns an error for types that resources of no file can get.
func (e *Edits) checkRetype() error {
	for _, old := range slices.Sorted(maps.Keys(e.Retype)) {
		u, err := urn.Parse(old)
		if err != nil {
			return &Error{Offset: -1, err: &outside{ErrEdit, err}}
		}
		typ := e.Retype[old]
		if err := checkURN(urn.Parts{Stack: "s", Project: "p", Type: typ}); err != nil {
			return err
		}
		if err := checkTypes(u.Type(), typ); err != nil {
			return err
		}
		switch _, isRenamed := e.Rename[old]; {
		case strings.Count(typ, ":") < 2:
			return refused("the type %s is not package:module:name, as engines want it", cmp.Or(typ, `""`))
		case isRenamed:
			return refused("%s cannot get a new name and a new type at once", old)
		}
	}
	return nil
}

// checkTypes refuses types that resources with references of their own, or none, have: that of
// a stack, and those of providers, which have an ID in references and a package that resources
// depend on.
func checkTypes(all ...string) error {
	for _, typ := range all {
		switch {
		case typ == urn.RootStackType:
			return refused("the type %s is that of the stack's own resource, which no other has", typ)
		case strings.HasPrefix(typ, providerTypes):
			return refused("the type %s is that of a provider, which says of which package are the resources that refer to it", typ)
		}
	}
	return nil
}

// below returns the URN of a resource with a type of its own and a parent, or none.
func below(parent, stack, project, typ, name string) string {
	if p, err := urn.Parse(parent); err == nil && p.QualifiedType() != urn.RootStackType {
		typ = p.QualifiedType() + "$" + typ
	}
	return urn.Prefix + stack + "::" + project + "::" + typ + "::" + name
}

// retyping finds the URNs that new types of resources give to these, and to those below them
// whose URNs have the types of their parents.
type retyping struct {
	to      map[string]string // Edits.Retype
	parents map[string]string // by URN, where it has their types before its own
	renamed map[string]string // by all URNs that were asked for
	longer  int               // bytes that URNs get longer
}

// findTypes reads the file if types change, and finds the new URNs.
func (x *rewriter) findTypes(r io.ReaderAt) (uint32, error) {
	if len(x.edits.Retype) == 0 {
		return 0, nil
	}
	all := retyping{to: x.edits.Retype, parents: map[string]string{}, renamed: map[string]string{}}
	sum, err := pass(r, func(in io.Reader) error { return all.read(x, in) })
	if err != nil {
		return 0, err
	}

	for old := range all.parents {
		if all.now(old); all.longer > mostLonger {
			return 0, refused("the URNs of what is below one another would get too long")
		}
	}
	x.renamed = all.renamed
	return sum, nil
}

// read notes the parents of resources and of those of pending operations.
func (t *retyping) read(x *rewriter, in io.Reader) error {
	file, err := x.each(in, t.note)
	if err != nil {
		return err
	}
	field, ok := file.field("pending_operations")
	if !ok || field.RevealText()[0] != '[' {
		return nil
	}
	all := span{field.at, field.RevealText()}
	for n, m := range children(all.text) {
		if _, own := operationOf(file, all.sub(m.At, m.End), n); own != nil {
			if err := t.note(own); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *retyping) note(r *reading) error {
	if err := r.links(func(name string) bool { return isName(name) || name == "parent" }); err != nil {
		return err
	}
	own, err := urn.Parse(r.to.URN)
	if err != nil || t.parents[r.to.URN] != "" {
		return nil //nolint:nilerr // it has no type
	}
	if _, isNamed := t.to[r.to.URN]; isNamed {
		if err := checkTypes(r.to.Type); err != nil {
			return err
		}
	}
	parent := ""
	if own.Type() != own.QualifiedType() && below(r.to.Parent, own.Stack(), own.Project(), own.Type(), own.Name()) == r.to.URN {
		parent = r.to.Parent
	}
	t.parents[strings.Clone(r.to.URN)] = strings.Clone(parent)
	return nil
}

// now returns the new URN of a resource. The types of a parent are fewer, so that it ends where
// resources are their own parents.
func (t *retyping) now(old string) string {
	parent, isKnown := t.parents[old]
	if now := t.renamed[old]; now != "" || !isKnown || t.longer > mostLonger {
		return cmp.Or(now, old)
	}
	own := urn.MustParse(old)
	typ := cmp.Or(t.to[old], own.Type())
	above := ""
	if parent != "" {
		above = t.now(parent)
	}
	now := old
	switch {
	case above != parent:
		now = below(above, own.Stack(), own.Project(), typ, own.Name())
	case typ != own.Type():
		types := strings.TrimSuffix(own.QualifiedType(), own.Type())
		now = urn.Prefix + own.Stack() + "::" + own.Project() + "::" + types + typ + "::" + own.Name()
	}
	t.renamed[old] = now
	t.longer += len(now) - len(old)
	return now
}

// retype notes the splice of the type of a resource.
func (x *rewriter) retype(r *reading) error {
	typ, isNamed := x.edits.Retype[r.to.URN]
	if !isNamed {
		return nil
	}
	for _, m := range r.members {
		if r.name(m) != "type" {
			continue
		}
		old := r.span().sub(m.At, m.End)
		if old.text[0] == '"' {
			return x.respell(&x.splices, old, unquote(old.text), typ)
		}
		x.splices = append(x.splices, old.with(quotedKey(typ)))
		return nil
	}
	x.addMember(r, "type", quotedKey(typ))
	return nil
}
