package state_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// failure reads a text to its end and returns the error as its own type; it has
// to be one short line.
func failure(t testing.TB, text string, o state.Options) *state.Error {
	t.Helper()
	f, err := state.Parse([]byte(text), o)
	if err == nil {
		for r, e := range f.Resources() {
			if err = e; err != nil && r.URN != "" {
				t.Errorf("%.200s: an error, and a resource", text)
			}
		}
	}
	var e *state.Error
	if !errors.As(err, &e) {
		t.Fatalf("%.200s: error %v is no *state.Error", text, err)
	}
	if s := err.Error(); strings.ContainsAny(s, "\r\n") || len(s) > 500 {
		t.Errorf("%.200s: error is not one short line: %.600q", text, s)
	}
	return e
}

// malformed is a text that is refused, and how.
type malformed struct {
	at        string
	text      string
	err       error
	offset    int64
	resources int
	field     string
}

const (
	begin = `{"version":3,"deployment":{"resources":[` // 40 bytes
	next  = 40 + int64(len(resource)) + 1              // where a second resource begins
)

func malformedDocuments() []malformed {
	return []malformed{
		{here(), "", codec.ErrSyntax, 0, 0, ""},
		{here(), "\x7fELF\x02", codec.ErrSyntax, 0, 0, ""},
		{here(), "\x00\x00", codec.ErrSyntax, 0, 0, ""},
		{here(), "not json", codec.ErrSyntax, 1, 0, ""},
		{here(), "[]", state.ErrShape, 0, 0, ""},
		{here(), "3", state.ErrShape, 0, 0, ""},
		{here(), "[1", codec.ErrSyntax, 2, 0, ""},
		{here(), "{}", state.ErrShape, 0, 0, ""},
		{here(), ` {"name":"bag"}`, state.ErrShape, 1, 0, ""},
		{here(), `{"version":3}`, state.ErrShape, 0, 0, ""},
		{here(), `{"version":3,"checkpoint":null}`, state.ErrShape, 0, 0, ""},
		{here(), `{"deployment":{}}`, state.ErrVersion, 0, 0, ""},
		{here(), `{"version":0,"deployment":{}}`, state.ErrVersion, 11, 0, "version"},
		{here(), `{"deployment":{"resources":[` + resource + `]},"version":"3"}`, state.ErrVersion, next, 1, "version"},
		{here(), `{"version":3.5,"deployment":{}}`, state.ErrVersion, 11, 0, "version"},
		{here(), `{"version":3,"deployment":[]}`, state.ErrField, 26, 0, "deployment"},
		{here(), `{"version":3,"checkpoint":{"latest":1}}`, state.ErrField, 36, 0, "latest"},
		{here(), `{"version":3,"deployment":{"resources":{}}}`, state.ErrField, 39, 0, "resources"},
		{here(), `{"version":3,"deployment":{},"latest":{}}`, state.ErrShape, 0, 0, ""},
		{here(), `{"version":4,"features":[1],"deployment":{}}`, state.ErrField, 25, 0, "features"},
		{here(), `{"version":4,"features":"x","deployment":{}}`, state.ErrField, 24, 0, "features"},
		{here(), `{"version":3,"version":3,"deployment":{}}`, codec.ErrDuplicate, 13, 0, ""},
		{here(), `{"version":3,"deployment":{"a":1,"a":1}}`, codec.ErrDuplicate, 33, 0, ""},
		{here(), `{"version":3,"deployment":{"a":{"b":1,"b":1}}}`, codec.ErrDuplicate, 38, 0, "a"},
		{here(), `{"version":3,"deployment":{"secrets_providers":{"type":tru}}}`, codec.ErrSyntax, 58, 0, "secrets_providers"},
		{here(), export() + "x", codec.ErrSyntax, 43, 0, ""},
	}
}

func malformedResources() []malformed {
	const (
		begin = `{"version":3,"deployment":{"resources":[` // 40 bytes
		next  = 40 + int64(len(resource)) + 1              // where a second resource begins
	)
	return []malformed{
		{here(), begin, codec.ErrSyntax, 40, 0, ""},
		{here(), begin + resource, codec.ErrSyntax, next - 1, 1, ""},
		{here(), begin + resource + ",", codec.ErrSyntax, next, 1, ""},
		{here(), begin + resource + "," + resource + `,{"urn":"u`, codec.ErrSyntax, 2*next - 40 + 9, 2, ""},
		{here(), begin + resource + resource, codec.ErrSyntax, next - 1, 1, ""},
		{here(), begin + resource + ",]}}", codec.ErrSyntax, next, 1, ""},
		{here(), begin + resource + ",7]}}", state.ErrField, next, 1, "resource"},
		{here(), begin + resource + "," + "{\"urn\":\"\xff\"}]}}", codec.ErrUTF8, next + 8, 1, ""},
		{here(), export(resource, `{}`), state.ErrField, next, 1, "urn"},
		{here(), export(resource, `{"urn":""}`), state.ErrField, next, 1, "urn"},
		{here(), export(`{"urn":7}`), state.ErrField, 47, 0, "urn"},
		{here(), export(`{"urn":"u","type":{}}`), state.ErrField, 58, 0, "type"},
		{here(), export(`{"urn":"u","custom":"yes"}`), state.ErrField, 60, 0, "custom"},
		{here(), export(`{"urn":"u","dependencies":"d"}`), state.ErrField, 66, 0, "dependencies"},
		{here(), export(`{"urn":"u","aliases":["d",[]]}`), state.ErrField, 66, 0, "aliases"},
		{here(), export(`{"urn":"u","propertyDependencies":[]}`), state.ErrField, 74, 0, "propertyDependencies"},
		{here(), export(`{"urn":"u","propertyDependencies":{"a":[1]}}`), state.ErrField, 80, 0, "propertyDependencies"},
		{here(), export(`{"urn":"u","propertyDependencies":{"a":[],"a":[]}}`), codec.ErrDuplicate, 82, 0, "propertyDependencies"},
		{here(), export(`{"urn":"u","urn":"v"}`), codec.ErrDuplicate, 51, 0, "urn"},
		{here(), export(`{"x":1,"urn":"u","\u0078":1}`), codec.ErrDuplicate, 57, 0, "x"},
		{here(), export(`{"urn":"u",` + numbered(30) + `"x07":1}`), codec.ErrDuplicate, 291, 0, "x07"},
		{here(), export(`{"urn":"u","x":{"y":1,"y":1}}`), codec.ErrDuplicate, 62, 0, "x"},
		{here(), export(`{"urn":"u","inputs":[]}`), codec.ErrKind, 60, 0, "inputs"},
		{here(), export(resource, `{"urn":"u","inputs":{"a":1e400}}`), codec.ErrNumber, next + 25, 1, "inputs"},
		{here(), export(resource, `{"urn":"u","outputs":{"a":1,"a":2}}`), codec.ErrDuplicate, next + 28, 1, "outputs"},
		{here(), export(resource, `{"urn":"u","outputs":{"a":{`+asSecret+`,"masked":true}}}`), codec.ErrMasked, next + 26, 1, "outputs"},
	}
}

func TestMalformed(t *testing.T) {
	for _, row := range slices.Concat(malformedDocuments(), malformedResources()) {
		e := failure(t, row.text, state.Options{})
		if !errors.Is(e, row.err) || e.Offset != row.offset || e.Resources != row.resources || e.Field != row.field {
			t.Errorf("%s: %q: got %v (offset %d, %d resources, field %q)", row.at, row.text, e, e.Offset, e.Resources, e.Field)
		}
	}
}

func TestZeroError(t *testing.T) {
	if e := (&state.Error{}); e.Error() == "" || e.Unwrap() != nil {
		t.Errorf("the zero Error: %v", e)
	}
}

func TestErrorText(t *testing.T) {
	for _, row := range []struct{ at, text, want string }{
		{here(), `{"version":3,"deployment":{"resources":[` + resource, `state: offset 95, after 1 resource: syntax error: expected ',' or ']', found end of input`},
		{here(), `{"version":7,"deployment":{}}`, `state: offset 11, after 0 resources: version: unknown version: expected 1 to 4, found 7`},
		{here(), `{"a":1}`, `state: offset 0, after 0 resources: neither stack export nor checkpoint: expected one of the members deployment, checkpoint, latest, resources`},
		{here(), export(`{"urn":"u","inputs":{"a":{` + asSecret + `,"value":{"k":1e400}}}}`), `state: offset 149, after 0 resources: u: inputs: codec: decode json: a[secret]: number cannot be held exactly`},
	} {
		if got := failure(t, row.text, state.Options{}).Error(); got != row.want {
			t.Errorf("%s: got  %s\nwant %s", row.at, got, row.want)
		}
	}
}

// The limit on depth is for each bag; an error for more has its path.
func TestDepth(t *testing.T) {
	deep := func(n int) string {
		return export(resource, `{"urn":"u","inputs":{"a":`+strings.Repeat("[", n)+strings.Repeat("]", n)+`}}`)
	}
	o := state.Options{Codec: codec.Options{Depth: 10}}
	if f, err := state.Parse([]byte(deep(4)), o); err != nil || len(all(t, f)) != 2 {
		t.Errorf("within the limit: %v", err)
	}
	for _, n := range []int{5, 6, 7, 50} {
		e := failure(t, deep(n), o)
		if !errors.Is(e, codec.ErrDepth) || e.Resources != 1 || !strings.Contains(e.Error(), "inputs") || !strings.Contains(e.Error(), "a[0]") {
			t.Errorf("%d levels: %v", n, e)
		}
	}
	for _, text := range []string{
		strings.Repeat("[", 1e6), strings.Repeat(`{"deployment":`, 1e6), deep(1e6), `{"x":` + strings.Repeat("[", 1e6), `{"version":3,"deployment":` + strings.Repeat("[", 1e6),
		export(`{"urn":"u","x":` + strings.Repeat(`{"a":`, 1e6)),
	} {
		if e := failure(t, text, state.Options{}); !errors.Is(e, codec.ErrDepth) {
			t.Errorf("%.60s…: %v", text, e)
		}
	}
}

// Cut anywhere, a file is an error that knows how many resources were whole.
func TestTruncated(t *testing.T) {
	text := export(resource, `{"urn":"u","inputs":{"a":"é\u00e9","b":[1.5,true,null]}}`, resource)
	for n := range len(text) {
		e := failure(t, text[:n], state.Options{})
		if want := strings.Count(text[:n], "},{") + strings.Count(text[:n], "}]}}"); e.Offset > int64(n) || e.Resources < want-1 || e.Resources > want+1 {
			t.Errorf("cut at %d: %v", n, e)
		}
		if !errors.Is(e, codec.ErrSyntax) && !errors.Is(e, codec.ErrUTF8) {
			t.Errorf("cut at %d: %v", n, e)
		}
	}
}

// numbered is so many members with names of their own.
func numbered(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `"x%02d":0,`, i)
	}
	return text.String()
}
