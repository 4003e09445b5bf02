package engine

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/internal/semver"
)

// Plugin is an installed plugin of a provider.
type Plugin struct {
	Name    string // of the package, such as "aws"
	Version string // a semantic version, with or without a leading "v"; empty if it has none
}

// ErrNoPlugin is returned by [Lookup] if no installed plugin matches.
var ErrNoPlugin = errors.New("engine: no plugin of that package and version is installed")

// Lookup returns the plugin that an engine starts for a package.
//
// If a version is given, the plugin must have exactly that version; otherwise it is the
// newest one, where any release is preferred to a prerelease. A plugin without a version
// is used if no other matches. Plugins whose versions do not parse are ignored. This is
// what engine v3.259.0 does; according to the guide for implementers, an engine takes the
// newest compatible version.
//
// The error is [ErrNoPlugin], or says that version does not parse, without quoting it.
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
		case err != nil || (version != "" && have.Compare(want) != 0):
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
