package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

func provider(t *testing.T) *resource.Provider {
	t.Helper()
	p, err := resource.New(resource.Package{Name: "quickstart", Resources: []resource.Resource{files}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const urn = "urn:pulumi:dev::shop::quickstart:index:File::a"

// Everything that is wrong is found at once, and an unknown is not.
func TestCheck(t *testing.T) {
	inputs := value.Object(value.Field("pth", value.String("x")), value.Field("path", value.Unknown()), value.Field("text", value.Number(1)))
	got, err := provider(t).Check(t.Context(), &rpc.CheckRequest{URN: urn, News: inputs})
	want := []rpc.CheckFailure{
		{Property: "pth", Reason: "expected the name of a property, such as path, found a property that is not in the schema"},
		{Property: "text", Reason: "expected string, found number"},
	}
	if err != nil || !got.Inputs.IsNull() {
		t.Fatalf("%v, %v: failures come without inputs", err, got)
	}
	// Failures come in the order of the inputs.
	if !slices.EqualFunc(got.Failures, want, func(f, g rpc.CheckFailure) bool { return f.Property == g.Property && f.Reason == g.Reason }) {
		t.Errorf("%+v", got.Failures)
	}
}

// A file that is read is what a program says of it, with the secrets of before; without
// one there is no ID.
func TestRead(t *testing.T) {
	p := provider(t)
	name := filepath.Join(t.TempDir(), "a")
	if got, err := p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: name}); err != nil || got.ID != "" {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(name, []byte("now"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := value.Object(value.Field("path", value.String(name)), value.Field("text", value.Secret(value.String("before"))))
	inputs, _ := before.WithField("text", value.Secret(value.String("now")))
	state, _ := inputs.WithField("size", value.Number(3))
	got, err := p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: name, Inputs: before, Properties: before})
	if err != nil || got.ID != name || !got.Inputs.Identical(inputs) || !got.Properties.Identical(state) {
		t.Errorf("%v, %v", got, err)
	}
}

// What the provider does with files keeps the contract with the engine.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	names := rapid.SampledFrom([]string{"a", "b", "c"})
	texts := rapid.SampledFrom([]value.Value{value.String(""), value.String("one"), value.Secret(value.String("two")), value.Unknown()})

	tested := resourcetest.Fuzz(provider(t), files.Token)
	tested.Inputs = rapid.Custom(func(t *rapid.T) value.Value {
		name := filepath.Join(dir, names.Draw(t, "name"))
		return value.Object(value.Field("path", value.String(name)), value.Field("text", texts.Draw(t, "text")))
	})
	tested.Run(t)
}
