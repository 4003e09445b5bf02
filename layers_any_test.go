package propalg_test

import (
	"go/ast"
	"slices"
	"strings"
)

// anyMethods are methods of standard interfaces that have to say any:
// errors.As, sql.Scanner, heap.Interface.
var anyMethods = []string{"As", "Scan", "Push", "Pop"}

// fromGoData is what converts plain Go data, in package value, and structs, in package
// bind.
var fromGoData = map[string][]string{"value": {"FromGo", "ToGo"}, "value/bind": {"Decode", "Encode"}}

// checkAny finds any, or interface{}, in what users of a package see: parameters
// and results of functions and methods, fields, methods of interfaces. Type
// constraints may say any.
func checkAny(s *source) []string {
	if s.isTest || covers([]string{"cmd/...", "internal/...", "examples/..."}, s.room) {
		return nil
	}

	var found []string

	for _, decl := range s.tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if name, seen := userName(d); seen && saysAny(d.Type) && !mayStand(s.room, d) {
				found = append(found, s.finding(d.Pos(), "any in the exported signature of %s", name))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && t.Name.IsExported() {
					found = append(found, anyInType(s, t)...)
				}
			}
		}
	}

	return found
}

func mayStand(room string, f *ast.FuncDecl) bool {
	return f.Recv != nil && slices.Contains(anyMethods, f.Name.Name) ||
		slices.Contains(fromGoData[room], f.Name.Name) ||
		room == "codec/rpc" && f.Recv != nil && slices.Contains(grpcCodec, f.Name.Name)
}

// grpcCodec are the methods of gRPC's encoding.Codec, which say any.
var grpcCodec = []string{"Marshal", "Unmarshal"}

// userName names a function as a user writes it, T.M for a method, and says
// whether users can see it.
func userName(f *ast.FuncDecl) (string, bool) {
	if f.Recv == nil {
		return f.Name.Name, f.Name.IsExported()
	}

	receiver := f.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.IndexListExpr:
			receiver = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name, t.IsExported() && f.Name.IsExported()
		default:
			return "", false
		}
	}
}

// anyInType looks at the exported parts of a type's declaration.
func anyInType(s *source, t *ast.TypeSpec) []string {
	var parts *ast.FieldList

	switch x := t.Type.(type) {
	case *ast.StructType:
		parts = x.Fields
	case *ast.InterfaceType:
		parts = x.Methods
	default:
		if saysAny(t.Type) {
			return []string{s.finding(t.Pos(), "any in the exported signature of %s", t.Name.Name)}
		}

		return nil
	}

	var found []string

	for _, part := range parts.List {
		names := make([]string, 0, len(part.Names))
		for _, name := range part.Names {
			if name.IsExported() && !slices.Contains(anyMethods, name.Name) {
				names = append(names, name.Name)
			}
		}

		if len(names) > 0 && saysAny(part.Type) {
			found = append(found, s.finding(part.Pos(), "any in the exported signature of %s.%s", t.Name.Name, strings.Join(names, ", ")))
		}
	}

	return found
}

// saysAny looks for any in a type, but not in its type parameters.
func saysAny(x ast.Node) bool {
	found := false

	ast.Inspect(x, func(n ast.Node) bool {
		switch t := n.(type) {
		case *ast.FuncType:
			found = found || t.Params != nil && saysAny(t.Params) || t.Results != nil && saysAny(t.Results)

			return false
		case *ast.Field:
			found = found || saysAny(t.Type)

			return false
		case *ast.InterfaceType:
			found = found || len(t.Methods.List) == 0
		case *ast.Ident:
			found = found || t.Name == "any"
		}

		return !found
	})

	return found
}
