package urn

import (
	"slices"
	"strings"
)

// Parts are what a URN is made of.
type Parts struct {
	Stack   string
	Project string
	Parents []string // the types of the parents, outermost first
	Type    string   // the resource's own type
	Name    string
}

// Parts returns the parts of u, in memory of their own but for the texts. The Parents of a URN without any are nil.
func (u URN) Parts() Parts {
	return Parts{Stack: u.Stack(), Project: u.Project(), Parents: slices.Collect(u.Parents()), Type: u.Type(), Name: u.Name()}
}

// Build makes a URN of parts. Where [RootStackType] is the only parent there is none, as in Pulumi. But for that, parsing the result gives the same parts
// back; where it would not, the error is an [*Error] that wraps [ErrPart] and has that part as its input.
// parts.Parents is read, and not kept.
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

// WithStack returns u with another stack, every other part byte for byte as it was. Errors are those of [Build]; the zero URN has no parts to change,
// and gives the error of [Parse].
func (u URN) WithStack(stack string) (URN, error) {
	if err := checkPlain(partStack, stack); err != nil {
		return URN{}, err
	}
	return u.splice(len(Prefix), stack, int(u.project)-len(separator))
}

// WithProject returns u with another project, as [URN.WithStack] does.
func (u URN) WithProject(project string) (URN, error) {
	if err := checkPlain(partProject, project); err != nil {
		return URN{}, err
	}
	return u.splice(int(u.project), project, int(u.qualified)-len(separator))
}

// WithType returns u with another type of its own and the same parents, as [URN.WithStack] does.
func (u URN) WithType(typ string) (URN, error) {
	if err := checkOwnType(typ); err != nil {
		return URN{}, err
	}
	return u.splice(int(u.typ), typ, int(u.name)-len(separator))
}

// WithName returns u with another name, as [URN.WithStack] does. Every name will do.
func (u URN) WithName(name string) (URN, error) {
	return u.splice(int(u.name), name, len(u.text))
}

// WithParents returns u below other parents, given by their types, outermost first; without arguments it has none. All else is as in [URN.WithStack].
// As in [Build], [RootStackType] as the only one is none.
func (u URN) WithParents(parents ...string) (URN, error) {
	parents = withoutRoot(parents)
	if err := checkParents(parents); err != nil {
		return URN{}, err
	}
	var b strings.Builder
	b.Grow(sizeOf(parents))
	writeParents(&b, parents)
	return u.splice(int(u.qualified), b.String(), int(u.typ))
}

// splice replaces text[from:to], which is one whole part, by a part that has been checked.
func (u URN) splice(from int, part string, to int) (URN, error) {
	if u.text == "" {
		return URN{}, prefixError("", ErrSyntax)
	}
	return Parse(u.text[:from] + part + u.text[to:])
}

// withoutRoot drops the root stack type where it is the only parent. In front of others Pulumi's SDK keeps it.
func withoutRoot(parents []string) []string {
	if len(parents) == 1 && parents[0] == RootStackType {
		return nil
	}
	return parents
}

// sizeOf is the number of bytes that writeParents writes.
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

// checkPlain checks a part that "::" follows: it must not contain one, nor end in a colon that would be read as the first of it.
func checkPlain(part string, text string) error {
	if i := strings.Index(text, separator); i >= 0 {
		return &Error{Input: text, Offset: i, Part: part, Want: `no "::"`, Found: `"::"`, err: ErrPart}
	}
	if strings.HasSuffix(text, ":") {
		return &Error{Input: text, Offset: len(text) - 1, Part: part, Want: `no ":" at the end`, Found: `":"`, err: ErrPart}
	}
	return nil
}

func checkOwnType(typ string) error {
	if err := checkNoParent(partType, typ); err != nil {
		return err
	}
	return checkPlain(partType, typ)
}

func checkParents(parents []string) error {
	for _, p := range parents {
		if err := checkNoParent(partParentType, p); err != nil {
			return err
		}
		// "$" follows, so that one colon at the end does no harm.
		if i := strings.Index(p, separator); i >= 0 {
			return &Error{Input: p, Offset: i, Part: partParentType, Want: `no "::"`, Found: `"::"`, err: ErrPart}
		}
	}
	return nil
}

func checkNoParent(part string, typ string) error {
	if i := strings.IndexByte(typ, typeSeparator); i >= 0 {
		return &Error{Input: typ, Offset: i, Part: part, Want: `no "$"`, Found: `"$"`, err: ErrPart}
	}
	return nil
}
