package pulumi_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// TestRoundTrip: lossless or loud.
func TestRoundTrip(t *testing.T) {
	kept, refused := 0, 0
	for _, style := range []fuzz.Style{fuzz.Mixed, fuzz.Hostile, fuzz.RealLike} {
		values := fuzz.Values(fuzz.Options{Style: style})
		rapid.Check(t, func(t *rapid.T) {
			v := values.Draw(t, "value")
			p, err := pulumi.ToPropertyValue(v)
			if err != nil {
				if !errors.Is(err, pulumi.ErrSealed) && !errors.Is(err, pulumi.ErrSource) {
					t.Fatal(err)
				}
				refused++
				return
			}
			back, err := pulumi.FromPropertyValue(p)
			if err != nil || !back.Identical(v) {
				t.Fatalf("%v: %v came back as %v", err, fuzz.GoSource(v), fuzz.GoSource(back))
			}
			kept++
		})
	}
	if kept == 0 || refused == 0 {
		t.Errorf("%d kept, %d refused", kept, refused)
	}
}

func text(s string) resource.PropertyValue { return resource.NewProperty(s) }

func object(k resource.PropertyKey, v resource.PropertyValue) resource.PropertyValue {
	return resource.NewProperty(resource.PropertyMap{k: v})
}

// TestFromForms: the many forms that the SDK has for one value.
func TestFromForms(t *testing.T) {
	urns := []resource.URN{"urn:b", "urn:a", "urn:b"}
	for i, row := range []struct {
		p    resource.PropertyValue
		want value.Value
	}{
		{resource.MakeSecret(resource.MakeSecret(text("x"))), value.Secret(value.String("x"))},
		{resource.NewProperty(resource.Output{Element: text("x"), Known: true}), value.String("x")},
		{resource.NewProperty(resource.Output{Element: text("x")}), value.Unknown()},
		{resource.NewProperty(resource.Output{Element: resource.NewProperty(true)}), value.UnknownOf(value.KindBool)},
		{resource.NewProperty(resource.Output{Secret: true}), value.Secret(value.Unknown())},
		{resource.NewProperty(resource.Output{Element: text("x"), Known: true, Dependencies: urns}), value.String("x").WithDependencies("urn:a", "urn:b")},
		{resource.NewProperty(resource.Output{
			Element: resource.NewProperty(resource.Output{Element: text("x"), Known: true, Dependencies: []resource.URN{"urn:c"}}),
			Known:   true, Secret: true, Dependencies: urns,
		}), value.Secret(value.String("x").WithDependencies("urn:a", "urn:b", "urn:c"))},
		{resource.MakeSecret(resource.NewProperty(resource.Output{Element: text("x"), Known: true, Dependencies: urns})), value.Secret(value.String("x").WithDependencies("urn:a", "urn:b"))},
		{resource.MakeComputed(resource.NewNullProperty()), value.Unknown()},
		{resource.MakeComputed(resource.MakeComputed(resource.NewProperty(1.0))), value.UnknownOf(value.KindNumber)},
		{resource.MakeComputed(resource.MakeSecret(text(""))), value.Secret(value.Unknown())},
		{resource.NewProperty(resource.PropertyMap(nil)), value.Object()},
		{resource.NewProperty([]resource.PropertyValue(nil)), value.Array()},
		{resource.NewProperty(&asset.Asset{Text: "x"}), value.TextAsset("x")},
		{resource.NewProperty(&asset.Asset{}), value.TextAsset("")},
		{resource.NewProperty(&asset.Asset{Hash: "abc"}), value.TextAsset("").WithHash("abc").DropContent()},
		{resource.NewProperty(&archive.Archive{}), value.FileArchive("").DropContent()},
		{resource.NewProperty(&archive.Archive{Hash: "abc"}), value.FileArchive("").WithHash("abc").DropContent()},
		{resource.NewProperty(&archive.Archive{Hash: "abc", Assets: map[string]any{}}), value.FileArchive("").DropContent().WithHash("abc")},
		{resource.NewProperty(resource.ResourceReference{URN: "u", ID: text("")}), value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value()},
		{resource.NewProperty(resource.ResourceReference{URN: "u", ID: resource.NewProperty(resource.Output{Element: text("i"), Known: true})}), value.ResourceReference{URN: "u", ID: value.KnownID("i")}.Value()},
	} {
		if got, err := pulumi.FromPropertyValue(row.p); err != nil || !got.Identical(row.want) {
			t.Errorf("row %d: %v, %#v, want %#v", i, err, got, row.want)
		}
	}
}

// TestErrors: what fits nowhere is an error with its place and without a payload.
func TestErrors(t *testing.T) {
	from := func(p resource.PropertyValue) error { _, err := pulumi.FromPropertyValue(p); return err }
	to := func(v value.Value) error { _, err := pulumi.ToPropertyMap(v); return err }
	sealed := value.Sealed{Ciphertext: "hidden"}.Value()
	loop := resource.PropertyMap{}
	loop["a"] = resource.NewProperty(loop)
	for i, row := range []struct {
		err  error
		is   error
		text string
	}{
		{from(object("a", resource.PropertyValue{V: 1})), pulumi.ErrKind, `pulumi: from property value: a: no kind of property: found int`},
		{from(resource.MakeSecret(object("hidden", resource.PropertyValue{V: 1}))), pulumi.ErrKind, `pulumi: from property value: [secret]: no kind of property`},
		{from(resource.NewProperty((*resource.Secret)(nil))), pulumi.ErrKind, `pulumi: from property value: no kind of property: expected secret, found nil`},
		{from(resource.NewProperty((*asset.Asset)(nil))), pulumi.ErrKind, `pulumi: from property value: no kind of property: expected asset, found nil`},
		{from(resource.NewProperty((*archive.Archive)(nil))), pulumi.ErrKind, `pulumi: from property value: no kind of property: expected archive, found nil`},
		{from(object("a", resource.NewProperty(&asset.Asset{Text: "hidden", Path: "hidden"}))), pulumi.ErrSource, `pulumi: from property value: a: ambiguous source of an asset: expected one source, found several`},
		{from(resource.NewProperty(&archive.Archive{Path: "p", Assets: map[string]any{}})), pulumi.ErrSource, `pulumi: from property value: ambiguous source of an asset: expected one source, found several`},
		{from(resource.NewProperty(&archive.Archive{Assets: map[string]any{"x": "hidden"}})), pulumi.ErrKind, `pulumi: from property value: x: no kind of property: expected asset or archive, found string`},
		{from(resource.NewProperty(resource.ResourceReference{ID: resource.NewProperty(1.0)})), pulumi.ErrKind, `pulumi: from property value: no kind of property: expected string as ID, found number`},
		{from(resource.NewProperty(resource.ResourceReference{ID: resource.MakeSecret(text("hidden"))})), pulumi.ErrMarks, `pulumi: from property value: marks cannot be kept here: expected an ID without marks`},
		{from(resource.NewProperty(loop)), pulumi.ErrDepth, ``},
		{from(object("a\n\xff", resource.PropertyValue{V: 1})), pulumi.ErrKind, `pulumi: from property value: "[\"a\n\xff\"]": no kind of property: found int`},
		{to(value.String("hidden")), pulumi.ErrKind, `pulumi: to property map: no kind of property: expected object, found string`},
		{to(value.Secret(value.Object())), pulumi.ErrMarks, `pulumi: to property map: marks cannot be kept here: expected a bag without marks`},
		{to(value.Object(value.Member{Key: "a", Value: value.Array(sealed)})), pulumi.ErrSealed, `pulumi: to property map: a[0]: sealed secret`},
		{to(value.Object(value.Member{Key: "a", Value: value.Secret(value.Object(value.Member{Key: "hidden", Value: sealed}))})), pulumi.ErrSealed, `pulumi: to property map: a[secret]: sealed secret`},
		{to(value.Object(value.Member{Key: "a", Value: value.FileAsset("")})), pulumi.ErrSource, `pulumi: to property map: a: ambiguous source of an asset: expected a source that is not empty`},
		{to(value.Object(value.Member{Key: "a", Value: value.TextAsset("").WithHash("abc")})), pulumi.ErrSource, `pulumi: to property map: a: ambiguous source of an asset: expected a source that is not empty`},
		{to(value.Object(value.Member{Key: "a", Value: value.URIArchive("")})), pulumi.ErrSource, `pulumi: to property map: a: ambiguous source of an asset: expected a source that is not empty`},
	} {
		var e *pulumi.Error
		if !errors.Is(row.err, row.is) || !errors.As(row.err, &e) {
			t.Errorf("row %d: %v, want %v", i, row.err, row.is)
			continue
		}
		if row.text != "" && row.err.Error() != row.text {
			t.Errorf("row %d:\ngot  %s\nwant %s", i, row.err, row.text)
		}
		if strings.Contains(row.err.Error(), "hidden") {
			t.Errorf("row %d: %s", i, row.err)
		}
	}
}

// TestDeepValues: the deepest values can be converted.
func TestDeepValues(t *testing.T) {
	v := value.Null()
	for range value.MaxDepth {
		v = value.Secret(value.Array(v))
	}
	if _, err := pulumi.ToPropertyValue(v); err != nil {
		t.Error(err)
	}
	a := value.FileArchive("").DropContent()
	for range value.MaxDepth - 1 {
		a, _ = value.LiteralArchive(value.Member{Key: "a", Value: a})
	}
	if _, err := pulumi.ToPropertyValue(a); err != nil {
		t.Error(err)
	}
}

func TestNullAndNil(t *testing.T) {
	if v, err := pulumi.FromPropertyMap(nil); err != nil || !v.IsNull() {
		t.Error(v, err)
	}
	if props, err := pulumi.ToPropertyMap(value.Null()); err != nil || props != nil {
		t.Error(props, err)
	}
	if props, err := pulumi.ToPropertyMap(value.Object()); err != nil || props == nil {
		t.Error(props, err)
	}
}
