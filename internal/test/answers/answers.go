// Package answers makes and prints answers to Diff for tests.
package answers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
)

// Claimed returns an answer with the entries "key=KIND", or "key<KIND" where the old
// value is that of the state, and the names that go with them. A kind may also be a
// number.
func Claimed(entries ...string) provider.Response {
	r := provider.Response{Changes: rpc.DiffSome, HasDetailed: true}
	for _, text := range entries {
		cut := strings.LastIndexAny(text, "=<")
		kind, known := parseKind(text[cut+1:])
		if number, err := strconv.Atoi(text[cut+1:]); err == nil && !known {
			kind = rpc.PropertyDiffKind(number) //nolint:gosec // small
		}
		e := provider.Entry{Key: text[:cut], Kind: kind, InputDiff: text[cut] == '='}
		r.Detailed = append(r.Detailed, e)
		if p, err := path.ParsePulumi(e.Key); err == nil && !p.IsRoot() {
			first, _, _ := p.Cut()
			name, _ := first.AsKey()
			if !slices.Contains(r.Diffs, name) {
				r.Diffs = append(r.Diffs, name)
			}
			if e.Replace() && !slices.Contains(r.Replaces, name) {
				r.Replaces = append(r.Replaces, name)
			}
		}
	}

	return r
}

// parseKind returns the kind that a text names, as the protocol writes it
// ("ADD_REPLACE") or as the engine's events and SDKs do ("add-replace", "add&replace").
func parseKind(text string) (kind rpc.PropertyDiffKind, known bool) {
	name := strings.ToUpper(strings.NewReplacer("-", "_", "&", "_").Replace(text))
	for k := rpc.PropertyDiffAdd; k <= rpc.PropertyDiffUpdateReplace; k++ {
		if name == k.String() {
			return k, true
		}
	}
	return 0, false
}

// Sided writes an answer as [Claimed] reads it, followed by its changes, diffs and
// replaces.
func Sided(r provider.Response) string {
	var parts []string
	for _, e := range r.Detailed {
		side := "<"
		if e.InputDiff {
			side = "="
		}
		parts = append(parts, e.Key+side+e.Kind.String())
	}

	text := strings.Join(parts, " ")
	if !r.HasDetailed {
		text += "no details"
	}
	return text + " | " + r.Changes.String() + " " + strings.Join(r.Diffs, ",") + " | " + strings.Join(r.Replaces, ",")
}
