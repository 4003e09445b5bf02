package state

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// link is a reference of a record to another one.
type link struct {
	member string
	key    string // of a member that has lists by property
	index  int    // in a list; -1: it is in none
	to     string // may be empty in a list
}

func (l link) path() path.Path {
	p := path.Path{}.Member(l.member)
	if l.member == "propertyDependencies" {
		p = p.Member(l.key)
	}
	if l.index >= 0 {
		p = p.Elem(l.index)
	}
	return p
}

// links iterates over the references of a resource to others, in the order in which engines
// write them.
func (r *Resource) links() iter.Seq[link] {
	return func(yield func(link) bool) {
		for _, f := range r.fields() {
			if f.name == "urn" || f.name == "aliases" || !refers(f.name) {
				continue
			}
			if !yieldLinks(f, yield) {
				return
			}
		}
	}
}

func yieldLinks(f fieldOf, yield func(link) bool) bool {
	list := func(key string, all []string) bool {
		for i, to := range all {
			if !yield(link{f.name, key, i, to}) {
				return false
			}
		}
		return true
	}

	switch to := f.to.(type) {
	case *string:
		return *to == "" || yield(link{f.name, "", -1, *to})
	case *[]string:
		return list("", *to)
	case *map[string][]string:
		for _, key := range slices.Sorted(maps.Keys(*to)) {
			if !list(key, (*to)[key]) {
				return false
			}
		}
	}
	return true
}

// reference is what a resource has as its provider, in its two parts.
type reference struct{ urn, id string }

func parseReference(text string) (reference, bool) {
	i := strings.LastIndex(text, "::")
	if i < 0 {
		return reference{}, false
	}
	r := reference{text[:i], text[i+len("::"):]}
	return r, isProviderURN(r.urn)
}

// isURN reports whether engines accept a text as a URN where they look at it.
func isURN(text string) bool {
	return strings.HasPrefix(text, urn.Prefix) && strings.Count(text, "::") >= 3
}

// isProviderURN reports whether a text is a URN with the type of a provider. Engines find the
// type of some odd URNs where package urn has none.
func isProviderURN(text string) bool {
	if !isURN(text) {
		return false
	}
	typ := strings.TrimPrefix(text, urn.Prefix)
	if parts := strings.SplitN(typ, "::", 4); len(parts) >= 3 {
		typ = parts[2]
	}
	return isProviderType(typ[strings.LastIndexByte(typ, '$')+1:])
}

func isProviderType(typ string) bool {
	return strings.HasPrefix(typ, providerTypes) && len(typ) > len(providerTypes)
}

// names checks what a record says of itself.
func (c *checker) names(k checked) {
	if k.Type == "" {
		c.found("type-missing", k.finding(path.Path{}, ""))
	}
	if !k.Custom && k.ID != "" {
		c.found("component-id", k.finding(path.Path{}.Member("id"), ""))
	}
	if !isURN(k.URN) {
		f := k.finding(path.Path{}.Member("urn"), "")
		f.Rule = ruleOf("urn-malformed")
		if k.Parent != "" && !strings.HasPrefix(k.URN, urn.Prefix) { // engines look for its type
			f.Severity = SeverityError
		}
		c.report(f)
	}
}

// usedProvider is what is kept of a provider.
type usedProvider struct {
	finding Finding // about it
	number  int
	version string
	isUsed  bool
	isLive  bool
}

// register makes a provider known to itself and the records after it.
func (c *checker) register(k checked) {
	if k.Provider == "" && !k.Delete {
		pkg, _, _ := strings.Cut(k.Type, ":")
		c.remote[pkg] = true
	}
	if !isProviderType(k.Type) {
		return
	}
	if !isProviderURN(k.URN) {
		c.found("provider-unusable", k.finding(path.Path{}.Member("urn"), ""))
		return
	}

	p := &usedProvider{finding: k.finding(path.Path{}, ""), number: k.Number, isLive: !k.Delete}
	if version := k.Inputs.Field("version"); !version.IsSecret() {
		p.version, _ = version.AsString()
		p.version = strings.Clone(p.version)
	}
	ref := reference{k.URN, cmp.Or(k.ID, unknownID)}
	if c.providers[ref] == nil {
		c.providers[ref] = p
		c.ordered = append(c.ordered, p)
	}
}

// dangling is a reference to what was not there before the record.
type dangling struct {
	from *checkedName
	link
}

// checkedName is what is kept of a record with such references.
type checkedName struct {
	finding Finding
	number  int
}

// references checks what a record refers to, as far as the records before it say.
func (c *checker) references(k checked) {
	var from *checkedName
	var before listed
	for l := range k.links() {
		if before.has(l) {
			c.found("dependency-twice", k.finding(l.path(), l.to))
			continue
		}
		if c.resolves(k, l) {
			continue
		}

		if from == nil {
			from = &checkedName{k.finding(path.Path{}, ""), k.Number}
		}
		c.dangling = append(c.dangling, dangling{from, l})
	}
}

// listed is what a list has before one of its references. Most lists are short.
type listed struct {
	first string
	rest  map[string]bool
}

// has reports whether a reference is in its list before, and adds it to that.
func (s *listed) has(l link) bool {
	switch {
	case l.index == 0:
		*s = listed{first: l.to}
		return false
	case l.index < 0 || l.to == "":
		return false
	case s.first == l.to || s.rest[l.to]:
		return true
	case s.rest == nil:
		s.rest = map[string]bool{}
	}
	s.rest[l.to] = true
	return false
}

// resolves checks a reference, and reports false if nothing before the record is what it
// refers to.
func (c *checker) resolves(k checked, l link) bool {
	switch {
	case l.to == "":
		c.found("dependency-empty", k.finding(l.path(), ""))
		return true
	case l.member == "provider":
		return c.resolvesProvider(k, l)
	case c.records[l.to] == nil:
		return false
	case l.member == "parent":
		c.parent(k, l)
	}
	return true
}

func (c *checker) resolvesProvider(k checked, l link) bool {
	ref, ok := parseReference(l.to)
	if !ok {
		c.found("provider-malformed", k.finding(l.path(), l.to))
		return true
	}
	p := c.providers[ref]
	if p != nil {
		p.isUsed = p.isUsed || !k.Delete
	}
	return p != nil || k.PendingReplacement
}

// parent checks a record whose parent is there.
func (c *checker) parent(k checked, l link) {
	if !strings.HasPrefix(l.to, urn.Prefix) {
		c.found("parent-malformed", k.finding(l.path(), l.to))
		return
	}
	own, err := urn.Parse(k.URN)
	if err != nil {
		return
	}
	parent, err := urn.Parse(l.to)
	if err != nil {
		return
	}

	want := own.Type()
	if of := parent.QualifiedType(); of != urn.RootStackType {
		want = of + "$" + want
	}
	if own.QualifiedType() != want {
		c.found("parent-type", k.finding(l.path(), l.to))
	}
}

// twice checks that of the records with one URN only one is not pending deletion.
func (c *checker) twice(k checked) {
	known := c.records[k.URN]
	switch {
	case k.Delete:
	case known.live == "":
		known.live = numbered(k.URN, k.record)
	default:
		c.found("urn-twice", k.finding(path.Path{}.Member("urn"), known.live))
	}
}

// links reports the references to what is not there, or comes later.
func (c *checker) links() {
	for _, d := range c.dangling {
		last := -1
		if d.member == "provider" {
			ref, _ := parseReference(d.to)
			if p := c.providers[ref]; p != nil {
				last, p.isUsed = p.number, true
			}
		} else if known := c.records[d.to]; known != nil {
			last = known.last
		}

		f := d.from.finding
		f.At, f.Detail = path.Show(d.path(), -1), d.to
		switch {
		case last < 0:
			c.found(kindOf(d.member)+"-missing", f)
		case d.member == "viewOf": // engines do not look at its order
		case last == d.from.number:
			c.found("refers-to-itself", f)
		default:
			c.found(kindOf(d.member)+"-order", f)
		}
	}
}

// kindOf returns the beginning of the codes about references in a member.
func kindOf(member string) string {
	switch member {
	case "dependencies":
		return "dependency"
	case "propertyDependencies":
		return "property-dependency"
	case "deletedWith":
		return "deleted-with"
	case "replaceWith":
		return "replace-with"
	case "viewOf":
		return "view-of"
	}
	return member
}
