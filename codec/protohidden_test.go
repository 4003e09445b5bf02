package codec_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
)

// Errors below a secret show the path down to the outermost secret and no more,
// wherever the signature stands, and whether the bytes are broken or mean nothing.
func TestByteErrorsBelowSecrets(t *testing.T) {
	const cut, none = "\x1a\x09x", "" // longer than it is; no kind
	is, out := sigOf(secretID), sigOf(outputID)
	yes, no := entryOf("secret", "\x20\x01"), entryOf("secret", "\x20\x00")
	in := func(bad string) string { return entryOf("value", structOf(entryOf(canary, bad))) }
	p := func(parts ...string) string { return entryOf("p", structOf(parts...)) }
	hidden, whole := "p[secret]", path.MustParse("p."+canary)
	for _, row := range []struct {
		at, data string
		shown    string
		whole    path.Path
	}{
		{here(), p(is, in(cut)), hidden, whole},
		{here(), p(in(cut), is), hidden, whole},
		{here(), p(in(none), is), hidden, whole},
		{here(), p(is, in(none)), hidden, whole},
		{here(), p(yes, in(cut), out), hidden, whole},
		{here(), p(out, in(cut), yes), hidden, whole},
		{here(), p(out, in(none), yes), hidden, whole},
		{here(), p(out, yes, in(none)), hidden, whole},
		{here(), p(out, no, in(none)), "p." + canary, whole},
		{here(), p(out, in(none)), "p." + canary, whole},
		{here(), p(out, in(cut)), "p." + canary, whole},
		{here(), p(is, entryOf("value", listOf(elemOf(structOf(entryOf(canary, nullOf, cut)))))), hidden, path.MustParse("p[0]." + canary)},
		{here(), p(is, entryOf("value", cut)), "p", path.MustParse("p")},
		{here(), p(is, chunkOf(1, chunkOf(2, structOf(entryOf(canary, cut))), chunkOf(1, "value"))), hidden, whole},                  // the key comes last
		{here(), p(is, chunkOf(1, chunkOf(2, structOf(entryOf(canary, cut))), chunkOf(1, "a"), chunkOf(1, "value"))), hidden, whole}, // and is the last one
		{here(), p(is, chunkOf(1, chunkOf(2, structOf(entryOf(canary, cut))), "\x0a\x7f")), hidden, whole},                           // and cannot be read
		{here(), entryOf("p", structOf(in(cut)), structOf(is)), hidden, whole},                                                       // merged
		{here(), chunkOf(1, chunkOf(1, "p"), chunkOf(2, structOf(in(cut))), chunkOf(2, structOf(is))), hidden, whole},                // merged
		{here(), entryOf("l", listOf(elemOf(structOf(in(cut)), structOf(is)))), "l[0][secret]", path.MustParse("l[0]." + canary)},    // merged
		{here(), entryOf("l", listOf(elemOf(structOf(in(cut))), elemOf(structOf(is)))), "l[0].value." + canary, path.MustParse("l[0].value." + canary)},
		{here(), is + in(cut), "[secret]", path.MustParse(canary)},
		{here(), is + entryOf("value", structOf(p(out, in(none)))), "[secret]", path.MustParse("p." + canary)},
		{here(), p(in(cut)) + entryOf("q", structOf(is)), "p.value." + canary, path.MustParse("p.value." + canary)},
		{here(), p(in(none), entryOf("masked", "\x20\x01")), "p.value." + canary, path.MustParse("p.value." + canary)},
		{here(), p(is, in(structOf(sigOf(canary)))), hidden, whole},
		{here(), p(is, entryOf("plaintext", textOf(`{"`+canary+`":[1e400]}`))), hidden, path.MustParse("p." + canary + "[0]")},
		{here(), p(is, in(structOf(is, entryOf("plaintext", textOf(`[tru]`))))), hidden, path.MustParse("p." + canary + "[0]")},
	} {
		_, err := codec.DecodeStruct([]byte(row.data), codec.Options{})
		checkHidden(t, row.at, err, row.shown, row.whole)
		m := new(structpb.Struct)
		if proto.Unmarshal([]byte(row.data), m) == nil {
			_, err = codec.FromStruct(m, codec.Options{})
			checkHidden(t, row.at+", message", err, row.shown, row.whole)
		}
	}
}

func checkHidden(t *testing.T, at string, err error, shown string, whole path.Path) {
	t.Helper()
	e := failure(t, err)
	if e.At.String() != shown || e.At.RevealPath() != whole {
		t.Errorf("%s: got %q, whole %q: %v", at, e.At, e.At.RevealPath(), err)
	}
	for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v %q", err, err, err, err), e.Want, e.Found} {
		if !strings.Contains(shown, canary) && strings.Contains(text, canary) {
			t.Errorf("%s: shows the canary: %s", at, text)
		}
	}
}

// Whatever is broken inside of a secret, it is not shown.
func TestBrokenSecretsAreHidden(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	secrets := []string{
		structOf(entryOf(canary, listOf(elemOf(structOf(entryOf(canary, textOf("x"), nullOf))), elemOf("\x11abcdefgh")))),
		structOf(entryOf(canary, structOf(sigOf(assetID), entryOf("text", textOf(canary))))),
		listOf(elemOf(structOf(entryOf(canary, structOf(sigOf(outputID), entryOf("value", structOf(entryOf(canary, textOf(canary))))))))),
	}
	failed := 0
	for i := range 20_000 {
		inside := mutate(rng, []byte(secrets[i%len(secrets)]), nil)
		parts := []string{sigOf(secretID), entryOf("value", string(inside))}
		if i%2 == 0 {
			parts[0], parts[1] = parts[1], parts[0]
		}
		data := entryOf("a", nullOf) + entryOf("p", structOf(parts...)) + entryOf("z", nullOf)
		_, err := codec.DecodeStruct([]byte(data), codec.Options{})
		if err == nil {
			continue
		}
		failed++
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, canary) || !strings.Contains(text, "p") {
			t.Fatalf("%x: %s", data, text)
		}
	}
	if failed < 5_000 {
		t.Errorf("only %d failed", failed)
	}
}
