package state

import (
	"maps"
	"slices"
	"strings"
)

// checkAdoptable refuses a resource that has the URN of one that is adopted, unless it is
// pending deletion, or deleted.
func (x *rewriter) checkAdoptable(r *reading, want target) error {
	if x.edits.Adopt[r.to.URN] == "" || want.deleted {
		return nil
	}
	if err := r.links(func(name string) bool { return name == "delete" }); err != nil {
		return err
	}
	isGone := r.to.Delete
	for _, i := range want.members {
		if m := &x.edits.Members[i]; m.Name == "delete" {
			isGone, _ = m.Value.AsBool()
		}
	}
	if !isGone {
		return r.refused("", "%s cannot be adopted, since it is in the file and not pending deletion", r.to.URN)
	}
	return nil
}

// checkAdopted refuses what no pending operation is about.
func (x *rewriter) checkAdopted(done map[string]bool) error {
	for _, urn := range slices.Sorted(maps.Keys(x.edits.Adopt)) {
		if !done[urn] {
			return refused("no pending operation is about %s", urn)
		}
	}
	return nil
}

// adopt notes the splices that make resources of pending operations those of the file.
func (x *rewriter) adopt(file *File, all span) error {
	if len(x.edits.Adopt) == 0 {
		return nil
	}
	done := map[string]bool{}
	operations := children(all.text)
	removed, left := make([]bool, len(operations)), len(operations)
	for i, m := range operations {
		typ, r := operationOf(file, all.sub(m.At, m.End), i)
		if r == nil {
			continue
		}
		if err := r.links(func(name string) bool { return isLink(name) || name == "custom" }); err != nil {
			return err
		}
		urn := r.to.URN
		switch {
		case x.edits.Adopt[urn] == "":
			continue
		case done[urn]:
			return r.refused("", "several pending operations are about %s", urn)
		}
		done[strings.Clone(urn)] = true
		text, err := x.adopted(r, typ)
		if err != nil {
			return err
		}
		x.splices = append(x.splices, splice{x.kept, x.kept, "," + text})
		removed[i] = true
		left--
	}

	if left == 0 && len(operations) > 0 {
		x.splices = append(x.splices, all.with("[]"))
		return x.checkAdopted(done)
	}
	first := slices.Index(removed, false)
	cut := func(from, to int) { x.splices = append(x.splices, all.sub(from, to).with("")) }
	if first > 0 {
		cut(operations[0].At, operations[first].At)
	}
	for i, m := range operations {
		if i > first && removed[i] {
			cut(operations[i-1].End, m.End)
		}
	}
	return x.checkAdopted(done)
}

// adopted returns the text of a resource that is adopted.
func (x *rewriter) adopted(r *reading, typ string) (string, error) {
	urn := r.to.URN
	switch {
	case typ == "updating" || typ == "deleting":
		return "", r.refused("", "an operation of the type "+typ+" is about %s, whose record a refresh corrects", urn)
	case typ != "creating" && typ != "importing":
		return "", r.refused("", "an operation of the type %s is about %s, and only those that create or import are adopted", typ, urn)
	case !r.to.Custom:
		return "", r.refused("id", "%s is a component, which has no ID", urn)
	case r.to.Type == "":
		return "", r.refused("type", "%s has no type", urn)
	case x.kept < 0:
		return "", r.refused("", "%s would be the only resource of the file", urn)
	}
	if err := x.checkReferences(r); err != nil {
		return "", err
	}
	now := x.moved(urn, true)
	if other := x.taken[now]; (other != "" && other != urn) || (now != urn && x.resources[now].now == now) {
		return "", r.refused("urn", "it would get the URN %s, which another resource has", now)
	}

	before := len(x.splices)
	if err := x.edited(r, target{}, x.stream.count); err != nil {
		return "", err
	}
	id, isThere := quotedKey(x.edits.Adopt[urn]), false
	for _, m := range r.members {
		if r.name(m) == "id" {
			isThere = true
			x.splices = append(x.splices, r.span().sub(m.At, m.End).with(id))
		}
	}
	if !isThere {
		x.addMember(r, "id", id)
	}
	own := slices.Clone(x.splices[before:])
	x.splices = x.splices[:before]
	return r.span().spliced(own), nil
}

// checkReferences refuses references to what is not in the file, which engines refuse.
func (x *rewriter) checkReferences(r *reading) error {
	for l := range r.to.links() {
		_, isKnown := x.resources[l.to]
		if l.member == "provider" {
			_, isKnown = x.providers[l.to]
		}
		if l.to != "" && !isKnown {
			return r.refused(l.member, "refers to %s, which is not in the file", l.to)
		}
	}
	return nil
}
