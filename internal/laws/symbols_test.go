package laws_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/laws"
)

const module = "github.com/propalg/propalg/"

// notScanned are parts of the module that users do not import, or that are about
// tests.
var notScanned = []string{"internal", "cmd", "fuzz", "bench", "docs", "examples", "interop", "tools"}

// TestEveryExportIsProbed lists, from the compiler's own export data, every
// exported function and method of every package that users import, and compares
// the list with the table of probes: what is new fails here until it has a probe,
// which is how the canary law (6) and the law of totality (9) get to see it.
func TestEveryExportIsProbed(t *testing.T) {
	scanned := exports(t)
	probed := map[string]bool{}

	for _, name := range laws.Probed() {
		if probed[name] {
			t.Errorf("%s is probed twice", name)
		}

		probed[name] = true
	}

	if len(scanned) < 250 {
		t.Errorf("only %d exported functions seen: the list is not made right", len(scanned))
	}

	for _, name := range slices.Sorted(maps.Keys(scanned)) {
		if !probed[name] {
			t.Errorf("%s has no probe: add one to probe_*.go\n\t%s", name, scanned[name])
		}
	}

	for name := range probed {
		if _, ok := scanned[name]; !ok {
			t.Errorf("%s is probed, but there is no such function", name)
		}
	}
}

// TestRevealingProbesSayWhy: a probe whose results may show plaintext gives a
// reason, and is not of a method that does nothing but make a text, but for types
// that carry no mark and are plaintext through and through.
func TestRevealingProbesSayWhy(t *testing.T) {
	plain := []string{"path.", "urn.", "value.Asset.", "value.Archive.", "value.ID."}

	for name, why := range laws.Revealing() {
		if len(why) < 12 {
			t.Errorf("%s: the reason is %q", name, why)
		}

		method := name[strings.LastIndex(name, ".")+1:]
		of := func(prefix string) bool { return strings.HasPrefix(name, prefix) }

		if strings.Count(name, ".") == 2 && slices.Contains([]string{"String", "GoString", "Format", "MarshalJSON", "LogValue", "Error"}, method) &&
			!slices.ContainsFunc(plain, of) {
			t.Errorf("%s makes a text, and may not reveal, although %s", name, why)
		}
	}
}

type listed struct {
	ImportPath, Export string
	DepOnly            bool
	Error              *struct{ Err string }
}

// exports returns the exported functions and methods, as the table names them,
// with their signatures.
func exports(t *testing.T) map[string]string {
	t.Helper()

	found := map[string]string{}
	eachExported(t, func(name string, object types.Object) { collect(object, name, found) })

	return found
}

// eachExported gives visit every exported name of the scanned packages, and the name
// of its package in the module.
func eachExported(t *testing.T, visit func(name string, object types.Object)) {
	t.Helper()

	files, packages := exportFiles(t)
	lookup := func(name string) (io.ReadCloser, error) {
		file, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("no export data of %s", name)
		}

		return os.Open(file)
	}

	from := importer.ForCompiler(token.NewFileSet(), "gc", lookup)

	for _, name := range packages {
		p, err := from.Import(name)
		if err != nil {
			t.Fatal(err)
		}

		for _, object := range p.Scope().Names() {
			if o := p.Scope().Lookup(object); o.Exported() {
				visit(strings.TrimPrefix(name, module), o)
			}
		}
	}
}

func collect(object types.Object, name string, found map[string]string) {
	switch o := object.(type) {
	case *types.Func:
		found[name+"."+o.Name()] = o.String()
	case *types.TypeName:
		if o.IsAlias() || types.IsInterface(o.Type()) { // callers write the methods of interfaces
			return
		}

		for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
			if m.Obj().Exported() {
				found[name+"."+o.Name()+"."+m.Obj().Name()] = m.Obj().String()
			}
		}
	}
}

// exportFiles builds the module and returns where the export data of each package
// is, and the packages to scan.
func exportFiles(t *testing.T) (files map[string]string, packages []string) {
	t.Helper()

	command := exec.Command("go", "list", "-e", "-export", "-deps", "-json=ImportPath,Export,DepOnly,Error", "./...")
	command.Dir = "../.."
	stderr := &bytes.Buffer{}
	command.Stderr = stderr

	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr)
	}

	files = map[string]string{}

	for from := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := from.Decode(&l); errors.Is(err, io.EOF) {
			return files, packages
		} else if err != nil {
			t.Fatal(err)
		}

		files[l.ImportPath] = l.Export
		inside, ok := strings.CutPrefix(l.ImportPath, module)
		first, _, _ := strings.Cut(inside, "/")

		if ok && !l.DepOnly && !slices.Contains(notScanned, first) {
			if l.Error != nil {
				t.Fatalf("%s: %s", l.ImportPath, l.Error.Err)
			}

			packages = append(packages, l.ImportPath)
		}
	}
}
