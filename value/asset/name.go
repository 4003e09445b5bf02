package asset

import (
	"crypto/sha256"
	"path"
	"strings"
	"unicode/utf8"
)

// badName says what is wrong with the name of an entry, or nothing. On no
// platform may a name lead out of the directory that an archive is unpacked into.
func badName(name string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	clean := path.Clean(slashed)
	switch {
	case strings.IndexByte(name, 0) >= 0:
		return "a name without NUL"
	// Cleaned, "./C:/x" and `./\x` are as absolute as without the dot.
	case isRooted(name), isRooted(slashed), isRooted(path.Clean(name)), isRooted(clean):
		return "a relative name"
	case climbs(path.Clean(name)), climbs(clean):
		return "a name that does not climb out"
	}

	for part := range strings.SplitSeq(slashed, "/") {
		if bad := badOnWindows(part); bad != "" {
			return bad
		}
	}
	return ""
}

// badOnWindows says what is wrong with one element of a name for Windows, or nothing.
// There some names are devices in every directory, with any ending and with spaces
// after them; what follows a colon is a stream of the file; and spaces at the end do
// not count. An archive has to mean the same everywhere, so such names are refused
// on every system.
func badOnWindows(part string) string {
	base, _, _ := strings.Cut(part, ".")
	switch {
	case strings.Contains(part, ":"):
		return "a name without a colon"
	case isDevice(strings.TrimRight(base, " ")):
		return "a name that is not a device of Windows"
	case part != ".." && strings.TrimRight(part, " ") == "..":
		return "a name that does not climb out"
	}

	return ""
}

// isDevice reports whether a name without ending is a device of Windows.
func isDevice(base string) bool {
	switch upper := strings.ToUpper(base); upper {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true

	default:
		port, found := strings.CutPrefix(upper, "COM")
		if !found {
			port, found = strings.CutPrefix(upper, "LPT")
		}
		digit := []rune(port)
		return found && len(digit) == 1 && strings.ContainsRune("123456789¹²³", digit[0])
	}
}

// isRooted reports whether a name begins at a root or a drive on any system.
func isRooted(name string) bool {
	if name == "" {
		return false
	}
	return name[0] == '/' || name[0] == '\\' || (len(name) >= 2 && name[1] == ':' && isLetter(name[0]))
}

func climbs(clean string) bool { return clean == ".." || strings.HasPrefix(clean, "../") }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// longestName is what systems take as a path. In a TAR a name may have 1 MiB and cost next to
// nothing when it is compressed; a List would hold each.
const longestName = 4096

// badPacked is badName for the name of a file in an archive file, which moreover
// has to be UTF-8, since nothing says which other encoding it would have, and has
// to name something.
func badPacked(name string) string {
	if bad := badName(name); bad != "" {
		return bad
	}
	switch {
	case len(name) > longestName:
		return "a name of at most " + number(longestName) + " bytes"
	case !utf8.ValidString(name):
		return "UTF-8"
	case path.Clean(name) == ".":
		return "a name"
	}

	return ""
}

// names are names that were seen: no memory for long ones, and none that an
// attacker could make collide.
type names map[[16]byte]struct{}

// add reports whether a name is new.
func (n names) add(name string) bool {
	sum := sha256.Sum256([]byte(name))
	key := [16]byte(sum[:])
	if _, seen := n[key]; seen {
		return false
	}
	n[key] = struct{}{}
	return true
}
