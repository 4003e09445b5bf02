package laws_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
	"github.com/propalg/propalg/value/bind"
)

const module = "github.com/propalg/propalg/"

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

	for _, kind := range probe.Types() {
		if full := strings.TrimPrefix(kind.PkgPath(), module) + "." + kind.Name(); reflect.PointerTo(kind).Implements(reflect.TypeFor[error]()) && !usable[full] {
			t.Errorf("%s is an error, and is not in the list", full)
		}
	}
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
