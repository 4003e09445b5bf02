package resourcetest

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/propalg/propalg/internal/shape"
)

// sources are the packages whose types were asked for, by their import path.
type sources map[string]*source

// source is what a package says of its types.
type source struct {
	docs      map[string]string           // of types, and of fields as "type.field"
	constants map[string][]shape.Constant // of types
}

// Doc returns the documentation of a type or a field.
func (s sources) Doc(t *shape.Type, field string) string {
	name, _, _ := strings.Cut(t.Name, "[") // with type arguments
	if field != "" {
		name += "." + field
	}
	return s.of(t.Pkg).docs[name]
}

// Constants returns the constants of a type, in the order of the source.
func (s sources) Constants(t *shape.Type) []shape.Constant { return s.of(t.Pkg).constants[t.Name] }

func (s sources) of(pkg string) *source {
	if known := s[pkg]; known != nil {
		return known
	}
	dir := "." // of a package main, or of a test
	if found, err := build.Import(pkg, ".", build.FindOnly); err == nil && pkg != "main" {
		if _, err := os.Stat(found.Dir); err == nil {
			dir = found.Dir
		}
	}
	made := &source{docs: map[string]string{}, constants: map[string][]shape.Constant{}}
	s[pkg] = made

	set := token.NewFileSet()
	byPackage := map[string][]*ast.File{}
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if f, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			byPackage[f.Name.Name] = append(byPackage[f.Name.Name], f)
		}
	}
	for name, files := range byPackage {
		if strings.HasSuffix(name, "_test") == strings.HasSuffix(pkg, "_test") {
			made.read(set, files)
		}
	}
	return made
}

// read reads the files of a package.
func (s *source) read(set *token.FileSet, files []*ast.File) {
	docs := map[token.Pos]string{} // of constants
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.document(spec, first(spec.Doc, g.Doc))
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						docs[name.Pos()] = first(spec.Doc, spec.Comment)
					}
				}
			}
		}
	}

	// What a constant is follows from the files alone: imports are not looked at.
	info := types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, IgnoreFuncBodies: true, FakeImportC: true}
	_, _ = config.Check("source", set, files, &info)
	for _, f := range files {
		for _, d := range f.Decls {
			s.enumerate(d, &info, docs)
		}
	}
}

// document keeps the documentation of a type and its fields.
func (s *source) document(spec *ast.TypeSpec, doc string) {
	s.docs[spec.Name.Name] = doc
	t, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range t.Fields.List {
		for _, name := range f.Names {
			s.docs[spec.Name.Name+"."+name.Name] = first(f.Doc, f.Comment)
		}
	}
}

// enumerate keeps the constants of a declaration that have a type of the package.
func (s *source) enumerate(d ast.Decl, info *types.Info, docs map[token.Pos]string) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.CONST {
		return
	}
	for _, spec := range g.Specs {
		values, _ := spec.(*ast.ValueSpec)
		for _, name := range values.Names {
			c, ok := info.Defs[name].(*types.Const)
			if !ok || !name.IsExported() {
				continue
			}
			if named, ok := c.Type().(*types.Named); ok {
				if v := constantValue(c.Val()); v != nil {
					of := named.Obj().Name()
					s.constants[of] = append(s.constants[of], shape.Constant{Name: name.Name, Doc: docs[name.Pos()], Value: v})
				}
			}
		}
	}
}

func constantValue(v constant.Value) any {
	switch v.Kind() { //nolint:exhaustive // properties have no others
	case constant.String:
		return constant.StringVal(v)
	case constant.Int, constant.Float:
		n, _ := constant.Float64Val(v)
		return n
	}
	return nil
}

// first returns the text of the first comment that there is.
func first(all ...*ast.CommentGroup) string {
	for _, c := range all {
		if text := c.Text(); text != "" {
			return text
		}
	}
	return ""
}
