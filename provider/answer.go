package provider

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Answer is the Diff of a provider in one call: it compares what the request
// holds and says what changed (see [Compare]). What ignoreChanges of the
// request names is set back first, besides what the options ignore; a text there
// that is no pattern names nothing, as for the engine.
//
// An error names the field and wraps [codec.ErrKind]: a side
// is no object, as it never is in what was decoded.
func Answer(request *rpc.DiffRequest, o Options) (*rpc.DiffResponse, error) {
	sides, err := SidesOf(request)
	if err != nil {
		return nil, err
	}
	o.Ignored = slices.Concat(o.Ignored, IgnoredOf(request))
	return NewDiffResponse(Compare(sides, o).Response(o)), nil
}

// SidesOf are what the request has to compare. The error is that of [Answer].
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

// IgnoredOf are the patterns of IgnoreChanges that can be read, as the engine takes
// them; [rpc.DiffRequest.ParseIgnoreChanges] tells of those that cannot.
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

// NewDiffResponse is a response as a message. Of two entries with one key the
// later counts.
func NewDiffResponse(r Response) *rpc.DiffResponse {
	m := &rpc.DiffResponse{
		Replaces: slices.Clone(r.Replaces), Stables: slices.Clone(r.Stables), Diffs: slices.Clone(r.Diffs),
		DeleteBeforeReplace: r.DeleteBeforeReplace, Changes: rpc.DiffChanges(r.Changes), HasDetailedDiff: r.HasDetailed,
	}
	if len(r.Detailed) > 0 {
		m.DetailedDiff = make(map[string]rpc.PropertyDiff, len(r.Detailed))
		for _, e := range r.Detailed {
			m.DetailedDiff[e.Key] = rpc.PropertyDiff{Kind: rpc.PropertyDiffKind(e.Kind), InputDiff: e.InputDiff}
		}
	}
	return m
}

// ResponseOf is the message as package diff has it, to be read, checked and shown:
// see [check.Read] and [check.Validate]. Entries come in path order, those
// with keys that are no paths, which have no Path, behind them. A number that is
// no kind, or no state, becomes 255, which is none either.
func ResponseOf(m *rpc.DiffResponse) Response {
	if m == nil {
		return Response{}
	}
	r := Response{
		Changes: Changes(octet(m.Changes)), Diffs: slices.Clone(m.Diffs), Replaces: slices.Clone(m.Replaces), Stables: slices.Clone(m.Stables),
		HasDetailed: m.HasDetailedDiff, DeleteBeforeReplace: m.DeleteBeforeReplace,
	}
	unread := map[string]bool{}
	for key, d := range m.DetailedDiff {
		p, err := path.ParsePulumi(key)
		if err != nil {
			unread[key] = true
		}
		r.Detailed = append(r.Detailed, Entry{Key: key, Path: p, Kind: Kind(octet(d.Kind)), InputDiff: d.InputDiff})
	}
	slices.SortFunc(r.Detailed, func(a, b Entry) int {
		if unread[a.Key] != unread[b.Key] {
			if unread[a.Key] {
				return 1
			}
			return -1
		}
		return cmp.Or(a.Path.Compare(b.Path), cmp.Compare(a.Key, b.Key))
	})
	return r
}

// octet is a number of the protocol, which is small, or 255.
func octet[N ~int32](n N) uint8 {
	if n < 0 || n > math.MaxUint8 {
		return math.MaxUint8
	}
	return uint8(n)
}
