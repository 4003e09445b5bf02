package laws

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// locker encrypts by putting texts on a shelf, and counts what it is asked. As it
// is told, it fails.
type locker struct {
	shelf    []string
	reuse    bool // gives one ciphertext for equal texts
	encrypts int
	asked    [][]string // the calls of Decrypt
	accident accident
}

// accident is what goes wrong when a locker decrypts.
type accident uint8

const (
	none     accident = iota
	refuses           // an error
	forgets           // one text too few
	invents           // one text too many
	mumbles           // a text that is not JSON
	silences          // an empty text
)

var errLocker = errors.New("the vault is closed")

// Encrypt is that of a [state.Encrypter].
func (v *locker) Encrypt(plaintexts []string) ([]string, error) {
	v.encrypts++

	ciphertexts := make([]string, 0, len(plaintexts))
	for _, text := range plaintexts {
		at := -1
		if v.reuse {
			at = slices.Index(v.shelf, text)
		}
		if at < 0 {
			at = len(v.shelf)
			v.shelf = append(v.shelf, text)
		}
		ciphertexts = append(ciphertexts, "v1:"+strconv.Itoa(at))
	}
	return ciphertexts, nil
}

// Decrypt is that of a [state.Decrypter].
func (v *locker) Decrypt(ciphertexts []string) ([]string, error) {
	v.asked = append(v.asked, ciphertexts)

	if v.accident == refuses {
		return nil, errLocker
	}

	texts := make([]string, 0, len(ciphertexts))
	for _, c := range ciphertexts {
		at, err := strconv.Atoi(strings.TrimPrefix(c, "v1:"))
		if err != nil || at < 0 || at >= len(v.shelf) {
			return nil, errLocker
		}
		texts = append(texts, v.shelf[at])
	}
	last := len(texts) - 1
	switch v.accident {
	case forgets:
		texts = texts[:last]
	case invents:
		texts = append(texts, "null")
	case mumbles:
		texts[last] = "nul"
	case silences:
		texts[last] = ""
	case none, refuses:
	}
	return texts, nil
}

// Law16OneDecryption is the law that the secrets of a document are decrypted in
// one call, those of a batch of a stream in one call, each ciphertext asked for
// once, and no call without any; that what was encrypted, in one call too, is
// Identical when it was opened; and that a decryption that fails in any way is an
// error, and no value.
func Law16OneDecryption(t *rapid.T) {
	bags, texts, v := sealedBags(t)
	if texts == nil {
		return
	}

	document := sample.StackExport(texts...)
	file, err := state.Parse(document, state.Options{})
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}

	secrets := 0
	for i, bag := range bags {
		if bag.ContainsSecret() {
			secrets++
		}
		sealed, err := codec.DecodeJSONValue(texts[i], codec.Options{Form: codec.FormState})
		if err != nil {
			t.Fatalf("%s: %v", texts[i], err)
		}
		for c := range sealed.Walk() {
			if c.Value().OwnSecret() && c.Value().Kind() != value.KindSealed {
				t.Fatalf("%s: is not encrypted at %v", texts[i], c.Shown())
			}
		}
	}
	opened, err := file.Decrypt(v)
	if calls := len(v.asked); err != nil || calls != min(secrets, 1) || v.encrypts > calls {
		t.Fatalf("%s: %d calls to encrypt, %d to decrypt: %v", document, v.encrypts, calls, err)
	}
	askedOnce(t, v)
	n := 0
	for r, err := range opened.Resources() {
		if err != nil || !r.Inputs.Identical(bags[n]) || !r.Outputs.Identical(bags[n]) {
			t.Fatalf("resource %d of %s: opened as %s, %v", n, document, fuzz.GoSource(r.Inputs), err)
		}
		n++
	}

	if n != len(bags) {
		t.Fatalf("%d resources of %d", n, len(bags))
	}
	stream(t, document, bags, v)
	failing(t, file, document, v, secrets > 0)
}

// sealedBags draws bags and encrypts them; the texts are nil if one of the bags
// has no text at all (law 13).
func sealedBags(t *rapid.T) (bags []value.Value, texts []string, v *locker) {
	for range rapid.IntRange(1, 4).Draw(t, "resources") {
		inner := stated(drawValue(t, fuzz.Values(fuzz.Options{NoSealed: true, NoDependencies: true}), "v"))
		bags = append(bags, value.Object(value.Member{Key: "bag", Value: inner}))
	}
	v = &locker{reuse: rapid.Bool().Draw(t, "reuse")}
	encoded, err := state.EncodeBags(bags, v, codec.Options{})
	if err != nil {
		for _, bag := range bags {
			if slices.ContainsFunc(unwritable(bag), func(cause error) bool { return errors.Is(err, cause) }) {
				return nil, nil, nil
			}
		}
		t.Fatalf("cannot be encrypted: %v", err)
	}

	for _, text := range encoded {
		texts = append(texts, string(text))
	}
	return bags, texts, v
}

// stream opens the resources of a stream in batches.
func stream(t *rapid.T, document string, bags []value.Value, v *locker) {
	size := rapid.IntRange(1, 3).Draw(t, "batch")
	v.asked = nil
	reader := state.NewReader(strings.NewReader(document), state.Options{})
	var batch, opened []state.Resource
	calls := 0
	open := func() {
		if slices.ContainsFunc(batch, func(r state.Resource) bool { return r.Inputs.ContainsSecret() }) {
			calls++
		}
		more, err := reader.Decrypt(batch, v)
		if err != nil || len(v.asked) != calls {
			t.Fatalf("%s: %d calls for %d batches with secrets: %v", document, len(v.asked), calls, err)
		}
		opened, batch = append(opened, more...), nil
	}
	for r, err := range reader.Resources() {
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		if batch = append(batch, r); len(batch) == size {
			open()
		}
	}

	open()
	askedOnce(t, v)

	for i, r := range opened {
		if i >= len(bags) || !r.Inputs.Identical(bags[i]) || !r.Outputs.Identical(bags[i]) {
			t.Fatalf("resource %d of the stream %s: opened as %s", i, document, fuzz.GoSource(r.Inputs))
		}
	}
	if len(opened) != len(bags) {
		t.Fatalf("%d resources of %d", len(opened), len(bags))
	}
}

// askedOnce fails for a call with a ciphertext in it twice.
func askedOnce(t *rapid.T, v *locker) {
	for _, call := range v.asked {
		if sorted := slices.Sorted(slices.Values(call)); len(slices.Compact(sorted)) != len(call) {
			t.Fatalf("one call asks twice for a ciphertext: %q", call)
		}
	}
}

// failing opens a document that has secrets with a locker that fails.
func failing(t *rapid.T, file *state.File, document string, v *locker, has bool) {
	v.accident = accident(rapid.IntRange(int(refuses), int(silences)).Draw(t, "accident"))
	opened, err := file.Decrypt(v)
	if !has {
		if err != nil {
			t.Fatalf("without secrets: %v", err)
		}
		return
	}

	var e *state.Error
	if opened != nil || !errors.As(err, &e) {
		t.Fatalf("accident %d with %s: %v, %v", v.accident, document, opened, err)
	}
	if cause := state.ErrDecrypt; (v.accident < mumbles && !errors.Is(err, cause)) || (v.accident >= mumbles && !errors.Is(err, codec.ErrSyntax)) {
		t.Fatalf("accident %d with %s: %v", v.accident, document, err)
	}

	var batch []state.Resource
	for r, err := range file.Resources() {
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		batch = append(batch, r)
	}
	if got, err := new(state.Reader).Decrypt(batch, v); got != nil || !errors.As(err, &e) {
		t.Fatalf("accident %d with a batch of %s: %v, %v", v.accident, document, got, err)
	}
}
