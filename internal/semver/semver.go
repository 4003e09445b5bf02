// Package semver reads and compares semantic versions.
package semver

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Version is a semantic version, https://semver.org.
type Version struct {
	Numbers           [3]uint64 // major, minor, patch
	Prerelease, Build []string
}

// Parse parses a version, with or without a leading "v". The error shows nothing of it.
func Parse(text string) (v Version, err error) {
	rest, build, hasBuild := strings.Cut(strings.TrimPrefix(text, "v"), "+")
	rest, prerelease, hasPrerelease := strings.Cut(rest, "-")
	numbers := strings.Split(rest, ".")
	if len(numbers) != len(v.Numbers) {
		return v, errors.New("version: expected three numbers")
	}

	for i, n := range numbers {
		if v.Numbers[i], _ = strconv.ParseUint(n, 10, 64); !isNumeral(n) {
			return v, fmt.Errorf("version: part %d: expected a number", i+1)
		}
	}

	if hasPrerelease {
		v.Prerelease = strings.Split(prerelease, ".")
	}
	if hasBuild {
		v.Build = strings.Split(build, ".")
	}
	for i, part := range append(v.Prerelease, v.Build...) {
		number := i < len(v.Prerelease) && strings.Trim(part, "0123456789") == ""
		if part == "" || strings.Trim(part, identifier) != "" || (number && !isNumeral(part)) {
			return v, fmt.Errorf("version: part %d: expected letters, digits and dashes", len(v.Numbers)+i+1)
		}
	}
	return v, nil
}

// isNumeral reports whether a text is a number of 64 bits, with no zero in front.
func isNumeral(text string) bool {
	n, err := strconv.ParseUint(text, 10, 64)
	return err == nil && strconv.FormatUint(n, 10) == text
}

// identifier are the characters of the parts after the numbers.
const identifier = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

// Texts returns the numbers of a version as texts.
func (v Version) Texts() []string {
	texts := make([]string, len(v.Numbers))
	for i, n := range v.Numbers {
		texts[i] = strconv.FormatUint(n, 10)
	}
	return texts
}

// PreferredTo reports whether v is taken rather than w: a release rather than a prerelease,
// else the newer one.
func (v Version) PreferredTo(w Version) bool {
	if isRelease := len(v.Prerelease) == 0; isRelease != (len(w.Prerelease) == 0) {
		return isRelease
	}
	return v.Compare(w) > 0
}

// Compare returns the precedence of versions, which builds have no part in.
func (v Version) Compare(w Version) int {
	for i := range v.Numbers {
		if c := cmp.Compare(v.Numbers[i], w.Numbers[i]); c != 0 {
			return c
		}
	}
	if len(v.Prerelease) == 0 || len(w.Prerelease) == 0 { // a release comes after its prereleases
		return cmp.Compare(len(w.Prerelease), len(v.Prerelease))
	}

	for i := range min(len(v.Prerelease), len(w.Prerelease)) {
		if c := compareParts(v.Prerelease[i], w.Prerelease[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(v.Prerelease), len(w.Prerelease))
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
