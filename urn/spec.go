package urn

import (
	"strings"
	"unicode"
)

// CheckSpec returns an error if u does not follow the published EBNF, in which a resource
// has at most one parent type.
//
// The error is an [*Error] that wraps [ErrSpec] and points at the first byte that does not
// follow the grammar. Where three colons in a row give the grammar several readings, u may
// follow any of them, and the error is that of the reading that gets furthest. Only the
// error allocates.
func (u URN) CheckSpec() error {
	const most = 1
	return u.checkReadings(most)
}

// CheckSpecNested is like [URN.CheckSpec] but allows any number of parent types. Resources
// below nested components have several; so does a quarter of real URNs.
func (u URN) CheckSpecNested() error { return u.checkReadings(len(u.text)) }

// checkReadings tries all readings that the grammar may have: stack and project end at the
// first "::", or one byte later. (A qualified type does not end in a colon.)
func (u URN) checkReadings(parents int) error {
	if u.text == "" {
		return prefixError("", ErrSpec)
	}

	const shifts = 2
	furthest := misfit{offset: -1}
	for s := range shifts {
		stack, ok := separatorAt(u.text, len(Prefix), s)
		if !ok {
			break
		}

		for p := range shifts {
			project, ok := separatorAt(u.text, stack+len(separator), p)
			if !ok {
				break
			}
			end, ok := separatorAt(u.text, project+len(separator), 0)
			if !ok {
				continue
			}
			m := reading{u.text, stack, project, end}.check(parents)
			if m.part == "" {
				return nil
			}
			if m.offset > furthest.offset {
				furthest = m
			}
		}
	}
	return &Error{
		Input: u.text, Offset: furthest.offset, Part: furthest.part, Want: furthest.want,
		Found: foundAt(u.text, furthest.offset), err: ErrSpec,
	}
}

// separatorAt returns the offset of the first "::" from an offset on, or of the one that
// begins so many bytes later.
func separatorAt(text string, from, later int) (int, bool) {
	i := strings.Index(text[from:], separator)
	if i < 0 {
		return 0, false
	}
	i += from + later
	return i, strings.HasPrefix(text[i:], separator)
}

type reading struct {
	text                string
	stack, project, end int // the separators after stack, project and qualified type
}

// misfit is the first byte that does not follow the grammar, if part is not empty.
type misfit struct {
	offset     int
	part, want string
}

func (r reading) check(parents int) misfit {
	if m := r.checkString(partStack, len(Prefix), r.stack); m.part != "" {
		return m
	}
	if m := r.checkString(partProject, r.stack+len(separator), r.project); m.part != "" {
		return m
	}

	from := r.project + len(separator)
	for n := 0; ; n++ {
		i := strings.IndexByte(r.text[from:r.end], typeSeparator)
		if i < 0 {
			break
		}
		if m := r.checkType(from, from+i); m.part != "" {
			return m
		}
		if n == parents {
			return misfit{from + i, partQualifiedType, `one parent type at most`}
		}
		from += i + 1
	}
	if m := r.checkType(from, r.end); m.part != "" {
		return m
	}
	return r.checkString(partName, r.end+len(separator), len(r.text))
}

// checkString checks text[from:to] against "any sequence of code points without ::".
func (r reading) checkString(part string, from, to int) misfit {
	s := r.text[from:to]
	sep := strings.Index(s, separator)
	if sep >= 0 {
		s = s[:sep] // errors further left are reported first
	}
	if i := invalidAt(s); i < len(s) {
		return misfit{from + i, part, "valid UTF-8"}
	}
	if sep >= 0 {
		return misfit{from + sep, part, `no "::"`}
	}

	return misfit{}
}

// checkType checks text[from:to] against package ":" [ module ":" ] type name. A colon too many is found inside the module.
func (r reading) checkType(from, to int) misfit {
	s := r.text[from:to]
	first, last := strings.IndexByte(s, ':'), strings.LastIndexByte(s, ':')
	if first < 0 {
		if m := r.checkIdentifier(partPackage, from, to); m.part != "" {
			return m
		}
		return misfit{to, partPackage, `":" and a type name`}
	}
	if m := r.checkIdentifier(partPackage, from, from+first); m.part != "" {
		return m
	}
	if first < last {
		if m := r.checkIdentifier(partModule, from+first+1, from+last); m.part != "" {
			return m
		}
	}

	return r.checkIdentifier(partTypeName, from+last+1, to)
}

func (r reading) checkIdentifier(part string, from, to int) misfit {
	if from == to {
		return misfit{from, part, "a letter"}
	}
	for i, c := range r.text[from:to] {
		switch {
		case unicode.IsLetter(c): // U+FFFD, which replaces bytes that are not UTF-8, is not a letter
		case i == 0:
			return misfit{from, part, "a letter"}
		case c != '_' && !unicode.IsDigit(c):
			return misfit{from + i, part, `a letter, a digit or "_"`}
		}
	}

	return misfit{}
}
