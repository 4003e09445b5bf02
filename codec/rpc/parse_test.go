package rpc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// TestParse: the accessors of URNs, paths and patterns.
func TestParse(t *testing.T) {
	const text = "urn:pulumi:a::b::c:d:P$c:d:E::f"
	if u, err := (&rpc.DiffRequest{URN: text}).ParseURN(); err != nil || u.Type() != "c:d:E" || u.Name() != "f" {
		t.Error(u, err)
	}
	if u, err := (&rpc.DiffRequest{}).ParseURN(); err != nil || !u.IsZero() {
		t.Error(u, err)
	}
	if u, err := (&rpc.ConfigureRequest{}).ParseURN(); err != nil || !u.IsZero() {
		t.Error(u, err)
	}
	if u, err := (&rpc.ConfigureRequest{URN: ptr(text)}).ParseURN(); err != nil || u.String() != text {
		t.Error(u, err)
	}
	_, err := (&rpc.DiffRequest{URN: "no"}).ParseURN()
	if !errors.Is(err, urn.ErrSyntax) || !strings.HasPrefix(err.Error(), "rpc: parse DiffRequest: urn: ") {
		t.Error(err)
	}
	_, err = (&rpc.PropertyDependencies{URNs: []string{text, ""}}).ParseURNs()
	if !errors.Is(err, urn.ErrSyntax) || !strings.HasPrefix(err.Error(), "rpc: parse CallRequest.ArgumentDependencies: urns[1]: ") {
		t.Error(err)
	}
	patterns, err := (&rpc.DiffRequest{IgnoreChanges: []string{`tags["*"]`, "a.b"}}).ParseIgnoreChanges()
	if err != nil || len(patterns) != 2 || patterns[0] != path.MustParsePattern("tags[*]") {
		t.Error(patterns, err)
	}
	p, err := (&rpc.CheckFailure{Property: `tags["*"]`}).ParseProperty()
	if err != nil || p != path.Of(path.Key("tags"), path.Key("*")) {
		t.Error(p, err)
	}
	d, err := (&rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"a[0]": {Kind: rpc.PropertyDiffDelete}}}).ParseDetailedDiff()
	if err != nil || d[path.MustParse("a[0]")].Kind != rpc.PropertyDiffDelete {
		t.Error(d, err)
	}
	_, err = (&rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"a[0": {}}}).ParseDetailedDiff()
	if !errors.Is(err, path.ErrSyntax) {
		t.Error(err)
	}
	_, err = (&rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"a.b": {}, `a["b"]`: {}}}).ParseDetailedDiff()
	if !errors.Is(err, codec.ErrDuplicate) {
		t.Error(err)
	}
}
