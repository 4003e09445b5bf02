package fuzz_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/hostile"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/fuzz/internal/laws"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// FuzzResponse gives what reads foreign responses any response: keys are the lines
// of a text, of the kinds of a number, for values out of JSON texts.
func FuzzResponse(f *testing.F) {
	for i, keys := range []string{"a", "a\na[0]\n", "b.c\n[\"b\"]", "\n", "a[", "list[2]\nlist[0]\n__meta", "[0]", "a.b.c\nd"} {
		f.Add([]byte(`{"a":[1,2],"b":{"c":null},"list":[1,2]}`), []byte(`{"a":[1],"b":{"c":1},"list":[2,1,3]}`), keys, uint32(i*7919))
	}

	f.Fuzz(func(t *testing.T, oldText, newText []byte, keys string, bits uint32) {
		old, _ := codec.DecodeJSONValue(oldText, codec.Options{})
		now, _ := codec.DecodeJSONValue(newText, codec.Options{})
		sides := provider.Sides{OldInputs: old, OldState: old, News: now}
		r := provider.Response{Changes: rpc.DiffChanges(bits % 4), HasDetailed: bits&4 != 0, DeleteBeforeReplace: bits&8 != 0}

		for key := range strings.SplitSeq(keys, "\n") {

			r.Detailed = append(r.Detailed, provider.Entry{Key: key, Kind: rpc.PropertyDiffKind(bits >> 4 % 8), InputDiff: bits&256 != 0})
			bits = bits*1664525 + 1013904223

			if bits&512 != 0 {
				r.Diffs = append(r.Diffs, key)
			}
		}

		checkResponse(t, r, sides)
	})
}

// checkResponse holds the functions that take any response to what they promise.
func checkResponse(t *testing.T, r provider.Response, sides provider.Sides) {
	t.Helper()

	reading := check.ReadResponse(r, sides)
	if len(reading.Omitted) > len(r.Detailed) {
		t.Fatalf("%d omitted of %d", len(reading.Omitted), len(r.Detailed))
	}

	if text := render.Text(reading.Diff, render.Options{}); text == "" && !reading.Diff.Empty() {
		t.Fatalf("a diff without a text: %#v", reading.Diff)
	}

	for _, found := range check.Validate(r, sides, provider.Differ{}) {
		if found.Code == "" || found.Entry >= len(r.Detailed) {
			t.Fatalf("%#v", found)
		}
	}

	again := provider.ResponseOf(provider.NewDiffResponse(r))
	if len(again.Detailed) > len(r.Detailed) || (again.Changes != r.Changes && r.Changes <= rpc.DiffSome) {
		t.Fatalf("%v, then %v", r, again)
	}

	if filled := decide.Fallback(r, sides, nil); r.Changes != rpc.DiffUnknown && filled.Changes != r.Changes {
		t.Fatalf("%v, filled in %v", r, filled)
	}

	_ = decide.Next(r, decide.Situation{})
	_ = r.Invert()
}

// FuzzBuildURN builds URNs of any parts: what is built reads back as them.
func FuzzBuildURN(f *testing.F) {
	f.Add("dev", "shop", "a:b:C", "x$y", "name")
	f.Add("", "", "", "", "")
	f.Add("s", "p", "t", urn.RootStackType+"$a", "n::m")
	f.Add("s::", ":p", "t$u", "$", ":")

	f.Fuzz(func(t *testing.T, stack, project, typ, parents, name string) {
		parts := urn.Parts{Stack: stack, Project: project, Type: typ, Parents: strings.Split(parents, "$"), Name: name}

		u, err := urn.Build(parts)
		if err != nil {
			var e *urn.Error
			if !errors.As(err, &e) || !errors.Is(err, urn.ErrPart) || len(err.Error()) > 600 {
				t.Fatalf("%+v: %#v", parts, err)
			}

			return
		}

		back, err := urn.Parse(u.String())
		if err != nil || back != u || back.Name() != name || back.Type() != typ || back.Stack() != stack || back.Project() != project {
			t.Fatalf("%+v is %q, which reads as %+v, %v", parts, u, back.Parts(), err)
		}

		var text urn.URN
		if err := text.UnmarshalText([]byte(u.String())); err != nil || text != u {
			t.Fatalf("%q: %q, %v", u, text, err)
		}
	})
}

// FuzzFromGo takes any JSON as Go data holds it, numbers as they are written: what
// is read is written the same.
func FuzzFromGo(f *testing.F) {
	for _, s := range hostile.Texts(12) {
		f.Add([]byte(s), true)
	}

	for _, s := range hostile.NumberTexts() {
		f.Add([]byte("["+s+"]"), true)
		f.Add([]byte("["+s+"]"), false)
	}

	f.Fuzz(func(t *testing.T, data []byte, asWritten bool) {
		decoder := json.NewDecoder(bytes.NewReader(data))
		if asWritten {
			decoder.UseNumber()
		}

		var x any
		if decoder.Decode(&x) != nil {
			return
		}

		v, err := value.FromGo(x)
		if err != nil {
			var e *value.Error
			if !errors.As(err, &e) || (!errors.Is(err, value.ErrInexact) && !errors.Is(err, value.ErrDepth)) || (!asWritten && errors.Is(err, value.ErrInexact)) {
				t.Fatalf("%s: %#v", data, err)
			}

			return
		}

		plain, err := v.ToGo()
		if err != nil {
			t.Fatalf("%s is %s: %v", data, fuzz.GoSource(v), err)
		}

		if back, err := value.FromGo(plain); err != nil || !back.Identical(v) {
			t.Fatalf("%s is %s, and comes back as %s, %v", data, fuzz.GoSource(v), fuzz.GoSource(back), err)
		}
	})
}

// FuzzIgnore sets back what any pattern names: doing it again changes nothing, in
// either mode of one pattern, and what the pattern does not touch stays.
func FuzzIgnore(f *testing.F) {
	for _, s := range []string{"a", "a[*]", "*", "a.b[0]", "", "a[1]", "a.*.c", `["*"]`} {
		f.Add([]byte(`{"a":[1,{"b":2}],"c":null}`), []byte(`{"a":[2],"c":{"b":[3]}}`), s)
		f.Add([]byte(`{"a":{"b":[{"c":1},2]}}`), []byte(`{"a":{"b":[{"c":2}]}}`), s)
	}

	f.Fuzz(func(t *testing.T, oldText, newText []byte, text string) {
		old, _ := codec.DecodeJSONValue(oldText, codec.Options{})
		now, _ := codec.DecodeJSONValue(newText, codec.Options{})

		p, err := path.ParsePulumiPattern(text)
		if err != nil {
			return
		}

		for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
			got := ignore.Changes(old, now, []path.Pattern{p}, mode)
			if again := ignore.Changes(old, got.Value, []path.Pattern{p}, mode); !again.Value.Identical(got.Value) {
				t.Fatalf("%v of %s, %s makes %s, then %s", p, oldText, newText, fuzz.GoSource(got.Value), fuzz.GoSource(again.Value))
			}

			if len(got.Patterns) > 1 {
				t.Fatalf("%d patterns", len(got.Patterns))
			}

			for c := range diff.Between(now, got.Value, diff.Options{}).Changes() {
				if !p.Covers(c.Path()) && !path.NewSet(p).At(c.Path()).MayMatchBelow() {
					t.Fatalf("%v of %s, %s changes %v", p, oldText, newText, c)
				}
			}
		}
	})
}

// FuzzReadLog reads any text as a log of calls, to its end, and every message.
func FuzzReadLog(f *testing.F) {
	request := `{"method":"/pulumirpc.ResourceProvider/Check","request":{"urn":"urn:pulumi:s::p::t::n","news":{"a":1}},"response":{"inputs":{"a":1}},"metadata":{"kind":"resource"}}`
	for _, text := range []string{"", "\n\n", request, request + "\n" + request + "\n", request[:40], "{}\n[]", `{"method":7}`, `{"method":"/x/Y","request":{},"errors":["e"]}`} {
		f.Add(text)
	}

	f.Fuzz(func(t *testing.T, text string) {
		line, offset := 0, int64(-1)

		for c, err := range rpc.ReadLog(strings.NewReader(text)) {
			if err != nil {
				var e *rpc.Error
				if !errors.As(err, &e) || c.Line != 0 || len(err.Error()) > 4000 {
					t.Fatalf("%q: %#v, %v", text, err, c)
				}

				return
			}

			if c.Line <= line || c.Offset <= offset || c.Offset > int64(len(text)) {
				t.Fatalf("%q: line %d at %d after line %d at %d", text, c.Line, c.Offset, line, offset)
			}

			line, offset = c.Line, c.Offset

			for _, message := range []func(rpc.Options) (rpc.Message, error){c.Request, c.Response} {
				if m, err := message(rpc.Options{}); err == nil && m != nil {
					if _, err := rpc.Append(nil, m, rpc.Options{}); err != nil && !errors.Is(err, codec.ErrSealed) && !errors.Is(err, codec.ErrSentinel) {
						t.Fatalf("%q: read, and not written: %v", text, err)
					}
				}
			}

			_, _ = c.String(), c.Failed()
		}
	})
}

// FuzzDamagedBytes: what accidents make of bags is read, or an error with a place.
func FuzzDamagedBytes(f *testing.F) {
	fuzzLaw(f, func(t *rapid.T) {
		data := fuzz.Damaged(fuzz.BagBytes(fuzz.Options{})).Draw(t, "data")

		laws.Owned(t, data, codec.Options{}, codec.Decode)

		v, err := codec.Decode(data, codec.Options{})
		if err != nil {
			var e *codec.Error
			if !errors.As(err, &e) || e.Offset < -1 || e.Offset > len(data) || !v.Identical(value.Null()) {
				t.Fatalf("%x: %#v", data, err)
			}

			return
		}

		// Texts are as they came, UTF-8 or not; what cannot be written says why.
		if again, err := codec.Append(nil, v, codec.Options{}); err == nil {
			if back, err := codec.Decode(again, codec.Options{}); err != nil || !back.Identical(v) {
				t.Fatalf("%x is %s, and reads back as %s, %v", data, fuzz.GoSource(v), fuzz.GoSource(back), err)
			}
		} else if !errors.Is(err, codec.ErrUTF8) && !errors.Is(err, codec.ErrSentinel) && !errors.Is(err, codec.ErrSignature) && !errors.Is(err, codec.ErrSealed) {
			t.Fatalf("%x is %s, and cannot be written: %v", data, fuzz.GoSource(v), err)
		}
	})
}

// FuzzDamagedState: what accidents make of state files is read the same at once
// and as a stream, or is an error with a place in both.
func FuzzDamagedState(f *testing.F) {
	fuzzLaw(f, func(t *rapid.T) {
		data := fuzz.Damaged(fuzz.StateTexts(fuzz.Options{Nodes: 8})).Draw(t, "data")
		wholeErr := readState(data)
		reader := state.NewReader(bytes.NewReader(data), state.Options{})

		var streamErr error

		for _, err := range reader.Resources() {
			streamErr = err
		}

		if (wholeErr == nil) != (streamErr == nil) {
			t.Fatalf("%q: at once %v, as a stream %v", data, wholeErr, streamErr)
		}

		var e *state.Error
		if wholeErr != nil && (!errors.As(wholeErr, &e) || e.Offset < 0 || e.Offset > int64(len(data))) {
			t.Fatalf("%q: %#v", data, wholeErr)
		}
	})
}

// FuzzHonestProvider tries the checker of providers on one whose answers are true.
func FuzzHonestProvider(f *testing.F) {
	fuzzLaw(f, fuzz.Provider{Check: passOn, Diff: honest}.Law)
}

// FuzzNumbers takes any number by its bits: it is one number wherever it goes.
func FuzzNumbers(f *testing.F) {
	for _, n := range hostile.Numbers() {
		f.Add(math.Float64bits(n))
	}

	f.Fuzz(func(t *testing.T, bits uint64) {
		v := value.Array(value.Number(math.Float64frombits(bits)))

		data, err := codec.AppendValue(nil, v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}

		if back, err := codec.DecodeValue(data, codec.Options{}); err != nil || !back.Identical(v) {
			t.Fatalf("%x: %v, %v", bits, back, err)
		}

		text, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if err != nil {
			if !errors.Is(err, codec.ErrNumber) {
				t.Fatal(err)
			}

			return
		}

		if back, err := codec.DecodeJSONValue(text, codec.Options{}); err != nil || !back.Identical(v) {
			t.Fatalf("%x: %s: %v, %v", bits, text, back, err)
		}
	})
}
