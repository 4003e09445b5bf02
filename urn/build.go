package urn

import (
	"strconv"
	"strings"
)

// Build returns the URN with the given parts, which [URN.Parts] returns again. There is one
// exception: as in Pulumi, [RootStackType] is dropped if it is the only parent. The error
// for a part that would be parsed differently is an [*Error] that wraps [ErrPart] and has
// the part as its input. Build does not keep parts.Parents.
func Build(parts Parts) (URN, error) {
	if err := checkPlain(partStack, parts.Stack); err != nil {
		return URN{}, err
	}
	if err := checkPlain(partProject, parts.Project); err != nil {
		return URN{}, err
	}

	parents := withoutRoot(parts.Parents)
	if err := checkParents(parents); err != nil {
		return URN{}, err
	}
	if err := checkOwnType(parts.Type); err != nil {
		return URN{}, err
	}

	var b strings.Builder
	b.Grow(len(Prefix) + len(parts.Stack) + len(parts.Project) + sizeOf(parents) + len(parts.Type) + len(parts.Name) + 3*len(separator))
	b.WriteString(Prefix)
	b.WriteString(parts.Stack)
	b.WriteString(separator)
	b.WriteString(parts.Project)
	b.WriteString(separator)
	writeParents(&b, parents)
	b.WriteString(parts.Type)
	b.WriteString(separator)
	b.WriteString(parts.Name)
	return Parse(b.String())
}

// withoutRoot drops the root stack type if it is the only parent. Before others Pulumi's
// SDK keeps it.
func withoutRoot(parents []string) []string {
	if len(parents) == 1 && parents[0] == RootStackType {
		return nil
	}
	return parents
}

func sizeOf(parents []string) int {
	n := len(parents)
	for _, p := range parents {
		n += len(p)
	}
	return n
}

func writeParents(b *strings.Builder, parents []string) {
	for _, p := range parents {
		b.WriteString(p)
		b.WriteByte(typeSeparator)
	}
}

// checkPlain checks a part that "::" follows: it must not contain one, nor end in a colon,
// which would be read as the first of it.
func checkPlain(part, text string) error {
	if err := checkWithout(part, text, separator); err != nil {
		return err
	}
	if strings.HasSuffix(text, ":") {
		return &Error{Input: text, Offset: len(text) - 1, Part: part, Want: `no ":" at the end`, Found: `":"`, err: ErrPart}
	}
	return nil
}

func checkOwnType(typ string) error {
	if err := checkWithout(partType, typ, string(typeSeparator)); err != nil {
		return err
	}
	return checkPlain(partType, typ)
}

func checkParents(parents []string) error {
	for _, p := range parents {
		// "$" follows, so one colon at the end is harmless.
		for _, sep := range []string{string(typeSeparator), separator} {
			if err := checkWithout(partParentType, p, sep); err != nil {
				return err
			}
		}
	}

	return nil
}

func checkWithout(part, text, sep string) error {
	if i := strings.Index(text, sep); i >= 0 {
		return &Error{Input: text, Offset: i, Part: part, Want: "no " + strconv.Quote(sep), Found: strconv.Quote(sep), err: ErrPart}
	}
	return nil
}
