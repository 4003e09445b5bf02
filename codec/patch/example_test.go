package patch_test

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// before and after are a bag, and what became of it.
func before() value.Value {
	return value.Object(
		value.Member{Key: "name", Value: value.String("web")},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
		value.Member{Key: "ports", Value: value.Array(value.Number(80), value.Number(443))},
	)
}

func after() value.Value {
	v, _ := before().With(path.MustParse("name"), value.String("web-2"))
	v, _ = v.With(path.MustParse("ports"), value.Array(value.Number(22), value.Number(80), value.Number(443)))
	return v
}

// A patch travels as text, and is applied to what it was made for.
func Example() {
	d := diff.Between(before(), after(), diff.Options{Arrays: diff.Aligned()})
	text, err := patch.Marshal(d, patch.Options{Secrets: value.RevealSecrets})
	fmt.Println(string(text), err)

	p, err := patch.Unmarshal(text, patch.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := p.Apply(before())
	fmt.Println(next, err)
	// Output:
	// {"propalg":"diff/1","diff":{"members":{"name":{"op":"update","old":"web","new":"web-2"},"ports":{"elements":{"oldLength":2,"length":3,"changes":[{"op":"insert","index":0,"new":22}]}}}}} <nil>
	// {name: "web-2", password: [secret], ports: [22, 80, 443]} <nil>
}

// Secrets are masked unless they are asked for. Such a patch is for reading, by
// people and by scripts.
func ExampleMarshal_masked() {
	now, _ := before().With(path.MustParse("password"), value.Secret(value.String("correct horse")))
	text, _ := patch.Marshal(diff.Between(before(), now, diff.Options{}), patch.Options{})
	_, err := patch.Unmarshal(text, patch.Options{})
	fmt.Println(errors.Is(err, codec.ErrMasked))
	fmt.Println(err)
	// Output:
	// true
	// patch: decode: password: offset 85: secret contents were masked: expected its contents (write the text again, with secrets shown)
}

func ExamplePatch() {
	base := patch.Fingerprint(before())
	text, _ := patch.Marshal(diff.Between(before(), after(), diff.Options{}), patch.Options{Base: base})
	p, _ := patch.Unmarshal(text, patch.Options{})
	fmt.Println(p.Base() == base, p.Diff().Len())
	// Output: true 4
}

// A patch that says what it is for refuses another base, even one that it fits. Its diff does
// not ask.
func ExamplePatch_Apply() {
	old := value.Object(value.Member{Key: "a", Value: value.Number(1)}, value.Member{Key: "b", Value: value.Number(1)})
	now, _ := old.With(path.MustParse("a"), value.Number(2))
	other, _ := old.With(path.MustParse("b"), value.Number(7))
	text, _ := patch.Marshal(diff.Between(old, now, diff.Options{}), patch.Options{Base: patch.Fingerprint(old)})
	p, _ := patch.Unmarshal(text, patch.Options{})

	_, err := p.Apply(other)
	fmt.Println(err)
	fmt.Println(p.Diff().Apply(other))
	// Output:
	// patch: apply: value does not match the fingerprint of the patch
	// {a: 2, b: 7} <nil>
}

// Ciphertexts may travel with a patch whose other secrets are masked.
func ExampleOptions_keepSealed() {
	old := value.Object(value.Member{Key: "password", Value: value.Sealed{Ciphertext: "v1:abc="}.Value()})
	now := value.Object(value.Member{Key: "password", Value: value.Sealed{Ciphertext: "v1:def="}.Value()})
	for _, secrets := range []value.Secrets{value.MaskSecrets, value.KeepSealed} {
		text, _ := patch.Marshal(diff.Between(old, now, diff.Options{}), patch.Options{Secrets: secrets})
		_, err := patch.Unmarshal(text, patch.Options{})
		fmt.Println(errors.Is(err, codec.ErrMasked))
	}
	// Output:
	// true
	// false
}

func ExampleOptions() {
	d := diff.Between(before(), after(), diff.Options{})
	shallow, err := patch.Marshal(d, patch.Options{Depth: 2})
	fmt.Println(len(shallow), err)
	// Output: 0 patch: encode: nested beyond the limit
}

func ExampleError() {
	_, err := patch.Unmarshal([]byte(`{"propalg":"diff/1","diff":{"members":{"a":{"op":"update","old":1,"new":1}}}}`), patch.Options{})
	var e *patch.Error
	if errors.As(err, &e) {
		fmt.Println(e.At, e.Offset, e.Want, errors.Is(err, diff.ErrInvalid))
	}
	// Output: a 43 different values true
}

func ExampleFingerprint() {
	open := value.Object(value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))})
	sealed := value.Object(value.Member{Key: "password", Value: value.Sealed{Ciphertext: "v1:abc="}.Value()})
	fmt.Println(patch.Fingerprint(open) == patch.Fingerprint(sealed))
	// Output: true
}

// The changes become a request for an API that takes JSON Patch.
func ExampleJSONPatch() {
	d := diff.Between(before(), after(), diff.Options{Arrays: diff.Aligned()})
	text, err := patch.JSONPatch(d, patch.Options{})
	fmt.Println(string(text), err)
	// Output: [{"op":"replace","path":"/name","value":"web-2"},{"op":"add","path":"/ports/0","value":22}] <nil>
}

// An API that takes a JSON Patch, and must not get secrets: their changes are split off.
func ExampleJSONPatch_withoutSecrets() {
	now, _ := after().With(path.MustParse("password"), value.Secret(value.String("correct horse")))
	d := diff.Between(before(), now, diff.Options{})

	_, err := patch.JSONPatch(d, patch.Options{})
	fmt.Println(errors.Is(err, codec.ErrPolicy))

	open, _ := d.Split(path.MustSet("password"))
	text, err := patch.JSONPatch(open, patch.Options{})
	fmt.Println(string(text), err)
	// Output:
	// true
	// [{"op":"replace","path":"/name","value":"web-2"},{"op":"add","path":"/ports/2","value":443},{"op":"replace","path":"/ports/0","value":22},{"op":"replace","path":"/ports/1","value":80}] <nil>
}
