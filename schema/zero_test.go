package schema_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
)

// TestZeroValues: the zero value of each type is a package, a resource and so on without
// anything, all of whose methods can be called.
func TestZeroValues(t *testing.T) {
	for _, zero := range []any{
		&schema.Package{}, &schema.Resource{}, &schema.Function{}, &schema.Type{}, &schema.Property{}, &schema.Error{}, &schema.Problem{}, new(schema.Kind), (*schema.Type)(nil),
	} {
		v := reflect.ValueOf(zero)
		for i := range v.NumMethod() {
			t.Run(fmt.Sprintf("%T.%s", zero, v.Type().Method(i).Name), func(t *testing.T) {
				method := v.Method(i)

				args := make([]reflect.Value, method.Type().NumIn())
				for i := range args {
					args[i] = reflect.Zero(method.Type().In(i))
				}

				for _, result := range method.Call(args) {
					walkThrough(t, result)
				}
			})
		}
	}

	var r schema.Resource

	for what, list := range map[string]func() (int, error){
		"secrets":     func() (int, error) { all, err := r.Secrets(); return len(all), err },
		"replacement": func() (int, error) { all, err := r.ReplaceOn(); return len(all), err },
		"outputs":     func() (int, error) { return len(r.Outputs()), nil },
		"options":     func() (int, error) { o, err := provider.FromSchema(&r); return len(o.InputNames), err },
	} {
		if n, err := list(); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", what, n, err)
		}
	}
}

// walkThrough calls an iterator, which must have nothing.
func walkThrough(t *testing.T, result reflect.Value) {
	t.Helper()

	if result.Kind() != reflect.Func {
		return
	}

	yield := reflect.MakeFunc(result.Type().In(0), func([]reflect.Value) []reflect.Value {
		t.Error("there is something")
		return []reflect.Value{reflect.ValueOf(false)}
	})
	result.Call([]reflect.Value{yield})
}
