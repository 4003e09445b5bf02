package state

import (
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

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
