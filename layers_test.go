package propalg_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// module is the import path of the tree that the rules are about.
const module = "github.com/propalg/propalg"

// rooms must be there, so that a walk that sees nothing cannot pass.
var rooms = []string{"urn", "path", "value", "diff", "codec", "codec/state", "fuzz", "bench", "cmd/propalg"}

// source is one parsed Go file of the root module.
type source struct {
	name   string // slash-separated, from the module's root
	room   string // its folder, "." for the root
	isTest bool
	text   string
	tree   *ast.File
	fset   *token.FileSet
}

// finding is a violation at a place in a file.
func (s *source) finding(at token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", s.name, s.fset.Position(at).Line, fmt.Sprintf(format, args...))
}

// parse reads one file as it would stand in the tree under that name.
func parse(name, text string) (*source, error) {
	fset := token.NewFileSet()

	tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}

	return &source{
		name: name, room: path.Dir(name), isTest: strings.HasSuffix(name, "_test.go"),
		text: text, tree: tree, fset: fset,
	}, nil
}

// readTree parses every Go file of the root module: nested modules, testdata and
// hidden folders are not part of it.
func readTree(root string) ([]*source, error) {
	var sources []*source

	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		if entry.IsDir() {
			return skipFolder(root, file)
		}

		if filepath.Ext(file) != ".go" {
			return nil
		}

		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}

		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}

		s, err := parse(filepath.ToSlash(name), string(text))
		sources = append(sources, s)

		return err
	})

	return sources, err
}

func skipFolder(root, folder string) error {
	name := filepath.Base(folder)
	if folder == root {
		return nil
	}

	if name == "testdata" || name[0] == '.' || name[0] == '_' {
		return filepath.SkipDir
	}

	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	if err == nil {
		return filepath.SkipDir
	}

	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	return err
}

// TestLayers holds the tree to the rules of the house.
func TestLayers(t *testing.T) {
	t.Parallel()

	sources, err := readTree(".")
	if err != nil {
		t.Fatal(err)
	}

	for _, room := range rooms {
		if !slices.ContainsFunc(sources, func(s *source) bool { return s.room == room }) {
			t.Errorf("no Go file seen in %s", room)
		}
	}

	for _, r := range rules {
		for _, finding := range r.check(sources) {
			t.Errorf("%s: %s", r.name, finding)
		}
	}
}

// TestRulesCanFail feeds every rule a source that breaks it, and sources that
// come close and are allowed.
func TestRulesCanFail(t *testing.T) {
	t.Parallel()

	broken := map[string]int{}

	for _, row := range ruleRows() {
		s, err := parse(row.file, row.text)
		if err != nil {
			t.Fatalf("%s: %v", row.at, err)
		}

		sources := []*source{s}
		if row.also != "" {
			other, err := parse("urn/also.go", row.also)
			if err != nil {
				t.Fatalf("%s: %v", row.at, err)
			}

			sources = append(sources, other)
		}

		var got []string

		for _, r := range rules {
			found := r.check(sources)
			for _, finding := range found {
				got = append(got, r.name+": "+finding)
			}

			broken[r.name] += len(found)
		}

		if text := strings.Join(got, "\n"); text != row.want {
			t.Errorf("%s:\n got %q\nwant %q", row.at, text, row.want)
		}
	}

	for _, r := range rules {
		if broken[r.name] == 0 {
			t.Errorf("no row breaks the rule %q: it may not be able to fail", r.name)
		}
	}
}

// ruleRow is a file under a name, and what the rules say of it.
type ruleRow struct{ at, file, text, also, want string }

// row notes its caller's position. A row without want is allowed by every rule.
func row(file, text, want string) ruleRow {
	_, _, line, _ := runtime.Caller(1)

	return ruleRow{at: fmt.Sprintf("line %d", line), file: file, text: text, want: want}
}

// beside adds a second file, urn/also.go.
func (r ruleRow) beside(text string) ruleRow {
	r.also = text

	return r
}

// imports is a file with just that import.
func imports(what string) string { return one("import _ \"" + what + "\"") }

// one is a file with just those declarations. Its package is called p_test, which
// an external test may be, and any other file may be too.
func one(decl string) string { return "package p_test\n" + decl + "\n" }

func ruleRows() []ruleRow {
	return slices.Concat(importRows(), signatureRows(), houseRows())
}

func importRows() []ruleRow {
	up := func(room string) string { return imports(module + "/" + room) }

	return []ruleRow{
		row("path/a.go", up("value"), "layers: path/a.go:2: path may not import value"),
		row("path/a.go", up("urn"), "layers: path/a.go:2: path may not import urn"),
		row("path/a.go", up("internal/scan"), ""),
		row("internal/scan/a.go", up("path"), "layers: internal/scan/a.go:2: internal/scan may not import path"),
		row("urn/a.go", up("diff"), "layers: urn/a.go:2: urn may not import diff"),
		row("value/a.go", up("path"), ""),
		row("value/a.go", up("value/asset"), "layers: value/a.go:2: value may not import value/asset"),
		row("value/asset/a.go", up("value"), ""),
		row("diff/a.go", up("codec"), "layers: diff/a.go:2: diff may not import codec"),
		row("diff/a.go", up("value/asset"), "layers: diff/a.go:2: diff may not import value/asset"),
		row("codec/a.go", up("diff"), "layers: codec/a.go:2: codec may not import diff"),
		row("codec/a.go", up("codec/state"), "layers: codec/a.go:2: codec may not import codec/state"),
		row("codec/state/a.go", up("codec"), ""),
		row("codec/state/a.go", up("diff"), ""),
		row("codec/state/a.go", up("codec/patch"), "layers: codec/state/a.go:2: codec/state may not import codec/patch"),
		row("codec/rpc/a.go", up("diff"), "layers: codec/rpc/a.go:2: codec/rpc may not import diff"),
		row("provider/a.go", up("codec/rpc"), ""),
		row("provider/a.go", up("provider/check"), "layers: provider/a.go:2: provider may not import provider/check"),
		row("engine/a.go", up("provider/check"), ""),
		row("diff/a.go", up("diff/render"), "layers: diff/a.go:2: diff may not import diff/render"),
		row("codec/patch/a.go", up("diff"), ""),
		row("fuzz/a.go", up("codec/rpc"), ""),
		row("fuzz/a.go", up("bench"), "layers: fuzz/a.go:2: fuzz may not import bench"),
		row("bench/a.go", up("fuzz"), ""),
		row("cmd/propalg/a.go", up("codec/patch"), ""),
		row("cmd/propalg/a.go", up("fuzz"), "layers: cmd/propalg/a.go:2: cmd/propalg may not import fuzz"),
		row("value/a.go", imports(module), "layers: value/a.go:2: value may not import ."),
		row("value/a.go", up("internal/testkit/golden"), "layers: value/a.go:2: value may not import internal/testkit/golden"),
		row("value/a_test.go", up("internal/testkit/golden"), ""),
		row("value/a.go", up("internal/testkit"), "layers: value/a.go:2: value may not import internal/testkit"),
		row("fuzz/example_test.go", up("internal/testkit"), "examples: fuzz/example_test.go:2: examples may not import internal/testkit"),
		row("fuzz/example_gen_test.go", up("internal/testkit"), "examples: fuzz/example_gen_test.go:2: examples may not import internal/testkit"),
		row("fuzz/example_test.go", up("value"), ""),
		row("fuzz/examples_test.go", up("internal/testkit"), ""),
		row("internal/align/example_test.go", up("internal/align"), ""),
		row("surprise/a.go", "package p", "rooms: surprise/a.go:1: surprise is in no layer: give it one in layers_rules_test.go"),
		row("examples/masks/a.go", up("codec/state"), ""),
		row("path/a.go", imports("reflect"), "standard: path/a.go:2: path/a.go may not import reflect"),
		row("value/godata.go", imports("reflect"), ""),
		row("value/godata_test.go", imports("reflect"), ""),
		row("value/marks.go", imports("unsafe"), "standard: value/marks.go:2: value/marks.go may not import unsafe"),
		row("value/rep.go", imports("unsafe"), ""),
		row("value/a.go", imports("log/slog"), ""),
		row("diff/a.go", imports("log/slog"), "standard: diff/a.go:2: diff/a.go may not import log/slog"),
		row("cmd/propalg/a.go", imports("log"), "standard: cmd/propalg/a.go:2: cmd/propalg/a.go may not import log"),
		row("codec/a.go", imports("os"), "standard: codec/a.go:2: codec/a.go may not import os"),
		row("codec/state/a.go", imports("io/fs"), "standard: codec/state/a.go:2: codec/state/a.go may not import io/fs"),
		row("codec/state/a.go", imports("io"), ""),
		row("urn/a.go", imports("net/http"), "standard: urn/a.go:2: urn/a.go may not import net/http"),
		row("fuzz/a.go", imports("os/exec"), "standard: fuzz/a.go:2: fuzz/a.go may not import os/exec"),
		row("fuzz/campaign/a.go", imports("os/exec"), ""),
		row("value/asset/a.go", imports("io/fs"), ""),
		row("cmd/propalg/a.go", imports("os"), ""),
		row("value/a.go", imports("C"), "standard: value/a.go:2: value/a.go may not import C"),
		row("value/a.go", imports("pgregory.net/rapid"), "modules: value/a.go:2: value may not import pgregory.net/rapid"),
		row("bench/a.go", imports("pgregory.net/rapid"), "modules: bench/a.go:2: bench may not import pgregory.net/rapid"),
		row("fuzz/a.go", imports("pgregory.net/rapid"), ""),
		row("diff/a_test.go", imports("github.com/google/go-cmp/cmp"), ""),
		row("codec/a.go", imports("github.com/tidwall/gjson"), ""),
		row("diff/a.go", imports("github.com/tidwall/gjson"), "modules: diff/a.go:2: diff may not import github.com/tidwall/gjson"),
		row("codec/a_test.go", imports("github.com/stretchr/testify/assert"), "modules: codec/a_test.go:2: codec may not import github.com/stretchr/testify/assert"),
		row("cmd/propalg/a.go", imports("github.com/tidwall/gjson"), "modules: cmd/propalg/a.go:2: cmd/propalg may not import github.com/tidwall/gjson"),
	}
}

func signatureRows() []ruleRow {
	return []ruleRow{
		row("diff/a.go", one("func F(x any) {}"), "any: diff/a.go:2: any in the exported signature of F"),
		row("diff/a.go", one("func F() (map[string]any, error) { return nil, nil }"), "any: diff/a.go:2: any in the exported signature of F"),
		row("diff/a.go", one("func F(f func(...interface{})) {}"), "any: diff/a.go:2: any in the exported signature of F"),
		row("diff/a.go", one("type T struct{ X []any }"), "any: diff/a.go:2: any in the exported signature of T.X"),
		row("diff/a.go", one("type T interface{ M(any) }"), "any: diff/a.go:2: any in the exported signature of T.M"),
		row("diff/a.go", one("type T map[string]any"), "any: diff/a.go:2: any in the exported signature of T"),
		row("diff/a.go", one("type T struct{}; func (*T) M(any) {}"), "any: diff/a.go:2: any in the exported signature of T.M"),
		row("diff/a.go", one("type T struct{}; func (*T) As(target any) bool { return false }"), ""),
		row("diff/a.go", one("type T struct{ x any }; func (t T) m(any) {}; type u any; func (u) M(any) {}"), ""),
		row("diff/a.go", one("func F[T any](x T) []T { return nil }"), ""),
		row("diff/a.go", one("type T[E any] struct{ X E }; func (t *T[E]) M(any) {}"), "any: diff/a.go:2: any in the exported signature of T.M"),
		row("diff/a.go", one("func FromGo(any) {}"), "any: diff/a.go:2: any in the exported signature of FromGo"),
		row("value/godata.go", one("func FromGo(any) {}; type Value struct{}; func (Value) ToGo() any { return nil }"), ""),
		row("diff/a_test.go", one("func F(any) {}"), ""),
		row("cmd/propalg/a.go", one("func F(any) {}"), ""),
		row("path/a.go", one("func GetStep() {}"), "names: path/a.go:2: GetStep: no name begins with Get"),
		row("path/a.go", one("type T struct{}; func (T) Get() {}"), "names: path/a.go:2: Get: no name begins with Get"),
		row("path/a.go", one("func Getter() {}"), ""),
		row("path/step_helper.go", one(""), "names: path/step_helper.go:1: no file, package or folder is called helper"),
		row("internal/utils/a.go", one(""), "names: internal/utils/a.go:1: no file, package or folder is called utils"),
	}
}

func houseRows() []ruleRow {
	pool := one("var scratch = sync.Pool{}")

	return []ruleRow{
		row("urn/a.go", one("var table = map[int]int{}"), "variables: urn/a.go:2: package variable table"),
		row("urn/a.go", one("var ErrX = fmt.Sprint(1)"), "variables: urn/a.go:2: package variable ErrX"),
		row("urn/a.go", one("var ErrX, table = errors.New(``), 1"), "variables: urn/a.go:2: package variable table"),
		row("urn/a.go", one("var ErrX error"), "variables: urn/a.go:2: package variable ErrX"),
		row("urn/a.go", one("var (\nErrX = errors.New(``)\nerrY = errors.New(``)\n)"), ""),
		row("urn/a.go", one("var _ fmt.Stringer = T{}"), ""),
		row("urn/a_test.go", one("var table = 1"), ""),
		row("urn/a.go", one("//go:embed a.txt\nvar text string"), ""),
		row("urn/a.go", one("var (\n//go:embed a.txt\ntext string\ntable int\n)"), "variables: urn/a.go:5: package variable table"),
		row("urn/a.go", one("// go:embed a.txt\nvar text string"), "variables: urn/a.go:3: package variable text"),
		row("value/a.go", pool, ""),
		row("value/a.go", one("var scratch sync.Pool"), "").beside(one("")),
		row("value/a.go", pool, "").beside(one("var p = &sync.Pool{}")),
		row("urn/a.go", pool, "variables: urn/also.go:2: a second sync.Pool, a package has one").beside(one("var p = &sync.Pool{}")),
		row("urn/a.go", one("func init() {}"), "init: urn/a.go:2: func init"),
		row("urn/a_test.go", one("func init() {}"), ""),
		row("urn/a.go", one("type T struct{}; func (T) init() {}"), ""),
		row("urn/a.go", strings.Repeat("// x\n", maxFileLines)+"package p\n", fmt.Sprintf("limits: urn/a.go:%d: 1101 lines, the house has at most 1100", maxFileLines+1)),
		row("urn/a.go", strings.Repeat("// x\n", maxFileLines-1)+"package p\n", ""),
		row("urn/a.go", one("func f() {"+strings.Repeat("\n", maxFuncLines)+"}"), "limits: urn/a.go:2: f has 71 lines, the house has at most 70"),
		row("urn/a_test.go", one("func f() {"+strings.Repeat("\n", maxFuncLines-1)+"}"), ""),
		row("urn/a_test.go", "package urn", "external: urn/a_test.go:1: test in package urn, not urn_test"),
		row("urn/a_test.go", "package urn_test", ""),
	}
}
