package state_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/race"
)

// entries reads to the end, and each resource twice: while the iteration stands
// at it, and after it.
func entries(t *testing.T, text string, window int, o state.Options) (all []state.Entry, now []state.Resource, failed error) {
	t.Helper()
	from := reader(text, window, o)
	for e, err := range from.Entries() {
		if failed != nil {
			t.Error("something comes after an error")
		}
		if failed = err; err != nil {
			continue
		}
		r, err := e.Resource()
		if err != nil {
			failed = err
			break
		}
		all, now = append(all, e), append(now, r)
	}
	o.Codec.Provider = from.Document().Provider()
	for i, e := range all {
		again, err := e.Reread(strings.NewReader(text), o)
		if err != nil || !same(again, now[i]) {
			t.Errorf("window %d: read again: %v, %v, want %v", window, again, err, now[i])
		}
		if _, err := e.Resource(); !errors.Is(err, state.ErrRead) {
			t.Errorf("window %d: resource of an entry that was passed: %v", window, err)
		}
	}
	return all, now, failed
}

// TestEntriesAgree holds entries to what a reader gives that reads all: the same
// resources, who they are, their texts, and the same errors.
func TestEntriesAgree(t *testing.T) {
	texts := []string{tricky, `{"resources":[` + resource + `,` + resource + `]}`, `{"manifest":{}}`, `{"version":3,"deployment":null}`}
	for _, row := range slices.Concat(malformedDocuments(), malformedResources()) {
		texts = append(texts, row.text)
	}
	for _, text := range texts {
		for _, window := range []int{0, 1, 7, 40} {
			want, wantErr := drain(t, reader(text, window, state.Options{}))
			all, got, err := entries(t, text, window, state.Options{})
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !slices.EqualFunc(got, want, same) {
				t.Errorf("window %d: %.120q: got %v, %v, want %v, %v", window, text, got, err, want, wantErr)
			}
			for i, e := range all {
				own := text[e.Offset : e.Offset+e.Length]
				if r := want[i]; e.URN != r.URN || e.ID != r.ID || e.Parent != r.Parent || e.Delete != r.Delete || e.Offset != r.Offset || e.Number != r.Number ||
					e.Hash != state.HashOf(own) || own[0] != '{' || own[len(own)-1] != '}' {
					t.Errorf("%.120q: entry %+v of %q, want %v", text, e, own, r)
				}
			}
		}
	}
}

// TestEntriesWithout: without reading resources, only what says who they are can
// be wrong with them.
func TestEntriesWithout(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{`{"resources":[{"urn":"a","inputs":{"x":1,"x":2}}]}`, ""},
		{`{"resources":[{"urn":"a","inputs":7}]}`, ""},
		{`{"resources":[{"inputs":{}}]}`, "urn"},
		{`{"resources":[{"urn":7}]}`, "urn"},
		{`{"resources":[{"urn":"a","id":7}]}`, "id"},
		{`{"resources":[{"urn":"a","parent":[]}]}`, "parent"},
		{`{"resources":[{"urn":"a","delete":"yes"}]}`, "delete"},
		{`{"resources":[{"urn":"a","urn":"b"}]}`, "urn"},
		{`{"resources":[{"urn":"a","delete":null,"id":null,"parent":null}]}`, ""},
		{`{"resources":[{"urn":"a","inputs":{]}]}`, "syntax"},
	} {
		failed := error(nil)
		for _, err := range reader(row.text, 0, state.Options{}).Entries() {
			failed = err
		}
		if (failed == nil) != (row.want == "") || (failed != nil && !strings.Contains(failed.Error(), row.want)) {
			t.Errorf("%s: %v, want %q", row.text, failed, row.want)
		}
	}
}

// TestReread: what is not there any more as it was is an error, and costs no more
// than what is there.
func TestReread(t *testing.T) {
	text := `{"version":3,"deployment":{"resources":[` + resource + `]}}`
	all, _, err := entries(t, text, 0, state.Options{})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	changed := func(change func(e *state.Entry)) state.Entry {
		e := all[0]
		change(&e)
		return e
	}
	bad := `{"urn":"a","inputs":{"x":[}}`
	forged := state.Entry{Length: int64(len(bad)), Hash: state.HashOf(bad)}
	two := `{"urn":"a"}{}`
	twice := state.Entry{Length: int64(len(two)), Hash: state.HashOf(two)}
	for i, row := range []struct {
		e    state.Entry
		from io.ReaderAt
		want error
	}{
		{all[0], strings.NewReader(strings.Replace(text, "urn:", "URN:", 1)), state.ErrRead},
		{all[0], strings.NewReader(text[:60]), state.ErrRead},
		{all[0], nil, state.ErrRead},
		{state.Entry{}, strings.NewReader(text), state.ErrRead},
		{changed(func(e *state.Entry) { e.Offset = -1 }), strings.NewReader(text), state.ErrRead},
		{changed(func(e *state.Entry) { e.Length = -1 }), strings.NewReader(text), state.ErrRead},
		{changed(func(e *state.Entry) { e.Length = 1 << 62 }), strings.NewReader(text), state.ErrRead},
		{changed(func(e *state.Entry) { e.Length, e.Offset = 1<<62, 1<<62 }), strings.NewReader(text), state.ErrRead},
		{changed(func(e *state.Entry) { e.Hash++ }), strings.NewReader(text), state.ErrRead},
		{forged, strings.NewReader(bad), codec.ErrSyntax},
		{twice, strings.NewReader(two), state.ErrRead},
	} {
		if r, err := row.e.Reread(row.from, state.Options{}); !errors.Is(err, row.want) || r.URN != "" {
			t.Errorf("row %d: %v, %v, want %v", i, r, err, row.want)
		}
	}
	if _, err := all[0].Reread(strings.NewReader(text), state.Options{Codec: codec.Options{Nulls: 99}}); err == nil {
		t.Error("options that mean nothing are taken")
	}
	deep := `{"resources":[{"urn":"a","inputs":{"x":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}}]}`
	for e, err := range reader(deep, 0, state.Options{}).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Reread(strings.NewReader(deep), state.Options{Codec: codec.Options{Depth: 20}}); !errors.Is(err, codec.ErrDepth) {
			t.Errorf("too deep: %v", err)
		}
	}
}

// TestEntriesOnce: a stream is read once, whatever for; and whoever stops may.
func TestEntriesOnce(t *testing.T) {
	for range (*state.Reader)(nil).Entries() {
		t.Error("nil has entries")
	}
	if _, err := (state.Entry{}).Resource(); !errors.Is(err, state.ErrRead) {
		t.Errorf("the zero entry: %v", err)
	}
	r := reader(tricky, 0, state.Options{})
	var first state.Entry
	for e, err := range r.Entries() {
		if first = e; err != nil {
			t.Fatal(err)
		}
		break
	}
	if _, err := first.Resource(); !errors.Is(err, state.ErrRead) {
		t.Errorf("after stopping: %v", err)
	}
	if _, err := drain(t, r); !errors.Is(err, state.ErrRead) {
		t.Errorf("again: %v", err)
	}
}

// TestEntriesMemory: entries keep no memory of the stream, and to read them again takes some
// times the memory of their text.
func TestEntriesMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	big := `{"urn":"a","inputs":{"x":"` + strings.Repeat("x", 1000) + `"}}`
	text := `{"resources":[` + strings.Repeat(big+",", 999) + big + `]}`
	perRun := testing.AllocsPerRun(3, func() {
		for _, err := range reader(text, 0, state.Options{}).Entries() {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if perRun > 4000 {
		t.Errorf("%v allocations for 1000 entries", perRun)
	}

	all, _, err := entries(t, text, 0, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, e := range all {
		if _, err := e.Reread(strings.NewReader(text), state.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 6*uint64(len(text)) {
		t.Errorf("%d bytes allocated for %d", used, len(text))
	}
}
