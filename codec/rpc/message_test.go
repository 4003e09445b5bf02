package rpc_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/rpc/internal/gen"
	"github.com/propalg/propalg/internal/test/golden"
	"github.com/propalg/propalg/value"
)

var update = golden.Flag()

// schema is the table that the package is generated from.
func schema(t testing.TB) *gen.Schema {
	t.Helper()
	table, err := os.ReadFile("protocol.txt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := gen.Parse(string(table))
	if err != nil {
		t.Fatalf("protocol.txt: %v", err)
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
		if _, err := os.Stat(filepath.Dir(name)); err != nil {
			continue // this is the module without the others of the repository
		}
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

// identical compares messages, properties by Identical.
func identical(a, b rpc.Message) string {
	return cmp.Diff(a, b, cmp.Comparer(func(v, w value.Value) bool { return v.Identical(w) }), equateNaNs())
}

func equateNaNs() cmp.Option {
	return cmp.FilterValues(func(x, y float64) bool { return x != x && y != y }, cmp.Comparer(func(_, _ float64) bool { return true }))
}

// TestAllAreThere holds the types against the table.
func TestAllAreThere(t *testing.T) {
	p := descriptors(t)
	for name := range p {
		if m := rpc.New(name); m == nil {
			t.Errorf("no type for %s", name)
		}
	}
	for _, m := range rpc.All() {
		if p[rpc.Name(m)] == nil {
			t.Errorf("%T is %s, which is not in the table", m, rpc.Name(m))
		}
		if n := p[rpc.Name(m)].Fields().Len(); n > 64 {
			t.Errorf("%s has %d fields, more than the reader of JSON can tell apart", rpc.Name(m), n)
		}
	}
	if rpc.New("pulumirpc.Nothing") != nil {
		t.Error("a message without a name")
	}
}

// TestFieldList holds the table against the list of the protocol's fields.
func TestFieldList(t *testing.T) {
	text, err := os.ReadFile(shared + "provider-fields.txt")
	if err != nil {
		t.Skip(err)
	}
	want := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && line[0] != '#' {
			want[line] = true
		}
	}
	got := map[string]bool{}
	s := schema(t)
	for _, m := range s.Messages {
		for i := range m.Fields {
			got[fieldLine(m, &m.Fields[i])] = true
		}
	}
	for _, e := range s.Enums {
		for n, v := range e.Values {
			got[enumLine(e, n, v)] = true
		}
	}
	for line := range want {
		if !got[line] {
			t.Errorf("missing: %s", line)
		}
	}
	// What the list only names, in fields and methods.
	beside := []string{
		"SourcePosition\t", "StackFrame\t", "StackTrace\t", "Callback\t", "Result\t", "ResourceInvokeResponse\t",
		"ResourceCallRequest", "RegisterPackage", "Parameterization\t", "Log", "InputPropertiesError", "ViewStep", "PublishViewSteps",
	}
	for line := range got {
		known := want[line]
		for _, b := range beside {
			known = known || strings.HasPrefix(line, b)
		}
		if !known {
			t.Errorf("not in the list: %s", line)
		}
	}
}

// fieldLine writes a field as the list of the protocol's fields does.
func fieldLine(m *gen.Message, f *gen.Field) string {
	typ := f.Type
	if typ == "Struct" || typ == "Value" {
		typ = "google.protobuf." + typ
	}
	switch f.Label {
	case gen.Optional:
		typ = "optional " + typ
	case gen.Repeated:
		typ = "repeated " + typ
	case gen.Map:
		typ = "map<string, " + typ + ">"
	case gen.Plain:
	}
	if f.Oneof != "" {
		typ += " (oneof:" + f.Oneof + ")"
	}
	return fmt.Sprintf("%s\t%s\t%d\t%s", m.Name, f.Name, f.Number, typ)
}

func enumLine(e *gen.Enum, n int, v string) string {
	return fmt.Sprintf("%s\t%s\t%d\tenum value", e.Name, v, n)
}
