package fuzz

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// Law17Determinism: the order in which members were given, maps, sharing of memory
// and how a value was built make no difference to any text, encoding, digest or
// diff. (That they are the same on other machines, files of known digests tell.)
func Law17Determinism(t *rapid.T) {
	pair := drawPair(t, Pairs(Options{}))
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
	children := kids(v)
	for i := range children {
		children[i].v = shuffled(t, children[i].v)
	}

	if v.Kind() != value.KindObject {
		return rebuilt(v, children)
	}

	byKey := map[string]value.Value{}

	var build value.Builder

	for _, c := range rapid.Permutation(children).Draw(t, "order") {
		key, _ := c.step.Key()
		byKey[key] = c.v
		build.PushMember(key, c.v)
	}

	if rapid.Bool().Draw(t, "map") {
		return remarked(value.ObjectFromMap(byKey), v)
	}

	made, _, _ := build.Object(len(children))

	return remarked(made, v)
}

// outputs are all that is written of two values, by what it is.
func outputs(v, w value.Value) map[string]string {
	digest := v.Digest()
	display, _ := v.MarshalJSON()
	encoded, err := codec.EncodeJSON(v, codec.Options{})
	masked, _ := codec.EncodeJSON(v, codec.Options{Form: codec.FormMasked, ByteStrings: codec.Keep})
	d := diff.Between(v, w, diff.Options{})
	response := d.Response(diff.ResponseOptions{})

	all := map[string]string{
		"Digest": string(digest[:]), "String": v.String(), "GoString": v.GoString(), "JSON": string(display), "EncodeJSON": string(encoded),
		"masked": string(masked), "diff": diff.Text(d, diff.TextOptions{}), "revealed": diff.Text(d, diff.TextOptions{Secrets: diff.RevealSecrets}),
	}
	if err != nil {
		all["error"] = err.Error()
	}

	for _, e := range response.Detailed {
		all["detailed"] += e.Key + " " + e.Kind.String() + "\n"
	}

	for c := range d.Leaves() {
		all["leaves"] += c.String() + "\n"
	}

	return all
}
