package path_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

// oracleRow is what Pulumi's own SDK made of a text.
type oracleRow struct {
	Path           string  `json:"path"`
	Segments       []any   `json:"segments"`
	String         string  `json:"string"`
	StrictSegments []any   `json:"strictSegments"`
	Error          *string `json:"error"`
	StrictError    *string `json:"strictError"`
}

// oracleExceptions are the texts for which the SDK's answer is not ours.
func oracleExceptions() map[string]string {
	return map[string]string{
		"[-1]":                  "an index below 0, which no array has, is an error",
		"name[-1]":              "an index below 0, which no array has, is an error",
		"[9223372036854775807]": "an index above 2^31-1, which no array has, is an error",
		`[""]`:                  "the SDK writes the empty key as nothing, which it reads back as the root; we write it as it was read",
	}
}

func readOracle(t *testing.T) []oracleRow {
	t.Helper()
	data, err := os.ReadFile("../../shared/data/oracle-paths.jsonl")
	if err != nil {
		t.Skip("no ../shared/data beside the repository, so the SDK's answers are not compared")
	}
	var rows []oracleRow
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var row oracleRow
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&row); err != nil {
			t.Fatalf("line %d: %v", len(rows)+1, err)
		}
		for _, segments := range [][]any{row.Segments, row.StrictSegments} {
			for i, s := range segments {
				if n, ok := s.(json.Number); ok {
					segments[i], _ = n.Int64()
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func TestOracle(t *testing.T) {
	rows := readOracle(t)
	exceptions := oracleExceptions()
	differed := map[string]bool{}
	for i, row := range rows {
		differs := false
		for _, pattern := range []bool{false, true} {
			if why := oracleDifference(row, pattern); why != "" {
				differs = true
				if exceptions[row.Path] == "" {
					t.Errorf("line %d %q, pattern %v: %s", i+1, row.Path, pattern, why)
				}
			}
		}
		differed[row.Path] = differed[row.Path] || differs
	}
	if len(rows) < 400 || len(exceptions)*100 > len(rows) {
		t.Errorf("%d rows, %d exceptions", len(rows), len(exceptions))
	}
	for text, reason := range exceptions {
		if !differed[text] {
			t.Errorf("%q is no exception (%s)", text, reason)
		}
	}
	t.Logf("%d rows in both roles, %d exceptions", len(rows), len(exceptions))
}

// oracleDifference reads a row in one role and says how we differ.
func oracleDifference(row oracleRow, pattern bool) string {
	var got path.Pattern
	var written string
	var err, werr error
	wantWritten := row.String
	if pattern {
		if got, err = path.ParsePulumiPattern(row.Path); err == nil {
			written, werr = got.Pulumi()
		}
		wantWritten = strings.ReplaceAll(wantWritten, `["*"]`, "[*]")
	} else {
		var p path.Path
		if p, err = path.ParsePulumi(row.Path); err == nil {
			written, werr = p.Pulumi()
		}
		got = p.Pattern()
	}
	want, inRange := stepsOf(row.Segments, pattern)
	switch {
	case (err == nil) != (row.Error == nil):
		return "error " + errorText(err)
	case err != nil:
		return ""
	case !inRange || !slices.Equal(slices.Collect(got.Steps()), want):
		return "steps of " + got.String()
	case werr != nil || written != wantWritten:
		return "written " + written + ", error " + errorText(werr)
	}
	return ""
}

func errorText(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

// The slow parser that the laws compare with answers like the SDK, without
// exception; what we write, the SDK's strict mode reads too.
func TestOracleOfTheSlowParser(t *testing.T) {
	for i, row := range readOracle(t) {
		segments, ok, strict := slowPulumiStrict(row.Path)
		if ok != (row.Error == nil) || (ok && !slices.Equal(segments, row.Segments)) {
			t.Errorf("line %d %q: %v, %v", i+1, row.Path, segments, ok)
		}
		if strict != (row.StrictError == nil) || (strict && !slices.Equal(segments, row.StrictSegments)) {
			t.Errorf("line %d %q, strict: %v, %v", i+1, row.Path, segments, strict)
		}
	}
}

// The odd keys of real objects can all be written.
func TestOddKeys(t *testing.T) {
	data, err := os.ReadFile("../../shared/data/odd-keys.json")
	if err != nil {
		t.Skip("no ../shared/data beside the repository, so no odd keys of real objects")
	}
	var keys []string
	if err := json.Unmarshal(data, &keys); err != nil || len(keys) < 100 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	for _, key := range keys {
		p := path.MustParse("tags").Member(key)
		text, err := p.Pulumi()
		back, err2 := path.ParsePulumi(text)
		again, err3 := path.Parse(p.String())
		if err != nil || err2 != nil || err3 != nil || back != p || again != p {
			t.Errorf("%q: written %q, %v, %v, %v", key, text, err, err2, err3)
		}
	}
}
