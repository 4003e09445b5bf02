// Package scan holds what the parsers of this module share: quoted strings with few
// escapes, texts read eight bytes at a time, the names of enumerations (enum.go), and the
// quoting of input text in one-line errors.
//
// It knows no grammar beyond that of a quoted string, allocates nothing while
// scanning, and is linear in the bytes it passes.
package scan
