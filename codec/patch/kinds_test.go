package patch_test

import (
	"testing"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// TestMaskedKinds: a masked patch does not tell which kind of secret changed, nor whether it
// changed inside or as a whole.
func TestMaskedKinds(t *testing.T) {
	text := value.String
	object := func(v value.Value) value.Value { return value.Object(value.Member{Key: "k", Value: v}) }
	secrets := map[string]value.Value{
		"null": value.Null(), "text": text("x"), "number": value.Number(5), "bool": value.Bool(true),
		"object": object(text("x")), "larger object": value.Object(value.Member{Key: "k", Value: text("x")}, value.Member{Key: "l", Value: text("y")}), "empty object": value.Object(),
		"array": value.Array(text("x")), "larger array": value.Array(text("x"), text("y")), "secret inside": object(value.Secret(text("x"))),
		"dependencies": text("x").WithDependencies("urn:a"), "object with dependencies": object(text("x")).WithDependencies("urn:a"),
	}
	unsure := map[string]value.Value{"unknown": value.Unknown(), "unknown inside": object(value.Unknown())}
	around := map[string]func(value.Value) value.Value{
		"root":    func(v value.Value) value.Value { return v },
		"member":  object,
		"element": func(v value.Value) value.Value { return value.Array(v, text("z")) },
	}

	for place, wrap := range around {
		for _, secretsOf := range []value.Secrets{value.MaskSecrets, value.KeepSealed} {
			marshal := func(old, now value.Value) string {
				d := diff.Between(wrap(value.Secret(old)), wrap(value.Secret(now)), diff.Options{})
				if d.Empty() {
					return ""
				}
				out, err := patch.Marshal(d, patch.Options{Secrets: secretsOf})
				if err != nil {
					t.Errorf("%s: %v", place, err)
				}
				return string(out)
			}
			want := marshal(text("x"), text("y"))
			for a, old := range secrets {
				for b, now := range secrets {
					if got := marshal(old, now); got != want && got != "" {
						t.Errorf("%s: from %s to %s: %s\nand from a text to another: %s", place, a, b, got, want)
					}
				}
			}
			for a, old := range unsure { // what may be the same
				want := marshal(value.Unknown(), object(text("x")))
				if got := marshal(old, object(text("x"))); got != want {
					t.Errorf("%s: from %s: %s\nand from an unknown: %s", place, a, got, want)
				}
			}
		}
	}
}
