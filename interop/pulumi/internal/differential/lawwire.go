package differential

import (
	"bytes"
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	gen "github.com/pulumi/pulumi/sdk/v3/go/property/testing"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
)

// wireLaw: what we encode the SDK decodes, into its new model too, as the same.
func wireLaw(t *rapid.T, tally *Tally) {
	v := fuzz.Objects(fuzz.Options{Style: style(t), NoSealed: true}).Draw(t, "bag").DropSecret().DropDependencies()
	data, err := codec.Append(nil, v, codec.Options{})
	if err != nil {
		if !errors.Is(err, codec.ErrSentinel) && !errors.Is(err, codec.ErrUTF8) && !errors.Is(err, codec.ErrSignature) {
			t.Fatalf("we do not write: %v", err)
		}
		tally.Add("no room on the wire")
		return
	}

	m := new(structpb.Struct)
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatalf("protobuf-go does not read what we write: %v", err)
	}
	props, err := SDK(m)
	if err != nil {
		t.Fatalf("the SDK does not read what we write: %v", err)
	}
	got, err := pulumi.FromMap(resource.FromResourcePropertyMap(props))
	if want := hintless(View(v)); err != nil || !got.Identical(want) {
		t.Fatalf("%v: of %v the SDK reads %v", err, fuzz.GoSource(want), fuzz.GoSource(got))
	}
	tally.Add(Same)
}

// sdkWireLaw: what the SDK encodes of values of its own generators we decode as
// the same, and encode as the same bytes.
func sdkWireLaw(t *rapid.T, tally *Tally) {
	m := gen.Map(sdkDepth).Draw(t, "bag")
	want, err := pulumi.FromMap(m)
	if err != nil {
		t.Fatal(err)
	}

	message, err := plugin.MarshalProperties(resource.ToResourcePropertyMap(m), Keep())
	if err != nil {
		t.Fatalf("the SDK does not write %#v: %v", m, err)
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	got, err := codec.Decode(data, codec.Options{})
	if err != nil || !got.Identical(want) {
		t.Fatalf("%v: of %v the SDK writes %v", err, fuzz.GoSource(want), fuzz.GoSource(got))
	}
	again, err := codec.Append(nil, got, codec.Options{})
	if err != nil || !bytes.Equal(again, data) {
		t.Fatalf("%v: the SDK writes\n%x\nwe write\n%x", err, data, again)
	}
	tally.Add(Same)
}
