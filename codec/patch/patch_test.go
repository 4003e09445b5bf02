package patch_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

var revealed = patch.Options{Secrets: value.RevealSecrets}

// unwritable lists the causes for which Marshal may fail.
var unwritable = []error{codec.ErrUTF8, codec.ErrSentinel, codec.ErrSignature, codec.ErrNumber}

func num(f float64) value.Value { return value.Number(f) }

func str(s string) value.Value { return value.String(s) }

// obj makes an object of keys and values, one after the other.
func obj(members ...any) value.Value {
	var list []value.Member
	for i := 0; i < len(members); i += 2 {
		list = append(list, value.Member{Key: members[i].(string), Value: members[i+1].(value.Value)})
	}
	return value.Object(list...)
}

func arr(elems ...value.Value) value.Value { return value.Array(elems...) }

// word draws an element of lists, with marks now and then.
func word(t *rapid.T) value.Value {
	v := str(rapid.SampledFrom([]string{"p", "q", "r", "s"}).Draw(t, "word"))
	switch rapid.IntRange(0, 19).Draw(t, "mark") {
	case 0:
		return value.Secret(v)
	case 1:
		return value.Unknown()
	case 2:
		return v.WithDependencies("urn:a")
	case 3:
		return value.Sealed{Ciphertext: "c"}.Value()
	case 4:
		return value.Null()
	}
	return v
}

func item(t *rapid.T) value.Value {
	if rapid.Bool().Draw(t, "object") {
		return obj("name", word(t), "size", word(t), "list", arr(word(t), word(t)))
	}
	return word(t)
}

// redundant puts marks on an element that its container may make redundant, or takes them
// off, at any depth.
func redundant(t *rapid.T, v value.Value) value.Value {
	flip := func(v value.Value) value.Value {
		if v.OwnSecret() {
			return v.DropSecret()
		}
		return value.Secret(v)
	}
	if key, member, ok := v.MemberAt(rapid.IntRange(0, 3).Draw(t, "member")); ok && !v.IsSecret() {
		v, _ = v.With(path.Of(path.Key(key)), flip(member))
		return v
	}
	return flip(v)
}

// rearranged is a list with elements inserted, removed, moved and changed.
func rearranged(t *rapid.T, list []value.Value) []value.Value {
	out := slices.Clone(list)
	for range rapid.IntRange(0, 4).Draw(t, "edits") {
		i := rapid.IntRange(0, len(out)).Draw(t, "at")
		switch edit := rapid.IntRange(0, 5).Draw(t, "edit"); {
		case edit == 0 || i == len(out):
			out = slices.Insert(out, i, item(t))
		case edit == 1:
			out = slices.Delete(out, i, i+1)
		case edit == 2 && out[i].Kind() == value.KindObject:
			out[i], _ = out[i].With(path.MustParse("size"), word(t))
		case edit == 3 && out[i].Kind() == value.KindObject:
			out[i] = out[i].WithDependencies("urn:b")
		case edit == 5:
			out[i] = redundant(t, out[i])
		default:
			v := out[i]
			out = slices.Insert(slices.Delete(out, i, i+1), rapid.IntRange(0, len(out)-1).Draw(t, "to"), v)
		}
	}
	return out
}

// pair draws two values to be compared.
func pair(t *rapid.T) (old, now value.Value) {
	if rapid.IntRange(0, 2).Draw(t, "any") == 0 {
		p := fuzz.Pairs(fuzz.Options{NoSealed: true}).Draw(t, "pair")
		return p.Old, p.New
	}
	var list []value.Value
	for range rapid.IntRange(0, 6).Draw(t, "items") {
		list = append(list, item(t))
	}
	old, now = value.Array(list...), value.Array(rearranged(t, list)...)
	switch rapid.IntRange(0, 5).Draw(t, "marks") {
	case 0:
		old, now = value.Secret(old), value.Secret(now)
	case 1:
		now = now.WithDependencies("urn:c")
	case 2:
		old = value.Secret(old)
	}
	if rapid.Bool().Draw(t, "inside") {
		old, now = obj("list", old, "same", num(1)), obj("list", now, "same", num(1))
	}
	if rapid.IntRange(0, 9).Draw(t, "handed out") == 0 {
		return value.Secret(arr(old)).Elem(0), value.Secret(arr(now)).Elem(0)
	}
	return old, now
}

// options draws how to compare.
func options(t *rapid.T) diff.Options {
	return diff.Options{
		Relation:       value.Relation(rapid.IntRange(0, 15).Draw(t, "relation")), //nolint:gosec // small
		MaybeIsChanged: rapid.Bool().Draw(t, "unknowns"),
		Arrays: rapid.SampledFrom([]diff.Match{
			diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Unordered(), diff.Auto(),
		}).Draw(t, "arrays"),
	}
}

func TestRoundTrip(t *testing.T) {
	written, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		old, now := pair(t)
		o := options(t)
		d := diff.Between(old, now, o)
		text, err := patch.Marshal(d, revealed)
		if err != nil {
			refused++
			if !slices.ContainsFunc(unwritable, func(cause error) bool { return errors.Is(err, cause) }) {
				t.Fatalf("marshal: %v", err)
			}
			return
		}
		written++
		p, err := patch.Unmarshal(text, patch.Options{})
		if err != nil || !p.Diff().Equal(d) {
			t.Fatalf("%v, %v: %v\n%s\n%#v\nis not\n%#v", o.Relation, o.Arrays, err, text, p.Diff(), d)
		}
		again, err := patch.Marshal(p.Diff(), revealed)
		if err != nil || !bytes.Equal(text, again) {
			t.Fatalf("%v: other bytes\n%s\n%s", err, text, again)
		}
		next, err := p.Apply(old)
		if err != nil || !o.Relation.Equal(next, now) {
			t.Fatalf("apply: %v\n%s", err, text)
		}
		if direct, _ := d.Apply(old); !next.Identical(direct) || next.OwnSecret() != direct.OwnSecret() {
			t.Fatalf("%v, %v: applied: %s, without writing: %s\n%s", o.Relation, o.Arrays, fuzz.GoSource(next), fuzz.GoSource(direct), text)
		}
		inverse, err := patch.Marshal(d.Invert(), revealed)
		if err != nil {
			t.Fatalf("inverse: %v", err)
		}
		if p, err := patch.Unmarshal(inverse, patch.Options{}); err != nil || !p.Diff().Equal(d.Invert()) {
			t.Fatalf("inverse: %v\n%s", err, inverse)
		}
	})
	if written < refused {
		t.Errorf("%d written, %d refused", written, refused)
	}
}

func TestApplyChecksBase(t *testing.T) {
	old, now := obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(1))
	other := obj("a", num(1), "b", num(2))
	text, err := patch.Marshal(diff.Between(old, now, diff.Options{}), patch.Options{Base: patch.Fingerprint(old)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := patch.Unmarshal(text, patch.Options{})
	if err != nil || p.Base() != patch.Fingerprint(old) {
		t.Fatal(err, p.Base())
	}
	if got, err := p.Apply(old); err != nil || !got.Equal(now) {
		t.Error(err)
	}
	if got, err := p.Apply(other); !errors.Is(err, patch.ErrBase) || !got.Identical(other) {
		t.Errorf("another base: %v, %v", got, err)
	}
	if got, err := p.Diff().Apply(other); err != nil || !got.Equal(obj("a", num(2), "b", num(2))) {
		t.Errorf("any base: %v, %v", got, err)
	}
	if got, err := p.Diff().Apply(now); !errors.Is(err, diff.ErrFit) || !got.Identical(now) {
		t.Errorf("a base that does not fit: %v, %v", got, err)
	}
}
