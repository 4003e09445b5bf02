package patch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// secretOf is the text of a secret with a field.
func secretOf(field string) string {
	return `{"` + codec.SignatureKey + `":"1b47061264138c4ac30d75fd1eb44270",` + field + `}`
}

// patchOf is a patch with one change at "a".
func patchOf(node string) string { return `{"propalg":"diff/1","diff":{"members":{"a":` + node + `}}}` }

// malformed is a text, where the trouble is, what is wrapped, and a part of what
// is said. No cause: the text is a patch.
type malformed struct {
	text   string
	at     string
	offset int
	cause  error
	says   string
}

func malformedPatches() []malformed {
	update := `"op":"update","old":1,"new":2`
	return []malformed{
		// The patch itself.
		{` {"propalg":"diff/1"} `, "", 0, nil, ""},
		{`{"diff":{` + update + `},"propalg":"diff/1"}`, "", 0, nil, ""},
		{``, "", 0, codec.ErrSyntax, "'{'"},
		{`[]`, "", 0, codec.ErrSyntax, "'{'"},
		{`{}`, "", 0, patch.ErrForm, `"diff/1"`},
		{`{"propalg":"diff/2"}`, "", 11, patch.ErrForm, `"diff/1"`},
		{`{"propalg":1}`, "", 11, patch.ErrForm, `"diff/1"`},
		{`{"propalg":"diff/1","more":1}`, "", 20, patch.ErrForm, "an unknown member"},
		{`{"propalg":"diff/1","propalg":"diff/1"}`, "", 20, codec.ErrDuplicate, ""},
		{`{"propalg":"diff/1"} x`, "", 21, codec.ErrSyntax, "end of input"},
		{`{"propalg":"diff/1",}`, "", 20, codec.ErrSyntax, ""},
		{`{"propalg":"diff/1"`, "", 19, codec.ErrSyntax, "',' or '}'"},
		{`{"propalg":"diff/1","relation":["strict"]}`, "", 31, patch.ErrForm, "relations"},
		{`{"propalg":"diff/1","relation":["ignore secrets","ignore secrets"]}`, "", 31, patch.ErrForm, "once"},
		{`{"propalg":"diff/1","relation":"ignore secrets"}`, "", 31, patch.ErrForm, "names"},
		{`{"propalg":"diff/1","relation":[ "null as missing" , "ignore secrets" ]}`, "", 0, nil, ""},
		{`{"propalg":"diff/1","relation":[1]}`, "", 31, patch.ErrForm, "names"},
		{`{"propalg":"diff/1","unknowns":"maybe"}`, "", 31, patch.ErrForm, "changed"},
		{`{"propalg":"diff/1","uncertain":1}`, "", 32, patch.ErrForm, "true or false"},
		{`{"propalg":"diff/1","base":"12"}`, "", 27, patch.ErrForm, "fingerprint"},
		{`{"propalg":"diff/1","base":"` + strings.Repeat("A", 64) + `"}`, "", 27, patch.ErrForm, "fingerprint"},
		{`{"propalg":"diff/1","masked":true}`, "", -1, codec.ErrMasked, "with secrets shown"},
		{`{"propalg":"diff/1","diff":[]}`, "", 27, codec.ErrSyntax, "'{'"},
		{`{"propalg":"diff/1","diff":null}`, "", 27, codec.ErrSyntax, "'{'"},
	}
}

func malformedNodes() []malformed {
	update := `"op":"update","old":1,"new":2`
	return []malformed{
		// Nodes.
		{patchOf(`{` + update + `}`), "", 0, nil, ""},
		{patchOf(`{"new":2,"op":"update","old":1}`), "", 0, nil, ""},
		{patchOf(`{}`), "a", 43, patch.ErrForm, "op, members or elements"},
		{patchOf(`{` + update + `,"more":{}}`), "a", 74, patch.ErrForm, "an unknown member"},
		{patchOf(`{` + update + `,"op":"update"}`), "", 74, codec.ErrDuplicate, ""},
		{patchOf(`{"op":"replace"}`), "a", 49, patch.ErrForm, "an operation"},
		{patchOf(`{"op":"update","old":1}`), "a", 43, patch.ErrForm, "new"},
		{patchOf(`{"op":"add"}`), "a", 43, patch.ErrForm, "new"},
		{patchOf(`{"op":"update","old":1,"new":1}`), "a", 43, diff.ErrInvalid, "differ"},
		{patchOf(`{"op":"update","old":1,"new":1e400}`), "a", 72, codec.ErrNumber, ""},
		{patchOf(`{"op":"update","old":1,"new":{"b":[0,1,{"x":1e400}]}}`), "a.b[2].x", 87, codec.ErrNumber, ""},
		{patchOf(`{"op":"update","old":1,"new":` + secretOf(`"value":{"k":1e400}`) + `}`), "a[secret]", 156, codec.ErrNumber, ""},
		{patchOf(`{"op":"update","old":1,"new":` + secretOf(`"masked":true`) + `}`), "a", 72, codec.ErrMasked, "with secrets shown"},
		{patchOf(`{"masked":true}`), "a", -1, codec.ErrMasked, "with secrets shown"},
		{patchOf(`{` + update + `,"verdict":"perhaps"}`), "a", 84, patch.ErrForm, "maybe"},
		{patchOf(`{` + update + `,"hidden":["old"]}`), "a", 43, diff.ErrInvalid, "secret"},
		{patchOf(`{` + update + `,"hidden":["both"]}`), "a", 83, patch.ErrForm, "old or new"},
		{patchOf(`{` + update + `,"index":1}`), "a", 43, patch.ErrForm, "index"},
		{patchOf(`{` + update + `,"own":[]}`), "a", 43, patch.ErrForm, "own"},
		{patchOf(`{` + update + `,"secret":true}`), "a", 43, patch.ErrForm, "secret"},
		{patchOf(`{` + update + `,"members":{"b":{` + update + `}}}`), "a", 43, patch.ErrForm, "own"},
		{patchOf(`{"members":{}}`), "a", 43, diff.ErrInvalid, "changes inside"},
		{patchOf(`{"members":[]}`), "", 54, codec.ErrSyntax, "'{'"},
		{patchOf(`{"members":{"b":{` + update + `},"b":{` + update + `}}}`), "a", 95, codec.ErrDuplicate, ""},
		{patchOf(`{"members":{"c":{` + update + `},"b":{` + update + `}}}`), "", 0, nil, ""},
		{patchOf(`{"members":{"b":{` + update + `}},"elements":{}}`), "", 92, codec.ErrDuplicate, ""},
		{patchOf(`{"members":{"b":{"op":"update","old":1,"new":1}},"secret":true}`), "a[secret]", 59, diff.ErrInvalid, "secret"},
		{patchOf(`{"members":{"b":{"op":"update"}},"secret":true}`), "a[secret]", 59, patch.ErrForm, "old"},
		{`{"propalg":"diff/1","diff":{"members":{"a":{"members":{"b":{"op":"update"}},"secret":true}},"secret":true}}`, "[secret]", 59, patch.ErrForm, "old"},
		// Elements.
		{patchOf(`{"elements":{"oldLength":1,"length":1,"changes":[{"index":0,` + update + `}]}}`), "", 0, nil, ""},
		{patchOf(`{"elements":{"oldLength":1,"length":1,"changes":[{` + update + `}]}}`), "a[0]", 92, patch.ErrForm, "index"},
		{patchOf(`{"elements":{"oldLength":1,"length":1}}`), "a", 43, patch.ErrForm, "changes of elements"},
		{patchOf(`{"elements":{"changes":[]}}`), "a", 43, patch.ErrForm, "oldLength"},
		{patchOf(`{"elements":{"oldLength":1,"length":1,"changes":[{"index":-1,` + update + `}]}}`), "a[0]", 101, patch.ErrForm, "an index"},
		{patchOf(`{"elements":{"oldLength":1,"length":1,"changes":[{"index":1,` + update + `}]}}`), "a[1]", 92, diff.ErrInvalid, "in range"},
		{patchOf(`{"elements":{"oldLength":1e2,"length":1,"changes":[{"index":0,` + update + `}]}}`), "a", 68, patch.ErrForm, "a length"},
		{patchOf(`{"elements":{"oldLength":99999999999,"length":1,"changes":[{"index":0,` + update + `}]}}`), "a", 43, diff.ErrInvalid, "lengths"},
		{patchOf(`{"elements":{"oldLength":1,"more":1}}`), "a", 70, patch.ErrForm, "unordered or changes"},
		// Broken texts say no more than where.
		{patchOf(`{"op":"update","old":tru}`), "", 67, codec.ErrSyntax, "true"},
		{patchOf(`{"op":"update","old":"` + "\xff" + `"}`), "", 65, codec.ErrUTF8, ""},
		{patchOf(`{"op":"update","old":{"b":1,"b":1},"new":1}`), "a", 71, codec.ErrDuplicate, ""},
		{strings.Repeat(`{"propalg":"diff/1","diff":{"elements":{"changes":[`, 1) + strings.Repeat(`{"elements":{"changes":[`, 20_000), "", 120039, codec.ErrDepth, ""},
	}
}

func TestMalformed(t *testing.T) {
	for i, row := range append(malformedPatches(), malformedNodes()...) {
		_, err := patch.Unmarshal(row.text, patch.Options{})
		if row.cause == nil {
			if err != nil {
				t.Errorf("row %d: %v", i, err)
			}
			continue
		}
		var e *patch.Error
		if !errors.As(err, &e) || !errors.Is(err, row.cause) || e.At.String() != row.at || e.Offset != row.offset || !strings.Contains(err.Error(), row.says) {
			t.Errorf("row %d: %v\nwant %q at %q, offset %d, with %q\nin %.200s", i, err, row.cause, row.at, row.offset, row.says, row.text)
		}
	}
}

// What fits the limit on the way out fits it on the way in, and a deep change costs
// as much as it is deep.
func TestDepth(t *testing.T) {
	nest := func(v value.Value, n int) value.Value {
		for i := range n {
			if i%2 == 0 {
				v = arr(v)
			} else {
				v = obj("k", v)
			}
		}
		return v
	}
	written := 0
	for n := 3990; n < 4010; n++ {
		for _, sides := range [][2]value.Value{
			{nest(num(1), n), nest(num(2), n)},
			{nest(num(1), n), nest(obj(), n)},
			{obj("a", num(1)), obj("a", nest(num(1), n))},
			{nest(value.Secret(obj()), n), nest(value.Secret(obj("k", num(1))), n)},
		} {
			d := diff.Between(sides[0], sides[1], diff.Options{})
			text, err := patch.Marshal(d, revealed)
			if err != nil {
				if !errors.Is(err, codec.ErrDepth) {
					t.Fatal(err)
				}
				continue
			}
			written++
			if p, err := patch.Unmarshal(text, patch.Options{}); err != nil || !p.Diff().Equal(d) {
				t.Fatalf("depth %d: %v", n, err)
			}
		}
	}
	if written == 0 || written == 80 {
		t.Errorf("%d written", written)
	}
}

// No text leads to a diff that would make a value deeper than any can be.
func TestDepthOfResult(t *testing.T) {
	deepest := patch.Options{Depth: 2 * value.MaxDepth}
	for i, c := range []struct {
		above, height int
		ok            bool
	}{
		{5000, value.MaxDepth - 5000, true},
		{5000, value.MaxDepth - 4999, false},
		{5000, 9000, false},
		{9000, 5000, false},
		{value.MaxDepth, 0, true},
		{value.MaxDepth, 1, false},
		{value.MaxDepth + 1, 0, false},
	} {
		height := strings.Repeat("[", c.height) + strings.Repeat("]", c.height)
		if c.height == 0 {
			height = "2"
		}
		text := `{"propalg":"diff/1","diff":{` +
			strings.Repeat(`"elements":{"oldLength":1,"length":1,"changes":[{"index":0,`, c.above) +
			`"op":"update","old":1,"new":` + height + strings.Repeat(`}]}`, c.above) + `}}`
		p, err := patch.Unmarshal(text, deepest)
		if !c.ok {
			if !errors.Is(err, codec.ErrDepth) && !errors.Is(err, diff.ErrInvalid) {
				t.Errorf("row %d: %.200v", i, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("row %d: %.200v", i, err)
			continue
		}
		old := num(1)
		for range c.above {
			old = value.Array(old)
		}
		if now, err := p.Diff().Apply(old); err != nil || now.Depth() != c.above+c.height {
			t.Errorf("row %d: %d levels, %.200v", i, now.Depth(), err)
		}
	}
}
