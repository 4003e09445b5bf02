package pulumi_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/interop/pulumi"
)

// sameDecoded checks, once, that both sides find the same in the bytes, where there
// is no reference, whose name and type the classic model drops.
func sameDecoded(b *testing.B, all [][]byte) {
	b.Helper()
	const reference = "5cf8f73096256a8f31e491e813e4eb8e"
	compared := 0
	for i, data := range all {
		ours, err := codec.Decode(data, codec.Options{})
		if err != nil {
			b.Fatal(err)
		}
		props, err := sdkDecode(data)
		if err != nil || strings.Contains(string(data), reference) {
			continue
		}
		if theirs, err := pulumi.FromPropertyMap(props); err != nil || !ours.Equal(theirs) {
			b.Fatalf("bag %d is not the same for both: %v", i, err)
		}
		compared++
	}
	if compared < len(all)*9/10 {
		b.Fatalf("only %d of %d bags compared", compared, len(all))
	}
}

// decodeRow reads the same bytes in every turn. They may be given away all the same,
// since no side writes into them.
func decodeRow(b *testing.B, all [][]byte, o codec.Options) {
	b.Helper()
	sameDecoded(b, all)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(data []byte) error {
			_, err := codec.Decode(data, o)
			return err
		}),
		bench.Each(classic, all, func(data []byte) error {
			_, err := sdkDecode(data)
			return err
		}))
}

func encodeRow(b *testing.B) {
	all := realForms(b)
	var buf []byte
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(bag sdkBag) (err error) {
			buf, err = codec.Append(buf[:0], bag.ours, codec.Options{})
			return err
		}),
		bench.Each(classic, all, func(bag sdkBag) error {
			message, err := plugin.MarshalProperties(bag.classic, sdkOptions())
			if err == nil {
				buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], message)
			}
			return err
		}))
}

// hotBags is how many bags are converted again and again while they are in the
// processor's cache, as a provider has them that converts what it has just unmarshalled.
// All real bags are more than the cache holds.
const hotBags = 50

func fromStructRow(b *testing.B, all []sdkBag) {
	b.Helper()
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(bag sdkBag) error {
			_, err := codec.FromMessage(bag.message, codec.Options{})
			return err
		}),
		bench.Each(classic, all, func(bag sdkBag) error {
			_, err := plugin.UnmarshalProperties(bag.message, sdkOptions())
			return err
		}))
}

func toStructRow(b *testing.B) {
	all := realForms(b)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(bag sdkBag) error {
			_, err := codec.ToMessage(bag.ours, codec.Options{})
			return err
		}),
		bench.Each(classic, all, func(bag sdkBag) error {
			_, err := plugin.MarshalProperties(bag.classic, sdkOptions())
			return err
		}))
}
