package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// stacksJSON is what docs/cli.md says that the diff of two stacks is as JSON, with
// every key.
type stacksJSON struct {
	Resources []struct {
		URN     string          `json:"urn"`
		Change  string          `json:"change"`
		Delete  bool            `json:"delete"`
		Replace bool            `json:"replace"`
		Note    string          `json:"note"`
		Was     string          `json:"was"`
		State   json.RawMessage `json:"state"`
		Inputs  json.RawMessage `json:"inputs"`
		Outputs json.RawMessage `json:"outputs"`
	} `json:"resources"`
	Deployment json.RawMessage `json:"deployment"`
	Summary    struct {
		Create  int `json:"create"`
		Delete  int `json:"delete"`
		Update  int `json:"update"`
		Same    int `json:"same"`
		Sealed  int `json:"sealed"`
		LeftOut int `json:"leftOut"`
		Replace int `json:"replace"`

		References int `json:"references"`
		Filtered   int `json:"filtered"`
	} `json:"summary"`
}

// TestStacksJSON holds the diffs of stacks to their description: no other keys,
// counts that agree, and patches that lead from one stack's bags to the other's.
func TestStacksJSON(t *testing.T) {
	pairs := [][2]string{{"../../testdata/samples/before.json", "../../testdata/samples/after.json"}, {"../../testdata/samples/after.json", "../../testdata/samples/before.json"}}
	if files, _ := filepath.Glob("../../../shared/data/state-files/*.json"); len(files) > 1 {
		for i := range files {
			pairs = append(pairs, [2]string{files[i], files[(i+1)%len(files)]})
		}
	}
	for _, pair := range pairs {
		got := propalg(t, ".", "", "diff", "-o", "json", "--show-secrets", pair[0], pair[1])
		var doc stacksJSON
		d := json.NewDecoder(bytes.NewReader([]byte(got.stdout)))
		d.DisallowUnknownFields()
		if err := d.Decode(&doc); err != nil {
			t.Errorf("%s: exit %d, %v, %s", pair, got.code, err, got.stderr)
			continue
		}
		olds, was := bagsOf(t, pair[0])
		news, is := bagsOf(t, pair[1])
		count := map[string]int{}
		for _, r := range doc.Resources {
			count[r.Change]++
			provider := was
			if r.Change == "create" {
				provider = is
			}
			for i, text := range []json.RawMessage{r.Inputs, r.Outputs} {
				old, now := orEmpty(olds[r.URN][i]), orEmpty(news[r.URN][i])
				if r.Delete || (r.Change == "create" && !old.Equal(value.Object())) || (r.Change == "delete" && !now.Equal(value.Object())) {
					continue // there are several of this URN
				}
				p, err := patch.Unmarshal(text, patch.Options{Provider: provider})
				if err != nil {
					t.Errorf("%s: %v", r.URN, err)
					continue
				}
				if made, err := p.Apply(old); err != nil || !made.Equal(now) {
					t.Errorf("%s %s: %v, %v, want %v", r.Change, r.URN, made, err, now)
				}
			}
			if !slices.Contains([]string{"create", "delete", "update"}, r.Change) || (r.State != nil && r.Change != "update") {
				t.Errorf("%s: %q, with a state: %v", r.URN, r.Change, r.State != nil)
			}
		}
		if s := doc.Summary; s.Create != count["create"] || s.Delete != count["delete"] || s.Update != count["update"] || (got.code == 0) != (len(doc.Resources) == 0) {
			t.Errorf("%s: exit %d, %+v, counted %v", pair, got.code, s, count)
		}
	}
}

// bagsOf are the inputs and outputs of the live resources of a stack, and its
// secrets provider, which patches do not name.
func bagsOf(t *testing.T, file string) (all map[string][2]value.Value, provider string) {
	t.Helper()
	all = map[string][2]value.Value{}
	f, err := readStack(file)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range f.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if !r.Delete {
			all[r.URN] = [2]value.Value{orEmpty(r.Inputs), orEmpty(r.Outputs)}
		}
	}
	return all, f.Provider()
}

func readStack(file string) (*state.File, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return state.Parse(text, state.Options{Codec: codec.Options{RoundNumbers: true}})
}

func orEmpty(v value.Value) value.Value {
	if v.IsNull() {
		return value.Object()
	}
	return v
}
