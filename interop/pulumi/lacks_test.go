package pulumi_test

import (
	"maps"
	"os"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/bench"
)

// What the SDK does not do is what the table of docs/bench.md says.
func TestLacks(t *testing.T) {
	text, err := os.ReadFile("../../bench/testdata/lacks.txt")
	if err != nil {
		t.Fatal(err)
	}
	bench.CheckLacks(t, string(text), "decode sdk", bench.DecoderLacks(func(data []byte) ([]string, error) {
		props, err := sdkDecode(data)
		var keys []string
		for key := range maps.Keys(props) {
			keys = append(keys, string(key))
		}
		return keys, err
	}))
	bench.CheckLacks(t, string(text), "encode sdk", bench.EncoderLacks(func(keys []string, text string) ([]byte, error) {
		props := resource.PropertyMap{}
		for _, key := range keys {
			props[resource.PropertyKey(key)] = resource.NewProperty(text)
		}
		message, err := plugin.MarshalProperties(props, sdkOptions())
		if err != nil {
			return nil, err
		}
		return proto.Marshal(message)
	}))
}
