package propalg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryTypeHasAnExample: what a user would paste stands beside each exported
// type. The messages of codec/rpc are alike and share a few.
func TestEveryTypeHasAnExample(t *testing.T) {
	checked := 0
	for _, room := range []string{"urn", "path", "value", "value/asset", "diff", "codec", "codec/state", "fuzz"} {
		types, examples := map[string]bool{}, map[string]bool{}
		files, err := filepath.Glob(room + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range tree.Decls {
				if strings.HasSuffix(name, "_test.go") {
					noteExample(d, examples)
				} else {
					noteTypes(d, types)
				}
			}
		}
		for name := range types {
			checked++
			if !examples[name] {
				t.Errorf("%s.%s has no Example", room, name)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d types seen", checked)
	}
}

func noteExample(d ast.Decl, examples map[string]bool) {
	if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
		if name, ok := strings.CutPrefix(f.Name.Name, "Example"); ok {
			name, _, _ = strings.Cut(name, "_")
			examples[name] = true
		}
	}
}

func noteTypes(d ast.Decl, types map[string]bool) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.TYPE {
		return
	}
	for _, s := range g.Specs {
		if name := s.(*ast.TypeSpec).Name; name.IsExported() {
			types[name.Name] = true
		}
	}
}
