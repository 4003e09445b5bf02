package patch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"

	"pgregory.net/rapid"
)

func ExampleFieldMask() {
	old := value.Object(
		value.Field("cidrBlock", value.String("10.0.0.0/8")), value.Field("labels", value.Object(value.Field("a.b/c", value.String("x")))),
		value.Field("rules", value.Array(value.Object(value.Field("port", value.Number(1))))),
		value.Field("settings", value.Object(value.Field("diskSize", value.Number(1)), value.Field("tier", value.String("x")))),
	)
	now := value.Object(
		value.Field("cidrBlock", value.String("10.1.0.0/16")), value.Field("labels", value.Object(value.Field("a.b/c", value.String("y")))),
		value.Field("rules", value.Array(value.Object(value.Field("port", value.Number(2))))),
		value.Field("settings", value.Object(value.Field("diskSize", value.Number(2)), value.Field("tier", value.String("x")))),
	)
	mask, err := patch.FieldMask(diff.Between(old, now, diff.Options{}), patch.MaskOptions{Maps: path.MustSet("labels"), SnakeCase: true})
	fmt.Println(mask, err)
	// Output: [cidr_block labels rules settings.disk_size] <nil>
}

// masks draws two values, and compares the mask of their diff with the changes: each is
// below a path, and each path has one below.
func masks(t *rapid.T) {
	pair := drawRequest(t)
	d := diff.Between(pair.Old, pair.New, diff.Options{})
	mask, err := patch.FieldMask(d, patch.MaskOptions{})
	if err != nil {
		return
	}
	used := map[string]bool{}
	for c := range d.Changes() {
		if !c.ValueChanged() {
			continue
		}
		names, covered := []string{}, slices.Contains(mask, "*")
		used["*"] = true
		for step := range c.Path().Steps() {
			key, _ := step.AsKey()
			names = append(names, key)
			text := strings.Join(names, ".")
			covered = covered || slices.Contains(mask, text)
			used[text] = true
		}
		if !covered {
			t.Fatalf("%v changed, and is not in %q", c.Path(), mask)
		}
	}
	for i, text := range mask {
		if !used[text] || (i > 0 && (text <= mask[i-1] || strings.HasPrefix(text, mask[i-1]+"."))) {
			t.Fatalf("%q of %q is not needed", text, mask)
		}
	}
}

func TestFieldMaskCovers(t *testing.T) { rapid.Check(t, masks) }

func TestFieldMask(t *testing.T) {
	object := func(key string, v value.Value) value.Value { return value.Object(value.Field(key, v)) }
	reordered := diff.Between(
		object("a", value.Array(value.Number(1), value.Number(2))), object("a", value.Array(value.Number(2), value.Number(1))), diff.Options{Arrays: diff.Aligned()})

	if got, err := patch.FieldMask(reordered, patch.MaskOptions{}); err != nil || !slices.Equal(got, []string{"a"}) {
		t.Errorf("another order: %q, %v", got, err)
	}

	keyed := diff.Between(
		object("a", value.Array(object("id", value.Number(1)), object("id", value.Number(2)))), object("a", value.Array(object("id", value.Number(2)), object("id", value.Number(1)))),
		diff.Options{Arrays: diff.Keyed(path.MustParse("id"))})
	if got, err := patch.FieldMask(keyed, patch.MaskOptions{}); err != nil || !slices.Equal(got, []string{"a"}) {
		t.Errorf("another order of keys: %q, %v", got, err)
	}

	for _, c := range []struct {
		old, now value.Value
		maps     *path.Set
		want     []string
		failed   string
	}{
		{value.Null(), value.Number(1), nil, []string{"*"}, ""},
		{value.Number(1), value.Number(1), nil, nil, ""},
		{value.Number(1), value.Secret(value.Number(1)), nil, nil, ""},
		{object("a", value.Secret(object("canary", value.Null()))), object("a", value.Secret(value.Object())), nil, []string{"a"}, ""},
		{object("a", object("b.c", value.Null())), object("a", value.Object()), nil, nil, `patch: write field mask: a["b.c"]: rejected by policy: expected the name of a field`},
		{object("a", object("b.c", value.Null())), object("a", value.Object()), path.MustSet("a"), []string{"a"}, ""},
		{object("a", object("", object("x", value.Null()))), object("a", object("", value.Object())), path.MustSet("[*]"), []string{"a"}, ""},
		{object("a", object("b", value.Null())), value.Object(value.Field("ab", value.Null()), value.Field("a", value.Object())), nil, []string{"a.b", "ab"}, ""},
		{object("a", value.Number(1)), value.Object(value.Field("ab", value.Null())), nil, []string{"a", "ab"}, ""},
		{object("aB", value.Null()), object("a1", value.Null()), nil, []string{"a1", "aB"}, ""},
		{object("A", value.Null()), value.Object(), nil, nil, "patch: write field mask: A: rejected by policy: expected the name of a field"},
	} {
		got, err := patch.FieldMask(diff.Between(c.old, c.now, diff.Options{}), patch.MaskOptions{Maps: c.maps})
		if !slices.Equal(got, c.want) || (err == nil) != (c.failed == "") || (err != nil && err.Error() != c.failed) {
			t.Errorf("%v, %v: %q, %v", c.old, c.now, got, err)
		}
	}
}

// stair is an object of so many levels with a leaf at each.
func stair(levels int, leaf value.Value) value.Value {
	v := obj("n", leaf)
	for range levels {
		v = obj("k", v, "n", leaf)
	}
	return v
}

// TestFieldMaskIsBounded: the list has at most path.MaxListed bytes, after which it names
// top-level fields.
func TestFieldMaskIsBounded(t *testing.T) {
	const levels = 9_000 // some 80 MB of paths
	d := diff.Between(obj("a", stair(levels, num(1)), "b", num(1)), obj("a", stair(levels, num(2)), "b", num(2)), diff.Options{})
	var mask []string
	var err error
	took := kit.Allocated(func() { mask, err = patch.FieldMask(d, patch.MaskOptions{Maps: path.MustSet("labels", "z")}) })
	if err != nil || !slices.Equal(mask, []string{"a", "b"}) || took > 2*path.MaxListed {
		t.Errorf("%d paths, %d bytes, %v", len(mask), took, err)
	}

	d = diff.Between(stair(9, num(1)), stair(9, num(2)), diff.Options{})
	if mask, err = patch.FieldMask(d, patch.MaskOptions{}); err != nil || len(mask) != 10 || mask[0] != strings.Repeat("k.", 9)+"n" || mask[9] != "n" {
		t.Errorf("%q, %v", mask, err)
	}
}
