package state

import (
	"maps"
	"slices"
	"strings"

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
	c.matchAliases(isPaired)

	for id, now := range news {
		if old, ok := olds[id]; ok && old != several && now != several && c.partners[now] < 0 && !isPaired[old] {
			c.partners[now], isPaired[old] = old, true
			c.renamed[c.names.moved(c.old.entries[old].URN)] = c.now.entries[now].URN
		}
	}
	c.deleted = slices.DeleteFunc(c.deleted, func(old int) bool { return isPaired[old] })
}

// matchAliases pairs resources with deleted ones that they have as aliases.
func (c *comparison) matchAliases(isPaired map[int]bool) {
	if len(c.now.aliases) == 0 {
		return
	}
	olds := map[string]int{}
	for _, old := range c.deleted {
		if e := &c.old.entries[old]; !e.Delete {
			olds[c.names.moved(e.URN)] = old
		}
	}
	for now := range c.partners {
		for _, alias := range c.now.aliases[now] {
			if old, ok := olds[alias]; ok && c.partners[now] < 0 && !isPaired[old] {
				c.partners[now], isPaired[old] = old, true
				c.renamed[alias] = c.now.entries[now].URN
			}
		}
	}
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
// adds their number.
func (c *comparison) followed(list, now []string, n *int) []string {
	followed := slices.Clone(list)
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
	return followed
}

// withURN returns metadata with the URN.
func withURN(metadata value.Value, text string) value.Value {
	with, _ := metadata.WithField("urn", value.String(text))
	return with
}
