package fuzz_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestCanaryIsFound writes a canary in every way that Check promises to see.
func TestCanaryIsFound(t *testing.T) {
	c := fuzz.NewCanary(7)
	text := c.Text()
	asset, _ := value.TextAsset(text).AsAsset()
	digest, _ := asset.Hash()

	for name, written := range map[string]string{
		"as it is": "password=" + text + ";", "cut behind": text[:7] + "...", "cut in front": "..." + text[len(text)-7:], "middle": "x" + text[5:18] + "y",
		"upper case": strings.ToUpper(text), "quoted": strconv.Quote(text), "hex": hex.EncodeToString([]byte(text)), "% x": fmt.Sprintf("% x", text),
		"%X": fmt.Sprintf("%X", text), "%# x": fmt.Sprintf("%# x", text), "%#v": fmt.Sprintf("%#v", []byte(text)),
		"%c": fmt.Sprintf("%c", []byte(text)), "%q": fmt.Sprintf("%q", []rune(text)), "%U": fmt.Sprintf("%U", []rune(text)), "%b": fmt.Sprintf("%b", []byte(text)),
		"%o": fmt.Sprintf("%o", []byte(text)), "base64": base64.StdEncoding.EncodeToString([]byte("a:" + text)), "base64, 1": base64.URLEncoding.EncodeToString([]byte("b" + text)),
		"base64, 0": base64.RawStdEncoding.EncodeToString([]byte(text)), "digest": "asset(text:" + digest[:7] + ")", "%d": fmt.Sprintf("%d", []byte(text)),
	} {
		err := c.Check(written)
		if err == nil {
			t.Errorf("%s: not found in %q", name, written)

			continue
		}

		if other := fuzz.NewCanary(8).Check(written); other != nil {
			t.Errorf("%s: another canary found itself in %q: %v", name, written, other)
		}
	}

	for _, clean := range []string{"", "[secret]", text[:4], hex.EncodeToString([]byte("another text")), strings.Repeat("ghjkmnpq", 20)} {
		if err := c.Check(clean); err != nil {
			t.Errorf("%q: %v", clean, err)
		}
	}
}

// TestCanaryHides: every place is a secret of its own, and its canary is found by
// GoSource, which reveals.
func TestCanaryHides(t *testing.T) {
	c := fuzz.NewCanary(9)

	for _, at := range fuzz.Places() {
		v := c.Hide(at)
		if !v.OwnSecret() || c.Check(fuzz.GoSource(v)) == nil || c.Check(v.String()) != nil {
			t.Errorf("%v: %v, %s", at, v, fuzz.GoSource(v))
		}

		if at.String() == "" || at.String() == "in no place" {
			t.Errorf("%d has no name", at)
		}
	}

	bag := value.Object(value.Member{Key: "a", Value: value.Array(value.Null())})

	planted, ok := c.Plant(bag, path.MustParse("a[0]"), fuzz.InKey)
	if !ok || !planted.ContainsSecret() || planted.String() != "{a: [[secret]]}" {
		t.Errorf("planted %v, %v", planted, ok)
	}

	if same, ok := c.Plant(bag, path.MustParse("b.c"), fuzz.InKey); ok || !same.Identical(bag) {
		t.Errorf("planted %v where nothing is", same)
	}
}

// TestCanaryIsNoNumber: a text may hold seven decimal digits by chance, such as those of an
// address, so no canary is found by its digest in decimal digits.
func TestCanaryIsNoNumber(t *testing.T) {
	for seed := range uint64(500) {
		sum := sha256.Sum256([]byte(fuzz.NewCanary(seed).Text()))
		if begin := hex.EncodeToString(sum[:])[:7]; !strings.ContainsAny(begin, "abcdef") {
			t.Errorf("the digest of canary %d begins with %s", seed, begin)
		}
	}
}
