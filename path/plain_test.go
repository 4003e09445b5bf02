package path_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

// The way for plain texts says what the way for all says, or nothing; and it is the
// way of texts that are plain.
func TestParsePlain(t *testing.T) {
	pieces := []string{
		"a", "b_7", "longer", "exactly8", "ninechars", "sixteen_chars_16", strings.Repeat("x", 31), strings.Repeat("y", 32),
		".", ".", "[", "]", "[*]", "*", `["*"]`, "[0]", "[31]", "[32]", "[007]", "[-1]", "[2147483647]", "[2147483648]",
		`["`, `"]`, `["a.b"]`, `["\""]`, `["\\"]`, "\x00", "\xff", "é", "-", "/", "[\x00]", "",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	plains := 0
	for range 200_000 {
		var b strings.Builder
		for range rng.IntN(7) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := b.String()
		for i := range 4 {
			plain, ok, all, err := path.ParseBoth(text, i&1 != 0, i&2 != 0)
			if ok {
				plains++
			}
			if ok && (err != nil || plain != all) {
				t.Fatalf("%q, way %d: %q, wanted %q, %v", text, i, plain, all, err)
			}
		}
	}
	if plains < 50_000 {
		t.Errorf("only %d texts were plain", plains)
	}
	for _, text := range []string{"", "a", "tags.env", "spec.containers[0].image", `tags["a.b"].c`, "props[32]"} {
		if _, ok, _, _ := path.ParseBoth(text, true, false); !ok {
			t.Errorf("%q is not plain", text)
		}
	}
}
