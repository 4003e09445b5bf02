package pulumi_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
)

func decodeRow(b *testing.B, all [][]byte) {
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(data []byte) error {
			_, err := codec.DecodeStruct(data, codec.Options{})
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
			buf, err = codec.AppendStruct(buf[:0], bag.ours, codec.Options{})
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

func fromStructRow(b *testing.B) {
	all := realForms(b)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(bag sdkBag) error {
			_, err := codec.FromStruct(bag.message, codec.Options{})
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
			_, err := codec.ToStruct(bag.ours, codec.Options{})
			return err
		}),
		bench.Each(classic, all, func(bag sdkBag) error {
			_, err := plugin.MarshalProperties(bag.classic, sdkOptions())
			return err
		}))
}
