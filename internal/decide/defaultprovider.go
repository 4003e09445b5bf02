package decide

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/semver"
)

// DefaultProvider returns the name of the default provider for a version of a package.
// The engine creates that provider for resources that do not name a provider; the version
// may be empty. The type in its URN is "pulumi:providers:" followed by the name of the
// package. If version is neither empty nor a semantic version, it returns an error.
//
// Engines also put the download URL of the plugin and the parameters of the package into
// the name, if a program specifies them. DefaultProvider does not.
func DefaultProvider(version string) (string, error) {
	if version == "" {
		return "default", nil
	}

	v, err := semver.Parse(version)
	if err != nil {
		return "", err
	}
	return strings.Join(slices.Concat([]string{"default"}, v.Texts(), v.Prerelease, v.Build), "_"), nil
}
