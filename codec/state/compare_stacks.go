package state

import (
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/urn"
)

// stackNames are the names of two stacks in URNs.
type stackNames struct {
	old, now string          // as URNs begin: "urn:pulumi:dev::"
	root     string          // the URN of the root of the new stack, whose name has that of the stack in it
	news     map[string]bool // the URNs of the new stack
}

func newStackNames(olds, news []Entry) *stackNames {
	n := &stackNames{old: stackPrefix(olds), now: stackPrefix(news), news: make(map[string]bool, len(news))}
	for i := range news {
		n.news[news[i].URN] = true
		if n.root != "" {
			continue
		}
		if u, err := urn.Parse(news[i].URN); err == nil && u.QualifiedType() == urn.RootStackType {
			n.root = news[i].URN
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
	if other := n.now + n.named(rest); !n.news[n.now+rest] && n.news[other] {
		return other // the program has the name of the stack in names of resources
	}
	return n.now + rest
}

// asOfNew returns the old resource of a pair with the URNs that it would have in the new
// stack, and the texts of its properties that stand in place of others there. The IDs of its
// provider and, with times left out, of itself do not count.
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

	var inputs, outputs int
	r.Inputs, inputs = c.others.taken(r.Inputs, d.New.Inputs)
	r.Outputs, outputs = c.others.taken(r.Outputs, d.New.Outputs)
	d.LeftOut += inputs + outputs
	return &r
}

// named returns a text with the name of the new stack where it has that of the old one as a
// word.
func (n *stackNames) named(text string) string {
	old, now := stackIn(n.old), stackIn(n.now)
	if old == "" || now == "" || old == now {
		return text
	}

	var out strings.Builder
	from := 0
	for {
		i := strings.Index(text[from:], old)
		if i < 0 {
			break
		}
		at, end := from+i, from+i+len(old)
		isWord := (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isWordByte(text[end]))
		out.WriteString(text[from:at])
		if isWord {
			out.WriteString(now)
		} else {
			out.WriteString(old)
		}
		from = end
	}
	return out.String() + text[from:]
}

// stackIn returns the name of the stack in the beginning of its URNs.
func stackIn(prefix string) string {
	return strings.TrimSuffix(strings.TrimPrefix(prefix, "urn:pulumi:"), "::")
}

func (n *stackNames) movedAll(list []string) []string {
	moved := slices.Clone(list)
	for i := range moved {
		moved[i] = n.moved(moved[i])
	}
	return moved
}
