package engine

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/internal/semver"
)

// Plugin is the plugin of a provider: one that is installed, or one that is wanted.
type Plugin struct {
	Name    string // of the package, such as "aws"
	Version string // a semantic version, with or without a leading "v"; empty if it has none, or any will do
}

// ErrNoPlugin is the error of [Lookup] if no installed plugin matches.
var ErrNoPlugin = errors.New("engine: no plugin of that package and version is installed")

// Lookup returns the installed plugin that an engine starts if it wants one, such as the
// one that the Launch of a [Stack] is called with.
//
// If a version is wanted, the plugin must have exactly that version; otherwise it is the
// newest one, where any release is preferred to a prerelease. A plugin without a version
// is used if no other matches. Plugins whose versions do not parse are ignored. This is
// what engine v3.259.0 does; according to the guide for implementers, an engine takes the
// newest compatible version.
//
// If there is none, the error is [ErrNoPlugin]. Any other says that the wanted version does
// not parse, without quoting it.
func Lookup(installed []Plugin, wanted Plugin) (Plugin, error) {
	version, err := semver.Parse(wanted.Version)
	if wanted.Version != "" && err != nil {
		return Plugin{}, fmt.Errorf("engine: %w", err)
	}

	var newest semver.Version
	best, without := -1, -1
	for i, p := range installed {
		have, err := semver.Parse(p.Version)
		switch {
		case p.Name != wanted.Name:
		case p.Version == "" && without < 0:
			without = i
		case err != nil || (wanted.Version != "" && have.Compare(version) != 0):
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
