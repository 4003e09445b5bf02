package pulumi_test

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// one is a value of the new model with one member.
func one(key string, p property.Value) property.Value {
	return property.New(property.NewMap(map[string]property.Value{key: p}))
}

// fromNew is what the adapter makes of a value of the new model.
func fromNew(p property.Value) value.Value {
	v, err := pulumi.FromValue(p)
	if err != nil {
		panic(err)
	}
	return v
}

func way(steps ...string) property.Path {
	var segments []property.PathSegment
	for _, s := range steps {
		segments = append(segments, property.NewSegment(s))
	}
	return property.PathFromSegments(segments...)
}

func modelEditDifferences() []difference {
	secret := one("a", one("b", property.New("x")).WithSecret(true))
	unknown := one("a", property.New(property.Computed))
	list := property.New(property.NewArray([]property.Value{property.New("x")}))
	ragged := property.New(property.NewArray([]property.Value{one("x", property.New(1.0)), one("y", property.New(2.0))}))
	return []difference{
		{
			"set-below-a-mark",
			func() string {
				p, err := way("a", "b").Set(secret, property.New("hunter2"))
				return fmt.Sprint("secret: ", p.HasSecrets(), ", ", err)
			},
			func() string {
				v, err := fromNew(secret).With(path.MustParse("a.b"), value.String("hunter2"))
				return fmt.Sprint("secret: ", v.ContainsSecret(), ", ", err)
			},
			"secret: false, <nil>", "secret: true, <nil>",
		},
		{
			"part-of-a-secret",
			func() string {
				p, err := way("a", "b").Get(secret)
				return fmt.Sprint("secret: ", p.Secret(), ", ", err)
			},
			func() string {
				v, ok := fromNew(secret).At(path.MustParse("a.b"))
				return fmt.Sprint("secret: ", v.IsSecret(), ", ", ok)
			},
			"secret: false, <nil>", "secret: true, true",
		},
		{
			"step-into-an-unknown",
			func() string { _, err := way("a", "b").Get(unknown); return fmt.Sprint(err) },
			func() string { v, ok := fromNew(unknown).At(path.MustParse("a.b")); return fmt.Sprint(v, " ", ok) },
			"expected a map, found a computed", "[unknown] true",
		},
		{
			"append-by-index",
			func() string {
				_, err := property.PathFromSegments(property.NewSegment(1)).Set(list, property.New("y"))
				return fmt.Sprint(err)
			},
			func() string {
				v, err := fromNew(list).With(path.MustParse("[1]"), value.String("y"))
				return fmt.Sprint(v, " ", err)
			},
			"index 1 out of bounds of an array of length 1", `["x", "y"] <nil>`,
		},
		{
			"glob-over-mixed-parts",
			func() string {
				found, err := property.GlobFromSegments(property.Splat, property.NewSegment("x")).Get(ragged)
				return fmt.Sprint(len(found), " places, ", err)
			},
			func() string {
				n, pattern := 0, path.MustParsePattern("[*].x")
				for c := range fromNew(ragged).Walk() {
					if pattern.Matches(c.Path()) {
						n++
					}
				}
				return fmt.Sprint(n, " place")
			},
			`0 places, missing key "x" in map`, "1 place",
		},
	}
}

func modelEqualityDifferences() []difference {
	reference := func(id property.Value) property.Value {
		return property.New(property.ResourceReference{URN: "u", ID: id})
	}
	known, unknown, none := reference(property.New("i")), reference(property.New(property.Computed)), reference(property.Value{})
	null, empty := property.NewMap(map[string]property.Value{"a": {}}), property.Map{}
	file := property.New(&asset.Asset{Path: "no/such/file"})
	again := file
	return []difference{
		{
			"unknown-id-equals-all",
			func() string { return fmt.Sprint(known.Equals(unknown), unknown.Equals(none), known.Equals(none)) },
			func() string {
				return fmt.Sprint(fromNew(known).Equal(fromNew(unknown)), fromNew(unknown).Equal(fromNew(none)), fromNew(known).Equal(fromNew(none)))
			},
			"true true false", "false false false",
		},
		{
			"no-difference-of-unequal",
			func() string { return fmt.Sprint("equal: ", null.Equals(empty), ", differ: ", null.Diff(empty) != nil) },
			func() string {
				v, w := fromNew(property.New(null)), fromNew(property.New(empty))
				var said []string
				for _, r := range []value.Relation{value.Strict, value.NullAsMissing} {
					said = append(said, fmt.Sprint("equal: ", r.Equal(v, w), ", differ: ", !diff.Between(v, w, diff.Options{Relation: r}).Empty()))
				}
				return strings.Join(said, "; ")
			},
			"equal: false, differ: false", "equal: false, differ: true; equal: true, differ: false",
		},
		{
			"equality-that-reads-files",
			func() string { return fmt.Sprint("equal: ", file.Equals(again)) },
			func() string { return fmt.Sprint("equal: ", fromNew(file).Equal(fromNew(again))) },
			"equal: false", "equal: true",
		},
		{
			"equality-that-writes",
			func() string {
				text := property.New(&asset.Asset{Text: "t"})
				before := text.AsAsset().Hash
				copied := text
				text.Equals(copied)
				return fmt.Sprint("changed: ", text.AsAsset().Hash != before)
			},
			func() string {
				v := value.FileAsset("f")
				before := v.Digest()
				w := v
				v.Equal(w)
				return fmt.Sprint("changed: ", v.Digest() != before)
			},
			"changed: true", "changed: false",
		},
	}
}

func modelMarkDifferences() []difference {
	marked := one("a", property.New("x").WithSecret(true)).WithSecret(true)
	once := one("a", property.New("x")).WithSecret(true)
	return []difference{
		{
			"mark-below-a-mark",
			func() string { return fmt.Sprint("equal: ", marked.Equals(once)) },
			func() string { return fmt.Sprint("equal: ", fromNew(marked).Equal(fromNew(once))) },
			"equal: false", "equal: true",
		},
		{
			"key-that-is-long",
			func() string {
				k := strings.Repeat("k", 1<<14)
				m := property.NewMap(map[string]property.Value{k: property.New(1.0)})
				return fmt.Sprint(m.Diff(m.Set(k, property.New(2.0))) != nil)
			},
			func() string {
				k := strings.Repeat("k", 1<<14)
				d := diff.Between(value.Object(value.Member{Key: k, Value: value.Number(1)}), value.Object(value.Member{Key: k, Value: value.Number(2)}), diff.Options{})
				return fmt.Sprint(d.Len(), " change")
			},
			"panic", "1 change",
		},
		{
			"secret-in-text-of-the-new-model",
			func() string { return fmt.Sprintf("%v", property.New("hunter2").WithSecret(true)) },
			func() string { return fmt.Sprintf("%v", fromNew(property.New("hunter2").WithSecret(true))) },
			"{true [] hunter2}", "[secret]",
		},
		{
			"go-syntax-of-large-numbers",
			func() string { return fmt.Sprintf("%#v", property.New(1e21)) },
			func() string { return fmt.Sprintf("%#v", value.Number(1e21)) },
			"property.New(1000000000000000000000)", "value.Number(1e+21)",
		},
	}
}

func betweenModelsDifferences() []difference {
	inner := resource.NewProperty(resource.Output{Element: resource.NewProperty("x"), Known: true, Dependencies: []resource.URN{"urn:b"}})
	outer := resource.NewProperty(resource.Output{Element: inner, Known: true, Dependencies: []resource.URN{"urn:a"}})
	late := resource.NewProperty(resource.Output{Element: resource.MakeSecret(resource.NewProperty("x"))})
	odd := resource.NewProperty(&archive.Archive{Assets: map[string]any{"a": 1}})
	return []difference{
		{
			"dependencies-of-an-inner-output",
			func() string { return fmt.Sprint(resource.FromResourcePropertyValue(outer).Dependencies()) },
			func() string {
				v, err := pulumi.FromPropertyValue(outer)
				return fmt.Sprintf("%#v %v", v, err)
			},
			"[urn:a]", `value.String("x").WithDependencies("urn:a", "urn:b") <nil>`,
		},
		{
			"secret-of-an-unknown-output",
			func() string { return fmt.Sprint("secret: ", resource.FromResourcePropertyValue(late).Secret()) },
			func() string {
				v, err := pulumi.FromPropertyValue(late)
				return fmt.Sprint("secret: ", v.IsSecret(), ", ", err)
			},
			"secret: false", "secret: true, <nil>",
		},
		{
			"archive-of-anything",
			func() string { return fmt.Sprint(resource.FromResourcePropertyValue(odd).IsArchive()) },
			adapted(odd),
			"panic", "error: pulumi: from property value: a: no kind of property: expected asset or archive, found int",
		},
		{
			"path-that-changes-between-models",
			func() string {
				return fmt.Sprintf("%#v", resource.FromResourcePropertyPath(resource.PropertyPath{`C:\new`}))
			},
			func() string {
				p, err := pulumi.FromPropertyPath(resource.PropertyPath{`C:\new`})
				q, err2 := pulumi.ToPath(p)
				return fmt.Sprintf("%#v %v %v", q, err, err2)
			},
			`property.PathFromSegments(property.NewSegment("C:\new"))`, `property.PathFromSegments(property.NewSegment("C:\\new")) <nil> <nil>`,
		},
		{
			"path-that-panics-between-models",
			func() string {
				return fmt.Sprintf("%#v", resource.FromResourcePropertyPath(resource.PropertyPath{"tags", "2nd"}))
			},
			func() string {
				p, err := pulumi.FromPropertyPath(resource.PropertyPath{"tags", "2nd"})
				q, err2 := pulumi.ToPath(p)
				return fmt.Sprintf("%#v %v %v", q, err, err2)
			},
			"panic", `property.PathFromSegments(property.NewSegment("tags"), property.NewSegment("2nd")) <nil> <nil>`,
		},
	}
}
