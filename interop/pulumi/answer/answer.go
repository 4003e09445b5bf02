// Package answer converts requests and responses of Diff between package provider and the
// SDK's plugin package, for providers that implement the SDK's plugin.Provider.
//
//	func (p *Provider) Diff(_ context.Context, r plugin.DiffRequest) (plugin.DiffResponse, error) {
//		sides, ignored, err := answer.Sides(r)
//		o := provider.Differ{Ignored: ignored, ReplaceOn: path.MustSet("name")}
//		return answer.To(o.Compare(sides).Response()), err
//	}
//
// It is a separate package because the SDK's plugin package links gRPC and much of the
// engine, which package pulumi does not need.
//
// # What is kept
//
// Everything in a response is kept in both directions, except:
//   - Entries are sorted by path, followed by those whose keys are not paths, which have
//     no Path; the SDK's map has no order. If two entries have the same key, the later
//     one counts.
//   - A number that is not a valid kind, or not a valid state, becomes 255, which is not
//     valid either.
//   - HasDetailed is true if the SDK's map is not nil. The SDK does not send an empty
//     map.
package answer

import (
	"cmp"
	"math"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Sides returns what a request compares, and the patterns of its ignoreChanges. A side whose
// map is nil is absent. Texts in ignoreChanges that do not parse as patterns are skipped,
// as the engine does. The errors are those of [pulumi.FromPropertyMap].
func Sides(r plugin.DiffRequest) (s provider.Sides, ignored []path.Pattern, err error) {
	for _, side := range []struct {
		to   *value.Value
		from resource.PropertyMap
	}{{&s.OldInputs, r.OldInputs}, {&s.OldState, r.OldOutputs}, {&s.News, r.NewInputs}} {
		if *side.to, err = pulumi.FromPropertyMap(side.from); err != nil {
			return provider.Sides{}, nil, err
		}
	}

	return s, provider.IgnoredOf(&rpc.DiffRequest{IgnoreChanges: r.IgnoreChanges}), nil
}

// To converts a response to the SDK's answer. It shares no memory with r.
func To(r provider.Response) plugin.DiffResult {
	d := plugin.DiffResult{
		Changes: plugin.DiffChanges(r.Changes), ReplaceKeys: keys(r.Replaces), StableKeys: keys(r.Stables), ChangedKeys: keys(r.Diffs),
		DeleteBeforeReplace: r.DeleteBeforeReplace,
	}
	if r.HasDetailed || len(r.Detailed) > 0 {
		d.DetailedDiff = ToDetailed(r.Detailed)
	}

	return d
}

// From converts the SDK's answer to a response, which can be read, checked and shown: see
// Read and Validate of package provider/check. It shares no memory with d.
func From(d plugin.DiffResult) provider.Response {
	return provider.Response{
		Changes: rpc.DiffChanges(octet(int(d.Changes))), Replaces: names(d.ReplaceKeys), Stables: names(d.StableKeys), Diffs: names(d.ChangedKeys),
		Detailed: FromDetailed(d.DetailedDiff), HasDetailed: d.DetailedDiff != nil, DeleteBeforeReplace: d.DeleteBeforeReplace,
	}
}

// ToDetailed converts the entries of a detailed diff to the SDK's map, which is never
// nil.
func ToDetailed(entries []provider.Entry) map[string]plugin.PropertyDiff {
	all := make(map[string]plugin.PropertyDiff, len(entries))
	for _, e := range entries {
		all[e.Key] = plugin.PropertyDiff{Kind: plugin.DiffKind(e.Kind), InputDiff: e.InputDiff}
	}
	return all
}

// FromDetailed converts the SDK's map to the entries of a detailed diff, which are nil
// for an empty map.
func FromDetailed(all map[string]plugin.PropertyDiff) []provider.Entry {
	if len(all) == 0 {
		return nil
	}

	entries := make([]provider.Entry, 0, len(all))
	unread := map[string]bool{}
	for key, d := range all {
		_, err := path.ParsePulumi(key)
		if err != nil {
			unread[key] = true
		}
		entries = append(entries, provider.Entry{Key: key, Kind: rpc.PropertyDiffKind(octet(int(d.Kind))), InputDiff: d.InputDiff})
	}
	slices.SortFunc(entries, func(a, b provider.Entry) int {
		if unread[a.Key] != unread[b.Key] {
			if unread[a.Key] {
				return 1
			}
			return -1
		}
		return cmp.Or(a.Path().Compare(b.Path()), cmp.Compare(a.Key, b.Key))
	})
	return entries
}

// octet is a number of the protocol, which is small, or 255.
func octet(n int) uint8 {
	if n < 0 || n > math.MaxUint8 {
		return math.MaxUint8
	}
	return uint8(n)
}

func keys(names []string) []resource.PropertyKey {
	if len(names) == 0 {
		return nil
	}

	all := make([]resource.PropertyKey, 0, len(names))
	for _, name := range names {
		all = append(all, resource.PropertyKey(name))
	}
	return all
}

func names(keys []resource.PropertyKey) []string {
	if len(keys) == 0 {
		return nil
	}

	all := make([]string, 0, len(keys))
	for _, k := range keys {
		all = append(all, string(k))
	}
	return all
}
