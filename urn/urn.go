package urn

import (
	"math"
	"strings"
)

const (
	// Prefix is the beginning of every URN.
	Prefix = "urn:pulumi:"

	// RootStackType is the type of the resource at the root of every stack. URNs do not
	// name it as a parent type (see [Build]).
	RootStackType = "pulumi:pulumi:Stack"

	separator     = "::"
	typeSeparator = '$'

	// maxHead limits the text before the name, so that offsets fit into 32 bits, and into
	// an int of 32 bits.
	maxHead = math.MaxInt32
)

// URN is the name of one resource. It is immutable and may be shared between
// goroutines. Two URNs are equal (==) exactly when their texts are. The zero URN has an
// empty text and empty parts; see [URN.IsZero].
type URN struct {
	// Layout, 32 bytes on 64-bit, 24 on 32-bit:
	//
	//	urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets
	//	           |    |     |            |                         |
	//	           11   |     qualified    typ                       name
	//	                project
	//
	// The three separators have to be found to know whether a text is a URN at all.
	// Keeping their offsets makes each part two loads and a slice, instead of another
	// scan. Four offsets of 32 bits fill the space of two ints and leave no padding: ==
	// compares lengths and offsets before it looks at text, and most different URNs
	// differ there. They follow from the text alone, so they cannot break "same text,
	// same URN".

	text      string
	project   uint32 // offset of the project
	qualified uint32 // offset of the qualified type
	typ       uint32 // offset of the resource's own type: qualified, or after the last "$"
	name      uint32 // offset of the name
}

// String returns the text of u, byte for byte, and "" for the zero URN.
func (u URN) String() string { return u.text }

// IsZero reports whether u is the zero value, which has no text. (encoding/json calls it
// for omitzero.)
func (u URN) IsZero() bool { return u.text == "" }

// Equal reports whether u and v have the same text, as u == v does. Packages such as
// go-cmp look for this method.
func (u URN) Equal(v URN) bool { return u == v }

// Compare returns -1, 0 or +1, comparing texts bytewise. It is 0 exactly when u == v. The
// zero URN is the first.
func (u URN) Compare(v URN) int { return strings.Compare(u.text, v.text) }

// AppendText implements encoding.TextAppender. The error is always nil.
func (u URN) AppendText(b []byte) ([]byte, error) { return append(b, u.text...), nil }

// MarshalText implements encoding.TextMarshaler. The error is always nil.
func (u URN) MarshalText() ([]byte, error) { return []byte(u.text), nil }

// UnmarshalText implements encoding.TextUnmarshaler: it parses a copy of text as [Parse]
// does. An empty text gives the zero URN. On error u is unchanged.
func (u *URN) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*u = URN{}
		return nil
	}

	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*u = parsed
	return nil
}
