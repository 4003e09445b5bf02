// Command api writes the exported API of a module as text, one file a package and
// one declaration a line, sorted, so that a change of it shows in review, and the list
// of functions and types that the laws on everything call.
//
//	go run ./api MODULE-FOLDER OUTPUT-FOLDER LIST-FILE
//
// Packages that are internal, commands, benchmarks or examples are left out. The
// output folder's *.txt files are replaced.
package main

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: api MODULE-FOLDER OUTPUT-FOLDER LIST-FILE")
		os.Exit(2)
	}

	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

func run(module, out, list string) error {
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedModule,
		Dir:  module,
		// One platform, whatever the machine: sizes and constants are of it.
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"),
	}
	loaded, err := packages.Load(config, "./...")
	if err != nil {
		return err
	}
	// The list of names that is written below may have names that are gone: it is not read.
	loaded = slices.DeleteFunc(loaded, func(p *packages.Package) bool { return p.Name == "main" || !public(room(p)) })
	if packages.PrintErrors(loaded) > 0 {
		return fmt.Errorf("the module does not compile")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(out, "*.txt"))
	if err != nil {
		return err
	}

	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for _, p := range loaded {
		room, lines := room(p), declarations(p.Types)
		if len(lines) == 0 {
			continue
		}
		if i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "/internal/") }); i >= 0 {
			return fmt.Errorf("%s: users cannot name a type of: %s (see Internal in diff/export.go)", room, lines[i])
		}

		file := filepath.Join(out, strings.ReplaceAll(room, "/", "-")+".txt")
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}

	return os.WriteFile(list, probed(loaded), 0o644)
}

// room returns the folder of a package in the module.
func room(p *packages.Package) string {
	return strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
}

func public(room string) bool {
	first, _, _ := strings.Cut(room, "/")
	if room == "bench/work" { // for the kernels of others
		return true
	}
	return room != "" && !slices.Contains(strings.Split(room, "/"), "internal") && first != "bench" && first != "examples"
}

// declarations lists what the package's users can name.
func declarations(p *types.Package) []string {
	var lines []string
	names := types.RelativeTo(p)
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}

		switch o := object.(type) {
		case *types.Const:
			lines = append(lines, fmt.Sprintf("const %s %s = %s", name, types.TypeString(o.Type(), names), o.Val().ExactString()))
		case *types.TypeName:
			lines = append(lines, typeLines(o, names)...)
		default:
			lines = append(lines, types.ObjectString(object, names))
		}
	}
	slices.Sort(lines)
	return lines
}

// typeLines is the type itself, its exported fields and its methods.
func typeLines(o *types.TypeName, names types.Qualifier) []string {
	named, ok := o.Type().(*types.Named)
	if o.IsAlias() || !ok {
		return []string{types.ObjectString(o, names)}
	}

	head := "type " + types.TypeString(named, names)
	structure, ok := named.Underlying().(*types.Struct)
	if !ok {
		lines := []string{head + " " + types.TypeString(named.Underlying(), names)}
		return append(lines, methodLines(named, names)...)
	}

	kind := " struct"
	if types.Comparable(named) {
		kind = " struct, comparable"
	}
	lines := []string{head + kind}
	for field := range structure.Fields() {
		if field.Exported() {
			line := fmt.Sprintf("field %s.%s %s", o.Name(), field.Name(), types.TypeString(field.Type(), names))
			if field.Embedded() {
				line += ", embedded"
			}
			lines = append(lines, line)
		}
	}
	return append(lines, methodLines(named, names)...)
}

// listedWithField reports whether a method is promoted from an embedded field that users
// can name: the line of the field says so, and the type of the field lists its methods.
func listedWithField(named *types.Named, method *types.Selection) bool {
	structure, ok := named.Underlying().(*types.Struct)
	if !ok || len(method.Index()) == 1 {
		return false
	}
	return structure.Field(method.Index()[0]).Exported()
}

func methodLines(named *types.Named, names types.Qualifier) []string {
	if types.IsInterface(named) {
		return nil
	}

	var lines []string
	set := types.NewMethodSet(types.NewPointer(named))
	for selection := range set.Methods() {
		method := selection.Obj().(*types.Func)
		if !method.Exported() || listedWithField(named, selection) {
			continue
		}

		signature := method.Signature()
		receiver := "(" + types.TypeString(named, names) + ")"
		if _, pointer := signature.Recv().Type().(*types.Pointer); pointer {
			receiver = "(*" + types.TypeString(named, names) + ")"
		}
		lines = append(lines, fmt.Sprintf("method %s %s%s", receiver, method.Name(),
			strings.TrimPrefix(types.TypeString(signature, names), "func")))
	}
	return lines
}
