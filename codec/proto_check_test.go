package codec_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
)

// Every way to be no Struct, and every way to be one that means nothing. All but
// the last kind are refused by protobuf-go too.
func TestMalformedBytes(t *testing.T) {
	const op = "codec: decode protobuf: "
	groups := func(n int) string { return strings.Repeat("\x7b", n) + strings.Repeat("\x7c", n) }
	for _, row := range []struct {
		at, data, err string
		cause         error
	}{
		{here(), "\x0a", op + "offset 1: syntax error: found end of message", codec.ErrSyntax},
		{here(), "\x80", op + "offset 0: syntax error: found end of message", codec.ErrSyntax},
		{here(), strings.Repeat("\xff", 9) + "\x02", op + "offset 0: syntax error: found malformed field", codec.ErrSyntax},
		{here(), strings.Repeat("\x80", 10) + "\x00", op + "offset 0: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x02\x00", op + "offset 0: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x82\x80\x80\x80\x10\x00", op + "offset 0: syntax error: found malformed field", codec.ErrSyntax},
		{here(), strings.Repeat("\xff", 9) + "\x01\x00", op + "offset 0: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x7e", op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x7f", op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x0a\x05\x0a\x00", op + "offset 1: syntax error: found end of message", codec.ErrSyntax},
		{here(), "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", op + "offset 1: syntax error: found end of message", codec.ErrSyntax},
		{here(), "\x79\x00\x00\x00\x00\x00\x00\x00", op + "offset 1: syntax error: found end of message", codec.ErrSyntax},
		{here(), "\x7d\x00\x00\x00", op + "offset 1: syntax error: found end of message", codec.ErrSyntax},
		{here(), "\x7c", op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x7b", op + "offset 1: syntax error: found end of message", codec.ErrSyntax},
		{here(), "\x7b\x74", op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x7b\x02\x7c", op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), "\x7b\x82\x80\x80\x80\x40\x00\x7c", op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), groups(10_002), op + "offset 1: syntax error: found malformed field", codec.ErrSyntax},
		{here(), entryOf("a", structOf(entryOf("b", listOf(elemOf(nullOf), elemOf("\x1a\x05abc"))))), op + "a.b[1]: offset 25: syntax error: found end of message", codec.ErrSyntax},
		{here(), entryOf("a", "\x11\x00\x00\x00"), op + "a: offset 8: syntax error: found end of message", codec.ErrSyntax},
		{here(), entryOf("a", "\x20"), op + "a: offset 8: syntax error: found end of message", codec.ErrSyntax},
		{here(), entryOf("a", textOf("\xff")), op + "a: offset 9: not UTF-8", codec.ErrUTF8},
		{here(), entryOf("a\xff", nullOf), op + `"[\"a\xff\"]": offset 4: not UTF-8`, codec.ErrUTF8},
		{here(), entryOf("a", nullOf, textOf("\xc0\x80"), nullOf), op + "a: offset 11: not UTF-8", codec.ErrUTF8},

		{here(), entryOf("a"), op + "a: wrong kind: expected a kind of value, found none", codec.ErrKind},
		{here(), chunkOf(1), op + `[""]: wrong kind: expected a kind of value, found none`, codec.ErrKind},
		{here(), entryOf("a", listOf(elemOf(nullOf), elemOf())), op + "a[1]: wrong kind: expected a kind of value, found none", codec.ErrKind},
		{here(), sigOf(assetID), op + "offset 0: wrong kind: expected object, found asset", codec.ErrKind},
	} {
		_, err := codec.Decode([]byte(row.data), codec.Options{})
		if !errors.Is(err, row.cause) || err.Error() != row.err {
			t.Errorf("%s: %.60q: got %v, want %s", row.at, row.data, err, row.err)
		}
		refused := proto.Unmarshal([]byte(row.data), new(structpb.Struct)) != nil
		if want := !errors.Is(row.cause, codec.ErrKind); refused != want {
			t.Errorf("%s: protobuf-go refuses it: %v", row.at, refused)
		}
	}
	if _, err := codec.Decode([]byte(groups(10_001)), codec.Options{}); err != nil {
		t.Errorf("groups as deep as protobuf-go takes: %v", err)
	}
}

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
		{here(), p(out, in(cut)), hidden, whole}, // every signature hides what is broken
		{here(), p(is, entryOf("value", listOf(elemOf(structOf(entryOf(canary, nullOf, cut)))))), hidden, path.MustParse("p[0]." + canary)},
		{here(), p(is, entryOf("value", cut)), "p", path.MustParse("p")},
		{here(), p(is, chunkOf(1, chunkOf(2, structOf(entryOf(canary, cut))), chunkOf(1, "value"))), hidden, whole},                                 // the key comes last
		{here(), p(is, chunkOf(1, chunkOf(2, structOf(entryOf(canary, cut))), chunkOf(1, "a"), chunkOf(1, "value"))), hidden, whole},                // and is the last one
		{here(), p(is, chunkOf(1, chunkOf(2, structOf(entryOf(canary, cut))), "\x0a\x7f")), hidden, path.MustParse("p[\"\"]." + canary)},            // and cannot be read
		{here(), p(in(cut), "\x0a\x7f"), hidden, whole},                                                                                             // what follows may be the signature
		{here(), entryOf("p", structOf(in(cut)), structOf(is)), hidden, path.MustParse("p.value." + canary)},                                        // merged
		{here(), chunkOf(1, chunkOf(1, "p"), chunkOf(2, structOf(in(cut))), chunkOf(2, structOf(is))), hidden, path.MustParse("p.value." + canary)}, // merged
		{here(), entryOf("l", listOf(elemOf(structOf(in(cut)), structOf(is)))), "l[0][secret]", path.MustParse("l[0].value." + canary)},             // merged
		{here(), entryOf("l", listOf(elemOf(structOf(in(cut))), elemOf(structOf(is)))), "l[0].value." + canary, path.MustParse("l[0].value." + canary)},
		{here(), is + in(cut), "[secret]", path.MustParse(canary)},
		{here(), is + entryOf("value", structOf(p(out, in(none)))), "[secret]", path.MustParse("p." + canary)},
		{here(), p(in(cut)) + entryOf("q", structOf(is)), "p.value." + canary, path.MustParse("p.value." + canary)},
		{here(), p(in(none), entryOf("masked", "\x20\x01")), "p.value." + canary, path.MustParse("p.value." + canary)},
		{here(), p(is, in(structOf(sigOf(canary)))), hidden, whole},
		{here(), p(is, entryOf("plaintext", textOf(`{"`+canary+`":[1e400]}`))), hidden, path.MustParse("p." + canary + "[0]")},
		{here(), p(is, in(structOf(is, entryOf("plaintext", textOf(`[tru]`))))), hidden, path.MustParse("p." + canary + "[0]")},
	} {
		_, err := codec.Decode([]byte(row.data), codec.Options{})
		checkHidden(t, row.at, err, row.shown, row.whole)
		m := new(structpb.Struct)
		if proto.Unmarshal([]byte(row.data), m) == nil {
			_, err = codec.FromMessage(m, codec.Options{})
			checkHidden(t, row.at+", message", err, row.shown, row.whole)
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
		_, err := codec.Decode([]byte(data), codec.Options{})
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
