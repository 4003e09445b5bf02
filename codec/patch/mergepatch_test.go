package patch_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"

	"pgregory.net/rapid"
)

func ExampleMergePatch() {
	old := value.Object(
		value.Field("name", value.String("logs")), value.Field("size", value.Number(1)),
		value.Field("tags", value.Object(value.Field("team", value.String("a")), value.Field("env", value.String("dev")))),
		value.Field("zones", value.Array(value.String("a"))),
	)
	now := value.Object(
		value.Field("name", value.String("logs")),
		value.Field("tags", value.Object(value.Field("team", value.String("b")), value.Field("env", value.String("dev")))),
		value.Field("zones", value.Array(value.String("a"), value.String("b"))),
	)
	text, err := patch.MergePatch(old, now, patch.Options{})
	fmt.Println(string(text), err)
	// Output: {"size":null,"tags":{"team":"b"},"zones":["a","b"]} <nil>
}

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

func TestMergePatch(t *testing.T) {
	decode := func(text string) value.Value {
		v, err := codec.DecodeJSON([]byte(text), codec.Options{})
		if err != nil {
			t.Fatal(err)
		}

		return v
	}
	secret := value.Secret(decode(`{"canary":{"deep":1}}`))

	for _, c := range []struct {
		old, now value.Value
		options  patch.Options
		want     string // or the text of the error
		cause    error
	}{
		{decode(`{"a":1}`), decode(`{"a":1}`), patch.Options{}, `{}`, nil},
		{decode(`1`), decode(`1`), patch.Options{}, `1`, nil},
		{decode(`{"a":1}`), decode(`null`), patch.Options{}, `null`, nil},
		{decode(`[1]`), decode(`{}`), patch.Options{}, `{}`, nil},
		{decode(`{"a":{"b":1,"c":2}}`), decode(`{"a":{"c":2}}`), patch.Options{}, `{"a":{"b":null}}`, nil},
		{decode(`{"a":{"b":1}}`), decode(`{"a":[{"b":null}]}`), patch.Options{}, `{"a":[{"b":null}]}`, nil},
		{decode(`{"a":null,"b":1}`), decode(`{"a":null}`), patch.Options{}, `{"b":null}`, nil},
		{decode(`{"a":null}`), decode(`{}`), patch.Options{}, `{"a":null}`, nil},
		{decode(`{"a/b\"":1}`), decode(`{"a/b\"":2}`), patch.Options{}, `{"a/b\"":2}`, nil},
		{decode(`{}`), decode(`{"a":{"b":null}}`), patch.Options{}, "patch: write merge patch: a.b: rejected by policy: found a null, which means removal", codec.ErrPolicy},
		{decode(`{"a":1}`), decode(`{"a":null}`), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a null, which means removal", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", value.Unknown())), patch.Options{}, "patch: write merge patch: a: rejected by policy: found unknown", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", secret)), patch.Options{}, "patch: write merge patch: a: rejected by policy: found secret", codec.ErrPolicy},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Secret(value.Object()))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change in a secret", codec.ErrPolicy},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Secret(value.Object()))), patch.Options{Secrets: patch.RevealSecrets}, `{"a":{"canary":null}}`, nil},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Reveal(secret))), patch.Options{}, `{}`, nil},
		{secret, value.Reveal(secret), patch.Options{}, `{}`, nil},
		{value.Object(), value.Object(value.Field("\xff", value.Null())), patch.Options{}, `patch: write merge patch: "[\"\xff\"]": not UTF-8`, codec.ErrUTF8},
		{value.Object(value.Field("a", value.Object())), value.Object(value.Field("a", value.TextAsset("x").Value())), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change that mixes an object", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", value.Secret(value.Null()))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found secret", codec.ErrPolicy},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Secret(value.TextAsset("x").Value()))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change in a secret", codec.ErrPolicy},
		{value.Object(value.Field("a", value.Unknown())), value.Object(value.Field("a", value.Object())), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change that mixes", codec.ErrPolicy},
		{value.Object(value.Field("a", value.Secret(value.Object()))), value.Object(value.Field("a", value.Secret(decode(`{"canary":null}`)))), patch.Options{Secrets: patch.RevealSecrets}, "patch: write merge patch: a[secret]: rejected by policy: found a null", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", value.Secret(decode(`{"canary":null}`)))), patch.Options{Secrets: patch.RevealSecrets}, "patch: write merge patch: a[secret]: rejected by policy: found a null", codec.ErrPolicy},
		{decode(`{"a":1}`), decode(`{"a":null,"b":null}`), patch.Options{NullAsMissing: true}, `{"a":null,"b":null}`, nil},
		{decode(`{"a":1}`), decode(`{"a":{"b":null,"c":1}}`), patch.Options{NullAsMissing: true}, `{"a":{"b":null,"c":1}}`, nil},
		{value.Object(), value.Object(value.Field("a", value.Secret(value.Null()))), patch.Options{NullAsMissing: true}, "patch: write merge patch: a: rejected by policy: found secret", codec.ErrPolicy},
		{value.Null(), value.Null(), patch.Options{Depth: -1}, "patch: write merge patch: ", codec.ErrOptions},
	} {
		got, err := patch.MergePatch(c.old, c.now, c.options)
		if (c.cause != nil && (!errors.Is(err, c.cause) || !strings.HasPrefix(err.Error(), c.want))) || (c.cause == nil && (err != nil || string(got) != c.want)) {
			t.Errorf("%v, %v: %s, %v, wanted %s", c.old, c.now, got, err, c.want)
		}
	}
}

// merged is the algorithm of RFC 7396, section 2.
func merged(target, patch value.Value) value.Value {
	if patch.Kind() != value.KindObject {
		return patch
	}
	if target.Kind() != value.KindObject {
		target = value.Object()
	}
	for name, v := range patch.Members() {
		if v.IsNull() {
			target, _ = target.Without(path.Of(path.Key(name)))
			continue
		}
		member, _ := target.Lookup(name)
		target, _ = target.WithField(name, merged(member, v))
	}
	return target
}

// merges draws two values, and applies the merge patch between them. It reports whether
// there is one.
func merges(t *rapid.T) bool {
	pair := drawRequest(t)
	nulls := rapid.Bool().Draw(t, "null as missing")
	text, err := patch.MergePatch(pair.Old, pair.New, patch.Options{Secrets: patch.RevealSecrets, NullAsMissing: nulls})
	old, oldErr := plain(pair.Old)
	now, nowErr := plain(pair.New)
	if err != nil || oldErr != nil || nowErr != nil {
		return false
	}
	made, err := codec.DecodeJSON(text, codec.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var relation value.Relation
	if nulls {
		relation = value.NullAsMissing
	}
	if got := merged(old, made); !relation.Equal(got, now) {
		t.Fatalf("%s\non %s\ngives %s\nwant  %s", text, fuzz.GoSource(old), fuzz.GoSource(got), fuzz.GoSource(now))
	}
	return true
}

func TestMergePatchReplays(t *testing.T) {
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		if merges(t) {
			n++
		}
	})
	if n == 0 {
		t.Error("no patch was made")
	}
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
			key, _ := step.Key()
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
