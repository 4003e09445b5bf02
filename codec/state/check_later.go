package state

import (
	"crypto/sha256"
	"strings"

	"github.com/propalg/propalg/internal/semver"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// physical is a digest of type, ID and provider of a resource.
type physical [sha256.Size / 2]byte

// later checks what engines load, and what makes trouble later.
func (c *checker) later(k checked) {
	own, err := urn.Parse(k.URN)
	if err == nil && k.Type != "" && own.Type() != k.Type {
		c.found("type-differs", k.finding(path.Path{}.Member("type"), ""))
	}

	c.identify(k)
	c.ignored(k)
	c.secretOutputs(k)
	if k.Custom && !k.Delete && !k.External && !k.Protect && !isProviderType(k.Type) && c.options.Protects != nil && c.options.Protects(k.Type) {
		c.found("unprotected", k.finding(path.Path{}, ""))
	}
}

// identify looks for another record of the same resource.
func (c *checker) identify(k checked) {
	switch {
	case !k.Custom || k.Delete || k.External || k.ViewOf != "":
		return
	case k.ID == "":
		c.found("id-missing", k.finding(path.Path{}, ""))
		return
	case !isIdentifying(k.Type, k.ID):
		return
	}

	sum := sha256.Sum256([]byte(k.Type + "\x00" + k.ID + "\x00" + managerOf(k.Provider)))
	id := physical(sum[:len(physical{})])
	if other, isKnown := c.identities[id]; isKnown {
		c.found("id-twice", k.finding(path.Path{}.Member("id"), other))
		return
	}
	c.identities[id] = numbered(k.URN, k.record)
}

// isIdentifying reports whether an ID is that of one resource outside of the state. Package
// random makes the value, or "none", the ID.
func isIdentifying(typ, id string) bool {
	return !strings.HasPrefix(typ, "random:") && id != "none" && !isProviderType(typ)
}

// managerOf returns what of a provider says which account or region it manages: the same ID
// in two of them is two resources. All default providers of a package have the same
// configuration.
func managerOf(provider string) string {
	ref, _ := parseReference(provider)
	if u, err := urn.Parse(ref.urn); err == nil && strings.HasPrefix(u.Name(), "default") {
		return ""
	}
	return provider
}

// Of one resource mostIgnored patterns are looked for, each in all properties.
const mostIgnored = 100

// ignored checks that ignoreChanges matches something.
func (c *checker) ignored(k checked) {
	for i, text := range k.IgnoreChanges[:min(len(k.IgnoreChanges), mostIgnored)] {
		at := path.Path{}.Member("ignoreChanges").Elem(i)
		pattern, err := path.ParsePulumiPattern(text)
		if err != nil {
			c.found("ignore-changes-malformed", k.finding(at, text))
			continue
		}
		if set := path.NewSet(pattern); !matches(k.Inputs, set) && !matches(k.Outputs, set) {
			c.found("ignore-changes-unmatched", k.finding(at, text))
		}
	}
}

func matches(v value.Value, set *path.Set) bool {
	for range v.Find(set) {
		return true
	}
	return false
}

// secretOutputs checks that the outputs that are to be secret are.
func (c *checker) secretOutputs(k checked) {
	for _, name := range k.AdditionalSecretOutputs {
		v, has := k.Outputs.Lookup(name)
		if has && !v.ContainsSecret() && !isEmpty(v) {
			c.found("secret-output-clear", k.finding(path.Path{}.Member("outputs").Member(name), ""))
		}
	}
}

// isEmpty reports whether a value holds nothing that could be secret.
func isEmpty(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull, value.KindUnknown:
		return true
	case value.KindArray, value.KindObject:
		return v.Len() == 0
	case value.KindString:
		text, _ := v.AsString()
		return text == ""
	case value.KindBool, value.KindNumber, value.KindAsset, value.KindArchive, value.KindResourceReference, value.KindSealed:
	}
	return false
}

// usedProviders reports providers that nothing uses, and those of which a newer version is in
// use. The records of remote components, which a provider makes, did not always name it.
func (c *checker) usedProviders() {
	newest := map[string]*usedProvider{} // by type
	for _, p := range c.ordered {
		if old := newest[p.finding.Type]; p.isLive && p.isUsed && (old == nil || isNewer(p.version, old.version)) {
			newest[p.finding.Type] = p
		}
	}

	for _, p := range c.ordered {
		f := p.finding
		switch best := newest[f.Type]; {
		case !p.isLive:
		case !p.isUsed && c.remote[strings.TrimPrefix(f.Type, providerTypes)]:
		case !p.isUsed:
			c.found("provider-unused", f)
		case isNewer(best.version, p.version):
			f.Detail = best.version
			c.found("provider-versions", f)
		}
	}
}

func isNewer(version, than string) bool {
	a, err := semver.Parse(version)
	if err != nil {
		return false
	}
	b, err := semver.Parse(than)
	return err == nil && a.Compare(b) > 0
}
