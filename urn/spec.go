package urn

import (
	"strings"
	"unicode"
)

// CheckSpec holds u against the spec grammar: the published EBNF, with any number of parent types (see the package documentation).
// It returns nil, or an [*Error] that wraps [ErrSpec] and points at the first byte that does not fit, with that part, what may stand there and what does.
// It allocates only for the error.
func (u URN) CheckSpec() error {
	if u.text == "" {
		return prefixError("", ErrSpec)
	}
	project, qualified, own, name := int(u.project), int(u.qualified), int(u.typ), int(u.name)
	if err := u.checkString(partStack, len(Prefix), project-len(separator)); err != nil {
		return err
	}
	if err := u.checkString(partProject, project, qualified-len(separator)); err != nil {
		return err
	}
	for from := qualified; from < own; {
		end := from + strings.IndexByte(u.text[from:own], typeSeparator)
		if err := u.checkType(from, end); err != nil {
			return err
		}
		from = end + 1
	}
	if err := u.checkType(own, name-len(separator)); err != nil {
		return err
	}
	return u.checkString(partName, name, len(u.text))
}

// checkString checks text[from:to] against "any sequence of code points without ::".
func (u URN) checkString(part string, from, to int) error {
	s := u.text[from:to]
	sep := strings.Index(s, separator)
	if sep >= 0 {
		s = s[:sep] // what stands further left is reported first
	}
	if i := invalidAt(s); i < len(s) {
		return u.specError(part, from+i, "valid UTF-8")
	}
	if sep >= 0 {
		return u.specError(part, from+sep, `no "::"`)
	}
	return nil
}

// checkType checks text[from:to] against package ":" [ module ":" ] type name. A colon too many is found inside the module.
func (u URN) checkType(from, to int) error {
	s := u.text[from:to]
	first, last := strings.IndexByte(s, ':'), strings.LastIndexByte(s, ':')
	if first < 0 {
		if err := u.checkIdentifier(partPackage, from, to); err != nil {
			return err
		}
		return u.specError(partPackage, to, `":" and a type name`)
	}
	if err := u.checkIdentifier(partPackage, from, from+first); err != nil {
		return err
	}
	if first < last {
		if err := u.checkIdentifier(partModule, from+first+1, from+last); err != nil {
			return err
		}
	}
	return u.checkIdentifier(partTypeName, from+last+1, to)
}

func (u URN) checkIdentifier(part string, from, to int) error {
	if from == to {
		return u.specError(part, from, "a letter")
	}
	for i, r := range u.text[from:to] {
		switch {
		case unicode.IsLetter(r): // U+FFFD, which stands for what is not UTF-8, is no letter
		case i == 0:
			return u.specError(part, from, "a letter")
		case r != '_' && !unicode.IsDigit(r):
			return u.specError(part, from+i, `a letter, a digit or "_"`)
		}
	}
	return nil
}

func (u URN) specError(part string, offset int, want string) error {
	return &Error{Input: u.text, Offset: offset, Part: part, Want: want, Found: foundAt(u.text, offset), err: ErrSpec}
}
