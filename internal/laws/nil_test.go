package laws_test

import (
	"errors"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
	"github.com/propalg/propalg/value/bind"
)

// usableNils are nil pointers that can be used: all errors, and those whose
// documentation says what nil means. The methods of all other pointers panic if
// these are nil, as in all of Go.
func usableNils() []any {
	return []any{
		(*urn.Error)(nil), (*path.Error)(nil), (*value.Error)(nil), (*asset.Error)(nil), (*bind.Error)(nil), (*diff.Error)(nil), (*codec.Error)(nil), (*patch.Error)(nil),
		(*rpc.Error)(nil), (*state.Error)(nil), (*state.File)(nil), (*state.Reader)(nil), (*state.Comparison)(nil), (*path.Set)(nil), (*equality.Rules)(nil), (*schema.Error)(nil), (*schema.Type)(nil),
	}
}

// TestNilPointers calls every method of the nil pointers that can be used, and holds
// the list of them against all exported errors.
func TestNilPointers(t *testing.T) {
	usable := map[string]bool{}

	for _, x := range usableNils() {
		v := reflect.ValueOf(x)
		usable[strings.TrimPrefix(v.Type().Elem().PkgPath(), module)+"."+v.Type().Elem().Name()] = true

		for i := range v.NumMethod() {
			callNil(t, v.Method(i), v.Type().String()+"."+v.Type().Method(i).Name)
		}

		if err, ok := x.(error); ok && err.Error() != "<nil>" {
			t.Errorf("%T: a nil error says %q", x, err)
		}
	}

	eachExported(t, func(name string, object types.Object) {
		if named, ok := object.(*types.TypeName); ok && !types.IsInterface(named.Type()) {
			methods := types.NewMethodSet(types.NewPointer(named.Type()))
			if full := name + "." + named.Name(); methods.Lookup(nil, "Error") != nil && !usable[full] {
				t.Errorf("%s is an error, and is not in the list", full)
			}
		}
	})
}

// callNil calls a method with zeros; what it iterates over is iterated over.
func callNil(t *testing.T, method reflect.Value, name string) {
	t.Helper()

	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s of nil: panic: %v", name, r)
		}
	}()

	in := make([]reflect.Value, method.Type().NumIn())
	for i := range in {
		in[i] = reflect.Zero(method.Type().In(i))
	}

	if method.Type().IsVariadic() {
		in = in[:len(in)-1]
	}

	if len(in) > 0 && strings.HasSuffix(name, ".Format") {
		return // fmt gives it a State
	}

	for _, result := range method.Call(in) {
		if result.Kind() == reflect.Func && result.Type().CanSeq2() && !result.IsNil() {
			for range result.Seq2() {
				break
			}
		}
	}
}

// TestNilReaders: nothing to read from is an error. Every exported function with an
// io.Reader or io.ReaderAt is in the table.
func TestNilReaders(t *testing.T) {
	table := map[string]func() error{
		"codec/state.NewReader": func() error {
			for _, err := range state.NewReader(nil, state.Options{}).Resources() {
				return err
			}

			return nil
		},
		"codec/state.Compare": func() error { _, err := state.Compare(nil, nil, state.CompareOptions{}); return err },
		"codec/state.Rewrite": func() error { _, err := state.Rewrite(nil, nil, state.Edits{}); return err },
		"codec/rpc.ReadLog": func() error {
			for _, err := range rpc.ReadLog(nil) {
				return err
			}

			return nil
		},
		"provider/check.Log": func() error {
			for _, err := range check.Log(nil) {
				return err
			}

			return nil
		},
	}

	for name, read := range table {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("panic: %v", r)
				}
			}()

			if err := read(); err == nil || strings.Contains(name, "state") && !errors.Is(err, state.ErrRead) {
				t.Errorf("got %v", err)
			}
		})
	}

	checkTable(t, table, "io.Reader", "io.ReaderAt")
}

// TestNilFunctions: a function that a call cannot do without panics before anything is
// done, even where there would be nothing to call it with. Every exported function with a
// function as parameter is in the table, and says so if it may be nil.
func TestNilFunctions(t *testing.T) {
	const nilIsNone = ""

	table := map[string]struct {
		call func()
		want string // what it panics with
	}{
		"value.Lift":      {func() { _, _ = value.Lift(nil, value.Unknown()) }, "value: Lift of a nil function"},
		"value.Transform": {func() { _, _ = value.Transform(value.Null(), nil) }, "value: Transform with a nil function"},
		"value.Update":    {func() { _, _ = value.Update(value.Null(), nil, nil) }, "value: Update with a nil function"},
		"schema.Type.WithDefaults": {func() {
			_, _ = (*schema.Type)(nil).WithDefaults(value.Object(), nil)
		}, nilIsNone},
		"codec/rpc.Unimplemented.List": {func() { _ = rpc.Unimplemented{}.List(t.Context(), nil, nil) }, nilIsNone},
	}

	for name, row := range table {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != row.want && (r != nil || row.want != nilIsNone) {
					t.Errorf("panics with %v, want %q", r, row.want)
				}
			}()

			row.call()
		})
	}

	checkTable(t, table, "func(")
}

// checkTable compares the names in a table with the exported functions that have a
// parameter of a type whose text begins in one of these ways.
func checkTable[Row any](t *testing.T, table map[string]Row, types ...string) {
	t.Helper()

	found := functionsWith(t, types)
	if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(table)); !slices.Equal(got, want) {
		t.Errorf("exported functions with a parameter %q: %q, in the table: %q", types, got, want)
	}
}

func functionsWith(t *testing.T, parameters []string) map[string]bool {
	t.Helper()

	found := map[string]bool{}

	note := func(name string, f types.Object) {
		for parameter := range f.Type().(*types.Signature).Params().Variables() {
			of := parameter.Type().String()
			if slices.ContainsFunc(parameters, func(p string) bool { return of == p || strings.HasSuffix(p, "(") && strings.HasPrefix(of, p) }) {
				found[name+"."+f.Name()] = true
			}
		}
	}

	eachExported(t, func(name string, object types.Object) {
		switch o := object.(type) {
		case *types.Func:
			note(name, o)
		case *types.TypeName:
			for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
				if m.Obj().Exported() {
					note(name+"."+o.Name(), m.Obj())
				}
			}
		}
	})

	return found
}
