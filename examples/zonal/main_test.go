package main

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

func configured(t *testing.T) *resource.Provider {
	t.Helper()
	p, err := resource.New(zonal())
	if err != nil {
		t.Fatal(err)
	}
	config := value.Object(value.Field("endpoint", value.String(serve(t).URL)), value.Field("token", value.Secret(value.String("t0ken-t0ken"))))
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: config}); err != nil {
		t.Fatal(err)
	}
	return p
}

func text(from ...string) *rapid.Generator[value.Value] {
	return rapid.Map(rapid.SampledFrom(from), value.String)
}

func object(all map[string]*rapid.Generator[value.Value]) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		made := map[string]value.Value{}
		for name, g := range all {
			made[name] = g.Draw(t, name)
		}
		return value.ObjectFromMap(made)
	})
}

//go:generate go test -run TestSchema .
func TestSchema(t *testing.T) { resourcetest.Schema(t, zonal(), "schema.json") }

func TestZones(t *testing.T) {
	p := resourcetest.Fuzz(configured(t), "zonal:index:Zone")
	p.Inputs = object(map[string]*rapid.Generator[value.Value]{
		"name": text("a.example", "A.example", "b.example"), "comment": text("", "x", "y"),
	})
	p.Run(t)
}

func TestRecords(t *testing.T) {
	p := resourcetest.Fuzz(configured(t), "zonal:index:Record")
	p.Inputs = object(map[string]*rapid.Generator[value.Value]{
		"zone": text("a.example"), "name": text("www", "WWW", "mail"), "type": text("A", "TXT"), "key": text("", "k1k1k1", "k2"),
		"values": rapid.Map(rapid.SliceOfNDistinct(text("1", "2", "3"), 1, 3, value.Value.String), func(all []value.Value) value.Value { return value.Array(all...) }),
		"ttl":    rapid.SampledFrom([]value.Value{value.Null(), value.Number(300), value.Number(60)}),
	})
	p.Run(t)
}
