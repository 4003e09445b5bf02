package urn

import (
	"iter"
	"strings"
)

// Stack returns the stack's name. Like every part, it is "" for the zero URN, shares the URN's text, and costs no allocation.
func (u URN) Stack() string {
	if u.text == "" {
		return ""
	}
	return u.text[len(Prefix) : u.project-uint32(len(separator))]
}

// Project returns the project's name.
func (u URN) Project() string {
	if u.text == "" {
		return ""
	}
	return u.text[u.project : u.qualified-uint32(len(separator))]
}

// QualifiedType returns the types of the parents, outermost first, and the resource's own, with "$" between them.
func (u URN) QualifiedType() string {
	if u.text == "" {
		return ""
	}
	return u.text[u.qualified : u.name-uint32(len(separator))]
}

// Type returns the resource's own type: what follows the last "$" of the qualified type.
func (u URN) Type() string {
	if u.text == "" {
		return ""
	}
	return u.text[u.typ : u.name-uint32(len(separator))]
}

// Name returns the resource's name: everything after the third "::", which may itself contain "::".
func (u URN) Name() string { return u.text[u.name:] }

// Parents returns the types of the parents, outermost first. Ranging over it allocates nothing.
func (u URN) Parents() iter.Seq[string] {
	// The closure is no more than a call, so that Parents is inlined and the closure stays on its caller's stack.
	return func(yield func(string) bool) { u.eachParent(yield) }
}

func (u URN) eachParent(yield func(string) bool) {
	rest := u.text[u.qualified:u.typ] // empty, or every parent type with a "$" behind it
	for rest != "" {
		end := strings.IndexByte(rest, typeSeparator)
		if !yield(rest[:end]) {
			return
		}
		rest = rest[end+1:]
	}
}

// Package returns what stands before the first ":" of [URN.Type], "" when there is no ":".
func (u URN) Package() string {
	t := u.Type()
	return t[:max(0, strings.IndexByte(t, ':'))]
}

// Module returns what stands between the first and the last ":" of [URN.Type], without the package, "" when there are not two.
// It may contain ":" itself.
func (u URN) Module() string {
	t := u.Type()
	first, last := strings.IndexByte(t, ':'), strings.LastIndexByte(t, ':')
	if first == last {
		return ""
	}
	return t[first+1 : last]
}

// TypeName returns what stands after the last ":" of [URN.Type], the whole type when there is no ":".
func (u URN) TypeName() string {
	t := u.Type()
	return t[strings.LastIndexByte(t, ':')+1:]
}
