package patch_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"

	"pgregory.net/rapid"
)

// FuzzUnmarshal: no text makes it panic; what is accepted can be worked with like
// any diff, and is written back as it is.
func FuzzUnmarshal(f *testing.F) {
	old := obj("a", num(1), "list", arr(obj("name", str("x"), "v", num(1)), str("y"), value.Unknown()), "s", value.Secret(obj("k", str("l"))), "n", value.Null())
	now := obj("a", value.Unknown(), "list", arr(str("y"), obj("name", str("x"), "v", num(2)), str("z")), "s", value.Secret(obj("k", str("m"))).WithDependencies("urn"), "n", num(1))
	for _, how := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Unordered(), diff.Auto()} {
		for _, o := range []patch.Options{{}, {Secrets: value.RevealSecrets, Base: patch.Fingerprint(old)}} {
			text, err := patch.Marshal(diff.Between(old, now, diff.Options{Relation: value.Engine, Arrays: how}), o)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := patch.Unmarshal(text, patch.Options{})
		if err != nil {
			if e := (*patch.Error)(nil); !errors.As(err, &e) || e.Unwrap() == nil || e.Offset > len(text) || !p.Diff().Empty() {
				t.Fatalf("%#v", err)
			}
			return
		}
		d := p.Diff()
		again, err := patch.Marshal(d, patch.Options{Secrets: value.RevealSecrets, Base: p.Base()})
		if err != nil {
			if !slices.ContainsFunc(append(unwritable, codec.ErrDepth), func(cause error) bool { return errors.Is(err, cause) }) {
				t.Fatalf("marshal: %v", err)
			}
			return
		}
		q, err := patch.Unmarshal(again, patch.Options{})
		if err != nil || !q.Diff().Equal(d) || q.Base() != p.Base() {
			t.Fatalf("%v\n%s\n%s", err, text, again)
		}
		for _, v := range []value.Value{old, now, {}} {
			if next, err := p.Diff().Apply(v); err == nil {
				if back, err := d.Invert().Apply(next); err != nil || !d.Relation().Equal(back, v) {
					t.Fatalf("inverse: %v\n%s", err, text)
				}
			}
		}
		_ = provider.Differ{}.Respond(d)
		for c := range d.Leaves() {
			_ = c.Path()
		}
	})
}

// FuzzRequests: a JSON Patch and a merge patch of any two values do what they say, or are
// refused, and a field mask names what changed.
func FuzzRequests(f *testing.F) {
	fuzz.Native(f, func(t *rapid.T) {
		replays(t, map[string]int{})
		merges(t)
		masks(t)
	})
}

// FuzzReadRequests: no text makes reading panic; what is accepted is a diff of the base,
// what is not is an error without content.
func FuzzReadRequests(f *testing.F) {
	for _, text := range []string{
		`[{"op":"add","path":"/list/-","value":{"a":[1]}},{"op":"move","from":"/list/0","path":"/secret/x"},{"op":"copy","from":"","path":"/m~0n~1o"}]`,
		`[{"op":"test","path":"/a","value":1},{"op":"replace","path":"/deep/s","value":null},{"op":"remove","path":"/few/1"}]`,
		`{"a":null,"deep":{"s":6},"list":[1,{"x":null}],"new":{"a":null,"b":"c"}}`,
	} {
		f.Add([]byte(text))
	}
	base := readBase()
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, read := range []func([]byte, value.Value, patch.Options) (diff.Diff, error){patch.ReadJSONPatch[[]byte], patch.ReadMergePatch[[]byte]} {
			d, err := read(text, base, patch.Options{})
			if e := (*patch.Error)(nil); err != nil && (!errors.As(err, &e) || e.Unwrap() == nil || e.Offset > len(text) || !d.Empty()) {
				t.Fatalf("%#v", err)
			}
			now, err := d.Apply(base)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := d.Invert().Apply(now); err != nil || !back.Equal(base) {
				t.Fatalf("inverse: %v", err)
			}
			for _, name := range []string{"secret", "deep", "few"} {
				if at, there := now.Lookup(name); there && base.Field(name).IsSecret() && !at.IsSecret() {
					t.Fatalf("%s is public", name)
				}
			}
		}
	})
}
