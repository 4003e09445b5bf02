package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/semver"
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
	want, err := semver.Parse(version)
	if version != "" && err != nil {
		return Plugin{}, fmt.Errorf("engine: %w", err)
	}

	var newest semver.Version
	best, without := -1, -1

	for i, p := range installed {
		have, err := semver.Parse(p.Version)

		switch {
		case p.Name != name:
		case p.Version == "" && without < 0:
			without = i
		case err != nil || version != "" && have.Compare(want) != 0:
		case best < 0 || have.PreferredTo(newest):
			best, newest = i, have
		}
	}

	if best < 0 {
		best = without
	}
	if best < 0 {
		return Plugin{}, ErrNoPlugin
	}

	return installed[best], nil
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

	v, err := semver.Parse(version)
	if err != nil {
		return "", fmt.Errorf("engine: %w", err)
	}

	return strings.Join(slices.Concat([]string{"default"}, v.Texts(), v.Prerelease, v.Build), "_"), nil
}
