package pulumi_test

import (
	"os"
	"slices"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// BenchmarkRow measures the rows of docs/bench.md against the SDK's two
// models, "sdk" and "sdk-new". All sides read the same bytes or values; what one
// side does is the whole corpus. make bench runs rounds of it and prints the ratios.
func BenchmarkRow(b *testing.B) {
	bench.Ballast(b)
	for _, row := range []struct {
		name string
		run  func(b *testing.B)
	}{
		{"answer", answerRow},
		{"sides", sidesRow},
		{"stacks", stacksRow},
		{"decode-bags", func(b *testing.B) { decodeRow(b, realWire(b), codec.Options{}) }},
		{"decode-own", func(b *testing.B) { decodeRow(b, realWire(b), codec.Options{OwnBytes: true}) }},
		{"decode-one", func(b *testing.B) { decodeRow(b, [][]byte{marshalled(b, realOne(b))}, codec.Options{}) }},
		{"decode-huge", func(b *testing.B) { decodeRow(b, [][]byte{marshalled(b, bench.Bag(bench.Huge))}, codec.Options{}) }},
		{"encode-bags", encodeRow},
		{"from-structpb", func(b *testing.B) { fromStructRow(b, realForms(b)) }},
		{"from-structpb-hot", func(b *testing.B) { fromStructRow(b, bench.Spread(realForms(b), hotBags)) }},
		{"to-structpb", toStructRow},
		{"equal-bags", equalRow},
		{"equal-early", earlyRow},
		{"diff-equal", diffEqualRow},
		{"diff-shared", diffSharedRow},
		{"diff-pairs", diffPairsRow},
		{"ignore-1", func(b *testing.B) { ignoreRow(b, 1) }},
		{"ignore-10", func(b *testing.B) { ignoreRow(b, 10) }},
		{"ignore-100", func(b *testing.B) { ignoreRow(b, 100) }},
		{"urn", urnRow},
		{"path-parse", pathParseRow},
		{"path-at-real", pathAtRealRow},
		{"path-at", pathAtRow},
		{"path-match", pathMatchRow},
		{"state", stateRow},
		{"kept-one", func(b *testing.B) { keptRow(b, realOne(b)) }},
		{"kept", func(b *testing.B) { keptRow(b, bench.Bag(bench.Huge)) }},
	} {
		b.Run(row.name, row.run)
	}
}

// sides of the value models.
const (
	classic = "sdk"
	newer   = "sdk-new"
)

// sdkBag is one bag in every form.
type sdkBag struct {
	message *structpb.Struct
	ours    value.Value
	classic resource.PropertyMap
	newer   property.Map
}

// column is one member of each row as a value.
func column(b *testing.B, rows []bench.Row, name string) []value.Value {
	b.Helper()
	all := make([]value.Value, len(rows))
	for i, row := range rows {
		v, err := row.Value(name)
		if err != nil {
			b.Fatalf("row %d: %v", i, err)
		}
		all[i] = v
	}
	return all
}

// grpcBags are the real bags of the wire, else generated ones.
func grpcBags(b *testing.B) []value.Value {
	b.Helper()
	rows := slices.DeleteFunc(bench.RealRows(b, os.Open, "bags.jsonl"), func(row bench.Row) bool { return row.Text("form") != "grpc" })
	bags := column(b, rows, "bag")
	if len(bags) == 0 {
		bags = bench.Bags(5000)
	}
	return bags
}

// realOne is the real bags as one value.
func realOne(b *testing.B) value.Value {
	b.Helper()
	return value.Object(value.Member{Key: "resources", Value: value.Array(grpcBags(b)...)})
}

// realWire is the real bags as bytes by protobuf-go, whose members are in a random
// order.
func realWire(b *testing.B) [][]byte {
	b.Helper()
	bags := grpcBags(b)
	all := make([][]byte, len(bags))
	for i, bag := range bags {
		all[i] = marshalled(b, bag)
	}
	return all
}

func marshalled(b *testing.B, bag value.Value) []byte {
	b.Helper()
	message, err := codec.ToMessage(bag, codec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	data, err := proto.Marshal(message)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// sdkOptions keep everything, as ours do.
func sdkOptions() plugin.MarshalOptions {
	return plugin.MarshalOptions{
		KeepUnknowns: true, KeepSecrets: true, KeepResources: true, KeepOutputValues: true, SkipNulls: false,
	}
}

func sdkDecode(data []byte) (resource.PropertyMap, error) {
	message := new(structpb.Struct)
	if err := proto.Unmarshal(data, message); err != nil {
		return nil, err
	}
	return plugin.UnmarshalProperties(message, sdkOptions())
}

// realForms are the real bags in every form, but those that the SDK refuses. Each
// form is made of all bags before the next is begun, so that it lies in memory as in
// a program that has no other.
func realForms(b *testing.B) []sdkBag {
	b.Helper()
	wire := slices.DeleteFunc(realWire(b), func(data []byte) bool {
		_, err := sdkDecode(data)
		return err != nil
	})
	all := make([]sdkBag, len(wire))
	for i, data := range wire {
		all[i].ours = decoded(b, data)
	}
	for i, data := range wire {
		all[i].message = new(structpb.Struct)
		if err := proto.Unmarshal(data, all[i].message); err != nil {
			b.Fatal(err)
		}
	}
	for i, data := range wire {
		all[i].classic, _ = sdkDecode(data) // no error above
	}
	for i := range all {
		all[i].newer = resource.FromResourcePropertyMap(all[i].classic)
	}
	return all
}

func decoded(b *testing.B, data []byte) value.Value {
	b.Helper()
	v, err := codec.Decode(data, codec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return v
}
