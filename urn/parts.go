package urn

import (
	"iter"
	"slices"
	"strings"
)

// Parts holds the parts of a URN. [URN.Parts] returns them, and [Build] takes them.
type Parts struct {
	Stack   string
	Project string
	Parents []string // the types of the parents, outermost first
	Type    string   // the resource's own type
	Name    string
}

// Parts returns the parts of u, which can be changed and given to [Build]. Parents is a
// new slice, nil if there are none; the texts share the URN's memory.
func (u URN) Parts() Parts {
	return Parts{Stack: u.Stack(), Project: u.Project(), Parents: slices.Collect(u.Parents()), Type: u.Type(), Name: u.Name()}
}

// Stack returns the name of the stack. Like every part it shares the URN's text, and is
// "" for the zero URN.
func (u URN) Stack() string {
	if u.text == "" {
		return ""
	}
	return u.text[len(Prefix) : u.project-uint32(len(separator))]
}

// Project returns the name of the project.
func (u URN) Project() string {
	if u.text == "" {
		return ""
	}
	return u.text[u.project : u.qualified-uint32(len(separator))]
}

// QualifiedType returns the types of the parents, outermost first, and the resource's
// own, separated by "$".
func (u URN) QualifiedType() string {
	if u.text == "" {
		return ""
	}
	return u.text[u.qualified : u.name-uint32(len(separator))]
}

// Type returns the resource's own type, the last one of the qualified type.
func (u URN) Type() string {
	if u.text == "" {
		return ""
	}
	return u.text[u.typ : u.name-uint32(len(separator))]
}

// Name returns the name of the resource: everything after the third "::". It may itself
// contain "::".
func (u URN) Name() string { return u.text[u.name:] }

// Parents returns an iterator over the types of the parents, outermost first. Ranging
// over it allocates nothing.
func (u URN) Parents() iter.Seq[string] {
	// The closure only calls, so that Parents is inlined and the closure stays on the
	// stack of its caller.
	return func(yield func(string) bool) { u.eachParent(yield) }
}

func (u URN) eachParent(yield func(string) bool) {
	rest := u.text[u.qualified:u.typ] // empty, or every parent type followed by "$"
	for rest != "" {
		end := strings.IndexByte(rest, typeSeparator)
		if !yield(rest[:end]) {
			return
		}

		rest = rest[end+1:]
	}
}

// Package returns the part of [URN.Type] before the first ":", or "" if it has none.
func (u URN) Package() string {
	t := u.Type()
	return t[:max(0, strings.IndexByte(t, ':'))]
}

// Module returns the part of [URN.Type] between the first and the last ":", or "" if
// there are not two. It does not include the package, and may contain ":".
func (u URN) Module() string {
	t := u.Type()
	first, last := strings.IndexByte(t, ':'), strings.LastIndexByte(t, ':')
	if first == last {
		return ""
	}
	return t[first+1 : last]
}

// TypeName returns the part of [URN.Type] after the last ":", or the whole type if it has
// none.
func (u URN) TypeName() string {
	t := u.Type()
	return t[strings.LastIndexByte(t, ':')+1:]
}
