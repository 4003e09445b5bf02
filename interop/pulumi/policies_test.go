package pulumi_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"

	"github.com/propalg/propalg/codec"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// mixes are all mixes of the SDK's options, each with the policies that say the same.
func mixes() (all []mix) {
	for bits := range 1 << 10 {
		on := func(bit int) bool { return bits>>bit&1 == 1 }
		keep := func(bit int) codec.Policy {
			if on(bit) {
				return codec.Keep
			}
			return codec.Lower
		}
		drop := func(bit int) codec.Policy {
			if on(bit) {
				return codec.Lower
			}
			return codec.Keep
		}
		m := mix{
			sdk: plugin.MarshalOptions{
				KeepUnknowns: on(0), KeepSecrets: on(1), KeepResources: on(2), KeepOutputValues: on(3), SkipNulls: on(4), SkipInternalKeys: on(5),
				KeepByteString: on(6), RejectUnknowns: on(7), RejectAssets: on(8), ElideAssetContents: on(9),
			},
			ours: codec.Options{
				Unknowns: keep(0), Secrets: keep(1), References: keep(2), Outputs: keep(3), Nulls: drop(4), Internal: drop(5), Assets: drop(9),
			},
		}
		if !on(6) {
			m.ours.ByteStrings = codec.Reject
		}
		if on(7) {
			m.ours.Unknowns = codec.Reject
		}
		if on(8) {
			m.ours.Assets = codec.Reject
		}
		all = append(all, m)
	}
	return all
}

type mix struct {
	sdk  plugin.MarshalOptions
	ours codec.Options
}

// mixedValues are values of every kind that an option is about, alone and in one
// another.
func mixedValues() []value.Value {
	ref := value.ResourceReference{URN: "urn:pulumi:s::p::t:m:T::n", Name: "n", Type: "t:m:T"}
	known, unknown := ref, ref
	known.ID, unknown.ID = value.KnownID("i"), value.UnknownID()
	archive, _ := value.Internal.LiteralArchiveOf(value.Object(value.Member{Key: "e", Value: value.TextAsset("t")}), "")
	leaves := []value.Value{
		value.Null(), value.Number(1), value.String("\xff"), value.Unknown(), value.UnknownOf(value.KindBool), ref.Value(), known.Value(), unknown.Value(),
		value.TextAsset("t"), value.FileAsset("p"), value.TextAsset("").WithHash("h").DropContent(), value.FileArchive("p").WithHash("h"), archive,
	}
	all := slices.Clone(leaves)
	for _, v := range leaves {
		all = append(
			all, value.Secret(v), v.WithDependencies("u"), value.Secret(v.WithDependencies("u")), value.Array(value.Number(0), v),
			value.Object(value.Member{Key: "__b", Value: v}), value.Secret(value.Array(v.WithDependencies("u"))), value.Array(value.Secret(v)).WithDependencies("u"),
			value.Secret(value.Object(value.Member{Key: "b", Value: value.Secret(v)})).WithDependencies("u"),
		)
	}
	return all
}

// parted are the entries of docs/differences.md under which the two sides may part
// for a value that is a member of a bag, below the secrets and outputs around it.
func parted(v value.Value, m mix, reading, marked, inArray, isInternal bool) (entries []string) {
	add := func(name string, is bool) {
		if is {
			entries = append(entries, name)
		}
	}
	output := v.HasDependencies()
	isMarked := output || v.OwnSecret()
	kept := (v.OwnSecret() && m.sdk.KeepSecrets) || (output && m.sdk.KeepOutputValues)
	unknown := v.IsUnknown()
	if r, ok := v.AsResourceReference(); ok && !m.sdk.KeepResources && r.ID.IsUnknown() {
		unknown = true
		add("unknown-id-that-is-lowered", reading && (!m.sdk.KeepUnknowns || m.sdk.RejectUnknowns))
	}
	dropped := unknown && !m.sdk.KeepUnknowns
	add("internal-property-that-is-rejected", reading && isInternal && m.sdk.SkipInternalKeys && (m.sdk.RejectUnknowns || m.sdk.RejectAssets || m.sdk.SkipNulls || !m.sdk.KeepUnknowns))
	add("unknown-in-an-array", !reading && dropped && inArray)
	add("unknown-output-that-stays", unknown && output && m.sdk.KeepOutputValues && (dropped || m.sdk.RejectUnknowns))
	add("lowered-below-a-mark", (dropped && (kept || marked || (reading && isMarked))) || (v.IsNull() && m.sdk.SkipNulls && (isMarked || marked)))
	add("elided-without-a-hash", m.ours.Assets == codec.Lower && (v.Kind() == value.KindAsset || v.Kind() == value.KindArchive))
	add("byte-string-that-was-not-agreed", reading && !m.sdk.KeepByteString && v.Kind() == value.KindString)
	for _, e := range v.DropSecret().Elems() {
		entries = append(entries, parted(e, m, reading, false, true, false)...)
	}
	for _, e := range v.DropSecret().Members() {
		entries = append(entries, parted(e, m, reading, false, false, false)...)
	}
	return entries
}

// hasBytes reports whether a value holds a string that is not UTF-8.
func hasBytes(v value.Value) bool {
	for c := range v.Walk() {
		if s, ok := c.Value().AsString(); ok && !utf8.ValidString(s) {
			return true
		}
	}
	return false
}

// outcome is what one side makes of a bag: the same text for what means the same.
func outcome(v value.Value, err error) string {
	if err != nil {
		return "error"
	}
	return codecText(v)
}

// codecText is the text of a value with everything in it, but for hints.
func codecText(v value.Value) string {
	text, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(string(text), "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "04da6b54-80e4-46f7-96ec-b56ff0331ba9")
}

// Under every mix of the SDK's options both sides read and write the same, but for
// what docs/differences.md lists.
func TestPolicyMixes(t *testing.T) {
	counts := map[string]int{}
	values := mixedValues()
	for _, m := range mixes() {
		for i, v := range values {
			if !m.sdk.KeepByteString && !hasBytes(v) {
				continue // as with byte strings
			}
			for _, key := range []string{"a", "__a"} {
				bag := value.Object(value.Member{Key: key, Value: v}, value.Member{Key: "z", Value: value.Bool(true)})
				for _, reading := range []bool{false, true} {
					theirs, ours := mixed(t, bag, m, reading)
					if theirs == ours {
						counts["same"]++
						continue
					}
					entries := parted(v, m, reading, false, false, key == "__a")
					if len(entries) == 0 {
						t.Errorf("value %d, member %s, reading %v, %+v:\nthe SDK: %s\nwe:      %s", i, key, reading, m.sdk, theirs, ours)
						continue
					}
					counts[entries[0]]++
				}
			}
		}
	}
	page, err := os.ReadFile("../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range counts {
		t.Logf("%7d %s", n, name)
		if name != "same" && !strings.Contains(string(page), "\n### "+name+"\n") {
			t.Errorf("docs/differences.md has no %s", name)
		}
	}
}

// mixed is what both sides make of a bag under a mix.
func mixed(t *testing.T, bag value.Value, m mix, reading bool) (theirs, ours string) {
	t.Helper()
	all := codec.Options{}
	if reading {
		message, err := codec.ToMessage(bag, all)
		if err != nil {
			t.Fatal(err)
		}
		props, err := plugin.UnmarshalProperties(message, m.sdk)
		var v value.Value
		if err == nil {
			v, err = pulumi.FromPropertyMap(props)
		}
		theirs = outcome(v, err)
		return theirs, outcome(codec.FromMessage(message, m.ours))
	}
	props, err := pulumi.ToPropertyMap(bag)
	if err != nil {
		t.Fatal(err)
	}
	message, err := plugin.MarshalProperties(props, m.sdk)
	theirs = written(message, err)
	message, err = codec.ToMessage(bag, m.ours)
	return theirs, written(message, err)
}

// written is what was written, as it is read when all is kept.
func written(message *structpb.Struct, err error) string {
	if err != nil {
		return "error"
	}
	v, err := codec.FromMessage(message, codec.Options{})
	if err != nil {
		return "not read: " + err.Error()
	}
	return outcome(v, nil)
}
