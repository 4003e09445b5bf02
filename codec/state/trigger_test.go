package state_test

import (
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// A trigger is no bag: lowering internal properties leaves all of its members.
func TestTriggerHasNoInternalProperties(t *testing.T) {
	f, err := state.ParseText(`{"version":3,"deployment":{"manifest":{},"resources":[{"urn":"urn:pulumi:s::p::t:m:R::n",
		"type":"t:m:R","outputs":{"__x":1},"replacementTrigger":{"__k":1}}]}}`,
		state.Options{Codec: codec.Options{Internal: codec.Lower}})
	if err != nil {
		t.Fatal(err)
	}
	want := value.Object(value.Member{Key: "__k", Value: value.Number(1)})
	for r, err := range f.Resources() {
		if err != nil || !r.ReplacementTrigger.Identical(want) || r.Outputs.Len() != 0 {
			t.Errorf("%v %v %v", r.ReplacementTrigger, r.Outputs, err)
		}
	}
}
