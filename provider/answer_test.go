package provider_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

func ExampleDiffer_Answer() {
	inputs := func(size float64) value.Value {
		return value.Object(
			value.Member{Key: "name", Value: value.String("web")},
			value.Member{Key: "size", Value: value.Number(size)},
		)
	}
	state, _ := inputs(1).With(path.MustParse("url"), value.String("https://web"))
	request := &rpc.DiffRequest{Olds: state, OldInputs: inputs(1), News: inputs(2)}

	// All of a provider's Diff:
	response, err := provider.Differ{
		ReplaceOn: path.NewSet(path.MustParsePattern("name")),
	}.Answer(request)
	fmt.Println(response.Changes, response.Diffs, response.DetailedDiff["size"].Kind, err)
	// Output:
	// DIFF_SOME [size] UPDATE <nil>
}

func TestAnswer(t *testing.T) {
	one, two := value.Object(value.Member{Key: "a", Value: value.Number(1)}), value.Object(value.Member{Key: "a", Value: value.Number(2)})
	for i, row := range []struct {
		request *rpc.DiffRequest
		want    string
	}{
		{nil, `{"changes":"DIFF_NONE","hasDetailedDiff":true}`},
		{&rpc.DiffRequest{}, `{"changes":"DIFF_NONE","hasDetailedDiff":true}`},
		{&rpc.DiffRequest{Olds: one, News: one}, `{"changes":"DIFF_NONE","hasDetailedDiff":true}`},
		{&rpc.DiffRequest{Olds: one, News: one, OldInputs: value.Object()}, `{"changes":"DIFF_SOME","diffs":["a"],"detailedDiff":{"a":{"inputDiff":true}},"hasDetailedDiff":true}`},
		{&rpc.DiffRequest{Olds: one, News: two, OldInputs: one, IgnoreChanges: []string{`["`, "a"}}, `{"changes":"DIFF_NONE","hasDetailedDiff":true}`},
	} {
		m, err := provider.Differ{}.Answer(row.request)
		got, errJSON := rpc.AppendJSON(nil, m, rpc.Options{})
		if string(got) != row.want || err != nil || errJSON != nil {
			t.Errorf("row %d:\ngot  %s, %v\nwant %s", i, got, err, row.want)
		}
	}
	m, err := provider.Differ{}.Answer(&rpc.DiffRequest{Olds: one, News: value.Secret(value.String("hunter2"))})
	if m != nil || !errors.Is(err, codec.ErrKind) || err.Error() != "provider: answer DiffRequest: news: "+codec.ErrKind.Error()+": expected object, found secret" {
		t.Errorf("%v, %v", m, err)
	}
}

// A response is the same through its message but for the order of entries, numbers that
// the protocol does not define included.
func TestDiffResponseBothWays(t *testing.T) {
	m := rpc.DiffResponse{
		Changes: -1, Diffs: []string{"b", "a"}, Replaces: []string{"a"}, Stables: []string{"s"}, DeleteBeforeReplace: true, HasDetailedDiff: true,
		DetailedDiff: map[string]rpc.PropertyDiff{"b": {}, "a[": {Kind: 5}, "a[2]": {Kind: 300, InputDiff: true}, "a[10]": {Kind: 5}, `["b"]`: {}},
	}
	r := provider.ResponseOf(&m)
	var keys []string
	for _, e := range r.Detailed {
		keys = append(keys, e.Key)
	}
	if want := []string{"a[2]", "a[10]", `["b"]`, "b", "a["}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
	if r.Changes != -1 || r.Detailed[0].Kind != 300 || !r.Detailed[0].InputDiff || r.Detailed[1].Path() != path.MustParse("a[10]") {
		t.Errorf("%+v", r)
	}
	again := provider.NewDiffResponse(r)
	if again.Changes != -1 || again.DetailedDiff["a[2]"].Kind != 300 || len(again.DetailedDiff) != len(m.DetailedDiff) || !slices.Equal(again.Diffs, m.Diffs) || !again.DeleteBeforeReplace {
		t.Errorf("%v", again)
	}
	if got := provider.ResponseOf((*rpc.DiffResponse)(nil)); got.Changes != rpc.DiffUnknown {
		t.Errorf("%v", got)
	}
}

// recorded is a recorded call of Diff or DiffConfig.
type recorded struct {
	number   int
	request  *rpc.DiffRequest
	response *rpc.DiffResponse
}

func diffCalls(t *testing.T, pattern string) (all []recorded) {
	t.Helper()
	for i, c := range kit.Calls(t, pattern) {
		request, response := rpc.NewCall(c.Method)
		r := recorded{number: i + 1}
		var isRequest, isResponse bool
		r.request, isRequest = request.(*rpc.DiffRequest)
		r.response, isResponse = response.(*rpc.DiffResponse)
		if !isRequest || !isResponse || len(c.Response) == 0 || len(c.Wildcard) > 0 {
			continue // another call, one that failed, or one that a matcher stands for
		}
		w := rpc.Options{Properties: codec.Options{RoundNumbers: true}}
		if err := rpc.DecodeJSON(c.Request, r.request, w); err != nil {
			t.Fatal(err)
		}
		if err := rpc.DecodeJSON(c.Response, r.response, w); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// sound is a finding that is known to be true of a recorded response.
type sound struct {
	id    string // of the resource, or the name
	code  string
	times int
	why   string
}

// soundFindings are all errors that the validator reports of recorded responses.
func soundFindings() []sound {
	return []sound{
		{"edge", "key-unreadable", 1, "a provider that joins keys with dots writes `tags.` for an empty key: the engine ended the preview here"},
		{"edge", "old-missing", 1, "and `tags.br[0]` for the key `br[0]`, which names another place"},
		{"config", "not-detailed", 3, "DiffConfig with entries, and without hasDetailedDiff: the engine threw them away"},
		{"labels", "new-missing", 2, "a unit test of the bridge, whose request has no properties at all"},
		{"nestedStr", "new-missing", 1, "a unit test of the bridge, whose request has no properties at all"},
	}
}

// subject is what a table row is found by.
func subject(r recorded, f check.Finding) string {
	switch name := f.At.Path().Prefix(1).String(); {
	case strings.HasSuffix(r.request.URN, "::edge"):
		return "edge"
	case f.Code == "not-detailed":
		return "config"
	default:
		return name
	}
}

// TestRecordedDiffs: recorded no-change calls are no change to ForProvider, and
// what the validator calls an error in a recorded response is one, for a reason
// that the table above knows.
func TestRecordedDiffs(t *testing.T) {
	seen, counts := map[string]int{}, map[string]int{}
	all := append(diffCalls(t, "grpc-diff.jsonl"), diffCalls(t, "grpc-logs/*.json")...)
	none := 0
	for _, r := range all {
		sides, err := provider.SidesOf(r.request)
		if err != nil {
			t.Fatal(err)
		}
		if r.response.Changes == rpc.DiffNone {
			none++
			if c := (provider.Differ{}).Compare(sides); !c.Empty() {
				t.Errorf("call %d is no change, and was found to be\n%v", r.number, c.Inputs())
			}
			if m, err := (provider.Differ{}).Answer(r.request); err != nil || m.Changes != rpc.DiffNone {
				t.Errorf("call %d is no change, and is answered %v, %v", r.number, m, err)
			}
		}
		response := provider.ResponseOf(r.response)
		for _, f := range check.Validate(response, sides, provider.Differ{Ignored: provider.IgnoredOf(r.request)}) {
			counts[f.Severity.String()+" "+f.Code]++
			if f.Severity == check.SeverityError {
				seen[subject(r, f)+" "+f.Code]++
				t.Logf("call %d: %v", r.number, f)
			}
		}
		reading := check.ReadResponse(response, sides)
		if text := render.Text(reading.Diff, render.Options{}); (text == "") != reading.Diff.Empty() {
			t.Errorf("call %d is shown as nothing", r.number)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[name], name)
	}
	if len(all) < 670 || none < 615 {
		t.Errorf("%d calls, %d of no change: not what these files hold", len(all), none)
	}
	for _, s := range soundFindings() {
		if key := s.id + " " + s.code; seen[key] != s.times {
			t.Errorf("%s (%s): %d times, should be %d", key, s.why, seen[key], s.times)
		} else {
			delete(seen, key)
		}
	}
	if len(seen) > 0 {
		t.Errorf("errors that nobody explained: %v", seen)
	}
}
