package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Plugin is an installed plugin of a provider.
type Plugin struct {
	Name    string // of the package, such as "aws"
	Version string // a semantic version, with or without a leading "v"; empty if it has none
}

// ErrNoPlugin is the error of [Lookup] if no installed plugin will do.
var ErrNoPlugin = errors.New("engine: no plugin of that package and version is installed")

// Lookup returns the plugin that an engine starts for a package.
//
// With a version, that is the plugin of this version; without one, it is the newest, and
// one that is released wins over prereleases. A plugin without version is taken if there is
// no other. Plugins whose versions cannot be read are left out. That is what engine v3.259.0
// does; the guide for implementers has it take the newest that is compatible.
//
// The error is [ErrNoPlugin], or about a version that cannot be read, of which it shows
// nothing.
func Lookup(installed []Plugin, name, version string) (Plugin, error) {
	want, err := parseVersion(version)
	if version != "" && err != nil {
		return Plugin{}, err
	}

	var (
		best    Plugin
		newest  semver
		found   bool
		without = -1
	)

	for i, p := range installed {
		have, err := parseVersion(p.Version)

		switch {
		case p.Name != name:
		case p.Version == "" && without < 0:
			without = i
		case err != nil || version != "" && have.compare(want) != 0:
		case !found || have.preferredTo(newest):
			best, newest, found = p, have, true
		}
	}

	if !found && without >= 0 {
		best, found = installed[without], true
	}

	if !found {
		return Plugin{}, ErrNoPlugin
	}

	return best, nil
}

// DefaultProvider returns the name of the default provider that an engine makes for the
// resources of a program that name none, from the version of their package, which may be
// empty. Its URN has this name and the type "pulumi:providers:" and the package.
//
// Where a program says from where to download a plugin, or has a parameterized package,
// engines put that into the name too. That is not done here.
func DefaultProvider(version string) (string, error) {
	if version == "" {
		return "default", nil
	}

	v, err := parseVersion(version)
	if err != nil {
		return "", err
	}

	name := fmt.Sprintf("default_%d_%d_%d", v.numbers[0], v.numbers[1], v.numbers[2])
	for _, part := range append(v.prerelease, v.build...) {
		name += "_" + part
	}

	return name, nil
}

// semver is a semantic version, https://semver.org.
type semver struct {
	numbers           [3]uint64 // major, minor, patch
	prerelease, build []string
}

func parseVersion(text string) (v semver, err error) {
	rest, build, hasBuild := strings.Cut(strings.TrimPrefix(text, "v"), "+")
	rest, prerelease, hasPrerelease := strings.Cut(rest, "-")

	numbers := strings.Split(rest, ".")
	if len(numbers) != len(v.numbers) {
		return v, errors.New("engine: version: expected three numbers")
	}

	for i, n := range numbers {
		v.numbers[i], err = strconv.ParseUint(n, 10, 64)
		if err != nil || len(n) > 1 && n[0] == '0' {
			return v, fmt.Errorf("engine: version: part %d: expected a number", i+1)
		}
	}

	if hasPrerelease {
		v.prerelease = strings.Split(prerelease, ".")
	}

	if hasBuild {
		v.build = strings.Split(build, ".")
	}

	for i, part := range append(v.prerelease, v.build...) {
		number := i < len(v.prerelease) && strings.Trim(part, "0123456789") == ""
		if part == "" || strings.Trim(part, identifier) != "" || number && len(part) > 1 && part[0] == '0' {
			return v, fmt.Errorf("engine: version: part %d: expected letters, digits and dashes", len(v.numbers)+i+1)
		}
	}

	return v, nil
}

// identifier are the characters of the parts after the numbers.
const identifier = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

// preferredTo reports whether Lookup takes v rather than w: a release rather than a
// prerelease, else the newer one.
func (v semver) preferredTo(w semver) bool {
	if isRelease := len(v.prerelease) == 0; isRelease != (len(w.prerelease) == 0) {
		return isRelease
	}

	return v.compare(w) > 0
}

// compare returns the precedence of versions, which builds have no part in.
func (v semver) compare(w semver) int {
	for i := range v.numbers {
		if c := cmp.Compare(v.numbers[i], w.numbers[i]); c != 0 {
			return c
		}
	}

	if len(v.prerelease) == 0 || len(w.prerelease) == 0 { // a release comes after its prereleases
		return cmp.Compare(len(w.prerelease), len(v.prerelease))
	}

	for i := range min(len(v.prerelease), len(w.prerelease)) {
		if c := compareParts(v.prerelease[i], w.prerelease[i]); c != 0 {
			return c
		}
	}

	return cmp.Compare(len(v.prerelease), len(w.prerelease))
}

// compareParts compares parts of prereleases: numbers by what they are, and before texts.
func compareParts(a, b string) int {
	isNumber := func(s string) bool { return strings.Trim(s, "0123456789") == "" }

	switch {
	case isNumber(a) && isNumber(b):
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) // they have no leading zeros
	case isNumber(a):
		return -1
	case isNumber(b):
		return 1
	default:
		return cmp.Compare(a, b)
	}
}
