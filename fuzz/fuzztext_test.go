package fuzz_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/test/hostile"

	"github.com/propalg/propalg/internal/test/sample"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/fuzz/internal/laws"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// seedPaths gives a target texts that are, or nearly are, paths.
func seedPaths(f *testing.F) {
	f.Helper()

	for _, s := range hostile.Strings()[:60] {
		f.Add(s)
		f.Add(path.Of(path.Key("a"), path.Key(s), path.Index(0)).String())
	}

	for _, s := range []string{"a.b[0].c", "a[", `a["`, `a["b`, "a[1", "a[50000000]", "a[2147483647]", "a[2147483648]", "a[-1]", `["a\"b"]`, "[*]", `["*"]`, "a.*", "a..b", "a]b"} {
		f.Add(s)
	}
}

// checkPathError: an error says where, in one short printable line.
func checkPathError(t *testing.T, text string, err error) {
	t.Helper()

	var e *path.Error
	if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || e.Input != text {
		t.Fatalf("%q: %#v", text, err)
	}

	if line := err.Error(); len(line) > 600 || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
		t.Fatalf("%q: %d bytes: %q", text, len(line), line)
	}
}

func FuzzParsePath(f *testing.F) {
	seedPaths(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := path.Parse(text)
		if err != nil {
			checkPathError(t, text, err)

			return
		}

		if back, err := path.Parse(p.String()); err != nil || back != p {
			t.Fatalf("%q is %#v, which reads back as %#v, %v", text, p, back, err)
		}

		if pattern, err := path.ParsePattern(text); err != nil || pattern != p.Pattern() {
			t.Fatalf("%q is the path %v, and the pattern %v, %v", text, p, pattern, err)
		}
	})
}

func FuzzParsePulumiPath(f *testing.F) {
	seedPaths(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := path.ParsePulumi(text)
		pattern, patternErr := path.ParsePulumiPattern(text)

		if (err == nil) != (patternErr == nil) {
			t.Fatalf("%q: %v as a path, %v as a pattern", text, err, patternErr)
		}

		if err != nil {
			checkPathError(t, text, err)

			return
		}

		if len(slices.Collect(pattern.Steps())) != p.Len() || !pattern.Matches(p) {
			t.Fatalf("%q: %v as a path, %v as a pattern", text, p, pattern)
		}

		written, err := p.Pulumi()
		if err != nil {
			return
		}

		if back, err := path.ParsePulumi(written); err != nil || back != p {
			t.Fatalf("%q is written as %q, which reads as %v, %v", text, written, back, err)
		}
	})
}

func FuzzParsePattern(f *testing.F) {
	seedPaths(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := path.ParsePattern(text)
		if err != nil {
			checkPathError(t, text, err)

			return
		}

		if back, err := path.ParsePattern(p.String()); err != nil || back != p {
			t.Fatalf("%q is %v, which reads back as %v, %v", text, p, back, err)
		}

		set := path.NewSet(p, p)
		if exact, ok := p.Path(); ok && (!set.At(exact).Matches() || !p.Covers(exact) || !set.At(exact).MayMatchBelow()) {
			t.Fatalf("%v does not match itself", p)
		}
	})
}

func FuzzParseURN(f *testing.F) {
	for _, s := range []string{"", "urn:pulumi:", "urn:pulumi:s::p::t::n", "urn:pulumi::::::::", "urn:pulumi:a::b::c$d::e::f\n", "urn:pulumi::a::b::c", "URN:pulumi:a::b::c::d", "urn:pulumi:\xff::\x00::$$::"} {
		f.Add(s)
	}

	f.Fuzz(func(t *testing.T, text string) {
		u, err := urn.Parse(text)
		if err != nil {
			var e *urn.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || len(err.Error()) > 600 {
				t.Fatalf("%q: %#v", text, err)
			}

			return
		}

		parts := u.Parts()
		if u.String() != text || text != urn.Prefix+parts.Stack+"::"+parts.Project+"::"+u.QualifiedType()+"::"+parts.Name {
			t.Fatalf("%q is %+v", text, parts)
		}

		if built, err := urn.Build(parts); err == nil && built != u && (len(parts.Parents) != 1 || parts.Parents[0] != urn.RootStackType) {
			t.Fatalf("%q is built as %q", text, built)
		}

		if u.CheckSpec() == nil && u.CheckSpecNested() != nil {
			t.Fatalf("%q is of the published grammar, but not of a wider one", text)
		}
	})
}

func FuzzDecodeJSON(f *testing.F) {
	for _, s := range hostile.Texts(40) {
		f.Add([]byte(s))
	}

	for _, s := range hostile.NumberTexts() {
		f.Add([]byte("[" + s + "]"))
	}

	f.Fuzz(func(t *testing.T, data []byte) {
		laws.Owned(t, data, codec.Options{}, codec.DecodeJSONValue)

		v, err := codec.DecodeJSONValue(data, codec.Options{})
		if err != nil {
			var e *codec.Error
			if !errors.As(err, &e) || e.Offset < -1 || e.Offset > len(data) || !v.Identical(value.Null()) {
				t.Fatalf("%q: %v, %#v", data, v, err)
			}

			return
		}

		// Sealed secrets have no other text than in a state file; else what was
		// read can be written, and reads back the same.
		text, err := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed})
		if err != nil {
			t.Fatalf("%q is %s, which cannot be written: %v", data, fuzz.GoSource(v), err)
		}

		if back, err := codec.DecodeJSONValue(text, codec.Options{}); err != nil || !back.Identical(v) {
			t.Fatalf("%q is %s, written as %s, and reads back as %s, %v", data, fuzz.GoSource(v), text, fuzz.GoSource(back), err)
		}

		if again, err := codec.AppendJSONValue(nil, v.Compact(), codec.Options{Form: codec.FormSealed}); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%q is written as %s, then as %s, %v", data, text, again, err)
		}
	})
}

// FuzzRewriteState edits any text. Without edits it is copied, or refused for what reading
// refuses it for, or for a bad reference. The stack renamed there and back is the text.
func FuzzRewriteState(f *testing.F) {
	const root = `{"urn":"urn:pulumi:s::p::pulumi:pulumi:Stack::p-s","type":"pulumi:pulumi:Stack"}`

	for _, s := range hostile.Texts(20) {
		f.Add([]byte(s), "t")
		f.Add([]byte(strings.Replace(sample.StackExport(s, "{}"), `"resources":[`, `"resources":[`+root+`,`, 1)), "t")
	}

	const secret = `,"inputs":{"a":{"plaintext":"{\"urn\":\"urn:pulumi:s::p::a:b:C::d\",\"plaintext\":\"urn:pulumi:s::p::a:b:C::d\",\"b\":[\"urn:pulumi:s::p::a:b:C::d\"]}","4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"}}`

	for _, members := range []string{secret, `,"dependencies":["urn:pulumi:s::p::pulumi:pulumi:Stack::p-s"]`} {
		other := `{"urn":"urn:pulumi:other::p::a:b:C::d","type":"a:b:C"` + members + `}`
		f.Add([]byte(`{"version":3,"deployment":{"resources":[`+other+`,`+root+`]}}`), "t")
		f.Add([]byte(`{"version":3,"deployment":{"resources":[`+root+`,`+other+`]}}`), "t")
	}

	f.Fuzz(func(t *testing.T, data []byte, name string) {
		var out bytes.Buffer

		n, err := state.Rewrite(bytes.NewReader(data), &out, state.Edits{})
		if err != nil {
			var e *state.Error
			if !errors.As(err, &e) || e.Offset > int64(len(data)) || out.Len() > 0 {
				t.Fatalf("%q: %#v, written is %q", data, err, out.String())
			}

			if _, stateErr := state.Parse(data, state.Options{Codec: codec.Options{Depth: 2 * value.MaxDepth}}); stateErr == nil && !errors.Is(err, state.ErrEdit) && !errors.Is(err, state.ErrField) && !errors.Is(err, codec.ErrDuplicate) {
				t.Fatalf("%q: %v, and it can be read", data, err)
			}

			return
		}

		if n != 0 || !bytes.Equal(out.Bytes(), data) {
			t.Fatalf("%q: rewritten as %q", data, out.String())
		}

		there := renamedStack(t, data, "s", name)
		if there == nil || name == "" || bytes.Contains(data, []byte(name)) || bytes.Contains(data, []byte(`\`)) {
			return // the name may be in other URNs
		}

		if back := renamedStack(t, there, name, "s"); !bytes.Equal(back, data) {
			t.Fatalf("%q: there it is %q, and back %q", data, there, back)
		}
	})
}

// renamedStack renames the stack in all URNs, and returns nil if that cannot be.
func renamedStack(t *testing.T, data []byte, from, to string) []byte {
	t.Helper()

	var out bytes.Buffer
	if _, err := state.Rewrite(bytes.NewReader(data), &out, state.Edits{OldStack: from, NewStack: to, InProperties: true, Depth: 1 << 20}); err != nil {
		if !errors.Is(err, state.ErrEdit) || out.Len() > 0 {
			t.Fatalf("%q: %v, written is %q", data, err, out.String())
		}

		return nil
	}

	if state.IsState(data) != state.IsState(out.Bytes()) {
		t.Fatalf("%q: rewritten as %q", data, out.String())
	}

	return out.Bytes()
}

func FuzzReadState(f *testing.F) {
	for _, s := range hostile.Texts(20) {
		f.Add([]byte(s))
		f.Add([]byte(sample.StackExport(s, "{}")))
	}

	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := state.Parse(data, state.Options{})
		if err != nil {
			var e *state.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(data)) || e.Resources < 0 {
				t.Fatalf("%q: %#v", data, err)
			}

			return
		}

		n := 0

		for r, err := range file.Resources() {
			if err != nil {
				var e *state.Error
				if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(data)) || e.Resources != n {
					t.Fatalf("%q: %#v after %d resources", data, err, n)
				}

				return
			}

			n++

			if r.Inputs.Kind() != value.KindObject && !r.Inputs.IsNull() && !r.Inputs.IsUnknown() && r.Inputs.Kind() != value.KindSealed {
				t.Fatalf("%q: inputs are %v", data, r.Inputs.Kind())
			}
		}

		if n != file.Len() {
			t.Fatalf("%q: %d resources, Len says %d", data, n, file.Len())
		}
	})
}

func FuzzApply(f *testing.F) {
	texts := hostile.Texts(8)
	for i, s := range texts {
		f.Add([]byte(s), []byte(texts[(i+7)%len(texts)]), []byte(s), uint16(i))
	}

	f.Add([]byte(`{"a":[1,2]}`), []byte(`{"a":[1],"b":null}`), []byte(`{"a":[1,3]}`), uint16(1))
	f.Fuzz(func(t *testing.T, oldText, newText, baseText []byte, bits uint16) {
		old, _ := codec.DecodeJSONValue(oldText, codec.Options{})
		now, _ := codec.DecodeJSONValue(newText, codec.Options{})
		base, _ := codec.DecodeJSONValue(baseText, codec.Options{})
		r := value.Relation(bits % 16)
		d := diff.Between(old, now, diff.Options{Relation: r})

		if got, err := d.Apply(old); err != nil || !r.Equal(got, now) || d.Empty() != r.Equal(old, now) {
			t.Fatalf("%v: %s, %s: applied: %s, %v", r, fuzz.GoSource(old), fuzz.GoSource(now), fuzz.GoSource(got), err)
		}

		if got, err := d.Invert().Apply(now); err != nil || !r.Equal(got, old) {
			t.Fatalf("%v: %s, %s: inverse applied: %s, %v", r, fuzz.GoSource(old), fuzz.GoSource(now), fuzz.GoSource(got), err)
		}

		if got, err := d.Apply(base); err != nil && (!errors.Is(err, diff.ErrFit) || !got.Identical(base)) {
			t.Fatalf("%v: %s, %s on %s: %s, %v", r, fuzz.GoSource(old), fuzz.GoSource(now), fuzz.GoSource(base), fuzz.GoSource(got), err)
		}

		_ = render.Text(d, render.Options{})
		_ = provider.Differ{}.Respond(d)
	})
}
