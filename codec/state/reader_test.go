package state_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// reader makes a reader of a text, with a window of a size; 0 is the usual one.
func reader(text string, window int, o state.Options) *state.Reader {
	r := state.NewReader(strings.NewReader(text), o)
	if window > 0 {
		state.SetWindow(r, window)
	}
	return r
}

// drain reads to the end.
func drain(t testing.TB, r *state.Reader) (rs []state.Resource, failed error) {
	t.Helper()
	for got, err := range r.Resources() {
		if failed != nil {
			t.Error("something comes after an error")
		}
		if failed = err; err == nil {
			rs = append(rs, got)
		} else if got.URN != "" {
			t.Error("an error, and a resource")
		}
	}
	return rs, failed
}

// slow is what reading the whole text gives.
func slow(text string, o state.Options) (f *state.File, rs []state.Resource, failed error) {
	f, failed = state.Parse(text, o)
	if failed != nil {
		return nil, nil, failed
	}
	for r, err := range f.Resources() {
		if err != nil {
			return f, rs, err
		}
		rs = append(rs, r)
	}
	return f, rs, nil
}

func same(a, b state.Resource) bool {
	return fmt.Sprint(a.URN, a.Type, a.ID, a.Custom, a.Delete, a.External, a.Protect, a.Parent, a.Provider, a.Dependencies,
		a.PropertyDependencies, revealed(a.InitErrors), a.Aliases, a.InputsReport.Rounded, a.OutputsReport.Rounded, fields(a.Extra), a.Offset, a.Number) ==
		fmt.Sprint(b.URN, b.Type, b.ID, b.Custom, b.Delete, b.External, b.Protect, b.Parent, b.Provider, b.Dependencies,
			b.PropertyDependencies, revealed(b.InitErrors), b.Aliases, b.InputsReport.Rounded, b.OutputsReport.Rounded, fields(b.Extra), b.Offset, b.Number) &&
		a.Inputs.Identical(b.Inputs) && a.Outputs.Identical(b.Outputs)
}

// agree reports where a reader differs from reading the whole text: in what
// comes before an error, and in the error.
func agree(t testing.TB, at, text string, window int, o state.Options) {
	t.Helper()
	f, want, wantErr := slow(text, o)
	plain := state.NewReader(struct{ io.Reader }{strings.NewReader(text)}, o) // which cannot go back
	state.SetWindow(plain, window)
	if got, err := drain(t, plain); fmt.Sprint(err) != fmt.Sprint(wantErr) || (wantErr == nil && !slices.EqualFunc(got, want, same)) {
		t.Errorf("%s: %.120q: window %d, without going back: got %v, %v, want %v, %v", at, text, window, got, err, want, wantErr)
	}
	r := reader(text, window, o)
	got, err := drain(t, r)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("%s: %.120q: window %d: got %v, want %v", at, text, window, err, wantErr)
		return
	}
	if wantErr != nil {
		return
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("%s: %.120q: window %d: got %v, want %v", at, text, window, got, want)
	}
	d := r.Document()
	if d.Shape() != f.Shape() || d.Version() != f.Version() || d.Provider() != f.Provider() || !slices.Equal(d.Features(), f.Features()) ||
		fields(d.Fields()) != fields(f.Fields()) || fields(d.Envelope()) != fields(f.Envelope()) || d.Len() != 0 {
		t.Errorf("%s: %.120q: window %d: document %v, want %v", at, text, window, d, f)
	}
}

// What goes over the edges of windows, and over one another.
const tricky = `{"version":4,"features":["x"],"deployment":{"manifest":{"time":"t","n":-1.5e10},"secrets_providers":{"type":"pass\u0070hrase"},"resources":[` +
	`{"urn":"u\ud83d\ude00\u00e9é😀","custom":true,"inputs":{"a":[1,23,-4.5e+6,true,false,null],"é":"😀"},"new":12345} , ` + resource +
	`,{"urn":"` + urnA + `","dependencies":["a","b"],"propertyDependencies":{"p":["q"]},"outputs":{"s":{` + asSecret + `,"ciphertext":"c"}}}` +
	"                                                  " + `],"pending_operations":[],"n":12345678} , "m" : -12.5 }` + "\n\n"

func TestReaderAgrees(t *testing.T) {
	for _, window := range []int{0, 1, 2, 3, 5, 8, 13, 40, 100} {
		for _, row := range slices.Concat(malformedDocuments(), malformedResources()) {
			agree(t, row.at, row.text, window, state.Options{})
		}
		for _, text := range []string{
			tricky, `{"version":3,"checkpoint":{"latest":{"resources":[` + resource + `]},"config":{}}}`, `{"target":"foo","latest":{"time":"t","resources":[` + resource + `]}}`,
			`{"manifest":{},"resources":[` + resource + `],"metadata":1}`, `{"manifest":{}}`, `{"resources":[]}`, `{"version":3,"deployment":null}`,
		} {
			agree(t, here(), text, window, state.Options{})
		}
	}
}

// Cut after every byte, and damaged at every byte, it is the same error.
func TestReaderTruncated(t *testing.T) {
	for n := range tricky {
		if n < len(strings.TrimSpace(tricky)) {
			agree(t, fmt.Sprint("cut at ", n), tricky[:n], 1+n%30, state.Options{})
			if _, err := drain(t, reader(tricky[:n], 1+n%30, state.Options{})); err == nil {
				t.Errorf("cut at %d: no error", n)
			}
		}
		agree(t, fmt.Sprint("damaged at ", n), tricky[:n]+"\xff"+tricky[n+1:], 1+n%30, state.Options{})
	}
}

func TestReaderRealFiles(t *testing.T) {
	for name, data := range files(t) {
		for _, window := range []int{0, 1000} {
			agree(t, name, string(data), window, state.Options{})
		}
		for range 100 {
			n := rand.IntN(len(data))
			agree(t, fmt.Sprint(name, " cut at ", n), string(data[:n]), 4096, state.Options{})
		}
	}
}

// The provider is that of the document only if it stands before the resources.
func TestReaderProvider(t *testing.T) {
	const res = `"resources":[{"urn":"u","inputs":{"a":{` + asSecret + `,"ciphertext":"c"}}}]`
	const prov = `"secrets_providers":{"type":"cloud"}`
	for _, row := range []struct{ at, text, want string }{
		{here(), `{"version":3,"deployment":{` + prov + `,` + res + `}}`, "cloud"},
		{here(), `{"version":3,"deployment":{` + res + `,` + prov + `}}`, "given"},
	} {
		r := reader(row.text, 0, state.Options{Codec: codec.Options{Provider: "given"}})
		rs, err := drain(t, r)
		if err != nil {
			t.Fatal(err)
		}
		if s, _ := rs[0].Inputs.Field("a").AsSealed(); s.Provider != row.want {
			t.Errorf("%s: %+v", row.at, s)
		}
		if r.Document().Provider() != "cloud" {
			t.Errorf("%s: the document says %q", row.at, r.Document().Provider())
		}
	}
}

// Law 16: one call for a batch.
func TestReaderOpen(t *testing.T) {
	v := knowing()
	var texts []string
	for i := range 100 {
		v.known[fmt.Sprint("c", i)] = fmt.Sprint(i)
		texts = append(texts, withInputs(`{"a":`+cipher(fmt.Sprint("c", i))+`,"b":`+cipher("c0")+`}`))
	}
	r := reader(export(texts...), 0, state.Options{})
	var batch, opened []state.Resource
	for got, err := range r.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if batch = append(batch, got); len(batch) == 30 {
			more, err := r.Decrypt(batch, v)
			if err != nil {
				t.Fatal(err)
			}
			opened, batch = append(opened, more...), batch[:0]
		}
	}
	more, err := r.Decrypt(batch, v)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range append(opened, more...) {
		want := value.Object(value.Member{Key: "a", Value: value.Secret(value.Number(float64(i)))}, value.Member{Key: "b", Value: value.Secret(value.Number(0))})
		if !got.Inputs.Identical(want) || got.Number != i {
			t.Fatalf("resource %d, number %d: %v", i, got.Number, got.Inputs)
		}
	}
	if len(v.decrypts) != 4 || len(v.decrypts[0]) != 30 || len(v.decrypts[1]) != 31 || len(v.decrypts[3]) != 11 {
		t.Errorf("%d calls", len(v.decrypts))
	}
	v.known["c95"] = "xyzzy"
	got, err := r.Decrypt(batch, v)
	var e *state.Error
	if got != nil || !errors.As(err, &e) || !errors.Is(err, codec.ErrSyntax) || e.Resources != 95 || e.Offset != batch[5].Offset || e.Field != "inputs" || strings.Contains(err.Error(), "xyzzy") {
		t.Errorf("got %v", err)
	}
	if _, ok := batch[0].Inputs.Field("a").AsSealed(); !ok {
		t.Error("the batch was changed")
	}
	if got, err := r.Decrypt(batch[:2], odd{err: errUnknown}); got != nil || !errors.Is(err, state.ErrDecrypt) || !errors.Is(err, errUnknown) {
		t.Errorf("got %v", err)
	}
	if got, err := r.Decrypt(nil, nil); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v", err)
	}
}

// A batch whose numbers are rounded has reports of its own.
func TestReaderOpenRounded(t *testing.T) {
	const n = "9007199254740993"
	r := reader(export(withInputs(`{"n":[`+n+`,`+n+`,`+n+`],"s":`+cipher("c")+`}`)), 0, state.Options{Codec: codec.Options{RoundNumbers: true}})
	rs, err := drain(t, r)
	if err != nil {
		t.Fatal(err)
	}
	var opened [2][]state.Resource
	plain := [2]string{"9007199254740995", "9007199254740997"}
	for i := range opened {
		if opened[i], err = r.Decrypt(rs, knowing("c", plain[i])); err != nil {
			t.Fatal(err)
		}
	}
	for i := range opened {
		if got := opened[i][0].InputsReport.Rounded; len(got) != 4 || got[3].RevealText() != plain[i] || len(rs[0].InputsReport.Rounded) != 3 {
			t.Errorf("rounded: %v", got)
		}
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("broken\npipe")
	for n := range len(tricky) {
		r := state.NewReader(io.MultiReader(strings.NewReader(tricky[:n]), iotest.ErrReader(broken)), state.Options{})
		rs, err := drain(t, r)
		var e *state.Error
		if !errors.As(err, &e) || !errors.Is(err, broken) || !errors.Is(err, state.ErrRead) || e.Offset != int64(n) || e.Resources != len(rs) {
			t.Fatalf("at %d: after %d resources: %v", n, len(rs), err)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Fatalf("two lines: %v", err)
		}
		r = state.NewReader(io.MultiReader(strings.NewReader(tricky[:n]), iotest.ErrReader(broken)), state.Options{})
		state.SetWindow(r, 1+n%9)
		if _, again := drain(t, r); fmt.Sprint(again) != fmt.Sprint(err) {
			t.Fatalf("at %d: with a short window %v, else %v", n, again, err)
		}
	}
	if _, err := drain(t, state.NewReader(stuck{}, state.Options{})); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	if _, err := drain(t, state.NewReader(nil, state.Options{})); !errors.Is(err, state.ErrRead) {
		t.Errorf("no reader: %v", err)
	}
	if rs, err := drain(t, state.NewReader(iotest.OneByteReader(iotest.DataErrReader(strings.NewReader(tricky))), state.Options{})); err != nil || len(rs) != 3 {
		t.Errorf("a byte at a time: %v", err)
	}
	if _, err := drain(t, reader(tricky, 0, state.Options{Codec: codec.Options{Depth: -1}})); !errors.Is(err, codec.ErrOptions) {
		t.Errorf("options: %v", err)
	}
}

// stuck is a reader that never gets on.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// A stream is read once, and who stops early is not asked again.
func TestReaderOnce(t *testing.T) {
	r := reader(export(resource, resource, resource), 0, state.Options{})
	n := 0
	for range r.Resources() {
		if n++; n == 2 {
			break
		}
	}
	rs, err := drain(t, r)
	if n != 2 || len(rs) != 0 || !errors.Is(err, state.ErrRead) {
		t.Errorf("%d resources, then %d and %v", n, len(rs), err)
	}
	for _, none := range []*state.Reader{nil, {}} {
		if rs, err := drain(t, none); err != nil || rs != nil || none.Document().Len() != 0 {
			t.Errorf("no reader: %v", err)
		}
		if _, err := none.Decrypt([]state.Resource{{}}, nil); err != nil {
			t.Errorf("no reader: %v", err)
		}
	}
}

// While resources come, the document has what stood before them.
func TestReaderDocument(t *testing.T) {
	r := reader(tricky, 0, state.Options{})
	if d := r.Document(); d.Version() != 0 || d.Provider() != "" {
		t.Errorf("before: %v", d)
	}
	for range r.Resources() {
		d := r.Document()
		if d.Shape() != "stack export" || d.Version() != 4 || d.Provider() != "passphrase" || fields(d.Envelope()) != `version=4;features=["x"];` || len(d.Fields()) != 2 {
			t.Fatalf("meanwhile: %v, %s", d, fields(d.Envelope()))
		}
	}
	if d := r.Document(); fields(d.Envelope()) != `version=4;features=["x"];m=-12.5;` || len(d.Fields()) != 4 {
		t.Errorf("after: %s, %s", fields(d.Envelope()), fields(d.Fields()))
	}
}

func TestReaderIsNotPrinted(t *testing.T) {
	r := reader(export(withInputs(`{"a":{`+asSecret+`,"plaintext":"\"xyzzy\""}}`))+" ", 0, state.Options{})
	holder := struct{ r *state.Reader }{r}
	for range r.Resources() {
		if text := fmt.Sprintf("%v %+v %#v %v %+v %#v %v", r, r, r, *r, *r, *r, holder); strings.Contains(text, "xyzzy") {
			t.Errorf("shown: %s", text)
		}
	}
	f := open(t, export(withInputs(`{"a":`+cipher("c")+`}`)), knowing("c", `"xyzzy"`))
	if text := fmt.Sprintf("%v %+v %#v %v %+v %#v", f, f, f, *f, *f, *f); strings.Contains(text, "xyzzy") {
		t.Errorf("shown: %s", text)
	}
}

// TestReaderCopies: what a stream yields, and what its errors say, does not change when its
// window moves on. Every text has a number of its own, so that what is taken from memory that
// is used again is another text.
func TestReaderCopies(t *testing.T) {
	const form = `{"urn":"urn:#","type":"t#","id":"i#","parent":"p#","provider":"v#","dependencies":["d#","\u0064#"],"propertyDependencies":{"n#":["u#"],"\u006e":[],"m#":null},` +
		`"initErrors":["e#"],"aliases":["a#"],"resourceHooks":{"h#":["f#"]},"stackTrace":[{"sourcePosition":"s#"}],"customTimeouts":{"create":#},"modified":"2024-01-01T00:00:00Z",` +
		`"replacementTrigger":{"r#":"r#"},"inputs":{"k#":"w#","x\n#":"\u00e9#","":"","n":[#,"#"]},"outputs":{"o#":{` + asSecret + `,"plaintext":"{\"q#\":\"q#\"}"},"c#":{` + asSecret + `,"ciphertext":"c#"}},` +
		`"extra#":{"x#":"x#"}%s}`
	odd := []string{"", `,"ext\u0072a#":1`, `,"custom":#`, `,"other#":{"y#":1,"y#":1}`, `,"inputs":{"y#":1,"y#":1}`, `,"outputs":{"z#":12345678901234567890}`, `,"replaceWith":["#",#]`, `,"dup#":1,"dup#":2`}
	all := make([]string, 700)
	for i := range all {
		all[i] = strings.ReplaceAll(fmt.Sprintf(form, odd[i%len(odd)]), "#", fmt.Sprint(1000+i))
		if i%len(odd) == 5 {
			all[i] = strings.Replace(all[i], `"outputs":{"o`, `"other":{"o`, 1)
		}
	}

	o := state.Options{Codec: codec.Options{RoundNumbers: true}}
	f, err := state.Parse(export(all...), o)
	if err != nil {
		t.Fatal(err)
	}
	list := func(each iter.Seq2[state.Resource, error]) (rs []state.Resource, errs []error) {
		for r, err := range each {
			rs, errs = append(rs, r), append(errs, err)
		}
		return rs, errs
	}
	want, wrong := list(f.Resources())
	if one, _, err := f.Find("urn:1000"); err != nil || !same(one, want[0]) { // without marks
		t.Errorf("%v, %v, want %v", one, err, want[0])
	}
	got, errs := list(state.Internal.Resources(reader(export(all...), 2_000, o), nil))
	if len(got) != len(all) || len(want) != len(all) {
		t.Fatal(len(got), len(want))
	}
	for i := range want {
		if fmt.Sprint(errs[i]) != fmt.Sprint(wrong[i]) {
			t.Errorf("%d: %v, want %v", i, errs[i], wrong[i])
		}
		for k, r := range want[i].OutputsReport.Rounded {
			if c := got[i].OutputsReport.Rounded[k]; c.At.String() != r.At.String() || c.RevealText() != r.RevealText() {
				t.Errorf("%d: %v is rounded, want %v", i, c.At, r.At)
			}
		}
		got[i].OutputsReport, want[i].OutputsReport = codec.Report{}, codec.Report{}
		if !same(got[i], want[i]) || !got[i].Metadata().Identical(want[i].Metadata()) {
			t.Errorf("%d: %v, want %v", i, got[i], want[i])
		}
	}
}
