package state

// NOTE: What two states call the same resource is here: a stack with another name, and
// resources that were renamed, in every member with URNs.

import (
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// matchRenamed pairs live resources of one type and ID, where only one of each stack has
// them and neither has a partner.
func (c *comparison) matchRenamed() {
	type identity struct{ kind, id string }
	const several = -1
	who := func(e *Entry) (identity, bool) {
		u, err := urn.Parse(e.URN)
		if err != nil || e.ID == "" || e.Delete {
			return identity{}, false
		}
		return identity{u.Type(), e.ID}, true
	}
	count := func(to map[identity]int, e *Entry, at int) {
		if id, ok := who(e); ok {
			if _, again := to[id]; again {
				at = several
			}
			to[id] = at
		}
	}
	olds, news := map[identity]int{}, map[identity]int{}
	for _, old := range c.deleted {
		count(olds, &c.old.entries[old], old)
	}

	for now, old := range c.partners {
		if old < 0 {
			count(news, &c.now.entries[now], now)
		}
	}

	isPaired := map[int]bool{}
	c.renamed = map[string]string{}

	for id, now := range news {
		if old, ok := olds[id]; ok && old != several && now != several {
			c.partners[now], isPaired[old] = old, true
			c.renamed[c.names.moved(c.old.entries[old].URN)] = c.now.entries[now].URN
		}
	}
	c.deleted = slices.DeleteFunc(c.deleted, func(old int) bool { return isPaired[old] })
}

// stackNames are the names of two stacks in URNs.
type stackNames struct {
	old, now string // as URNs begin: "urn:pulumi:dev::"
	root     string // the URN of the root of the new stack, whose name has that of the stack in it
}

func newStackNames(olds, news []Entry) *stackNames {
	n := &stackNames{old: stackPrefix(olds), now: stackPrefix(news)}
	for i := range news {
		if u, err := urn.Parse(news[i].URN); err == nil && u.QualifiedType() == urn.RootStackType {
			n.root = news[i].URN
			break
		}
	}

	return n
}

// stackPrefix returns the beginning of the URNs of a stack, empty if there are none.
func stackPrefix(entries []Entry) string {
	for i := range entries {
		if u, err := urn.Parse(entries[i].URN); err == nil {
			return "urn:pulumi:" + u.Stack() + "::"
		}
	}
	return ""
}

// moved returns the URN that a resource of the old stack would have in the new one.
// Others stay as they are.
func (n *stackNames) moved(text string) string {
	if n == nil || n.old == "" || n.now == "" {
		return text
	}

	rest, isOld := strings.CutPrefix(text, n.old)
	if !isOld {
		return text
	}
	if n.root != "" && strings.Contains(rest, "::"+urn.RootStackType+"::") {
		return n.root
	}
	return n.now + rest
}

// asOfNew returns the old resource of a pair with the URNs that it would have in the new
// stack. The IDs of its provider and, with times left out, of itself do not count.
func (c *comparison) asOfNew(d *ResourceDiff) *Resource {
	r := *d.Old
	names := c.names
	for _, text := range []*string{&r.URN, &r.Parent, &r.DeletedWith, &r.ViewOf} {
		*text = names.moved(*text)
	}
	for _, list := range []*[]string{&r.Dependencies, &r.Aliases, &r.ReplaceWith} {
		*list = names.movedAll(*list)
	}

	r.PropertyDependencies = maps.Clone(r.PropertyDependencies)
	for key, list := range r.PropertyDependencies {
		r.PropertyDependencies[key] = names.movedAll(list)
	}
	r.Provider = names.moved(r.Provider)
	if referenced(r.Provider) == referenced(d.New.Provider) {
		r.Provider = d.New.Provider
	}
	if !c.options.Times && r.ID != d.New.ID {
		r.ID = d.New.ID
		d.LeftOut++
	}

	return &r
}

// withoutMoved returns a diff of properties without the references to resources that differ
// in nothing but the name of the stack.
func (n *stackNames) withoutMoved(d diff.Diff) diff.Diff {
	if n == nil {
		return d
	}

	var found []path.Pattern
	for c := range d.Changes() {
		old, _ := c.Old()
		now, _ := c.New()
		from, wasReference := old.AsResourceReference()
		to, isReference := now.AsResourceReference()
		from.URN = n.moved(from.URN)
		if wasReference && isReference && from == to && !c.SecretChanged() && !c.DependenciesChanged() {
			found = append(found, c.Path().Pattern())
		}
	}
	rest, cut := d.Split(path.NewSet(found...))
	// Paths of elements that moved may be those of others: then they are updates.
	if cut.Len() != len(found) || rest.Len()+cut.Len() != d.Len() {
		return d
	}

	return rest
}

func (n *stackNames) movedAll(list []string) []string {
	moved := slices.Clone(list)
	for i := range moved {
		moved[i] = n.moved(moved[i])
	}
	return moved
}

// referenced returns the URN in a reference to a provider, which ends with its ID.
func referenced(provider string) string {
	if i := strings.LastIndex(provider, "::"); i >= 0 {
		return provider[:i]
	}
	return provider
}

// referring returns the old resource of a pair with the new URNs of renamed resources where
// the new one refers to these, and the number of the references that differ.
func (c *comparison) referring(old, now *Resource) (*Resource, int) {
	r, n := *old, 0
	for _, ref := range []struct{ from, to *string }{
		{&r.Parent, &now.Parent}, {&r.Provider, &now.Provider}, {&r.DeletedWith, &now.DeletedWith}, {&r.ViewOf, &now.ViewOf},
	} {
		if *ref.from != *ref.to && c.follow(*ref.from) == *ref.to {
			*ref.from = *ref.to
			n++
		}
	}

	for _, ref := range []struct{ from, to *[]string }{{&r.Dependencies, &now.Dependencies}, {&r.ReplaceWith, &now.ReplaceWith}} {
		*ref.from = c.followed(*ref.from, *ref.to, &n)
	}
	r.PropertyDependencies = maps.Clone(r.PropertyDependencies)
	for key, list := range r.PropertyDependencies {
		r.PropertyDependencies[key] = c.followed(list, now.PropertyDependencies[key], &n)
	}

	return &r, n
}

// follow returns the new URN in a reference to a renamed resource, which may end with an ID;
// other references stay as they are.
func (c *comparison) follow(reference string) string {
	if to, isRenamed := c.renamed[reference]; isRenamed {
		return to
	}

	urn := referenced(reference)
	if to, isRenamed := c.renamed[urn]; isRenamed {
		return to + reference[len(urn):]
	}
	return reference
}

// followed returns a list of references with the new URNs that another list has instead, and
// adds their number. If they are all that differs, it has the order of the other list.
func (c *comparison) followed(list, now []string, n *int) []string {
	followed := slices.Clone(list)
	before := *n
	var has map[string]bool // what the other list has, once needed
	for i, old := range list {
		to := c.follow(old)
		if to == old {
			continue
		}

		if has == nil {
			has = make(map[string]bool, len(now))
			for _, each := range now {
				has[each] = true
			}
		}
		if has[to] && !has[old] {
			followed[i] = to
			*n++
		}
	}

	if *n > before && slices.Equal(slices.Sorted(slices.Values(followed)), slices.Sorted(slices.Values(now))) {
		return now
	}
	return followed
}

// withURN returns metadata with the URN.
func withURN(metadata value.Value, text string) value.Value {
	with, _ := metadata.WithField("urn", value.String(text))
	return with
}
