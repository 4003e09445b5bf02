package pulumi_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// errorRow is an error, the sentinel that it wraps, and its text.
type errorRow struct {
	err  error
	is   error
	text string
}

// checkErrors checks that errors are ours, say what they should, and hold no
// payload: none of the rows may say "hidden".
func checkErrors(t *testing.T, rows []errorRow) {
	t.Helper()
	for i, row := range rows {
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

// failed drops the result of a call.
func failed[T any](_ T, err error) error { return err }

func field(k string, v value.Value) value.Value {
	return value.Object(value.Member{Key: k, Value: v})
}

func TestModelErrors(t *testing.T) {
	from := func(p property.Value) error { return failed(pulumi.FromValue(p)) }
	to := func(v value.Value) error { return failed(pulumi.ToMap(v, pulumi.RefuseHints)) }
	sealed := value.Sealed{Ciphertext: "hidden"}.Value()
	reference := func(id property.Value) property.Value { return property.New(property.ResourceReference{ID: id}) }
	deep := property.Value{}
	for range pulumi.MaxDepth + 1 {
		deep = property.New(property.NewArray([]property.Value{deep}))
	}
	checkErrors(t, []errorRow{
		{from(one("a", property.New(&asset.Asset{Text: "hidden", Path: "hidden"}))), pulumi.ErrSource, `pulumi: from value: a: ambiguous source of an asset: expected one source, found several`},
		{from(one("a", property.New(&archive.Archive{Assets: map[string]any{"x": nil}}))), pulumi.ErrKind, `pulumi: from value: a.x: no kind of property: expected asset or archive, found <nil>`},
		{from(one("a", one("hidden", property.New(&asset.Asset{Text: "t", URI: "u"})).WithSecret(true))), pulumi.ErrSource, `pulumi: from value: a[secret]: ambiguous source of an asset: expected one source`},
		{from(reference(property.New(1.0))), pulumi.ErrKind, `pulumi: from value: no kind of property: expected string as ID, found number`},
		{from(reference(one("hidden", property.Value{}))), pulumi.ErrKind, `pulumi: from value: no kind of property: expected string as ID, found object`},
		{from(reference(property.New(property.NewArray(nil)))), pulumi.ErrKind, `pulumi: from value: no kind of property: expected string as ID, found array`},
		{from(reference(property.New("hidden").WithSecret(true))), pulumi.ErrMarks, `pulumi: from value: marks cannot be kept here: expected an ID without marks`},
		{from(reference(property.New("i").WithDependencies([]resource.URN{"u"}))), pulumi.ErrMarks, ``},
		{from(deep), pulumi.ErrDepth, ``},
		{failed(pulumi.FromArray(property.NewArray([]property.Value{{}, property.New(&asset.Asset{Text: "t", URI: "u"})}))), pulumi.ErrSource, `pulumi: from array: [1]: ambiguous source of an asset: expected one source, found several`},
		{failed(pulumi.FromMap(property.NewMap(map[string]property.Value{"b": property.New(&asset.Asset{Text: "t", URI: "u"}), "a": reference(property.New(true))}))), pulumi.ErrKind, `pulumi: from map: a: no kind of property: expected string as ID, found bool`},
		{to(value.String("hidden")), pulumi.ErrKind, `pulumi: to map: no kind of property: expected object, found string`},
		{to(value.Null()), pulumi.ErrKind, `pulumi: to map: no kind of property: expected object, found null`},
		{to(value.Secret(value.Object())), pulumi.ErrMarks, `pulumi: to map: marks cannot be kept here: expected object without marks`},
		{to(field("a", value.Array(sealed))), pulumi.ErrSealed, `pulumi: to map: a[0]: sealed secret`},
		{to(field("a", value.Secret(field("hidden", sealed)))), pulumi.ErrSealed, `pulumi: to map: a[secret]: sealed secret`},
		{to(field("a", value.FileAsset(""))), pulumi.ErrSource, `pulumi: to map: a: ambiguous source of an asset: expected a source that is not empty`},
		{to(field("a", value.URIArchive(""))), pulumi.ErrSource, ``},
		{to(field("a", value.Secret(value.UnknownOf(value.KindBool)))), pulumi.ErrHint, `pulumi: to map: a: expected kind of an unknown cannot be kept: expected an unknown string`},
		{failed(pulumi.ToArray(value.Object(), pulumi.DropHints)), pulumi.ErrKind, `pulumi: to array: no kind of property: expected array, found object`},
		{failed(pulumi.ToArray(value.Array().WithDependencies("u"), pulumi.DropHints)), pulumi.ErrMarks, ``},
		{failed(pulumi.FromURN("hidden")), pulumi.ErrURN, `pulumi: from urn: no urn: expected "urn:pulumi:"`},
	})
}

// TestDeepModels: the deepest value has a model, and what is deeper is an error.
func TestDeepModels(t *testing.T) {
	v := value.Null()
	for range value.MaxDepth {
		v = value.Array(v)
	}
	if _, err := pulumi.ToValue(v, pulumi.DropHints); err != nil {
		t.Errorf("%T", err)
	}
	old, now := value.Number(1), value.Number(2)
	for range value.MaxDepth {
		old, now = field("a", old), field("a", now)
	}
	d := diff.Between(old, now, diff.Options{})
	if _, err := pulumi.ToObjectDiff(d, old, pulumi.DropHints); err != nil {
		t.Errorf("%T", err)
	}
	if _, err := pulumi.ToResourceObjectDiff(d, old); err != nil {
		t.Errorf("%T", err)
	}
	loop := &resource.ObjectDiff{Updates: map[resource.PropertyKey]resource.ValueDiff{}}
	loop.Updates["a"] = resource.ValueDiff{Object: loop}
	if _, _, err := pulumi.FromResourceObjectDiff(loop); !errors.Is(err, pulumi.ErrDepth) {
		t.Errorf("%T", err)
	}
	elems := &property.ArrayDiff{Updates: map[int]property.ValueDiff{}}
	elems.Updates[0] = property.ValueDiff{Array: elems}
	if _, _, err := pulumi.FromObjectDiff(&property.ObjectDiff{Updates: map[string]property.ValueDiff{"a": {Array: elems}}}); !errors.Is(err, pulumi.ErrDepth) {
		t.Errorf("%T", err)
	}
}

// TestZeroModels: what is empty or nil in either model is something here.
func TestZeroModels(t *testing.T) {
	for i, row := range []struct {
		p    property.Value
		want value.Value
	}{
		{property.Value{}, value.Null()},
		{property.New(property.Map{}), value.Object()},
		{property.New(property.Array{}), value.Array()},
		{property.New(map[string]property.Value(nil)), value.Null()},
		{property.New((*asset.Asset)(nil)), value.Null()},
		{property.New(&asset.Asset{}), value.TextAsset("")},
		{property.New(&archive.Archive{Hash: "abc"}), value.FileArchive("").WithHash("abc").DropContent()},
		{property.New(&archive.Archive{Hash: "abc", Assets: map[string]any{}}), value.FileArchive("").DropContent().WithHash("abc")},
		{property.New(property.ResourceReference{}), value.ResourceReference{}.Value()},
		{property.New(property.ResourceReference{ID: property.New("")}), value.ResourceReference{ID: value.UnknownID()}.Value()},
		{property.Value{}.WithSecret(true), value.Secret(value.Null())},
		{property.New(property.Computed).WithSecret(true).WithDependencies([]resource.URN{"b", "a", "b"}), value.Secret(value.Unknown().WithDependencies("a", "b"))},
		{property.New(math.Copysign(0, -1)), value.Number(math.Copysign(0, -1))},
	} {
		if got, err := pulumi.FromValue(row.p); err != nil || !got.Identical(row.want) {
			t.Errorf("row %d: %v, %#v, want %#v", i, err, got, row.want)
		}
	}
	for i, v := range []value.Value{{}, value.Object(), value.Array(), value.FileArchive("").DropContent(), value.TextAsset(""), value.ResourceReference{}.Value()} {
		p, err := pulumi.ToValue(v, pulumi.RefuseHints)
		if err != nil {
			t.Errorf("row %d: %v", i, err)
			continue
		}
		if back, err := pulumi.FromValue(p); err != nil || !back.Identical(v) {
			t.Errorf("row %d: %v, %#v came back as %#v", i, err, v, back)
		}
	}
	if u, err := pulumi.FromURN(""); err != nil || !u.IsZero() || pulumi.ToURN(u) != "" {
		t.Error(u, err)
	}
	if m, err := pulumi.ToMap(value.Object(), 255); err != nil || m.Len() != 0 {
		t.Error(m, err)
	}
	if _, err := pulumi.ToMap(field("a", value.UnknownOf(value.KindBool)), 255); !errors.Is(err, pulumi.ErrHint) {
		t.Error(err)
	}
}

// TestModelOfAPart: what was handed out of a secret is a secret in the SDK.
func TestModelOfAPart(t *testing.T) {
	v, _ := field("a", value.Secret(field("b", value.String("x")))).At(path.MustParse("a.b"))
	p, err := pulumi.ToValue(v, pulumi.RefuseHints)
	if err != nil || !p.Secret() {
		t.Errorf("%v %#v", err, p)
	}
}

func TestGlobErrors(t *testing.T) {
	long := strings.Repeat("k", 1<<14)
	var some path.Path
	for range 65 {
		some = some.Member(long[1:])
	}
	many := make([]path.Step, 1_000_000)
	for i := range many {
		many[i] = path.Index(i % 100)
	}
	beyond := property.NewSegment(1 << 31)
	checkErrors(t, []errorRow{
		{failed(pulumi.FromPath(property.PathFromSegments(property.NewSegment("a"), beyond))), pulumi.ErrRange, `pulumi: from path: a: index out of range: expected index from 0 to 2147483647, found 2147483648`},
		{failed(pulumi.FromGlob(property.GlobFromSegments(property.Splat, beyond))), pulumi.ErrRange, `pulumi: from glob: index out of range: expected index from 0 to 2147483647, found 2147483648`},
		{failed(pulumi.FromSegment(nil)), pulumi.ErrKind, `pulumi: from segment: no kind of property: expected key or index, found <nil>`},
		{failed(pulumi.FromGlobSegment(nil)), pulumi.ErrKind, `pulumi: from glob segment: no kind of property: expected key or index, found <nil>`},
		{failed(pulumi.FromGlobSegment(beyond)), pulumi.ErrRange, ``},
		{failed(pulumi.ToPath(path.Of(path.Key("a"), path.Key(long)))), pulumi.ErrLong, `pulumi: to path: a: too long a path: expected at most 16383 bytes of a key, found 16384`},
		{failed(pulumi.ToPath(some)), pulumi.ErrLong, ``},
		{failed(pulumi.ToPath(path.Of(many...))), pulumi.ErrLong, `pulumi: to path: too long a path: expected at most 10000 steps, found 1000000`},
		{failed(pulumi.ToGlob(path.Of(many...).Pattern())), pulumi.ErrLong, `pulumi: to glob: too long a path: expected at most 10000 steps, found 1000000`},
		{failed(pulumi.ToGlob(path.PatternOf(path.Any(), path.Key(long)))), pulumi.ErrLong, `pulumi: to glob: too long a path: expected at most 16383 bytes of a key, found 16384`},
		{failed(pulumi.ToSegment(path.Key(long))), pulumi.ErrLong, ``},
		{failed(pulumi.ToGlobSegment(path.Key(long))), pulumi.ErrLong, ``},
	})
}

func TestSegments(t *testing.T) {
	for _, s := range []path.Step{path.Key(""), path.Key("*"), path.Key("\xff"), path.Index(0), path.Index(path.MaxIndex), {}} {
		theirs, err := pulumi.ToSegment(s)
		if err != nil {
			t.Errorf("%v: %v", s, err)
			continue
		}
		if back, err := pulumi.FromSegment(theirs); err != nil || back != s {
			t.Errorf("%v came back as %v, %v", s, back, err)
		}
		glob, err := pulumi.ToGlobSegment(s)
		if err != nil {
			t.Errorf("%v: %v", s, err)
			continue
		}
		if back, err := pulumi.FromGlobSegment(glob); err != nil || back != s {
			t.Errorf("%v came back as %v, %v", s, back, err)
		}
	}
	splat, err := pulumi.ToGlobSegment(path.Any())
	if back, err2 := pulumi.FromGlobSegment(splat); err != nil || err2 != nil || !back.IsWildcard() {
		t.Error(back, err, err2)
	}
}
