package pulumi

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/path"
)

// Limits of a property.Path and a property.Glob. A longer key makes the SDK
// panic; a path it builds in time that is quadratic in the length.
const (
	maxKey    = 1<<14 - 1 // bytes of one key
	maxKeys   = 1 << 20   // bytes of all keys
	maxPathed = 10_000    // steps
)

// FromPath converts a path of the SDK's new model to a [path.Path]. An index above
// path.MaxIndex is an error that wraps [ErrRange].
func FromPath(p property.Path) (path.Path, error) {
	var steps []path.Step
	for s := range p.Segments {
		own, err := segment(s)
		if err != nil {
			return path.Path{}, err.place(steps, "from path")
		}

		steps = append(steps, own)
	}
	return path.Of(steps...), nil
}

// ToPath converts a [path.Path] to a path of the SDK's new model. A key of 16384 bytes or
// more, more than 10,000 steps, and more than 1 MiB of keys are errors that wrap
// [ErrLong].
func ToPath(p path.Path) (property.Path, error) {
	if err := tooLong(p.Len(), 0); err != nil {
		return property.Path{}, err.place(nil, "to path")
	}

	segments := make([]property.PathSegment, 0, p.Len())
	var before []path.Step
	size := 0
	for s := range p.Steps() {
		own, err := toSegment(s, &size)
		if err != nil {
			return property.Path{}, err.place(before, "to path")
		}
		segments, before = append(segments, own), append(before, s)
	}
	return property.PathFromSegments(segments...), nil
}

// FromGlob converts a glob of the SDK's new model to a pattern. The SDK's splat becomes
// the wildcard; a key "*" is the member of that name in both. An index above
// path.MaxIndex is an error that wraps [ErrRange].
func FromGlob(g property.Glob) (path.Pattern, error) {
	var steps []path.Step
	for s := range g.Segments {
		own, err := globSegment(s)
		if err != nil {
			return path.Pattern{}, err.place(nil, "from glob")
		}

		steps = append(steps, own)
	}
	return path.PatternOf(steps...), nil
}

// ToGlob converts a pattern to a glob of the SDK's new model, with the limits of
// [ToPath].
func ToGlob(p path.Pattern) (property.Glob, error) {
	steps := slices.Collect(p.Steps())
	if err := tooLong(len(steps), 0); err != nil {
		return property.Glob{}, err.place(nil, "to glob")
	}
	segments := make([]property.GlobSegment, 0, len(steps))
	size := 0
	for _, s := range steps {
		if s.IsWildcard() {
			segments = append(segments, property.Splat)
			continue
		}

		own, err := toSegment(s, &size)
		if err != nil {
			return property.Glob{}, err.place(nil, "to glob")
		}
		segments = append(segments, own)
	}
	return property.GlobFromSegments(segments...), nil
}

// FromSegment converts a segment of a path to a step. A nil segment is an error that
// wraps [ErrKind], and an index above path.MaxIndex is one that wraps [ErrRange].
func FromSegment(s property.PathSegment) (path.Step, error) {
	own, err := segment(s)
	if err != nil {
		return path.Step{}, err.place(nil, "from segment")
	}
	return own, nil
}

// ToSegment converts a step to a segment of a path. A key of 16384 bytes or more, which
// no path of the SDK can hold, is an error that wraps [ErrLong].
func ToSegment(s path.Step) (property.PathSegment, error) {
	size := 0
	own, err := toSegment(s, &size)
	if err != nil {
		return nil, err.place(nil, "to segment")
	}
	return own, nil
}

// FromGlobSegment converts a segment of a glob to a step of a pattern. Errors are those
// of [FromSegment].
func FromGlobSegment(s property.GlobSegment) (path.Step, error) {
	own, err := globSegment(s)
	if err != nil {
		return path.Step{}, err.place(nil, "from glob segment")
	}
	return own, nil
}

// ToGlobSegment converts a step of a pattern to a segment of a glob. Errors are those of
// [ToSegment].
func ToGlobSegment(s path.Step) (property.GlobSegment, error) {
	if s.IsWildcard() {
		return property.Splat, nil
	}

	size := 0
	own, err := toSegment(s, &size)
	if err != nil {
		return nil, err.place(nil, "to glob segment")
	}
	return own, nil
}

func globSegment(s property.GlobSegment) (path.Step, *Error) {
	if s == property.GlobSegment(property.Splat) {
		return path.Any(), nil
	}
	return segment(s)
}

func segment(s property.GlobSegment) (path.Step, *Error) {
	switch s := s.(type) {
	case property.KeySegment:
		return path.Key(s.Key()), nil
	case property.IndexSegment:
		return index(s.Index())

	default:
		return path.Step{}, fail(ErrKind, "key or index", fmt.Sprintf("%T", s))
	}
}

// toSegment makes a segment, and adds the length of its key to size.
func toSegment(s path.Step, size *int) (property.PathSegment, *Error) {
	if i, isIndex := s.AsIndex(); isIndex {
		return property.NewSegment(i), nil
	}
	if s.IsWildcard() || s.IsAnyDepth() {
		return nil, fail(ErrKind, "key or index", "the wildcard "+s.String())
	}

	key, _ := s.AsKey()
	if len(key) > maxKey {
		return nil, fail(ErrLong, fmt.Sprintf("at most %d bytes of a key", maxKey), strconv.Itoa(len(key)))
	}
	*size += len(key)
	if err := tooLong(0, *size); err != nil {
		return nil, err
	}
	return property.NewSegment(key), nil
}

func tooLong(steps, size int) *Error {
	switch {
	case steps > maxPathed:
		return fail(ErrLong, fmt.Sprintf("at most %d steps", maxPathed), strconv.Itoa(steps))
	case size > maxKeys:
		return fail(ErrLong, fmt.Sprintf("at most %d bytes of keys", maxKeys), "more")
	}
	return nil
}
