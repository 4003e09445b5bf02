package asset

import "strings"

// Format is a format of archive files.
type Format uint8

// The formats.
const (
	TAR Format = iota
	TGZ        // a TAR, compressed with gzip
	ZIP
)

// String returns the name of the format in lower case, for example "tgz".
func (f Format) String() string {
	names := [...]string{TAR: "tar", TGZ: "tgz", ZIP: "zip"}
	if int(f) < len(names) {
		return names[f]
	}
	return "invalid format"
}

// FormatOf returns the format of an archive file by the end of its name, as Pulumi does:
// ".tar", ".tgz", ".tar.gz", ".zip", ".jar", in lower case only. It returns false for
// other names; as the path of an archive these must be directories.
func FormatOf(name string) (Format, bool) {
	for _, row := range [...]struct {
		suffix string
		format Format
	}{{".tar", TAR}, {".tgz", TGZ}, {".tar.gz", TGZ}, {".zip", ZIP}, {".jar", ZIP}} {
		if strings.HasSuffix(name, row.suffix) {
			return row.format, true
		}
	}

	return 0, false
}
