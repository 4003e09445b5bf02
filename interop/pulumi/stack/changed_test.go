package stack_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"
)

// The signatures, as state files have them.
const (
	sigSecret     = "1b47061264138c4ac30d75fd1eb44270"
	sigAsset      = "c44067f5952c0a294b673a41bacd8c17"
	sigArchive    = "0def7320c3a5731c473e5ecbe6d01bc7"
	sigReference  = "5cf8f73096256a8f31e491e813e4eb8e"
	sigOutput     = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
	sigByteString = "803fd3297a5875dc03ca845dda5d2a98"
	sigFloat      = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c"
	anyText       = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
)

// tree is the JSON of a bag that is changed.
type tree = map[string]any

// changed changes a text in a few places: signatures of every kind with members that
// are missing, of another kind or too many, forms of older engines among them.
func changed(t *rapid.T, text []byte) []byte {
	var root tree
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		change(t, root, rapid.IntRange(0, 5).Draw(t, "depth"))
	}
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.IntRange(0, 9).Draw(t, "accident") == 0 {
		return fuzz.Damaged(rapid.Just(text)).Draw(t, "damaged")
	}
	return text
}

// change goes down a tree and changes a member, in the plaintext of a secret too.
func change(t *rapid.T, at tree, depth int) {
	key := "a"
	if keys := slices.Sorted(maps.Keys(at)); len(keys) > 0 && rapid.IntRange(0, 4).Draw(t, "add") > 0 {
		key = rapid.SampledFrom(keys).Draw(t, "key")
	}
	switch below := at[key].(type) {
	case tree:
		if depth > 0 {
			change(t, below, depth-1)
			return
		}
	case []any:
		if inner, ok := append(below, nil)[0].(tree); ok && depth > 0 {
			change(t, inner, depth-1)
			return
		}
	case string:
		plain, sealed, ok := opened(key, below)
		if inner, is := plain.(tree); ok && is {
			change(t, inner, depth-1)
			text, _ := json.Marshal(inner)
			if at[key] = string(text); sealed {
				at[key] = new(crypter).encrypt(string(text))
			}
			return
		}
	}
	if field := rapid.SampledFrom(fields()).Draw(t, "field"); rapid.Bool().Draw(t, "a field") {
		at[field] = piece(t)
	} else if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
		delete(at, key)
	} else {
		at[key] = piece(t)
	}
}

// opened is what a member of a secret holds as text.
func opened(key, text string) (plain any, sealed, ok bool) {
	if key != "plaintext" && key != "ciphertext" {
		return nil, false, false
	}
	if opened, err := new(crypter).decrypt(text); err == nil {
		text, sealed = opened, true
	}
	return plain, sealed, json.Unmarshal([]byte(text), &plain) == nil
}

func fields() []string {
	return []string{
		codec.SignatureKey, "value", "ciphertext", "plaintext", "masked", "text", "path", "uri", "hash", "assets", "urn", "id", "packageVersion", "name",
		"type", "V", "__a",
	}
}

// piece is something to put into a tree.
func piece(t *rapid.T) any {
	signed := func(sig string, members ...any) tree {
		m := tree{codec.SignatureKey: sig}
		for i := 0; i < len(members); i += 2 {
			m[members[i].(string)] = members[i+1]
		}
		return m
	}
	in := func(v any) string {
		text, _ := json.Marshal(v)
		return string(text)
	}
	inner := tree{"pin": signed(sigSecret, "ciphertext", `1234`), "u": anyText}
	return rapid.SampledFrom([]any{
		nil, true, 1.5, 9007199254740993.0, "", "x", "1", "null", "7ff8000000000001", "AAAA", anyText, sample.Sentinels()[0], sample.Sentinels()[6],
		[]any{},
		tree{},
		tree{"V": "i-1"},
		tree{"V": nil},
		tree{"V": tree{}},
		tree{"V": anyText},
		tree{"V": 1.0},
		tree{"V": []any{}},
		sigSecret, sigAsset, sigArchive, sigReference, sigFloat, "other",
		signed(sigSecret, "ciphertext", new(crypter).encrypt(in(inner))), signed(sigSecret, "plaintext", in(inner)), signed(sigSecret, "plaintext", in("x")),
		signed(sigSecret, "ciphertext", "none"), signed(sigSecret, "ciphertext", ""), signed(sigSecret, "value", 1.0), signed(sigSecret),
		signed(sigSecret, "plaintext", in([]any{signed(sigSecret, "ciphertext", in(signed(sigSecret, "ciphertext", `"deep"`)))})),
		signed(sigAsset, "text", "x"), signed(sigAsset, "path", "x", "uri", "y"), signed(sigAsset, "hash", "h"), signed(sigArchive, "hash", "h"),
		signed(sigArchive, "assets", tree{"a": signed(sigAsset, "text", "x")}), signed(sigArchive, "assets", tree{"a": 1.0}), signed(sigArchive, "path", "x", "assets", 1.0),
		signed(sigReference, "urn", validURN, "id", tree{"V": "i-1"}), signed(sigReference, "urn", validURN, "id", tree{"V": nil}),
		signed(sigReference, "urn", "u", "id", tree{"V": tree{"Element": tree{"V": ""}}}), signed(sigReference, "urn", "u", "id", anyText), signed(sigReference, "urn", "u", "id", nil),
		signed(sigReference, "urn", "u", "name", 1.0), signed(sigReference, "id", "i"), signed(sigFloat, "value", "7ff0000000000000"), signed(sigFloat, "value", "3FF"), signed(sigFloat, "value", "-1"),
		signed(sigFloat), signed(sigByteString, "value", "/w=="), signed(sigByteString, "value", "?"), signed(sigOutput, "value", 1.0, "secret", true), signed(sigOutput),
		signed("00000000000000000000000000000000"),
	}).Draw(t, "piece")
}

// excuses are the entries of docs/differences.md that a text has a case of.
type excuses struct {
	weRead  []string // and the engine refuses
	itReads []string // and we refuse
}

// look finds them in a tree.
func (x *excuses) look(v any, depth int) {
	if depth == 0 {
		if t, ok := v.(tree); ok && hasSignature(t) {
			x.itReads = append(x.itReads, "signature-on-the-bag")
			x.weRead = append(x.weRead, "signature-on-the-bag")
		}
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			x.look(e, depth+1)
		}
	case tree:
		for _, e := range v {
			x.look(e, depth+1)
		}
		sig, ok := v[codec.SignatureKey].(string)
		if t, is := v[codec.SignatureKey].(tree); is && t[codec.SignatureKey] == sigOutput {
			x.weRead = append(x.weRead, "output-in-a-state-file")
		}
		if ok {
			x.signed(sig, v, depth)
		}
		for key, member := range v {
			if ok && !slices.Contains(membersRead[sig], key) && holdsSecret(member) {
				x.weRead = append(x.weRead, "secret-in-a-member-that-is-ignored")
			}
		}
	}
}

// membersRead lists the members that are read of an object with a signature.
var membersRead = map[string][]string{
	sigSecret:     {"value", "ciphertext", "plaintext", "masked"},
	sigOutput:     {"value", "dependencies", "secret"},
	sigAsset:      {"text", "path", "uri", "hash"},
	sigArchive:    {"assets", "path", "uri", "hash"},
	sigReference:  {"urn", "id", "packageVersion", "name", "type"},
	sigFloat:      {"value"},
	sigByteString: {"value"},
}

func holdsSecret(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, holdsSecret)
	case tree:
		return v[codec.SignatureKey] == sigSecret || slices.ContainsFunc(slices.Collect(maps.Values(v)), holdsSecret)
	}
	return false
}

func hasSignature(v tree) bool {
	_, there := v[codec.SignatureKey]
	return there
}

func (x *excuses) signed(sig string, v tree, depth int) {
	text := func(key string) bool { s, ok := v[key].(string); return !ok || s != "" }
	switch sig {
	case sigOutput:
		x.weRead = append(x.weRead, "output-in-a-state-file")
	case sigSecret:
		if _, there := v["value"]; there {
			x.weRead = append(x.weRead, "secret-with-a-value-in-a-state-file")
			x.itReads = append(x.itReads, "secret-with-two-contents")
		}
		_, masked := v["masked"]
		_, plain := v["plaintext"]
		_, cipher := v["ciphertext"]
		if masked || (plain && cipher) {
			x.itReads = append(x.itReads, "secret-with-two-contents")
		}
		for _, key := range []string{"plaintext", "ciphertext"} {
			s, there := v[key].(string)
			if there && s == "" {
				x.weRead = append(x.weRead, "empty-ciphertext")
			}
			if inner, _, ok := opened(key, s); ok {
				x.look(inner, depth+1)
			}
		}
	case sigAsset:
		if sources(text("text") && v["text"] != nil, text("path") && v["path"] != nil, text("uri") && v["uri"] != nil) > 1 {
			x.itReads = append(x.itReads, "two-sources")
		}
	case sigArchive:
		if sources(v["path"] != nil && text("path"), v["uri"] != nil && text("uri"), v["assets"] != nil) > 1 {
			x.itReads = append(x.itReads, "two-sources")
		}
		_, hasPath := v["path"]
		_, hasAssets := v["assets"]
		if _, hasURI := v["uri"]; (hasPath && (hasURI || hasAssets)) || (hasURI && hasAssets) {
			x.itReads = append(x.itReads, "two-sources")
		}
	case sigReference:
		for _, key := range []string{"name", "type"} {
			if field, there := v[key]; there && (fmt.Sprintf("%T", field) != "string" || field == anyText) {
				x.itReads = append(x.itReads, "made-up-name-and-type")
			}
		}
		if v["id"] == anyText {
			x.weRead = append(x.weRead, "id-that-is-an-unknown")
		}
	}
}

func sources(there ...bool) int {
	n := 0
	for _, is := range there {
		if is {
			n++
		}
	}
	return n
}

// Texts that the engine may have written, and such that it cannot have: both sides
// read the same, or refuse them, but for what the page lists.
func TestChangedBags(t *testing.T) {
	var y tally
	rapid.Check(t, func(t *rapid.T) {
		text := changed(t, engineWrites(t, bags().Draw(t, "bag"), rapid.Bool().Draw(t, "show secrets")))
		var ours, theirs crypter
		want, failed := engineReads(text, &theirs)
		got, err := weRead(text, &ours)
		var root any
		var x excuses
		if json.Unmarshal(text, &root) == nil {
			x.look(root, 0)
		}
		if namesTwice(text) {
			x.itReads = append(x.itReads, "names-that-stand-twice")
		}
		for _, s := range ours.strange {
			if !slices.Contains(theirs.strange, s) && len(theirs.strange) > 0 && failed == nil {
				t.Fatalf("%s: decrypted %q, the engine %q", text, ours.strange, theirs.strange)
			}
		}
		switch {
		case failed != nil && err != nil:
			y.count("refused by both")
		case failed != nil && len(theirs.strange) > len(ours.strange):
			y.count("secret-in-a-member-that-is-ignored")
		case failed != nil && strings.Contains(failed.Error(), "cannot unmarshal number"):
			y.count("number-beyond-the-doubles")
		case failed != nil:
			excuse(t, &y, x.weRead, fmt.Sprintf("%s: read as %s, and the engine: %v", text, fuzz.GoSource(got), failed), nil)
		case err != nil:
			excuse(t, &y, x.itReads, fmt.Sprintf("%s: the engine reads %s, and we: %v", text, fuzz.GoSource(want), err), err)
		case same(got, want, &y):
			parts(got, &y)
			y.count(alike)
		case slices.Contains(x.itReads, "signature-on-the-bag"):
			y.count("signature-on-the-bag")
		default:
			t.Fatalf("%s\nwe:         %s\nthe engine: %s", text, fuzz.GoSource(got), fuzz.GoSource(want))
		}
	})
	y.report(t, alike)
}

// namesTwice tells whether an object of a text has a name twice: the engine does not
// look at the first of the two, and we refuse what is wrong with it. What its texts
// hold is looked at too: they may be secrets.
func namesTwice(text []byte) bool {
	type object struct {
		names map[string]bool // nil in an array
		value bool            // whether the next token is the value of a name
	}
	var open []object
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			return false
		}
		top := len(open) - 1
		name, isText := token.(string)
		if top >= 0 && open[top].names != nil && isText && !open[top].value {
			if open[top].names[name] {
				return true
			}
			open[top].names[name], open[top].value = true, true
			continue
		}
		if isText && holdsNamesTwice(name) {
			return true
		}
		switch token {
		case json.Delim('{'):
			open = append(open, object{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, object{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
			top--
			fallthrough
		default:
			if top >= 0 {
				open[top].value = false
			}
		}
	}
}

func holdsNamesTwice(text string) bool {
	if opened, err := new(crypter).decrypt(text); err == nil {
		text = opened
	}
	return namesTwice([]byte(text))
}

// excuse counts the entry that allows that one side reads what the other refuses.
func excuse(t *rapid.T, y *tally, entries []string, found string, err error) {
	switch {
	case errors.Is(err, codec.ErrDuplicate):
		y.count("names-that-stand-twice")
	case errors.Is(err, codec.ErrUTF8) || (err != nil && strings.Contains(err.Error(), "surrogate")):
		y.count("text-of-a-state-file-that-is-not-utf8")
	case len(entries) > 0:
		slices.Sort(entries)
		y.count(entries[0])
	default:
		t.Fatal(found)
	}
}
