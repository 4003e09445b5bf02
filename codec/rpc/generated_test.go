package rpc_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/propalg/propalg/internal/golden"
	"github.com/propalg/propalg/internal/rpcgen"
)

var update = golden.Flag()

// schema is the table that the package is generated from.
func schema(t testing.TB) *rpcgen.Schema {
	t.Helper()
	table, err := os.ReadFile("testdata/protocol.txt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := rpcgen.Parse(string(table))
	if err != nil {
		t.Fatalf("testdata/protocol.txt: %v", err)
	}
	return s
}

// TestGenerated compares the generated files with the table; -update writes them.
func TestGenerated(t *testing.T) {
	files, err := schema(t).Generate()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := filepath.Glob("*_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range committed {
		if _, ok := files[name]; !ok {
			t.Errorf("%s is not generated any more", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if *update {
			if err := os.WriteFile(name, files[name], 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if source, err := os.ReadFile(name); err != nil || !bytes.Equal(source, files[name]) {
			t.Errorf("%s is not what the table says (%v): run go test ./codec/rpc -run TestGenerated -update", name, err)
		}
	}
}
