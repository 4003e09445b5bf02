package infer_test

import (
	"testing"

	"github.com/pulumi/pulumi-go-provider/infer/types"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Assets and archives have types of each side, which hold the same: where the contents
// are, and what they are. Both sides make of them what they were.
func TestAssetsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		name      string
		v         value.Value
		text, uri string
		path      string
	}{
		{"text", value.Internal.AssetOf(value.SourceText, "hello", ""), "hello", "", ""},
		{"path", value.Internal.AssetOf(value.SourceFile, "a/b", ""), "", "", "a/b"},
		{"uri", value.Internal.AssetOf(value.SourceURI, "file:///a", ""), "", "file:///a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			theirs, err := theirDecode[of[*resource.Asset]](one(c.v))
			if err != nil || theirs.A.Text != c.text || theirs.A.URI != c.uri || theirs.A.Path != c.path {
				t.Errorf("infer: %+v, %v", theirs.A, err)
			}
			ours, err := bind.As[of[value.Asset]](one(c.v))
			want, _ := c.v.AsAsset()
			if err != nil || !ours.A.Equal(want) {
				t.Errorf("bind: %v, %v", ours.A, err)
			}
			sameReturn[of[*resource.Asset], of[value.Asset]](t, one(c.v))
			sameReturn[of[types.AssetOrArchive], of[value.Value]](t, one(c.v))
		})
	}
	for _, v := range []value.Value{value.Internal.ArchiveOf(value.SourceFile, "a.zip", ""), value.Internal.ArchiveOf(value.SourceURI, "file:///a.zip", "")} {
		sameReturn[of[*resource.Archive], of[value.Archive]](t, one(v))
		sameReturn[of[types.AssetOrArchive], of[value.Value]](t, one(v))
	}
}

// sameReturn checks that both sides make of a bag what it was.
func sameReturn[Theirs, Ours any](t *testing.T, v value.Value) {
	t.Helper()
	if back, err := theirReturn[Theirs](v); err != nil || !back.Equal(v) {
		t.Errorf("infer: %#v became %#v, %v", v, back, err)
	}
	x, err := bind.As[Ours](v)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := bind.Encode(x, bind.Options{}); err != nil || !back.Equal(v) {
		t.Errorf("bind: %v became %v, %v", v, back, err)
	}
}
