package pulumi_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// underOptions are what the SDK makes of reading or writing a bag with its options,
// and what we make of it with ours.
func underOptions(name string, bag value.Value, sdk plugin.MarshalOptions, ours codec.Options, reading bool, wantTheirs, wantOurs string) difference {
	d := difference{name: name, wantTheirs: wantTheirs, wantOurs: wantOurs}
	if reading {
		message, err := codec.ToMessage(bag, codec.Options{})
		d.theirs = func() string {
			if err != nil {
				return err.Error()
			}
			props, err := plugin.UnmarshalProperties(message, sdk)
			if err != nil {
				return "error: " + err.Error()
			}
			v, err := pulumi.FromPropertyMap(props)
			if err != nil {
				return err.Error()
			}
			return v.String()
		}
		d.ours = func() string {
			v, err := codec.FromMessage(message, ours)
			if err != nil {
				return "error: " + err.Error()
			}
			return v.String()
		}
		return d
	}
	d.theirs = func() string {
		props, err := pulumi.ToPropertyMap(bag)
		if err != nil {
			return err.Error()
		}
		return wrote(plugin.MarshalProperties(props, sdk))
	}
	d.ours = func() string { return wrote(codec.ToMessage(bag, ours)) }
	return d
}

func policyDifferences() []difference {
	bag := func(key string, v value.Value) value.Value { return value.Object(value.Member{Key: key, Value: v}) }
	unknown := value.Unknown()
	reference := value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value()
	lower, reject := codec.Lower, codec.Reject
	return []difference{
		underOptions(
			"lowered-below-a-mark", bag("a", value.Secret(unknown)), plugin.MarshalOptions{KeepSecrets: true}, codec.Options{Unknowns: lower}, false,
			"unreadable: codec: from structpb: a: malformed or reserved signature: expected one of value, ciphertext, plaintext, found none", "{}",
		),
		underOptions(
			"unknown-output-that-stays", bag("a", unknown.WithDependencies("u")), plugin.MarshalOptions{KeepOutputValues: true, RejectUnknowns: true}, codec.Options{Unknowns: reject}, false,
			"{a: [unknown]}", "error: codec: to structpb: a: rejected by policy: found unknown",
		),
		underOptions(
			"unknown-id-that-is-lowered", bag("a", reference), plugin.MarshalOptions{}, codec.Options{References: lower, Unknowns: lower}, true,
			`{a: ""}`, "{}",
		),
		underOptions(
			"elided-without-a-hash", bag("a", value.FileAsset("p")), plugin.MarshalOptions{ElideAssetContents: true}, codec.Options{Assets: lower}, false,
			`{a: asset(text:e3b0c44)}`, "error: codec: to structpb: a: rejected by policy: found asset without a hash, of which nothing would be left",
		),
		underOptions(
			"internal-property-that-is-rejected", bag("__a", unknown), plugin.MarshalOptions{SkipInternalKeys: true, RejectUnknowns: true}, codec.Options{Internal: lower, Unknowns: reject}, true,
			`error: unexpected unknown property value for "__a"`, "{}",
		),
		underOptions(
			"byte-string-that-was-not-agreed", bag("a", value.String("\xff")), plugin.MarshalOptions{}, codec.Options{ByteStrings: reject}, true,
			`{a: "\xff"}`, "error: codec: from structpb: a: rejected by policy: found byte string",
		),
	}
}

// secretOutput is a bag with a secret of an output with dependencies.
const secretOutput = `{"a": {K: !secret, "value": {K: !output, "value": "x", "dependencies": ["urn:d"]}}}`

func markDifferences() []difference {
	bag := func(v value.Value) value.Value { return value.Object(value.Member{Key: "a", Value: v}) }
	return []difference{
		{
			"secret-output-without-dependencies",
			func() string {
				props, err := plugin.UnmarshalProperties(message(`{"a": {K: !output, "value": 1, "secret": true}}`), plugin.MarshalOptions{KeepOutputValues: true})
				return fmt.Sprint("secret: ", err == nil && props["a"].OutputValue().Secret)
			},
			func() string {
				v, err := codec.FromMessage(message(`{"a": {K: !output, "value": 1, "secret": true}}`), codec.Options{Secrets: codec.Lower})
				return fmt.Sprint("secret: ", err != nil || v.Field("a").IsSecret())
			},
			"secret: true", "secret: false",
		},
		{
			"secret-around-an-output",
			func() string {
				props, err := plugin.UnmarshalProperties(message(secretOutput), plugin.MarshalOptions{KeepOutputValues: true})
				return fmt.Sprint("secret: ", err != nil || props["a"].IsSecret() || props["a"].OutputValue().Secret)
			},
			func() string {
				v, err := codec.FromMessage(message(secretOutput), codec.Options{Secrets: codec.Lower})
				return fmt.Sprint("secret: ", err == nil && v.Field("a").IsSecret())
			},
			"secret: false", "secret: true",
		},
		{
			"signature-text-that-is-not-utf8",
			func() string {
				keep := plugin.MarshalOptions{KeepResources: true, KeepByteString: true}
				m, err := plugin.MarshalProperties(resource.PropertyMap{"a": resource.MakeComponentResourceReference("\xff", "")}, keep)
				if err != nil {
					return err.Error()
				}
				props, err := plugin.UnmarshalProperties(m, keep)
				return fmt.Sprintf("%q, %v", props["a"].ResourceReferenceValue().URN, err)
			},
			func() string {
				return wrote(codec.ToMessage(bag(value.ResourceReference{URN: "\xff"}.Value()), codec.Options{}))
			},
			`"\xff", <nil>`, "error: codec: to structpb: a: not UTF-8",
		},
		{
			"one-update-for-a-marked-container",
			func() string {
				in := func(c float64) property.Map {
					return property.NewMap(map[string]property.Value{
						"a": property.New(map[string]property.Value{"b": property.New(1.0), "c": property.New(c)}).WithSecret(true),
					})
				}
				d := in(2).Diff(in(3))
				return fmt.Sprint("updated: ", len(d.Updates), ", looked into: ", d.Updates["a"].Object != nil)
			},
			func() string {
				in := func(c float64) value.Value {
					return bag(value.Secret(value.Object(value.Member{Key: "b", Value: value.Number(1)}, value.Member{Key: "c", Value: value.Number(c)})))
				}
				var at []string
				for c := range diff.Between(in(2), in(3), diff.Options{}).Changes() {
					at = append(at, c.Path().String())
				}
				return fmt.Sprint(at)
			},
			"updated: 1, looked into: false", "[a.c]",
		},
	}
}
