package fuzz_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/hostile"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// TestGoSourceMakesTheValue evaluates what GoSource writes, with a reader of Go
// expressions that knows the few calls there are, and compares.
func TestGoSourceMakesTheValue(t *testing.T) {
	check := func(t *rapid.T) {
		v := rapid.OneOf(fuzz.Values(fuzz.Options{}), fuzz.Values(fuzz.Options{Style: fuzz.Hostile})).Draw(t, "v")
		source := fuzz.GoSource(v)

		x, err := parser.ParseExpr(source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}

		if got := evalValue(x); !got.Identical(v) {
			t.Fatalf("%s makes %s", source, fuzz.GoSource(got))
		}
	}

	rapid.Check(t, check)
}

func TestGoSourceIsBounded(t *testing.T) {
	if text := fuzz.GoSource(hostile.Deep(value.MaxDepth, value.Null())); len(text) > 1<<16 || !strings.Contains(text, "left out") {
		t.Errorf("%d bytes", len(text))
	}
}

// evalValue evaluates an expression for a value.
func evalValue(x ast.Expr) value.Value {
	switch got := eval(x).(type) {
	case value.Value:
		return got
	default:
		panic(fmt.Sprintf("no value but %T", got))
	}
}

// eval evaluates literals, composite literals of members, references and
// ciphertexts, and calls of constructors and methods.
func eval(x ast.Expr) any {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			s, err := strconv.Unquote(x.Value)
			if err != nil {
				panic(err)
			}

			return s
		}

		return float(x.Value)
	case *ast.UnaryExpr:
		return -eval(x.X).(float64)
	case *ast.Ident:
		return x.Name == "true"
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.CompositeLit:
		return composite(x)
	case *ast.CallExpr:
		return call(x)
	}

	panic(fmt.Sprintf("%T", x))
}

func float(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}

	return f
}

func composite(x *ast.CompositeLit) any {
	fields := map[string]any{}

	for _, e := range x.Elts {
		pair := e.(*ast.KeyValueExpr)
		fields[pair.Key.(*ast.Ident).Name] = eval(pair.Value)
	}

	text := func(name string) string {
		s, _ := fields[name].(string)

		return s
	}

	switch name := x.Type.(*ast.SelectorExpr).Sel.Name; name {
	case "Sealed":
		return value.Sealed{Ciphertext: text("Ciphertext"), Provider: text("Provider")}
	case "ResourceReference":
		id, _ := fields["ID"].(value.ID)

		return value.ResourceReference{URN: text("URN"), ID: id, PackageVersion: text("PackageVersion"), Name: text("Name"), Type: text("Type")}
	default:
		panic(name)
	}
}

func call(x *ast.CallExpr) any {
	fun := x.Fun.(*ast.SelectorExpr)

	var args []any
	for _, a := range x.Args {
		args = append(args, eval(a))
	}

	if pkg, ok := fun.X.(*ast.Ident); ok && (pkg.Name == "value" || pkg.Name == "math" || pkg.Name == "strings" || pkg.Name == "fuzz") {
		return construct(pkg.Name+"."+fun.Sel.Name, args)
	}

	receiver := eval(fun.X)

	switch r := receiver.(type) {
	case interface{ Value() value.Value }:
		return r.Value()
	case value.Value:
		switch fun.Sel.Name {
		case "WithHash":
			return r.WithHash(args[0].(string))
		case "DropContent":
			return r.DropContent()
		}
		return r.WithDependencies(all[string](args)...)
	}

	panic(fmt.Sprintf("%T.%s", receiver, fun.Sel.Name))
}

func all[T any](args []any) []T {
	var list []T
	for _, a := range args {
		list = append(list, a.(T))
	}

	return list
}

func construct(name string, args []any) any {
	makers := map[string]func() any{
		"value.Null": func() any { return value.Null() }, "value.Bool": func() any { return value.Bool(args[0].(bool)) },
		"value.Number": func() any { return value.Number(args[0].(float64)) }, "value.String": func() any { return value.String(args[0].(string)) },
		"value.Array": func() any { return value.Array(all[value.Value](args)...) }, "value.Object": func() any { return value.Object(all[value.Member](args)...) },
		"value.Field":  func() any { return value.Field(args[0].(string), args[1].(value.Value)) },
		"value.Secret": func() any { return value.Secret(args[0].(value.Value)) }, "value.UnknownOf": func() any { return value.UnknownOf(kind(args[0].(string))) },
		"value.TextAsset": func() any { return value.TextAsset(args[0].(string)) }, "value.FileAsset": func() any { return value.FileAsset(args[0].(string)) },
		"value.URIAsset":    func() any { return value.URIAsset(args[0].(string)) },
		"value.FileArchive": func() any { return value.FileArchive(args[0].(string)) }, "value.URIArchive": func() any { return value.URIArchive(args[0].(string)) },
		"fuzz.MustLiteralArchive": func() any { return fuzz.MustLiteralArchive(all[value.Member](args)...) },
		"value.KnownID":           func() any { return value.KnownID(args[0].(string)) }, "value.UnknownID": func() any { return value.UnknownID() },
		"math.NaN": func() any { return math.NaN() }, "math.Inf": func() any { return math.Inf(int(args[0].(float64))) },
		"math.Copysign":  func() any { return math.Copysign(args[0].(float64), args[1].(float64)) },
		"strings.Repeat": func() any { return strings.Repeat(args[0].(string), int(args[1].(float64))) },
	}

	return makers[name]()
}

func kind(name string) value.Kind {
	for k := value.KindNull; k <= value.KindSealed; k++ {
		if strings.EqualFold("Kind"+strings.ReplaceAll(k.String(), " ", ""), name) {
			return k
		}
	}

	panic(name)
}
