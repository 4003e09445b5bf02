package urn_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/propalg/propalg/urn"
)

// rowsOf decodes every line of one file of shared data, and skips the test where there is none.
func rowsOf[T any](t *testing.T, name string) []T {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	return rows
}

type oracleParts struct {
	Stack         string `json:"stack"`
	Project       string `json:"project"`
	QualifiedType string `json:"qualifiedType"`
	Type          string `json:"type"`
	Name          string `json:"name"`
}

// Every row agrees with Pulumi's SDK; there is no exception to list. (The one listed difference, urn:pulumi::a::b::c, is in no row: TestSDKTakesMore.)
func TestOracle(t *testing.T) {
	type row struct {
		URN   string `json:"urn"`
		Error string `json:"error"`
		oracleParts
	}
	taken, refused, inSpec := 0, 0, 0
	for i, row := range rowsOf[row](t, "oracle-urns.jsonl") {
		u, err := urn.Parse(row.URN)
		if (err == nil) != (row.Error == "") {
			t.Errorf("row %d: Parse(%q): %v, the SDK says %q", i+1, row.URN, err, row.Error)
			continue
		}
		agree(t, row.URN)
		if err != nil {
			refused++
			continue
		}
		taken++
		got := oracleParts{u.Stack(), u.Project(), u.QualifiedType(), u.Type(), u.Name()}
		if diff := cmp.Diff(row.oracleParts, got); diff != "" {
			t.Errorf("row %d: %q, -SDK +got:\n%s", i+1, row.URN, diff)
		}
		builds(t, u.Parts())
		if built, err := urn.Build(u.Parts()); err != nil || built != u {
			t.Errorf("row %d: %q was built again as %q, %v", i+1, row.URN, built, err)
		}
		if u.CheckSpec() == nil {
			inSpec++
		}
	}
	t.Logf("%d URNs read, %d refused, as the SDK does; %d of them are within the specification", taken, refused, inSpec)
}

func TestMalformed(t *testing.T) {
	type row struct {
		Text string `json:"text"`
	}
	rows := rowsOf[row](t, "urns-malformed.jsonl")
	for i, row := range rows {
		agree(t, row.Text)
		if _, err := urn.Parse(row.Text); !errors.Is(err, urn.ErrSyntax) {
			t.Errorf("row %d: Parse(%q): %v", i+1, row.Text, err)
		}
	}
	t.Logf("%d texts refused", len(rows))
}
