package stack_test

import (
	"math"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/sample"
)

const validURN = "urn:pulumi:s::p::a:b:C$d:e:F::n"

// texts are strings and names, some of which mean something on the wire or in state
// files.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "a", "b", "name", "V", "value", "id", "urn", "__a", "*", "ciphertext", "plaintext", "v1:bnVsbA==", "null", `"`, `\`, "\xff", "a\x00\u2028",
			"7ff0000000000000", validURN, "8ad145fe-0d11-4827-bfd7-1abcbf086f5c",
		}),
		rapid.SampledFrom(sample.Sentinels()),
		rapid.StringN(0, 5, -1),
	)
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 0.1, 1e21, 1e-7, math.MaxFloat64, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), 9007199254740993}),
		rapid.Float64(),
	)
}

// bags are property maps of the engine with everything that it has a form for.
func bags() *rapid.Generator[resource.PropertyMap] {
	return rapid.Custom(func(t *rapid.T) resource.PropertyMap {
		return draw{t}.object(5 - rapid.IntRange(0, 4).Draw(t, "levels left out"))
	})
}

type draw struct{ t *rapid.T }

func (d draw) object(levels int) resource.PropertyMap {
	m := resource.PropertyMap{}
	for range 4 - rapid.IntRange(0, 4).Draw(d.t, "members left out") {
		m[resource.PropertyKey(texts().Draw(d.t, "name"))] = d.value(levels - 1)
	}
	return m
}

// value draws containers and secrets more often than what they hold: small numbers
// are drawn more often than large ones.
func (d draw) value(levels int) resource.PropertyValue {
	if levels <= 0 {
		return d.leaf()
	}
	switch rapid.IntRange(0, 9).Draw(d.t, "kind") {
	case 0, 3, 9:
		return resource.MakeSecret(d.value(levels - 1))
	case 1, 7:
		return resource.NewProperty(d.object(levels))
	case 2, 8:
		elems := []resource.PropertyValue{}
		for range 3 - rapid.IntRange(0, 3).Draw(d.t, "elements left out") {
			elems = append(elems, d.value(levels-1))
		}
		return resource.NewProperty(elems)
	case 4:
		return resource.NewProperty(resource.Output{
			Element: d.value(levels - 1), Known: rapid.Bool().Draw(d.t, "known"), Secret: rapid.Bool().Draw(d.t, "secret"),
			Dependencies: []resource.URN{validURN},
		})
	}
	return d.leaf()
}

func (d draw) leaf() resource.PropertyValue {
	switch rapid.IntRange(0, 9).Draw(d.t, "kind of leaf") {
	case 0, 9:
		return resource.NewProperty(texts().Draw(d.t, "text"))
	case 1, 8:
		return resource.NewProperty(numbers().Draw(d.t, "number"))
	case 2:
		return resource.MakeComputed(d.leaf())
	case 3:
		return d.reference()
	case 4:
		return resource.NewProperty(d.asset())
	case 5:
		return resource.NewProperty(d.archive(2))
	case 6:
		return resource.NewProperty(rapid.Bool().Draw(d.t, "bool"))
	}
	return resource.NewNullProperty()
}

func (d draw) asset() *asset.Asset {
	a := &asset.Asset{Sig: asset.AssetSig, Hash: rapid.SampledFrom([]string{"", "abc", "\x00"}).Draw(d.t, "hash")}
	text := rapid.SampledFrom([]string{"", "x", "04da6b54", sample.Sentinels()[0]}).Draw(d.t, "source")
	switch rapid.IntRange(0, 2).Draw(d.t, "kind of asset") {
	case 0:
		a.Text = text
	case 1:
		a.Path = text
	default:
		a.URI = text
	}
	return a
}

func (d draw) archive(levels int) *archive.Archive {
	a := &archive.Archive{Sig: archive.ArchiveSig, Hash: rapid.SampledFrom([]string{"", "abc"}).Draw(d.t, "hash")}
	text := rapid.SampledFrom([]string{"", "x"}).Draw(d.t, "source")
	switch rapid.IntRange(0, 3).Draw(d.t, "kind of archive") {
	case 0:
		a.Path = text
	case 1:
		a.URI = text
	default:
		a.Assets = map[string]any{}
		for range rapid.IntRange(0, levels).Draw(d.t, "entries") {
			if name := texts().Draw(d.t, "entry"); rapid.Bool().Draw(d.t, "an archive") {
				a.Assets[name] = d.archive(levels - 1)
			} else {
				a.Assets[name] = d.asset()
			}
		}
	}
	return a
}

func (d draw) reference() resource.PropertyValue {
	urn := resource.URN(rapid.SampledFrom([]string{validURN, "no urn", ""}).Draw(d.t, "urn"))
	version := rapid.SampledFrom([]string{"", "1.2.3"}).Draw(d.t, "version")
	if rapid.Bool().Draw(d.t, "component") {
		return resource.MakeComponentResourceReference(urn, version)
	}
	return resource.MakeCustomResourceReference(urn, resource.ID(rapid.SampledFrom([]string{"", "i-1", "\x00"}).Draw(d.t, "id")), version)
}
