package urn

import "strings"

// Parse returns the URN with the given text, by the lax grammar (see the package
// documentation). The result shares the memory of text, and nothing is allocated. The
// error is an [*Error] that wraps [ErrSyntax].
func Parse(text string) (URN, error) {
	return parse(text, maxHead)
}

// MustParse is like [Parse] but panics if text cannot be parsed. It is for URNs that are
// constants.
func MustParse(text string) URN {
	u, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

// parse has a limit as an argument since tests cannot reach the real one.
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

// afterSeparator returns the offset after the first "::" at or after from, or -1. It looks
// at every second byte, since a "::" covers one of them. On real URNs that takes half the
// time of strings.Index, which stops at single colons.
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
