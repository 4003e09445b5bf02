package state

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/value"
)

// MemberEdit is a change of a member of a resource that is no property. "protect", "delete"
// and "taint" are true or false; false takes the member out, as engines do not write it.
// "id", "parent" and "provider" are texts. The features of the file stay: engines that know
// taint read it also where they do not name it.
//
// A parent or provider must be in the file before the resource, as engines require; a URN is
// not changed by a new parent. The ID of a provider, which references have, stays, and
// components have none. Of the resources with one URN no second may be live.
type MemberEdit struct {
	Resource string // as [Edits] says
	Name     string
	Value    value.Value
}

func (e *MemberEdit) check() error {
	_, isBool := e.Value.AsBool()
	text, _ := e.Value.AsString()
	isText := text != "" && utf8.ValidString(text)
	switch e.Name {
	case "protect", "delete", "taint":
		if !isBool {
			return refused("%s is true or false", e.Name)
		}
	case "id", "parent", "provider":
		if !isText {
			return refused("%s is a text in UTF-8 that is not empty", e.Name)
		}
	default:
		return refused("%s is no member that is edited", e.Name)
	}
	if e.Value.IsSecret() {
		return refused("%s cannot be secret", e.Name)
	}
	return nil
}

// checkMembers returns an error for members that a resource may not get, whatever comes
// before it, and for those that are malformed.
func (x *rewriter) checkMembers(r *reading, which []int) error {
	if len(which) == 0 {
		return nil
	}
	if err := r.links(func(name string) bool { return name == "custom" || x.isEdited(which, name) }); err != nil {
		return err
	}

	switch {
	case !x.isEdited(which, "id"):
	case !r.to.Custom:
		return r.refused("id", "%s is a component, which has no ID", r.to.URN)
	case strings.HasPrefix(r.to.Type, providerTypes):
		return r.refused("id", "%s is a provider, whose ID others refer to", r.to.URN)
	}
	return nil
}

// live counts resources with one URN that are not pending deletion.
type live struct{ before, after int }

// countLive counts the resources with a URN if edits make any live.
func (x *rewriter) countLive(r *reading, want target) error {
	if x.live == nil {
		return nil
	}
	if err := r.links(func(name string) bool { return name == "delete" }); err != nil {
		return err
	}

	n := x.live[r.to.URN]
	if !r.to.Delete {
		n.before++
	}
	isGone := want.deleted || r.to.Delete
	for _, i := range want.members {
		if m := &x.edits.Members[i]; m.Name == "delete" {
			isGone, _ = m.Value.AsBool()
		}
	}
	if !isGone {
		n.after++
	}
	if n.after > 1 && n.after > n.before {
		x.doubled[r.to.URN] = true
	} else {
		delete(x.doubled, r.to.URN)
	}
	x.live[strings.Clone(r.to.URN)] = n
	return nil
}

// members notes the splices of the members of a resource that are edited.
func (x *rewriter) members(r *reading, which []int, number int) error {
	want := map[string]int{}
	for _, i := range which {
		want[x.edits.Members[i].Name] = i
	}
	removed := make([]bool, len(r.members))
	for n, m := range r.members {
		i, isMeant := want[r.name(m)]
		if !isMeant {
			continue
		}
		e := &x.edits.Members[i]
		delete(want, e.Name)
		text, err := x.memberText(r, i, number)
		if err != nil {
			return err
		}

		old := r.span().sub(m.At, m.End)
		switch {
		case text != "" && old.text[0] == '"':
			err = x.respell(&x.splices, old, unquote(old.text), unquote(text))
		case text != "" && text != old.text:
			x.splices = append(x.splices, old.with(text))
		case text == "":
			removed[n] = old.text == "true"
		}
		if err != nil {
			return err
		}
	}

	for _, i := range which {
		name := x.edits.Members[i].Name
		if last, isMeant := want[name]; !isMeant || last != i {
			continue
		}
		text, err := x.memberText(r, i, number)
		if err != nil {
			return err
		}
		if text != "" {
			x.addMember(r, name, text)
		}
	}
	x.removeMembers(r, removed) // after what is added at the same place
	return nil
}

// memberText returns the text that a member becomes; "" if it is taken out.
func (x *rewriter) memberText(r *reading, i, number int) (string, error) {
	e := &x.edits.Members[i]
	text := string(x.values[len(x.edits.Properties)+i])
	if text == "false" {
		return "", nil
	}

	name, _ := e.Value.AsString()
	n, isKnown := x.resources[name]
	switch e.Name {
	default:
		return text, nil
	case "parent":
	case "provider":
		n, isKnown = x.providers[name]
		ref, isReference := parseReference(name)
		_, isThere := x.resources[ref.urn] // it is not if an ID has colons, and engines do not find it then
		isKnown = isKnown && isReference && isThere
	}
	switch {
	case !isKnown:
		return "", r.refused(e.Name, "no "+e.Name+" %s is in the file", name)
	case n.remains < 0:
		return "", r.refused(e.Name, "refers to %s, which is deleted", name)
	case n.remains >= number:
		return "", r.refused(e.Name, "%s does not come before it", name)
	}
	return quotedKey(n.now), nil
}

// addMember adds a member after those that say which resource it is, with the same space
// around it.
func (x *rewriter) addMember(r *reading, name, text string) {
	at := 0
	for i, m := range r.members {
		switch r.name(m) {
		case "urn", "id", "type":
			at = i
		}
	}

	after := r.members[at]
	between := "," + r.source[1:after.Name]
	if at > 0 {
		between = r.source[r.members[at-1].End:after.Name]
	}
	end := r.span().sub(after.End, after.End)
	x.splices = append(x.splices, end.with(between+`"`+name+`"`+r.source[after.NameEnd:after.At]+text))
}

// removeMembers takes members out, of which the URN is none, each with the comma before it or,
// if there is no other before it, after it.
func (x *rewriter) removeMembers(r *reading, removed []bool) {
	first := slices.Index(removed, false)
	cut := func(from, to int) { x.splices = append(x.splices, r.span().sub(from, to).with("")) }
	if first > 0 {
		cut(r.members[0].Name, r.members[first].Name)
	}
	for i, m := range r.members {
		if i > first && removed[i] {
			cut(r.members[i-1].End, m.End)
		}
	}
}

// isEdited reports whether edits give a resource another member.
func (x *rewriter) isEdited(which []int, name string) bool {
	return slices.ContainsFunc(which, func(i int) bool { return x.edits.Members[i].Name == name })
}
