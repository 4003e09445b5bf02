package pulumi_test

import (
	"fmt"
	"math"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// sdkWrites shows what the SDK writes of a bag with one member.
func sdkWrites(p resource.PropertyValue, o plugin.MarshalOptions) func() string {
	return func() string { return wrote(plugin.MarshalProperties(resource.PropertyMap{"a": p}, o)) }
}

// weWrite shows what we write of it.
func weWrite(v value.Value, o codec.Options) func() string {
	return func() string {
		return wrote(codec.ToMessage(value.Object(value.Member{Key: "a", Value: v}), o))
	}
}

func writeDifferences() []difference {
	const sentinel = plugin.UnknownStringValue
	lowered := differential.Keep()
	lowered.KeepUnknowns = false
	list := []resource.PropertyValue{resource.MakeComputed(resource.NewProperty("")), resource.NewProperty("x")}
	signed := resource.NewProperty(resource.PropertyMap{resource.SigKey: resource.NewProperty(resource.SecretSig), "value": resource.NewProperty(1.0)})
	return []difference{
		{
			"string-that-reads-as-unknown",
			sdkWrites(resource.NewProperty(sentinel), differential.Keep()), weWrite(value.String(sentinel), codec.Options{}),
			`{a: [unknown]}`, `{a: "` + sentinel + `"}`,
		},
		{
			"object-with-the-signature-key",
			sdkWrites(signed, differential.Keep()),
			weWrite(value.Object(value.Member{Key: codec.SignatureKey, Value: value.String(resource.SecretSig)}, value.Member{Key: "value", Value: value.Number(1)}), codec.Options{}),
			`{a: [secret]}`, "error: codec: to structpb: a: malformed or reserved signature: expected a name other than the signature key",
		},
		{
			"unknown-in-an-array",
			sdkWrites(resource.NewProperty(list), lowered), weWrite(value.Array(value.Unknown(), value.String("x")), codec.Options{Unknowns: codec.Lower}),
			`{a: ["x"]}`, `{a: [null, "x"]}`,
		},
		{
			"key-that-is-not-utf8",
			func() string {
				m, err := plugin.MarshalProperties(resource.PropertyMap{"\xff": resource.NewProperty(1.0)}, differential.Keep())
				if err != nil {
					return err.Error()
				}
				_, err = proto.Marshal(m)
				return "protobuf: " + fmt.Sprint(err != nil)
			},
			func() string {
				_, err := codec.Append(nil, value.Object(value.Member{Key: "\xff", Value: value.Number(1)}), codec.Options{})
				return err.Error()
			},
			"protobuf: true", `codec: encode protobuf: "[\"\xff\"]": not UTF-8: expected name in UTF-8`,
		},
	}
}

// unsendableDifferences are property values that no wire can bring.
func unsendableDifferences() []difference {
	return []difference{
		{
			"unknown-of-null",
			sdkWrites(resource.MakeComputed(resource.NewNullProperty()), differential.Keep()),
			adapted(resource.MakeComputed(resource.NewNullProperty())),
			`{a: null}`, "[unknown]",
		},
		{
			"unknown-of-a-secret",
			sdkWrites(resource.MakeComputed(resource.MakeSecret(resource.NewProperty(""))), differential.Keep()),
			adapted(resource.MakeComputed(resource.MakeSecret(resource.NewProperty("")))),
			"panic", "[secret]",
		},
		{
			"id-that-is-an-output",
			func() string {
				id := resource.NewProperty(resource.Output{Element: resource.NewProperty("i"), Known: true})
				m, err := plugin.MarshalProperties(resource.PropertyMap{"a": resource.NewProperty(resource.ResourceReference{URN: "u", ID: id})}, differential.Keep())
				_, hasID := m.GetFields()["a"].GetStructValue().GetFields()["id"]
				return fmt.Sprint("id: ", hasID, ", ", err)
			},
			func() string {
				id := resource.NewProperty(resource.Output{Element: resource.NewProperty("i"), Known: true})
				v, err := pulumi.FromPropertyValue(resource.NewProperty(resource.ResourceReference{URN: "u", ID: id}))
				r, _ := v.AsResourceReference()
				text, known := r.ID.Known()
				return fmt.Sprint("id: ", text, " ", known, ", ", err)
			},
			"id: false, <nil>", "id: i true, <nil>",
		},
		{
			"nil-asset",
			sdkWrites(resource.NewProperty((*asset.Asset)(nil)), differential.Keep()), adapted(resource.NewProperty((*asset.Asset)(nil))),
			"panic", "error: pulumi: from property value: no kind of property: expected asset, found nil",
		},
	}
}

// adapted shows what our adapter makes of a property value.
func adapted(p resource.PropertyValue) func() string {
	return func() string {
		v, err := pulumi.FromPropertyValue(p)
		if err != nil {
			return "error: " + err.Error()
		}
		return shown(v)
	}
}

func valueDifferences() []difference {
	nan := math.NaN()
	equals := func(p, q resource.PropertyValue) func() string {
		return func() string { return fmt.Sprint("equal: ", p.DeepEquals(q)) }
	}
	equal := func(v, w value.Value) func() string {
		return func() string { return fmt.Sprint("equal: ", v.Equal(w)) }
	}
	secret, computed := resource.MakeSecret, resource.MakeComputed
	return []difference{
		{
			"not-a-number", equals(resource.NewProperty(nan), resource.NewProperty(nan)), equal(value.Number(nan), value.Number(nan)),
			"equal: false", "equal: true",
		},
		{
			"expected-type-of-an-unknown", equals(computed(resource.NewProperty("")), computed(resource.NewProperty(0.0))),
			equal(value.UnknownOf(value.KindString), value.UnknownOf(value.KindNumber)), "equal: false", "equal: true",
		},
		{
			"two-ways-to-be-unknown", equals(computed(resource.NewProperty("")), resource.NewProperty(resource.Output{Element: resource.NewProperty("")})),
			func() string {
				v, _ := pulumi.FromPropertyValue(computed(resource.NewProperty("")))
				w, _ := pulumi.FromPropertyValue(resource.NewProperty(resource.Output{Element: resource.NewProperty("")}))
				return equal(v, w)()
			},
			"equal: false", "equal: true",
		},
		{
			"two-ways-to-be-secret", equals(secret(resource.NewProperty("x")), resource.NewProperty(resource.Output{Element: resource.NewProperty("x"), Known: true, Secret: true})),
			func() string {
				v, _ := pulumi.FromPropertyValue(secret(resource.NewProperty("x")))
				w, _ := pulumi.FromPropertyValue(resource.NewProperty(resource.Output{Element: resource.NewProperty("x"), Known: true, Secret: true}))
				return equal(v, w)()
			},
			"equal: false", "equal: true",
		},
		{
			"secret-in-text", func() string {
				return fmt.Sprintf("%v", resource.NewProperty(resource.PropertyMap{"a": secret(resource.NewProperty("hunter2"))}))
			},
			func() string {
				return fmt.Sprintf("%v", value.Object(value.Member{Key: "a", Value: value.Secret(value.String("hunter2"))}))
			},
			"{map[a:{&{{hunter2}}}]}", "{a: [secret]}",
		},
	}
}

func pathDifferences() []difference {
	parse := func(text string) string { _, err := resource.ParsePropertyPath(text); return fmt.Sprint(err) }
	return []difference{
		{
			"index-that-no-array-has", func() string { return parse("a[-1]") },
			func() string { _, err := path.ParsePulumi("a[-1]"); return err.Error() },
			"<nil>", `path: "a[-1]": offset 2: expected index from 0 to 2147483647, found -1`,
		},
		{
			"key-that-is-a-star",
			func() string {
				return fmt.Sprint(resource.PropertyPath{"*"}.Contains(resource.PropertyPath{"b"}))
			},
			func() string {
				return fmt.Sprint(path.PatternOf(path.Key("*")).Covers(path.Of(path.Key("b"))))
			},
			"true", "false",
		},
		{
			"key-that-ends-in-a-backslash", func() string { return parse(resource.PropertyPath{"a", `b\`}.String()) },
			func() string {
				p := path.Of(path.Key("a"), path.Key(`b\`))
				text, err := p.Pulumi()
				back, parseErr := path.ParsePulumi(text)
				return fmt.Sprint(back == p, err, parseErr)
			},
			"missing closing quote in property name", "true <nil> <nil>",
		},
		{
			"empty-key", func() string {
				p, err := resource.ParsePropertyPath(resource.PropertyPath{"a", ""}.String())
				return fmt.Sprint(len(p), " ", err)
			},
			func() string {
				text, _ := path.Of(path.Key("a"), path.Key("")).Pulumi()
				p, err := path.ParsePulumi(text)
				return fmt.Sprint(p.Len(), " ", err)
			},
			"0 expected property path to end with a name or index", "2 <nil>",
		},
		{
			"path-that-is-not-utf8", func() string { return fmt.Sprintf("%q", resource.PropertyPath{"\xff"}.String()) },
			func() string { _, err := path.Of(path.Key("\xff")).Pulumi(); return fmt.Sprint(err != nil) },
			"\"[\\\"\ufffd\\\"]\"", "true",
		},
	}
}

func editDifferences() []difference {
	list := func() resource.PropertyValue {
		return resource.NewProperty(resource.PropertyMap{"a": resource.NewProperty([]resource.PropertyValue{resource.NewProperty("x"), resource.NewProperty("y")})})
	}
	ours := value.Object(value.Member{Key: "a", Value: value.Array(value.String("x"), value.String("y"))})
	show := func(p resource.PropertyValue) string {
		v, err := pulumi.FromPropertyValue(p)
		if err != nil {
			return err.Error()
		}
		return shown(v)
	}
	edited := func(v value.Value, err error) string {
		if err != nil {
			return "error: " + err.Error()
		}
		return shown(v)
	}
	return []difference{
		{
			"adding-behind-an-array",
			func() string {
				p, _ := resource.PropertyPath{"a", 2}.Add(list(), resource.NewProperty("z"))
				return show(p)
			},
			func() string { return edited(ours.Put(path.MustParse("a[2]"), value.String("z"))) },
			`{a: [null, "x", "z"]}`, `{a: ["x", "y", "z"]}`,
		},
		{
			"adding-at-a-negative-index",
			func() string {
				p, _ := resource.PropertyPath{"a", -1}.Add(list(), resource.NewProperty("z"))
				return show(p)
			},
			func() string {
				_, err := pulumi.FromPropertyPath(resource.PropertyPath{"a", -1})
				return strings.SplitN(err.Error(), ": ", 4)[3]
			},
			"panic", "index out of range: expected index from 0 to 2147483647, found -1",
		},
		{
			"deleting-an-element",
			func() string { p := list(); resource.PropertyPath{"a", 0}.Delete(p); return show(p) },
			func() string { return edited(ours.Without(path.MustParse("a[0]"))) },
			`{a: [null, "y"]}`, `{a: ["y"]}`,
		},
		{
			"editing-below-a-secret",
			func() string {
				p := resource.NewProperty(resource.PropertyMap{"a": resource.MakeSecret(resource.NewProperty(resource.PropertyMap{}))})
				return fmt.Sprint(resource.PropertyPath{"a", "b"}.Set(p, resource.NewProperty(1.0)))
			},
			func() string {
				v, err := value.Object(value.Member{Key: "a", Value: value.Secret(value.Object())}).With(path.MustParse("a.b"), value.Number(1))
				return fmt.Sprint(v.Field("a").Has(path.MustParse("b")), v.Field("a").OwnSecret(), err)
			},
			"false", "true true <nil>",
		},
	}
}
