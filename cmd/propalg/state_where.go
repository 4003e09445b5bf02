package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/internal/semver"
	"github.com/propalg/propalg/value"
)

// resourceFilter is what resources have to be: each flag that is given has to match, one of
// the values of --type, --name and --provider, and all of --where.
type resourceFilter struct {
	types, names []string // patterns
	where        []memberIs
	providers    []providerRange
	versions     map[string]string // of the providers in the file so far, by URN and ID
	unknown      int               // resources of which the version is not known
}

// memberIs is a condition of a member that is true or false, or a text.
type memberIs struct{ member, pattern string }

// addTo adds the flags of a command that does what the verb says.
func (f *resourceFilter) addTo(inv *invocation, verb string) {
	f.versions = map[string]string{}
	inv.flags.Func("type", verb+" only resources whose type matches this `pattern`, in which * is any text, as in aws:s3/* (repeatable)", appendTo(&f.types))
	inv.flags.Func("name", verb+" only resources whose name matches this `pattern` (repeatable)", appendTo(&f.names))
	inv.flags.Func("where", verb+" only resources with this `member=value`: protect=false, or a pattern for a text, as in parent=*::vpc; all of several have to be so", f.addWhere)
	inv.flags.Func("provider", verb+" only resources of this `package` of a provider and those providers, with a version or without: aws, aws@6.38, 'aws@<6', 'aws@>=6.2' (repeatable)", f.addProvider)
}

func (f *resourceFilter) addWhere(text string) error {
	member, pattern, isPair := strings.Cut(text, "=")
	if !isPair {
		return errors.New("expected MEMBER=VALUE, such as protect=false")
	}
	if member == "urn" {
		f.where = append(f.where, memberIs{member, pattern})
		return nil
	}

	var known []string
	for key, v := range (&state.Resource{}).Metadata().Members() {
		switch kind := v.Kind(); {
		case kind != value.KindBool && kind != value.KindString:
		case key == member && kind == value.KindBool && pattern != "true" && pattern != "false":
			return fmt.Errorf("%s is true or false", member)
		case key == member:
			f.where = append(f.where, memberIs{member, pattern})
			return nil
		default:
			known = append(known, key)
		}
	}
	return fmt.Errorf("no member of resources that is true or false, or a text, is called %q%s", clipped(member), meant(member, known, ""))
}

// sayUnknown says how many resources of a file were not chosen since it does not say their version.
func (f *resourceFilter) sayUnknown(inv *invocation, in *input.Source, done string) {
	if f.unknown > 0 {
		inv.say("%s: %s not %s, since the file does not say the version of the provider before them", in.Name, printable.Counted(f.unknown, "resource"), done)
	}
}

func (f *resourceFilter) isSet() bool {
	return len(f.types)+len(f.names)+len(f.where)+len(f.providers) > 0
}

// needs reports whether the properties of a resource are looked at.
func (f *resourceFilter) needs(r *state.Resource) bool {
	_, isProvider := packageOf(r.Type)
	return isProvider && f.providers != nil
}

// matches reports whether a resource, with this name, is one of those to list.
func (f *resourceFilter) matches(r *state.Resource, name string) bool {
	isAny := func(patterns []string, text string) bool {
		return patterns == nil || slices.ContainsFunc(patterns, func(p string) bool { return gate.Matches(p, text) })
	}
	return (f.providers == nil || f.isOfProvider(r)) && isAny(f.types, r.Type) && isAny(f.names, name) && f.isWhere(r)
}

func (f *resourceFilter) isWhere(r *state.Resource) bool {
	if f.where == nil {
		return true
	}

	members := r.Metadata()
	for _, each := range f.where {
		v, _ := members.Lookup(each.member)
		text, isText := v.AsString()
		switch on, isBool := v.AsBool(); {
		case each.member == "urn":
			text = r.URN
		case isBool:
			text = strconv.FormatBool(on)
		case !isText:
			return false
		}
		if (text == "") != (each.pattern == "") || !gate.Matches(each.pattern, text) { // * is no member that is not set
			return false
		}
	}
	return true
}

// isOfProvider reports whether one of the ranges has the provider of a resource, or the
// resource if it is one. Engines write providers before what they made.
func (f *resourceFilter) isOfProvider(r *state.Resource) bool {
	name, isProvider := packageOf(r.Type)
	ref := r.Provider
	if isProvider {
		ref = r.URN + "::" + r.ID
		f.versions[ref] = providerVersion(r)
	} else {
		name = usedPackage(r)
	}

	version, isUnknown := f.versions[ref], false
	for _, p := range f.providers {
		if p.name != name {
			continue
		}
		if p.version == "" {
			return true
		}
		is, isVersion := p.has(version)
		if is {
			return true
		}
		isUnknown = isUnknown || !isVersion
	}
	if isUnknown {
		f.unknown++
	}
	return false
}

// usedPackage returns the package of the provider of a resource. One that names none is of the
// package of its type: old engines wrote no providers.
func usedPackage(r *state.Resource) string {
	if u, isKnown := providerOf(r); isKnown {
		name, _ := packageOf(u.Type())
		return name
	}
	if r.Provider != "" || !r.Custom {
		return ""
	}
	name, _, _ := strings.Cut(r.Type, ":")
	return name
}

// packageOf returns the package of a type of providers.
func packageOf(typ string) (name string, isProvider bool) {
	return strings.CutPrefix(typ, "pulumi:providers:")
}

// providerVersion returns the version in the inputs of a provider, if it is not secret.
func providerVersion(r *state.Resource) string {
	v, _ := r.Inputs.Lookup("version")
	text, _ := v.AsString()
	return text
}

// providerRange has some versions of the provider of a package.
type providerRange struct {
	name     string
	operator string // <, <=, >, >= or =
	version  string // of which the numbers that it has are compared; empty: any
	parts    int    // how many numbers are compared, if not all of the version
	of       semver.Version
}

func (f *resourceFilter) addProvider(text string) error {
	name, version, hasVersion := strings.Cut(text, "@")
	p := providerRange{name: name, operator: "="}
	if name == "" {
		return errors.New("expected the name of a package, such as aws or aws@6")
	}
	for _, operator := range []string{"<=", ">=", "<", ">", "="} {
		if rest, found := strings.CutPrefix(version, operator); found {
			p.operator, version = operator, rest
			break
		}
	}

	if p.version = version; hasVersion {
		p.parts = len(version)
		full := version
		if !strings.ContainsAny(version, "-+") {
			p.parts = 1 + strings.Count(version, ".")
			full += strings.Repeat(".0", max(0, 3-p.parts))
		}
		of, err := semver.Parse(full)
		if err != nil {
			return errors.New("expected a version of up to three numbers after @ and <, <=, =, >= or >, such as aws@6 or aws@<6.38")
		}
		p.of = of
	}
	f.providers = append(f.providers, p)
	return nil
}

// has reports whether the range has a version, and whether that is one. What the range does
// not say does not matter: 6.38.1 is 6.38 and 6, and not more.
func (p *providerRange) has(version string) (is, isVersion bool) {
	v, err := semver.Parse(version)
	if err != nil {
		return false, false
	}

	order := v.Compare(p.of)
	if p.parts < len(v.Numbers) {
		order = slices.Compare(v.Numbers[:p.parts], p.of.Numbers[:p.parts])
	}
	switch p.operator {
	case "<":
		return order < 0, true
	case "<=":
		return order <= 0, true
	case ">":
		return order > 0, true
	case ">=":
		return order >= 0, true
	}
	return order == 0, true
}

// providerJSON is a version of a provider, and how many resources it made.
type providerJSON struct {
	Package string `json:"package"`
	Version string `json:"version,omitempty"`
	Count   int    `json:"count"`
}

// providerCounts counts the resources of each provider.
type providerCounts struct {
	versions map[string]providerJSON // of providers, by URN and ID
	used     map[string]int          // resources, by the provider that they name
	bare     map[string]int          // those that name none, by package
}

func (c *providerCounts) add(r *state.Resource) {
	if name, isProvider := packageOf(r.Type); isProvider {
		c.versions[r.URN+"::"+r.ID] = providerJSON{Package: name, Version: providerVersion(r)}
	} else if r.Provider != "" {
		c.used[r.Provider]++
	} else if r.Custom {
		c.bare[usedPackage(r)]++
	}
}

// list returns the versions, those of a package from the oldest to the newest.
func (c *providerCounts) list() []providerJSON {
	counts := map[providerJSON]int{}
	for _, each := range c.versions {
		counts[each] += 0
	}
	for ref, n := range c.used {
		each, isThere := c.versions[ref]
		if u, isKnown := providerOf(&state.Resource{Provider: ref}); !isThere && isKnown {
			each.Package, _ = packageOf(u.Type())
		}
		counts[each] += n
	}
	for name, n := range c.bare {
		counts[providerJSON{Package: name}] += n
	}

	return sortedProviders(counts)
}

// sortedProviders returns versions with their counts.
func sortedProviders(counts map[providerJSON]int) []providerJSON {
	all := make([]providerJSON, 0, len(counts))
	for each, n := range counts {
		each.Count = n
		all = append(all, each)
	}
	slices.SortFunc(all, func(a, b providerJSON) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), compareVersions(a.Version, b.Version), cmp.Compare(a.Version, b.Version))
	})
	return all
}

// compareVersions returns the order of two versions, those that are none first.
func compareVersions(a, b string) int {
	v, failed := semver.Parse(a)
	w, failedToo := semver.Parse(b)
	switch {
	case failed != nil && failedToo != nil:
		return 0
	case failed != nil:
		return -1
	case failedToo != nil:
		return 1
	}
	return v.Compare(w)
}
