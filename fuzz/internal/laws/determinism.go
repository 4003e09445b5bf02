package laws

import (
	"maps"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Law17Determinism is the law that the order in which members were given, maps, sharing of memory
// and how a value was built make no difference to any text, encoding, digest or
// diff. (That they are the same on other machines, files of known digests show.)
func Law17Determinism(t *rapid.T) {
	pair := drawPair(t, rapid.OneOf(fuzz.Pairs(fuzz.Options{}), fuzz.ListPairs(fuzz.Options{})))
	old, now := shuffled(t, pair.Old), shuffled(t, pair.New)

	want, got := outputs(pair.Old, pair.New), outputs(old, now)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if want[name] != got[name] {
			t.Fatalf("%s is\n%s\nand, built in another order,\n%s", name, want[name], got[name])
		}
	}
}

// shuffled is v with every object built in another way and order.
func shuffled(t *rapid.T, v value.Value) value.Value {
	children := trees.Children(v)
	for i := range children {
		children[i].Value = shuffled(t, children[i].Value)
	}
	if v.Kind() != value.KindObject {
		return trees.Rebuild(v, children)
	}
	byKey := map[string]value.Value{}
	var build value.Builder
	for _, c := range rapid.Permutation(children).Draw(t, "order") {
		key, _ := c.Step.AsKey()
		byKey[key] = c.Value
		build.PushMember(key, c.Value)
	}

	if rapid.Bool().Draw(t, "map") {
		return trees.WithMarks(value.ObjectFromMap(byKey), v)
	}

	made, _, _ := build.Object(len(children))
	return trees.WithMarks(made, v)
}

// outputs are all that is written of two values, by what it is.
func outputs(v, w value.Value) map[string]string {
	digest := v.Digest()
	display, _ := v.MarshalJSON()
	encoded, err := codec.AppendJSONValue(nil, v, codec.Options{})
	masked, _ := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormMasked, ByteStrings: codec.Keep})
	d := diff.Between(v, w, diff.Options{})
	response := provider.Differ{}.Respond(d)
	all := map[string]string{
		"Digest": string(digest[:]), "String": v.String(), "GoString": v.GoString(), "JSON": string(display), "AppendJSONValue": string(encoded),
		"masked": string(masked), "diff": render.Text(d, render.Options{}), "revealed": render.Text(d, render.Options{Secrets: value.RevealSecrets}),
	}
	if err != nil {
		all["error"] = err.Error()
	}

	for _, how := range []diff.Match{diff.Aligned(), diff.Unordered(), diff.Keyed(path.MustParse("name"))} {
		for c := range diff.Between(v, w, diff.Options{Arrays: how}).Changes() {
			all[how.String()] += c.Op().String() + " " + c.OldPath().String() + " " + c.String() + "\n"
		}
	}

	for _, e := range response.Detailed {
		all["detailed"] += e.Key + " " + e.Kind.String() + "\n"
	}
	for c := range d.Leaves() {
		all["leaves"] += c.String() + "\n"
	}
	return all
}

// Law17WideObjects is the law that an object of many members, whose keys have much in common, has
// them sorted and the last of each key, however it was built.
func Law17WideObjects(t *rapid.T) {
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 9, 15, 16, 17, 31, 47, 48, 49, 100, 127, 128, 129, 300}).Draw(t, "members")
	keys := rapid.SliceOfN(similarKeys(), n, n).Draw(t, "keys")
	byKey := map[string]value.Value{}
	members := make([]value.Member, 0, len(keys))
	var build value.Builder
	for i, k := range keys {
		v := value.Number(float64(i))
		byKey[k] = v
		members = append(members, value.Member{Key: k, Value: v})
		build.PushMember(k, v)
	}
	v := value.Object(members...)
	built, _, double := build.Object(len(keys))
	if got, want := slices.Collect(v.Keys()), slices.Sorted(maps.Keys(byKey)); !slices.Equal(got, want) {
		t.Fatalf("the keys are\n%q\nnot\n%q", got, want)
	}
	if double != (len(byKey) < len(keys)) {
		t.Fatalf("a key twice: %v, of %q", double, keys)
	}

	for k, want := range byKey {
		if got := v.Field(k); !got.Identical(want) {
			t.Fatalf("%q is %v, should be %v", k, got, want)
		}
	}

	fromMap := value.ObjectFromMap(byKey)
	if !built.Identical(v) || !fromMap.Identical(v) || built.Digest() != v.Digest() || fromMap.Digest() != v.Digest() {
		t.Fatalf("built in other ways, the object is another: %v, %v, %v", v, built, fromMap)
	}
}

// similarKeys are keys of which many begin alike.
func similarKeys() *rapid.Generator[string] {
	begin := rapid.SampledFrom([]string{"", "k", "tags.", "kubernetes.io/", "\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"})
	end := rapid.OneOf(rapid.StringOfN(rapid.RuneFrom([]rune("ab\x00")), 0, 9, -1), anyTexts())
	return rapid.Custom(func(t *rapid.T) string { return begin.Draw(t, "begin") + end.Draw(t, "end") })
}
