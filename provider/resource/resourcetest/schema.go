package resourcetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/schema"
)

// Schema fails if a file does not have the schema that follows from the types of a package and
// from their source: descriptions from the comments of types and fields, deprecations from
// their paragraphs that begin with "Deprecated:", and enums of types that have constants.
// Under go generate, it writes the file:
//
//	//go:generate go test -run TestSchema .
//	func TestSchema(t *testing.T) { resourcetest.Schema(t, pkg, "schema.json") }
//
// Embed the file as the Schema of the package. The source is looked for in the folder of the test,
// and where the go command finds other packages.
func Schema(t testing.TB, p resource.Package, file string) {
	t.Helper()
	want, err := document(p)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("GOPACKAGE") != "" && os.Getenv("GOLINE") != "" { // go generate sets them
		if err := os.WriteFile(file, want, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}

	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if line := differ(string(got), string(want)); line != "" {
		t.Errorf("%s: the types say something else, %s: run go generate", file, line)
	}
}

// document returns the schema of a package as it is in a file.
func document(p resource.Package) ([]byte, error) {
	v, err := resource.Internal.Document(p, sources{})
	if err != nil {
		return nil, err
	}
	if _, err := schema.FromValue(v, schema.Options{}); err != nil {
		return nil, err
	}
	text, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// differ returns the first line in which two texts differ, or "".
func differ(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("first in line %d", i+1)
		}
	}
	return ""
}
