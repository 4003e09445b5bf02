package pulumi

import (
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/path"
)

const wildcard = "*" // as a key of a resource.PropertyPath

// FromPropertyPath converts a property path of the SDK to a [path.Path]. A key "*" in it
// is the member of that name. An index that no array can have is an error that wraps
// [ErrRange], and a step that is neither a string nor an int is one that wraps [ErrKind].
func FromPropertyPath(p resource.PropertyPath) (path.Path, error) {
	steps := make([]path.Step, 0, len(p))
	for _, one := range p {
		s, err := step(one)
		if err != nil {
			return path.Path{}, err.place(steps, "from property path")
		}

		steps = append(steps, s)
	}
	return path.Of(steps...), nil
}

// FromPropertyPathPattern converts a property path of the SDK to a pattern, as
// FromPropertyPath does. A key "*" in it is the wildcard.
func FromPropertyPathPattern(p resource.PropertyPath) (path.Pattern, error) {
	steps := make([]path.Step, 0, len(p))
	before := make([]path.Step, 0, len(p))
	for _, one := range p {
		s, err := step(one)
		if err != nil {
			return path.Pattern{}, err.place(before, "from property path pattern")
		}

		before = append(before, s)
		if one == wildcard {
			steps = append(steps, path.Any())
		} else {
			steps = append(steps, s)
		}
	}
	return path.PatternOf(steps...), nil
}

func step(one any) (path.Step, *Error) {
	switch one := one.(type) {
	case string:
		return path.Key(one), nil
	case int:
		return index(one)

	default:
		return path.Step{}, fail(ErrKind, "string or int", fmt.Sprintf("%T", one))
	}
}

func index(i int) (path.Step, *Error) {
	if i < 0 || i > path.MaxIndex {
		return path.Step{}, fail(ErrRange, fmt.Sprintf("index from 0 to %d", path.MaxIndex), strconv.Itoa(i))
	}
	return path.Index(i), nil
}

// place finishes an error that stands behind some steps.
func (e *Error) place(before []path.Step, op string) error {
	e.Op, e.At = op, path.Show(path.Of(before...), -1)
	return e
}

// ToPropertyPath converts a path to a property path of the SDK. SDK functions that expect
// a pattern treat a key "*" in it as the wildcard; [ToPropertyPathPattern] refuses such a
// key.
func ToPropertyPath(p path.Path) resource.PropertyPath {
	steps := make(resource.PropertyPath, 0, p.Len())
	for s := range p.Steps() {
		steps = append(steps, plain(s))
	}
	return steps
}

// ToPropertyPathPattern converts a pattern to a property path of the SDK, with the key
// "*" for the wildcard. If the pattern itself has a key "*", the error wraps [ErrStar], and if
// it has [path.AnyDepth], [ErrKind].
func ToPropertyPathPattern(p path.Pattern) (resource.PropertyPath, error) {
	steps := resource.PropertyPath{}
	for s := range p.Steps() {
		key, _ := s.AsKey()
		switch {
		case s.IsWildcard():
			steps = append(steps, wildcard)
		case s.IsAnyDepth():
			return nil, fail(ErrKind, "key, index or [*]", s.String()).place(nil, "to property path pattern")
		case key == wildcard:
			return nil, fail(ErrStar, "", "").place(nil, "to property path pattern")

		default:
			steps = append(steps, plain(s))
		}
	}
	return steps, nil
}

func plain(s path.Step) any {
	if i, ok := s.AsIndex(); ok {
		return i
	}
	key, _ := s.AsKey()
	return key
}
