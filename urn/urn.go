package urn

import (
	"math"
	"strings"
)

const (
	// Prefix is what every URN begins with.
	Prefix = "urn:pulumi:"

	// RootStackType is the type of the resource at the root of every stack. It is no parent type in a URN (see [Build]).
	RootStackType = "pulumi:pulumi:Stack"

	separator     = "::"
	typeSeparator = '$'

	// maxHead bounds what stands before the name, so that offsets fit into 32 bits, and into an int where that has 32.
	maxHead = math.MaxInt32
)

// A URN is the name of one resource. The zero value is no URN: its text and its parts are empty, and [URN.IsZero] tells it.
// URNs are equal (==) exactly when their texts are. A URN never changes and may be shared between goroutines.
//
// Layout, 32 bytes on 64-bit, 24 on 32-bit:
//
//	urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets
//	           |    |     |            |                         |
//	           11   |     qualified    typ                       name
//	                project
//
// The three separators have to be found to know whether a text is a URN at all. Keeping where they stand makes each part two loads and a slice,
// instead of another scan. Offsets are of 32 bits, because four of them then fill the same space as two ints,
// and leave no padding: == compares lengths and offsets in one go before it looks at text, and most different URNs differ there.
// They are derived from text alone, so they cannot break "same text, same URN".
type URN struct {
	text      string
	project   uint32 // where the project begins
	qualified uint32 // where the qualified type begins
	typ       uint32 // where the resource's own type begins: qualified, or after the last "$"
	name      uint32 // where the name begins
}

// Parse reads a URN by the lax grammar (see the package documentation). It keeps text and allocates nothing.
// The error is an [*Error] that wraps [ErrSyntax].
func Parse(text string) (URN, error) {
	return parse(text, maxHead)
}

// MustParse is [Parse] for texts known to be URNs, such as constants. It panics with Parse's error.
func MustParse(text string) URN {
	u, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

// parse is Parse with the bound as an argument, since no test can afford to reach the real one.
func parse(text string, limit int) (URN, error) {
	if !strings.HasPrefix(text, Prefix) {
		return URN{}, prefixError(text, ErrSyntax)
	}
	head := text[:min(len(text), limit)]
	project := afterSeparator(head, len(Prefix))
	if project < 0 {
		return URN{}, unendedError(text, limit, partStack)
	}
	qualified := afterSeparator(head, project)
	if qualified < 0 {
		return URN{}, unendedError(text, limit, partProject)
	}
	name := afterSeparator(head, qualified)
	if name < 0 {
		return URN{}, unendedError(text, limit, partQualifiedType)
	}
	own := qualified + strings.LastIndexByte(head[qualified:name-len(separator)], typeSeparator) + 1
	return URN{text: text, project: uint32(project), qualified: uint32(qualified), typ: uint32(own), name: uint32(name)}, nil
}

// afterSeparator returns the offset behind the first "::" at or after from, and -1 where there is none.
// Every second byte will do, since a "::" covers one of them. On real URNs that takes half the time of strings.Index, which single colons keep stopping.
func afterSeparator(text string, from int) int {
	for i := from + 1; i < len(text); i += 2 {
		if text[i] != ':' {
			continue
		}
		if text[i-1] == ':' {
			return i + 1
		}
		if i+1 < len(text) && text[i+1] == ':' {
			return i + 2
		}
	}
	return -1
}

// String returns the text that was parsed or built, byte for byte, and "" for the zero URN.
func (u URN) String() string { return u.text }

// IsZero says whether u is the zero value, which is no URN. (encoding/json asks it for omitzero.)
func (u URN) IsZero() bool { return u.text == "" }

// Equal is u == v, as a method for those who look for one, such as go-cmp.
func (u URN) Equal(v URN) bool { return u == v }

// Compare orders URNs bytewise by their texts, the zero URN first: -1, 0 or +1. It is 0 exactly when u == v.
func (u URN) Compare(v URN) int { return strings.Compare(u.text, v.text) }

// AppendTo appends the text to b.
func (u URN) AppendTo(b []byte) []byte { return append(b, u.text...) }

// AppendText is [URN.AppendTo] as encoding.TextAppender has it. The error is always nil.
func (u URN) AppendText(b []byte) ([]byte, error) { return u.AppendTo(b), nil }

// MarshalText returns the text, empty for the zero URN. The error is always nil.
func (u URN) MarshalText() ([]byte, error) { return []byte(u.text), nil }

// UnmarshalText parses a copy of text as [Parse] does; empty text gives the zero URN. On error u stays as it was.
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
