package path_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	_ "unsafe" // for go:linkname
)

// These are linked to: with a test file in package path, all that the tests import would be
// compiled once more. The lexers are handed on, and not called.

//go:linkname parsePlain github.com/propalg/propalg/path.parsePlain
func parsePlain(text string, grammar, role uint8) (packed string, ok bool)

//go:linkname parseAny github.com/propalg/propalg/path.parseAny
func parseAny(text string, lexer func(), role uint8) (packed string, err error)

//go:linkname lexCanonical github.com/propalg/propalg/path.lexCanonical
func lexCanonical()

//go:linkname lexPulumi github.com/propalg/propalg/path.lexPulumi
func lexPulumi()

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
		for i := range uint8(4) {
			grammar, role := i&1, i>>1
			plain, ok := parsePlain(text, grammar, role)
			all, err := parseAny(text, []func(){lexCanonical, lexPulumi}[grammar], role)
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
		if _, ok := parsePlain(text, 1, 0); !ok {
			t.Errorf("%q is not plain", text)
		}
	}
}
