package demo_test

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// TestLife: a record keeps the contracts from Check to Delete, whatever its inputs.
func TestLife(t *testing.T) {
	s := configured(t, nil)

	r, err := s.GetSchema(t.Context(), &rpc.GetSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := schema.Read([]byte(r.Schema), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	record, _ := pkg.Resource("demo:index:Record")
	p, err := demo.New(os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	compared, _ := p.Rules("demo:index:Record")

	// Of what the schema leaves open, Check refuses most.
	inputs := rapid.Custom(func(t *rapid.T) value.Value {
		v := fuzz.OfType(record.Inputs(), fuzz.Options{Style: fuzz.Plain}).Draw(t, "inputs")
		rules := rapid.Map(rapid.IntRange(1, 3), func(port int) value.Value {
			return object("name", text("r"), "port", number(float64(port)), "cidrs", array(slices.Repeat([]value.Value{text("::/0")}, port-1)...))
		})
		settings := rapid.Map(rapid.SampledFrom([]string{"e1", "e2"}), func(engine string) value.Value {
			return object("engine", text(engine), "owner", object("name", text(engine), "mail", text("")))
		})
		return with(v,
			"name", rapid.SampledFrom([]value.Value{text("x"), text("y"), value.Null()}).Draw(t, "name"),
			"zone", rapid.SampledFrom([]value.Value{text("b"), text("c"), value.Unknown()}).Draw(t, "zone"),
			"size", rapid.SampledFrom([]value.Value{number(0), number(2000), value.Null()}).Draw(t, "size"),
			"document", rapid.SampledFrom([]value.Value{value.TextAsset("a"), value.TextAsset("b"), value.Null()}).Draw(t, "document"),
			"bundle", rapid.SampledFrom([]value.Value{full("x").Field("bundle"), value.Null()}).Draw(t, "bundle"),
			"settings", settings.Draw(t, "settings"),
			"rules", array(rapid.SliceOfN(rules, 0, 3).Draw(t, "rules")...),
			"members", array(rapid.SliceOfNDistinct(rapid.Map(rapid.SampledFrom([]string{"a", "b", "c"}), text), 0, 3, func(v value.Value) string { return v.String() }).Draw(t, "members")...),
		)
	})

	fuzz.Provider{
		Check: s.Check, Diff: s.Diff, Create: s.Create, Read: s.Read, Update: s.Update, Delete: s.Delete,
		SupportsPreview: true, URN: recordURN, Schema: record, Inputs: inputs, Compared: compared,
	}.Run(t)
}
