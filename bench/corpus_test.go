package bench_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// Generated bags are like those of the wild, in all that the package says of them.
func TestBagsAreAsInTheWild(t *testing.T) {
	const n = 5000
	var nodes, sizes []int
	var secrets, unknowns, references, assets int
	for _, bag := range bench.Bags(n) {
		text, err := codec.AppendJSON(nil, bag, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		nodes, sizes = append(nodes, bench.Nodes(bag)), append(sizes, len(text))
		if bag.ContainsSecret() {
			secrets++
		}
		if bag.ContainsUnknown() {
			unknowns++
		}
		for c := range bag.Walk() {
			switch c.Value().Kind() {
			case value.KindResourceReference:
				references++
			case value.KindAsset:
				assets++
			}
		}
	}
	slices.Sort(nodes)
	slices.Sort(sizes)
	for _, c := range []struct {
		what             string
		got, least, most int
	}{
		{"median nodes", nodes[n/2], 8, 11},
		{"nodes of the 99th percentile", nodes[n*99/100], 60, 90},
		{"nodes of the largest", nodes[n-1], 150, 648},
		{"median bytes", sizes[n/2], 260, 420},
		{"bytes of the 99th percentile", sizes[n*99/100], 2800, 5200},
		{"bags with secrets", secrets, n * 3 / 100, n * 5 / 100},
		{"bags with unknowns", unknowns, n * 9 / 100, n * 11 / 100},
		{"references", references, n * 2 / 100, n * 3 / 100},
		{"assets", assets, n / 1000, n * 4 / 1000},
	} {
		t.Logf("%s: %d", c.what, c.got)
		if c.got < c.least || c.got > c.most {
			t.Errorf("%s: %d, wanted %d … %d", c.what, c.got, c.least, c.most)
		}
	}
}

// Bags have exactly the nodes that their name says, and come out the same again.
func TestBagNodes(t *testing.T) {
	for _, n := range []int{1, 2, 3, bench.Small, bench.Large, 10_000, bench.Huge} {
		bag := bench.Bag(n)
		if got := bench.Nodes(bag); got != n {
			t.Errorf("%d nodes, wanted %d", got, n)
		}
		if again := bench.Bag(n); !bag.Equal(again) || (bag.Len() > 0 && value.Internal.SharesMemory(bag, again)) {
			t.Errorf("%d nodes: another bag, or the same memory", n)
		}
		if n > 100 && bag.Depth() > 14 {
			t.Errorf("%d nodes are %d deep", n, bag.Depth())
		}
	}
	for c := range bench.Bag(bench.Large).Walk() {
		if text := c.Path().String(); strings.Contains(text, `"`) {
			t.Errorf("%s has a key that needs quotes", text)
		}
	}
	if got := bench.Deep(500).Depth(); got != 500 {
		t.Errorf("depth %d, wanted 500", got)
	}
	if got := bench.Wide(1000).Len(); got != 1000 {
		t.Errorf("%d members, wanted 1000", got)
	}
}

// Shuffled bytes are what they were made of, for protobuf-go too, and not sorted.
func TestWire(t *testing.T) {
	shuffled := 0
	for i, bag := range append(bench.Bags(500), bench.Secrets(bench.Large), bench.Wide(100)) {
		data, err := bench.Wire(bag)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := codec.Decode(data, codec.Options{}); err != nil || !v.Identical(bag) {
			t.Errorf("bag %d: another value, or %v", i, err)
		}
		message := new(structpb.Struct)
		if err := proto.Unmarshal(data, message); err != nil {
			t.Errorf("bag %d: %v", i, err)
		}
		if v, err := codec.FromMessage(message, codec.Options{}); err != nil || !v.Identical(bag) {
			t.Errorf("bag %d: another value for protobuf-go, or %v", i, err)
		}
		sorted, err := codec.Append(nil, bag, codec.Options{})
		if err != nil || len(sorted) != len(data) {
			t.Errorf("bag %d: %d bytes, sorted %d; %v", i, len(data), len(sorted), err)
		}
		if !bytes.Equal(sorted, data) {
			shuffled++
		}
	}
	if shuffled < 350 {
		t.Errorf("only %d of 502 are shuffled", shuffled)
	}
}

// Every edited bag differs somewhere from what it was, few of them by nothing.
func TestEdited(t *testing.T) {
	olds := bench.Bags(500)
	same := 0
	for i, now := range bench.Edited(olds) {
		if now.Equal(olds[i]) {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 500 are as they were", same)
	}
	if v := bench.Bag(bench.Large); bench.EditedEvery(v, 10).Equal(v) {
		t.Error("no number was edited")
	}
	numbers := bench.Numbers(100)
	if slices.Equal(bench.Edits(numbers, 10), numbers) || !slices.Equal(numbers, bench.Numbers(100)) {
		t.Error("nothing was edited, or what was given")
	}
}

func TestWriteStack(t *testing.T) {
	var text bytes.Buffer
	if err := bench.WriteStack(&text, 70, bench.Bags(50)); err != nil {
		t.Fatal(err)
	}
	file, err := state.Parse(text.Bytes(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r, err := range file.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Inputs.Kind() != value.KindObject || !r.Inputs.Equal(r.Outputs) {
			t.Errorf("%s: %v, %v", r.URN, r.Inputs, r.Outputs)
		}
		n++
	}
	if n != 70 {
		t.Errorf("%d resources, wanted 70", n)
	}
}

func TestReadRows(t *testing.T) {
	rows, err := bench.ReadRows(strings.NewReader(`{"form":"grpc","bag":{"a":1}}` + "\n" + `{"form":7}` + "\n"))
	if err != nil || len(rows) != 2 || rows[0].Text("form") != "grpc" || rows[1].Text("form") != "" {
		t.Fatalf("%q, %v", rows, err)
	}
	if v, err := rows[0].Value("bag"); err != nil || !v.Equal(value.Object(value.Member{Key: "a", Value: value.Number(1)})) {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := bench.ReadRows(strings.NewReader("{}\n{")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
	if _, err := rows[1].Value("bag"); err == nil {
		t.Error("no error for a member that is not there")
	}
}

// Of the patterns for a value half match a place in it.
func TestPatternsFor(t *testing.T) {
	v := bench.Bag(bench.Large)
	patterns := bench.PatternsFor(v, 100)
	matching := 0
	for _, p := range patterns {
		if slices.ContainsFunc(bench.Places(v), p.Matches) {
			matching++
		}
	}
	if len(patterns) != 100 || matching != 50 {
		t.Errorf("%d of %d match", matching, len(patterns))
	}
}
