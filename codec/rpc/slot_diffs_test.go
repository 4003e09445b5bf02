package rpc_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

const stepName = "pulumirpc.ViewStep"

// drawDiffs draws entries in any order, of which some have the same path.
func drawDiffs(t *rapid.T) []rpc.PathDiff {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) rpc.PathDiff {
		return rpc.PathDiff{
			Path: rapid.SampledFrom([]string{"", "a", "a.b", "b", "é"}).Draw(t, "path"),
			Diff: rpc.PropertyDiff{Kind: rpc.PropertyDiffKind(rapid.Int32Range(0, 7).Draw(t, "kind")), InputDiff: rapid.Bool().Draw(t, "input")},
		}
	}), 0, 9).Draw(t, "diffs")
}

// TestDiffs holds lists of entries against protobuf's maps: a list as a user fills it in is
// written as protobuf writes the map of its entries, of which the last with a path counts,
// and entries one by one are read as the map that protobuf reads.
func TestDiffs(t *testing.T) {
	p := descriptors(t)
	rapid.Check(t, func(t *rapid.T) {
		list := drawDiffs(t)
		theirs := p.new(stepName)
		var oneByOne []byte
		for _, d := range list {
			data, err := rpc.Append(nil, &rpc.ViewStep{DetailedDiff: []rpc.PathDiff{d}}, rpc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			oneByOne = append(oneByOne, data...)
		}
		if err := proto.Unmarshal(oneByOne, theirs); err != nil {
			t.Fatal(err)
		}
		want := marshal(t, theirs)

		before := slices.Clone(list)
		ours := &rpc.ViewStep{DetailedDiff: list}
		if got, err := rpc.Append(nil, ours, rpc.Options{}); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\ngot  %q\nwant %q", err, got, want)
		}
		text, err := rpc.AppendJSON(nil, ours, rpc.Options{})
		back := p.new(stepName)
		if err != nil || protojson.Unmarshal(text, back) != nil || !proto.Equal(back, theirs) {
			t.Fatalf("%v: wrote %s", err, text)
		}
		if identical(ours, &rpc.ViewStep{DetailedDiff: before}) != "" {
			t.Fatal("writing changed the list")
		}

		var fromBytes, fromText rpc.ViewStep
		err = errors.Join(rpc.Decode(oneByOne, &fromBytes, rpc.Options{}), rpc.DecodeJSON(text, &fromText, rpc.Options{}))
		if err != nil || identical(&fromBytes, &fromText) != "" {
			t.Fatal(err, identical(&fromBytes, &fromText))
		}
		inOrder := func(a, b rpc.PathDiff) int { return strings.Compare(a.Path, b.Path) }
		if !slices.IsSortedFunc(fromBytes.DetailedDiff, inOrder) || len(fromBytes.DetailedDiff) > 5 {
			t.Fatal(fromBytes.DetailedDiff)
		}
		if got, err := rpc.Append(nil, &fromBytes, rpc.Options{}); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\nread as %q\nwant    %q", err, got, want)
		}
	})
}

// TestManyDiffs reads many entries in falling order, each of them twice, which takes forever
// if each is put in its place.
func TestManyDiffs(t *testing.T) {
	const many = 1 << 18
	var data []byte
	for i := range 2 * many {
		entry := protowire.AppendString([]byte{1<<3 | byte(protowire.BytesType)}, fmt.Sprintf("%06x", many-i/2))
		data = protowire.AppendBytes(protowire.AppendTag(data, 10, protowire.BytesType), entry)
	}
	var m rpc.ViewStep
	if err := rpc.Decode(data, &m, rpc.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := len(m.DetailedDiff); n != many {
		t.Fatalf("%d entries", n)
	}
	for i, d := range m.DetailedDiff {
		if want := fmt.Sprintf("%06x", i+1); d.Path != want {
			t.Fatalf("%s, not %s", d.Path, want)
		}
	}
}

// TestDiffsTwice: as in all maps, JSON that has a name twice is refused.
func TestDiffsTwice(t *testing.T) {
	var m rpc.ViewStep
	err := rpc.DecodeJSON([]byte(`{"detailedDiff":{"a":{},"\u0061":{}}}`), &m, rpc.Options{})
	var e *rpc.Error
	if !errors.As(err, &e) || !errors.Is(err, codec.ErrDuplicate) || e.Offset != 24 || m.DetailedDiff != nil {
		t.Errorf("%v %v", err, m)
	}
}
