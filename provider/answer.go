package provider

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Answer returns a provider's response to request. It restores the old values at the places
// that the request's ignoreChanges and d.Ignored name, compares the old side with the new
// one, as [Differ.Compare] does, and reports what changed. Like the engine, it skips texts in
// ignoreChanges that do not parse as patterns.
//
// If a side is not an object, the error names the field and wraps [codec.ErrKind].
// Requests that were decoded never have such a side.
func (d Differ) Answer(request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	sides, err := SidesOf(request)
	if err != nil {
		return nil, err
	}
	d.Ignored = slices.Concat(d.Ignored, IgnoredOf(request))
	return NewDiffResponse(d.Compare(sides).Response()), nil
}

// SidesOf returns the old inputs, the old state and the new inputs of a request, without
// applying ignoreChanges. A nil request has none of them. If a side is neither an object nor
// absent, the error names the field and wraps [codec.ErrKind].
func SidesOf(m *rpc.DiffRequest) (Sides, error) {
	if m == nil {
		return Sides{}, nil
	}

	for _, bag := range []struct {
		name  string
		value value.Value
	}{{"olds", m.Olds}, {"news", m.News}, {"oldInputs", m.OldInputs}} {
		if kind := bag.value.Kind(); kind != value.KindNull && kind != value.KindObject {
			found := kind.String()
			if bag.value.IsSecret() {
				found = "secret"
			}
			return Sides{}, fmt.Errorf("provider: answer DiffRequest: %s: %w: expected object, found %s", bag.name, codec.ErrKind, found)
		}
	}
	return Sides{OldInputs: m.OldInputs, OldState: m.Olds, News: m.News}, nil
}

// IgnoredOf returns the patterns of the request's ignoreChanges, as the engine reads
// them. Texts that do not parse are left out; [path.ParsePulumiPattern] says what is wrong
// with one.
func IgnoredOf(m *rpc.DiffRequest) []path.Pattern {
	if m == nil {
		return nil
	}

	var all []path.Pattern
	for _, text := range m.IgnoreChanges {
		if p, err := path.ParsePulumiPattern(text); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// NewDiffResponse returns the protocol message for r. If two entries have the same key,
// the later one is used.
func NewDiffResponse(r Response) *rpc.DiffResponse {
	m := &rpc.DiffResponse{
		Replaces: slices.Clone(r.Replaces), Stables: slices.Clone(r.Stables), Diffs: slices.Clone(r.Diffs),
		DeleteBeforeReplace: r.DeleteBeforeReplace, Changes: r.Changes, HasDetailedDiff: r.HasDetailed,
	}
	if len(r.Detailed) > 0 {
		m.DetailedDiff = make(map[string]rpc.PropertyDiff, len(r.Detailed))
		for _, e := range r.Detailed {
			m.DetailedDiff[e.Key] = rpc.PropertyDiff{Kind: e.Kind, InputDiff: e.InputDiff}
		}
	}

	return m
}

// ResponseOf returns the response that a message holds, unchecked.
//
// Entries are in path order; those whose keys do not parse as paths are last. Numbers
// that the protocol does not define are kept. A nil message gives the zero Response.
// Functions Validate and ReadResponse of package provider/check judge the result.
func ResponseOf(m *rpc.DiffResponse) Response {
	if m == nil {
		return Response{}
	}
	r := Response{
		Changes: m.Changes, Diffs: slices.Clone(m.Diffs), Replaces: slices.Clone(m.Replaces), Stables: slices.Clone(m.Stables),
		HasDetailed: m.HasDetailedDiff, DeleteBeforeReplace: m.DeleteBeforeReplace,
	}
	unread := map[string]bool{}
	for key, d := range m.DetailedDiff {
		if _, err := path.ParsePulumi(key); err != nil {
			unread[key] = true
		}
		r.Detailed = append(r.Detailed, Entry{Key: key, Kind: d.Kind, InputDiff: d.InputDiff})
	}

	slices.SortFunc(r.Detailed, func(a, b Entry) int {
		if unread[a.Key] != unread[b.Key] {
			if unread[a.Key] {
				return 1
			}
			return -1
		}
		return cmp.Or(a.Path().Compare(b.Path()), cmp.Compare(a.Key, b.Key))
	})
	return r
}
