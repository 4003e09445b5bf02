package patch_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"

	"pgregory.net/rapid"
)

func ExampleMergePatch() {
	old := value.Object(
		value.Field("name", value.String("logs")), value.Field("size", value.Number(1)),
		value.Field("tags", value.Object(value.Field("team", value.String("a")), value.Field("env", value.String("dev")))),
		value.Field("zones", value.Array(value.String("a"))),
	)
	now := value.Object(
		value.Field("name", value.String("logs")),
		value.Field("tags", value.Object(value.Field("team", value.String("b")), value.Field("env", value.String("dev")))),
		value.Field("zones", value.Array(value.String("a"), value.String("b"))),
	)
	text, err := patch.MergePatch(old, now, patch.Options{})
	fmt.Println(string(text), err)
	// Output: {"size":null,"tags":{"team":"b"},"zones":["a","b"]} <nil>
}

func TestMergePatch(t *testing.T) {
	decode := func(text string) value.Value {
		v, err := codec.DecodeJSONValue([]byte(text), codec.Options{})
		if err != nil {
			t.Fatal(err)
		}

		return v
	}
	secret := value.Secret(decode(`{"canary":{"deep":1}}`))

	for _, c := range []struct {
		old, now value.Value
		options  patch.Options
		want     string // or the text of the error
		cause    error
	}{
		{decode(`{"a":1}`), decode(`{"a":1}`), patch.Options{}, `{}`, nil},
		{decode(`1`), decode(`1`), patch.Options{}, `1`, nil},
		{decode(`{"a":1}`), decode(`null`), patch.Options{}, `null`, nil},
		{decode(`[1]`), decode(`{}`), patch.Options{}, `{}`, nil},
		{decode(`{"a":{"b":1,"c":2}}`), decode(`{"a":{"c":2}}`), patch.Options{}, `{"a":{"b":null}}`, nil},
		{decode(`{"a":{"b":1}}`), decode(`{"a":[{"b":null}]}`), patch.Options{}, `{"a":[{"b":null}]}`, nil},
		{decode(`{"a":null,"b":1}`), decode(`{"a":null}`), patch.Options{}, `{"b":null}`, nil},
		{decode(`{"a":null}`), decode(`{}`), patch.Options{}, `{"a":null}`, nil},
		{decode(`{"a/b\"":1}`), decode(`{"a/b\"":2}`), patch.Options{}, `{"a/b\"":2}`, nil},
		{decode(`{}`), decode(`{"a":{"b":null}}`), patch.Options{}, "patch: write merge patch: a.b: rejected by policy: found a null, which means removal", codec.ErrPolicy},
		{decode(`{"a":1}`), decode(`{"a":null}`), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a null, which means removal", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", value.Unknown())), patch.Options{}, "patch: write merge patch: a: rejected by policy: found unknown", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", secret)), patch.Options{}, "patch: write merge patch: a: rejected by policy: found secret", codec.ErrPolicy},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Secret(value.Object()))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change in a secret", codec.ErrPolicy},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Secret(value.Object()))), patch.Options{Secrets: value.RevealSecrets}, `{"a":{"canary":null}}`, nil},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", secret.Reveal())), patch.Options{}, `{}`, nil},
		{secret, secret.Reveal(), patch.Options{}, `{}`, nil},
		{value.Object(), value.Object(value.Field("\xff", value.Null())), patch.Options{}, `patch: write merge patch: "[\"\xff\"]": not UTF-8`, codec.ErrUTF8},
		{value.Object(value.Field("a", value.Object())), value.Object(value.Field("a", value.TextAsset("x"))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change that mixes an object", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", value.Secret(value.Null()))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found secret", codec.ErrPolicy},
		{value.Object(value.Field("a", secret)), value.Object(value.Field("a", value.Secret(value.TextAsset("x")))), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change in a secret", codec.ErrPolicy},
		{value.Object(value.Field("a", value.Unknown())), value.Object(value.Field("a", value.Object())), patch.Options{}, "patch: write merge patch: a: rejected by policy: found a change that mixes", codec.ErrPolicy},
		{value.Object(value.Field("a", value.Secret(value.Object()))), value.Object(value.Field("a", value.Secret(decode(`{"canary":null}`)))), patch.Options{Secrets: value.RevealSecrets}, "patch: write merge patch: a[secret]: rejected by policy: found a null", codec.ErrPolicy},
		{value.Object(), value.Object(value.Field("a", value.Secret(decode(`{"canary":null}`)))), patch.Options{Secrets: value.RevealSecrets}, "patch: write merge patch: a[secret]: rejected by policy: found a null", codec.ErrPolicy},
		{decode(`{"a":1}`), decode(`{"a":null,"b":null}`), patch.Options{NullAsMissing: true}, `{"a":null,"b":null}`, nil},
		{decode(`{"a":1}`), decode(`{"a":{"b":null,"c":1}}`), patch.Options{NullAsMissing: true}, `{"a":{"b":null,"c":1}}`, nil},
		{value.Object(), value.Object(value.Field("a", value.Secret(value.Null()))), patch.Options{NullAsMissing: true}, "patch: write merge patch: a: rejected by policy: found secret", codec.ErrPolicy},
		{value.Null(), value.Null(), patch.Options{Depth: -1}, "patch: write merge patch: ", codec.ErrOptions},
	} {
		got, err := patch.MergePatch(c.old, c.now, c.options)
		if (c.cause != nil && (!errors.Is(err, c.cause) || !strings.HasPrefix(err.Error(), c.want))) || (c.cause == nil && (err != nil || string(got) != c.want)) {
			t.Errorf("%v, %v: %s, %v, wanted %s", c.old, c.now, got, err, c.want)
		}
	}
}

// merged is the algorithm of RFC 7396, section 2.
func merged(target, patch value.Value) value.Value {
	if patch.Kind() != value.KindObject {
		return patch
	}
	if target.Kind() != value.KindObject {
		target = value.Object()
	}
	for name, v := range patch.Members() {
		if v.IsNull() {
			target, _ = target.Without(path.Of(path.Key(name)))
			continue
		}
		member, _ := target.Lookup(name)
		target, _ = target.WithField(name, merged(member, v))
	}
	return target
}

// merges draws two values, and applies the merge patch between them. It reports whether
// there is one.
func merges(t *rapid.T) bool {
	pair := drawRequest(t)
	nulls := rapid.Bool().Draw(t, "null as missing")
	text, err := patch.MergePatch(pair.Old, pair.New, patch.Options{Secrets: value.RevealSecrets, NullAsMissing: nulls})
	old, oldErr := plain(pair.Old)
	now, nowErr := plain(pair.New)
	if err != nil || oldErr != nil || nowErr != nil {
		return false
	}
	made, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var relation value.Relation
	if nulls {
		relation = value.NullAsMissing
	}
	if got := merged(old, made); !relation.Equal(got, now) {
		t.Fatalf("%s\non %s\ngives %s\nwant  %s", text, fuzz.GoSource(old), fuzz.GoSource(got), fuzz.GoSource(now))
	}
	return true
}

func TestMergePatchReplays(t *testing.T) {
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		if merges(t) {
			n++
		}
	})
	if n == 0 {
		t.Error("no patch was made")
	}
}
