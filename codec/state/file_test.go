package state_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

const (
	urnA     = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::a"
	asSecret = `"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"`
	resource = `{"urn":"` + urnA + `"}`
)

// here names the line of a row.
func here() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprintf("line %d", line)
}

// export wraps resources as a stack export does.
func export(resources ...string) string {
	return `{"version":3,"deployment":{"resources":[` + strings.Join(resources, ",") + `]}}`
}

func parse(t testing.TB, text string) *state.File {
	t.Helper()
	f, err := state.Parse([]byte(text), state.Options{})
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return f
}

// all reads all resources.
func all(t testing.TB, f *state.File) []state.Resource {
	t.Helper()
	var rs []state.Resource
	for r, err := range f.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, r)
	}
	return rs
}

// only reads the only resource of a text.
func only(t testing.TB, text string) state.Resource {
	t.Helper()
	rs := all(t, parse(t, export(text)))
	if len(rs) != 1 {
		t.Fatalf("%d resources", len(rs))
	}
	return rs[0]
}

func fields(fs []state.Field) string {
	var b strings.Builder
	for _, f := range fs {
		b.WriteString(f.Name + "=" + f.RevealText() + ";")
	}
	return b.String()
}

func TestShapes(t *testing.T) {
	for _, row := range []struct {
		at       string
		text     string
		shape    string
		version  int
		n        int
		fields   string
		wrapping string
	}{
		{here(), `{"version":3,"deployment":{"manifest":{"time":"t"},"resources":[` + resource + `]}}`, "stack export", 3, 1, `manifest={"time":"t"};`, `version=3;`},
		{here(), ` { "deployment" : { "resources" : [ ` + resource + ` , ` + resource + ` ] } , "features" : ["x"], "version" : 4 } `, "stack export", 4, 2, ``, `features=["x"];version=4;`},
		{here(), `{"version":3,"deployment":null}`, "stack export", 3, 0, ``, `version=3;`},
		{here(), `{"version":3,"deployment":{}}`, "stack export", 3, 0, ``, `version=3;`},
		{here(), `{"version":3,"deployment":{"resources":null,"pending_operations":[ {"type":"creating"} ],"metadata":{}}}`, "stack export", 3, 0, `pending_operations=[ {"type":"creating"} ];metadata={};`, `version=3;`},
		{here(), `{"version":3,"checkpoint":{"stack":"s","latest":{"resources":[` + resource + `]},"config":{}}}`, "checkpoint", 3, 1, ``, `version=3;stack="s";config={};`},
		{here(), `{"version":4,"features":[],"checkpoint":{"latest":null}}`, "checkpoint", 4, 0, ``, `version=4;features=[];`},
		{here(), `{"version":3,"checkpoint":{}}`, "checkpoint", 3, 0, ``, `version=3;`},
		{here(), `{"target":"foo","latest":{"time":"t","resources":[` + resource + `]}}`, "old checkpoint", 0, 1, `time="t";`, `target="foo";`},
		{here(), `{"manifest":{},"resources":[` + resource + `],"metadata":1}`, "bare deployment", 0, 1, `manifest={};metadata=1;`, ``},
		{here(), `{"resources":[]}`, "bare deployment", 0, 0, ``, ``},
		{here(), `{"manifest":{},"resources":null}`, "bare deployment", 0, 0, `manifest={};`, ``},
	} {
		f, err := state.Parse([]byte(row.text), state.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.at, err)
			continue
		}
		if f.Shape() != row.shape || f.Version() != row.version || f.Len() != row.n || len(all(t, f)) != row.n {
			t.Errorf("%s: %v of version %d with %d resources", row.at, f.Shape(), f.Version(), f.Len())
		}
		if fields(f.Fields()) != row.fields || fields(f.Envelope()) != row.wrapping {
			t.Errorf("%s: fields %s, wrapping %s", row.at, fields(f.Fields()), fields(f.Envelope()))
		}
	}
}

func TestHeader(t *testing.T) {
	f := parse(t, `{"version":4,"features":["refresh","\u0062"],"deployment":{"resources":[{"urn":"u","inputs":{"a":{`+asSecret+`,"ciphertext":"c"}}}],"secrets_providers":{"type":"pass\u0070hrase","state":{"type":1}}}}`)
	if got := fmt.Sprint(f.Features()); got != "[refresh b]" {
		t.Errorf("features %s", got)
	}
	if f.Provider() != "passphrase" {
		t.Errorf("provider %q", f.Provider())
	}
	f.Features()[0] = "changed"
	if f.Features()[0] != "refresh" {
		t.Error("the features can be changed")
	}
	s, ok := all(t, f)[0].Inputs.Field("a").AsSealed()
	if !ok || s != (value.Sealed{Ciphertext: "c", Provider: "passphrase"}) {
		t.Errorf("sealed: %+v, %v", s, ok)
	}
	// The deployment names no provider: the caller may know it.
	bare, err := state.Parse([]byte(export(`{"urn":"u","outputs":{"a":{`+asSecret+`,"ciphertext":"c"}}}`)), state.Options{Codec: codec.Options{Provider: "cloud"}})
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := all(t, bare)[0].Outputs.Field("a").AsSealed(); s.Provider != "cloud" {
		t.Errorf("sealed: %+v", s)
	}
}

func TestFind(t *testing.T) {
	f := parse(t, export(
		`{"urn":"a","id":"0","delete":true}`, `{"urn":"b","id":"1"}`, `{"urn":"a","id":"2","delete":true}`, `{"id":"3","\u0075rn":"\u0061"}`, `{"urn":"a","id":"4"}`,
		`{"urn":"gone","id":"5","delete":true}`, `{"urn":"gone","id":"6","delete":true}`, `{"delete":true,"id":"7","urn":"late"}`, `{"delete":false,"urn":"late","id":"8"}`,
		`{"urn":"bad","inputs":{"x":1e999}}`, `{"id":"9"}`, `{"urn":{"urn":"nested"}}`,
	))
	for _, row := range []struct {
		at, urn, id string
		found       bool
	}{
		{here(), "a", "3", true},
		{here(), "b", "1", true},
		{here(), "gone", "5", true},
		{here(), "late", "8", true},
		{here(), "c", "", false},
		{here(), "", "", false},
		{here(), "nested", "", false},
	} {
		r, found, err := f.Find(row.urn)
		if err != nil || found != row.found || r.ID != row.id {
			t.Errorf("%s: %q: got %q, %v, %v", row.at, row.urn, r.ID, found, err)
		}
	}
	if r, found, err := f.Find("bad"); found || r.URN != "" || !errors.Is(err, codec.ErrNumber) {
		t.Errorf("got %v, %v", found, err)
	}
	opened := open(t, export(withInputs(`{"a":`+cipher("c")+`}`)), knowing("c", "1"))
	if r, found, err := opened.Find(urnA); !found || err != nil || fmt.Sprint(r.Inputs.Field("a").DropSecret()) != "1" {
		t.Errorf("in an opened file: %v, %v, %v", r.Inputs, found, err)
	}
}

// Nil is an empty file.
func TestNilFile(t *testing.T) {
	for _, f := range []*state.File{nil, {}} {
		if f.Shape() != "" || f.Version() != 0 || f.Features() != nil || f.Provider() != "" || f.Len() != 0 || f.Fields() != nil || f.Envelope() != nil {
			t.Errorf("%v is not empty", f)
		}
		for r, err := range f.Resources() {
			t.Errorf("a resource: %v, %v", r, err)
		}
		if _, found, err := f.Find("u"); found || err != nil {
			t.Errorf("found: %v, %v", found, err)
		}
		if opened, err := f.Decrypt(nil); err != nil || opened.Len() != 0 {
			t.Errorf("opened: %v, %v", opened, err)
		}
	}
}

// Options that mean nothing are an error at once, whatever the text.
func TestBadOptions(t *testing.T) {
	for _, o := range []codec.Options{{Secrets: 99}, {Depth: -1}, {Form: 9}, {ByteStrings: codec.Lower}, {Report: &codec.Report{}, Nulls: 7}} {
		for _, text := range []string{"", "{", export(), export(withInputs("{}"))} {
			f, err := state.Parse(text, state.Options{Codec: o})
			var e *state.Error
			if f != nil || !errors.As(err, &e) || !errors.Is(err, codec.ErrOptions) || e.Offset != -1 || !strings.HasPrefix(err.Error(), "state: codec: ") {
				t.Errorf("%.50s: %v", text, err)
			}
		}
	}
}

// What others say goes into one line.
func TestForeignErrors(t *testing.T) {
	var err error
	r := state.NewReader(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(errors.New("first\nsecond"))), state.Options{})
	for _, err = range r.Resources() {
		continue
	}
	if want := `state: offset 1, after 0 resources: cannot read: "first\nsecond"`; fmt.Sprint(err) != want {
		t.Errorf("got %v", err)
	}
}
