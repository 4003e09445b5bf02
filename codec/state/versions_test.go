package state_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// TestVersions: resources of versions 1 and 2, and of checkpoints without one, are read as
// engines migrate them, in whole files, in streams, and when two stacks are compared.
func TestVersions(t *testing.T) {
	const members = `"urn":"` + urnA + `","type":"t","id":"i","custom":true,"inputs":{"a":1,"b":2},"dependencies":["x"],"external":true,"provider":"p::1",` +
		`"defaults":{"c":1},"propertyDependencies":{"z":["z"]},"aliases":["y"],"retainOnDelete":true,"pendingReplacement":7`
	for _, row := range []struct {
		at, begin, end string
		version        int
		provider       string
	}{
		{here(), `{"version":1,"deployment":{`, `}}`, 1, ""},
		{here(), `{"version":1,"checkpoint":{"latest":{`, `}}}`, 1, ""},
		{here(), `{"target":"s","latest":{`, `}}`, 0, ""},
		{here(), `{"version":2,"deployment":{`, `}}`, 2, "p::1"},
		{here(), `{"version":2,"checkpoint":{"latest":{`, `}}}`, 2, "p::1"},
	} {
		text := row.begin + `"resources":[{` + members + `}],"pending_operations":[{"type":"creating","resource":{` + members + `}}]` + row.end
		file := parse(t, text)
		streamed, err := drain(t, reader(text, 3, state.Options{}))
		if err != nil || len(streamed) != 1 || file.Version() != row.version {
			t.Fatalf("%s: version %d, %v", row.at, file.Version(), err)
		}

		for _, r := range append(streamed, all(t, file)...) {
			if r.Provider != row.provider || r.External != (row.provider != "") || r.Aliases != nil || r.RetainOnDelete || r.PendingReplacement {
				t.Errorf("%s: %+v", row.at, r)
			}
			if d := cmp.Diff(map[string][]string{"a": {"x"}, "b": {"x"}}, r.PropertyDependencies); d != "" {
				t.Errorf("%s: %s", row.at, d)
			}
			if extra := fields(r.Extra); !strings.Contains(extra, `defaults={"c":1};`) || !strings.Contains(extra, `pendingReplacement=7;`) {
				t.Errorf("%s: other members are %s", row.at, extra)
			}
		}
		n := 0
		for range file.PendingOperations() {
			n++
		}
		if (n == 1) != (row.version == 2) {
			t.Errorf("%s: %d pending operations", row.at, n)
		}
		c, err := state.Compare(strings.NewReader(text), strings.NewReader(strings.Replace(text, `"a":1`, `"a":3`, 1)), state.CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range c.Resources() {
			if err != nil || !r.Metadata.Diff.Empty() || r.Inputs.Diff.Empty() {
				t.Errorf("%s: compared: %v, %v", row.at, r.Metadata.Diff, err)
			}
		}
	}
}

// TestVersionAfterResources: in a stream the version that resources are read by has to come
// before them; the whole file is read in any order.
func TestVersionAfterResources(t *testing.T) {
	for version, ok := range map[string]bool{"1": false, "2": false, "3": true, "4": true} {
		text := `{"deployment":{"resources":[{"urn":"` + urnA + `","provider":"p::1"}]},"version":` + version + `}`
		if r := all(t, parse(t, text))[0]; (r.Provider == "") != (version == "1") {
			t.Errorf("version %s: %s", version, r.Provider)
		}
		_, err := drain(t, reader(text, 100, state.Options{}))
		if (err == nil) != ok || (!ok && !errors.Is(err, state.ErrVersion)) {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

// TestTwoFiles: one text with two states says what is there.
func TestTwoFiles(t *testing.T) {
	one := export(resource)
	for _, between := range []string{"", "\n", " \n\n"} {
		_, err := state.Parse(one+between+one, state.Options{})
		const want = "syntax error: expected end of input after the stack export, found another object"
		if !errors.Is(err, codec.ErrSyntax) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v", between, err)
		}
		if _, streamed := drain(t, reader(one+between+one, 5, state.Options{})); streamed == nil || streamed.Error() != err.Error() {
			t.Errorf("%q: as a stream %v", between, streamed)
		}
	}
}

// TestUnknownFeatures: a file of version 4 that needs what nobody here knows is read, and
// names it; it is edited only if that was asked for, since a feature may refer to resources
// anywhere.
func TestUnknownFeatures(t *testing.T) {
	for _, row := range []struct {
		at, head string
		unknown  []string
	}{
		{here(), `"version":4,"features":["views","later","hooks","a\u001bb"],`, []string{"later", "a\x1bb"}},
		{here(), `"version":4,"features":["refreshBeforeUpdate","views","hooks","taint","replaceWith","snippets-prototype","extensionParameterization","byteString"],`, nil},
		{here(), `"version":4,`, nil},
		{here(), `"version":3,"features":["later"],`, nil},
	} {
		text := strings.Replace(export(resource), `"version":3,`, row.head, 1)
		file := parse(t, text)
		if got := file.UnknownFeatures(); !slices.Equal(got, row.unknown) {
			t.Errorf("%s: %q", row.at, got)
		}

		var out strings.Builder
		_, err := state.Rewrite(strings.NewReader(text), &out, state.Edits{ClearPending: true})
		if (err == nil) != (row.unknown == nil) {
			t.Errorf("%s: %v", row.at, err)
		}
		if err != nil {
			var e *state.Error
			if !errors.As(err, &e) || e.Field != "features" || !errors.Is(err, state.ErrEdit) || out.Len() > 0 || !strings.Contains(err.Error(), `it needs later, "a\x1bb"`) {
				t.Errorf("%s: %v", row.at, err)
			}
		}
		if got := rewritten(t, text, state.Edits{UnknownFeatures: true}); got != text {
			t.Errorf("%s: %s", row.at, got)
		}
	}
	if (*state.File)(nil).UnknownFeatures() != nil {
		t.Error("features of nothing")
	}
}
