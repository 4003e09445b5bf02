package peers_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/wI2L/jsondiff"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/value"
)

const suiteVersion = "1.1.0"

// suite returns a file of npm's json-patch-test-suite, which npm fetches into a folder of
// the test.
func suite(t *testing.T, names ...string) (texts [][]byte) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("SKIPPED: no npm, which fetches json-patch-test-suite")
	}
	dir := t.TempDir()
	c := exec.Command("npm", "install", "--prefix", dir, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "json-patch-test-suite@"+suiteVersion)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: npm cannot fetch json-patch-test-suite: %v: %s", err, out)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, "node_modules", "json-patch-test-suite", name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// applied returns what a JSON Patch makes of a value.
func applied(text string, base value.Value) (value.Value, error) {
	d, err := patch.ReadJSONPatch(text, base, patch.Options{})
	if err != nil {
		return value.Null(), err
	}
	return d.Apply(base)
}

// Every document of json-patch-test-suite, also those that it has disabled, does what it
// says there, or is refused as it says there.
func TestReadSuite(t *testing.T) {
	done := map[string]int{}
	for _, text := range suite(t, "tests.json", "spec_tests.json") {
		var cases []struct {
			Comment, Error       string
			Doc, Patch, Expected json.RawMessage
		}
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.Patch == nil {
				continue // a comment alone
			}
			doc, err := codec.DecodeJSONValue(c.Doc, codec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := applied(string(c.Patch), doc)
			if c.Error != "" {
				done["refused"]++
				if e := (*patch.Error)(nil); !errors.As(err, &e) {
					t.Errorf("%s: %s of %s makes %v, %v: %s", c.Comment, c.Patch, c.Doc, got, err, c.Error)
				}
				continue
			}
			done["applied"]++
			want := doc
			if c.Expected != nil {
				if want, err = codec.DecodeJSONValue(c.Expected, codec.Options{}); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := applied(string(c.Patch), doc); err != nil || !got.Equal(want) {
				t.Errorf("%s: %s of %s makes %v, %v, want %s", c.Comment, c.Patch, c.Doc, got, err, c.Expected)
			}
		}
	}
	if done["refused"] < 20 || done["applied"] < 60 {
		t.Errorf("only %v", done)
	}
	t.Log(done)
}

// json-patch makes of a value what we make of it by the operations of any document, or
// both refuse it. Where they differ there is an operation that json-patch takes otherwise.
func TestReadAgainstJSONPatch(t *testing.T) {
	done := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		pair := fuzz.Pairs(fuzz.Options{Nodes: 20}).Draw(t, "pair")
		base := value.Object(value.Field("x", pair.Old), value.Field("y", pair.New))
		doc, err := plainJSON(base)
		if err != nil {
			return
		}
		if base, err = codec.DecodeJSONValue(doc, codec.Options{}); err != nil || base.Kind() != value.KindObject {
			return
		}
		for range 10 {
			done[readBoth(t, doc, base)]++
		}
	})
	if done["equal"] < 20 || done["both refuse"] < 20 {
		t.Errorf("only %v", done)
	}
	t.Log(done)
}

// readBoth draws a JSON Patch, applies it twice, and says how that went.
func readBoth(t *rapid.T, doc []byte, base value.Value) string {
	var texts []string
	odd := ""
	if strings.Contains(string(doc), codec.SignatureKey) {
		odd = "an object for a kind that JSON lacks"
	}
	for range rapid.IntRange(1, 4).Draw(t, "operations") {
		text, kind := drawOperation(t, base)
		texts = append(texts, text)
		if odd == "" {
			odd = kind
		}
	}
	text := "[" + strings.Join(texts, ",") + "]"

	got, err := applied(text, base)
	theirs, theirErr := appliedByJSONPatch(doc, text)
	switch {
	case err != nil && theirErr != nil:
		return "both refuse"
	case err == nil && theirErr == nil:
		want, wrong := codec.DecodeJSONValue(theirs, codec.Options{RoundNumbers: true})
		if wrong == nil && got.Equal(want) {
			return "equal"
		}
	}
	if odd == "" {
		t.Fatalf("%s of %s: we make %s, %v; json-patch makes %s, %v", text, doc, fuzz.GoSource(got), err, theirs, theirErr)
	}
	return odd
}

func appliedByJSONPatch(doc []byte, text string) (made []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	p, err := jsonpatch.DecodePatch([]byte(text))
	if err != nil {
		return nil, err
	}
	o := jsonpatch.NewApplyOptions()
	o.SupportNegativeIndices = false
	return p.ApplyWithOptions(doc, o)
}

// drawOperation draws an operation, and says what may make json-patch take it otherwise.
func drawOperation(t *rapid.T, base value.Value) (text, odd string) {
	op := rapid.SampledFrom([]string{"add", "replace", "remove", "move", "copy", "test"}).Draw(t, "op")
	at, from := drawPointer(t, base), drawPointer(t, base)
	v := rapid.SampledFrom(trees.Places(base)).Draw(t, "value").Value
	if found, there := atPointer(base, at); op == "test" && there {
		v = found
	}
	content, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quote := func(s string) string {
		out, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}

	text = fmt.Sprintf(`{"op":%q,"path":%s,"from":%s,"value":%s}`, op, quote(at), quote(from), content)
	pointers := at
	if op == "move" || op == "copy" {
		pointers += " " + from
	}
	switch {
	case strings.HasSuffix(at, "/") || strings.HasSuffix(from, "/") || strings.Contains(pointers, "//"):
		odd = "an empty name"
	case at == "" || strings.HasSuffix(pointers, " "):
		odd = "the whole"
	case op == "move" && strings.HasPrefix(at, from+"/"):
		odd = "a move into itself"
	case strings.Contains(pointers, "/01"):
		odd = "a leading zero"
	case op == "test" && strings.Contains(string(content), "null"):
		odd = "a test of null"
	}
	return text, odd
}

func drawPointer(t *rapid.T, base value.Value) string {
	p := rapid.SampledFrom(trees.Paths(base)).Draw(t, "pointer")
	var b strings.Builder
	for s := range p.Steps() {
		token, isKey := s.AsKey()
		if i, _ := s.AsIndex(); !isKey {
			token = strconv.Itoa(i)
		}
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String() + rapid.SampledFrom([]string{"", "", "", "/-", "/0", "/1", "/01", "/-1", "/a"}).Draw(t, "below")
}

// atPointer returns the value that a pointer names.
func atPointer(v value.Value, pointer string) (value.Value, bool) {
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		i, err := strconv.Atoi(token)
		switch {
		case v.Kind() == value.KindObject:
			var ok bool
			if v, ok = v.Lookup(token); !ok {
				return v, false
			}
		case v.Kind() == value.KindArray && err == nil && i >= 0 && i < v.Len():
			v = v.Elem(i)
		default:
			return v, false
		}
	}
	return v, true
}

// What jsondiff and json-patch write of two values, as a JSON Patch and as a merge patch,
// makes the new one of the old one.
func TestReadOfPeers(t *testing.T) {
	done := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		pair := rapid.OneOf(rapid.Custom(drawLists), fuzz.Pairs(fuzz.Options{Nodes: 20})).Draw(t, "pair")
		old, errOld := plainJSON(value.Object(value.Field("x", pair.Old)))
		now, errNow := plainJSON(value.Object(value.Field("x", pair.New)))
		if errOld != nil || errNow != nil || strings.Contains(string(old)+string(now), codec.SignatureKey) {
			return
		}
		base, err := codec.DecodeJSONValue(old, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := codec.DecodeJSONValue(now, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}

		for name, o := range map[string][]jsondiff.Option{
			"plain": nil, "moves": {jsondiff.LCS(), jsondiff.Factorize()}, "tests": {jsondiff.Invertible()}, "whole": {jsondiff.Rationalize()},
		} {
			operations, err := jsondiff.CompareJSON(old, now, o...)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(operations)
			if err != nil {
				t.Fatal(err)
			}
			if operations == nil {
				text = []byte("[]")
			}
			got, err := applied(string(text), base)
			theirs, theirErr := appliedByJSONPatch(old, string(text))
			switch {
			case err != nil && theirErr != nil:
				done["moves behind the end"]++ // which jsondiff writes for some lists
				continue
			case err != nil || !got.Equal(want):
				again, wrong := codec.DecodeJSONValue(theirs, codec.Options{})
				if err == nil && theirErr == nil && wrong == nil && got.Equal(again) {
					done["moves to another place"]++ // likewise
					continue
				}
				t.Fatalf("%s: %s of %s makes %s, %v, want %s", name, text, old, fuzz.GoSource(got), err, now)
			}
			done[name]++
		}

		if strings.Contains(string(now), ":null") {
			return // a merge patch removes what is null
		}
		text, err := jsonpatch.CreateMergePatch(old, now)
		if err != nil {
			t.Fatal(err)
		}
		d, err := patch.ReadMergePatch(text, base, patch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.Apply(base); err != nil || !got.Equal(want) {
			t.Fatalf("%s of %s makes %s, %v, want %s", text, old, fuzz.GoSource(got), err, now)
		}
		done["merge"]++
	})
	if done["merge"] < 20 || done["moves"] < 30 {
		t.Errorf("only %v", done)
	}
	t.Log(done)
}
