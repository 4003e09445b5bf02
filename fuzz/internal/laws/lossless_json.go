package laws

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Law13LosslessJSON is the law that what AppendJSONValue writes is JSON, and reads back to an Identical
// value; it fails, before anything was written, for the listed causes only (texts
// that are not UTF-8, the signature key and sentinels as user data where a byte
// string cannot go, sealed secrets, NaN and infinities). In the form of state files
// that holds too, but that it has no place for dependencies and hints. A masked text
// is refused by the reader.
func Law13LosslessJSON(t *rapid.T) {
	v := drawValue(t, rapid.OneOf(fuzz.Values(fuzz.Options{}), fuzz.Values(fuzz.Options{Style: fuzz.Hostile})), "v")
	causes := unwritable(v)
	text, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		if !slices.ContainsFunc(causes, func(cause error) bool { return errors.Is(err, cause) }) {
			t.Fatalf("%v; what is wrong is %v", err, causes)
		}
		if kept, err := codec.AppendJSONValue([]byte("kept"), v, codec.Options{}); err == nil || string(kept) != "kept" {
			t.Fatalf("failed, and left %q, %v", kept, err)
		}
		return
	}

	back, readErr := codec.DecodeJSONValue(text, codec.Options{})
	switch {
	case len(causes) > 0:
		t.Fatalf("written as %s, although %v", text, causes)
	case readErr != nil || !back.Identical(v):
		t.Fatalf("written as %s, and read back as %s, %v", text, fuzz.GoSource(back), readErr)
	case !json.Valid(text):
		t.Fatalf("written as %s, which is not JSON", text)
	}

	Owned(t, text, codec.Options{}, codec.DecodeJSONValue)
	inState := stated(v)
	state := codec.Options{Form: codec.FormState}
	text, err = codec.AppendJSONValue(nil, inState, state)
	if back, readErr = codec.DecodeJSONValue(text, state); err != nil || readErr != nil || !back.Identical(inState) {
		t.Fatalf("written in state form as %s, %v, and read back as %s, %v", text, err, fuzz.GoSource(back), readErr)
	}

	Owned(t, text, state, codec.DecodeJSONValue)
	if _, err := codec.AppendJSONValue(nil, v, state); errors.Is(err, codec.ErrPolicy) != v.ContainsDependencies() || (err != nil) != v.ContainsDependencies() {
		t.Fatalf("in state form: %v", err)
	}
	masked, err := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormMasked})
	if err != nil {
		t.Fatalf("cannot be written masked: %v", err)
	}
	if _, err := codec.DecodeJSONValue(masked, codec.Options{}); errors.Is(err, codec.ErrMasked) != v.ContainsSecret() || (err != nil) != v.ContainsSecret() {
		t.Fatalf("masked as %s, which is read: %v", masked, err)
	}
}

// stated is what a state file can say of a value: no dependencies and no hints.
func stated(v value.Value) value.Value {
	children := trees.Children(v)
	for i := range children {
		children[i].Value = stated(children[i].Value)
	}

	v = trees.Own(v).DropDependencies()
	if v.IsUnknown() {
		return trees.WithMarks(value.Unknown(), v)
	}
	return trees.Rebuild(v, children)
}

// unwritable lists why a value has no JSON text.
func unwritable(v value.Value) []error { return unwritableBut(v, sample.Sentinels()) }

// unwritableBut is unwritable where these texts mean unknowns.
func unwritableBut(v value.Value, sentinels []string) []error {
	var causes []error
	text := func(s string) {
		switch {
		case !utf8.ValidString(s):
			causes = append(causes, codec.ErrUTF8)
		case slices.Contains(sentinels, s):
			causes = append(causes, codec.ErrSentinel)
		}
	}
	name := func(s string) {
		if s == sample.SignatureKey {
			causes = append(causes, codec.ErrSignature)
		}
		if !utf8.ValidString(s) {
			causes = append(causes, codec.ErrUTF8)
		}
	}

	var content func(v value.Value)
	content = func(v value.Value) {
		if a, ok := v.AsAsset(); ok {
			eachText(a, text)
		}
		if a, ok := v.AsArchive(); ok {
			eachText(a, text)
			for key, entry := range a.Entries() {
				name(key)
				content(entry)
			}
		}
	}
	for _, p := range trees.Places(v) {
		if last, ok := p.At.Last(); ok && last.IsKey() {
			key, _ := last.AsKey()
			name(key)
		}

		for d := range p.Value.Dependencies() {
			text(d)
		}
		if n, ok := p.Value.AsNumber(); ok && (math.IsNaN(n) || math.IsInf(n, 0)) {
			causes = append(causes, codec.ErrNumber)
		}
		if p.Value.Kind() == value.KindSealed {
			causes = append(causes, codec.ErrSealed)
		}

		if r, ok := p.Value.AsResourceReference(); ok {
			id, _ := r.ID.Known()
			for _, s := range []string{r.URN, id, r.PackageVersion, r.Name, r.Type} {
				text(s)
			}
		}

		content(p.Value)
	}
	return causes
}

// contents is what assets and archives have in common.
type contents interface {
	Hash() (string, bool)
	Path() (string, bool)
	URI() (string, bool)
}

func eachText(c contents, f func(string)) {
	hash, _ := c.Hash()
	file, _ := c.Path()
	uri, _ := c.URI()
	f(hash)
	f(file)
	f(uri)

	if a, ok := c.(value.Asset); ok {
		text, _ := a.Text()
		f(text)
	}
}
