package value_test

import (
	"reflect"
	"testing"

	"github.com/propalg/propalg/value"
)

// Children are what Elem and MemberAt give, marks included, for every kind and
// index.
func TestChildren(t *testing.T) {
	array, obj := value.Array(num(1), value.Secret(str("x"))), object(member("b", num(1)), member("a", value.Array(value.Unknown())))
	pack, err := value.LiteralArchive(member("f", value.TextAsset("x")))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []value.Value{
		array, obj, value.Secret(array), value.Secret(obj), array.WithDependencies("u"), value.Secret(obj).WithDependencies("u"),
		value.Secret(value.Array(array)).Elem(0), value.Array(), object(), value.Null(), str("x"), num(1), value.Unknown(),
		value.Unknown().WithDependencies("u"), str("x").WithDependencies("u"), pack, value.Sealed{Ciphertext: "c"}.Value(),
	} {
		children := v.Children()
		if children.Len() != v.Len() {
			t.Errorf("%v: %d children", v, children.Len())
		}
		for _, i := range []int{0, 1, 2, -1, 1 << 30, -1 << 31} {
			key, child := children.At(i)
			wantKey, want, _ := v.MemberAt(i)
			if v.Kind() == value.KindArray {
				want = v.Elem(i)
			}
			if key != wantKey || !child.Identical(want) || child.IsSecret() != want.IsSecret() || child.OwnSecret() != want.OwnSecret() {
				t.Errorf("%v: child %d is %q, %v", v, i, key, child)
			}
		}
	}
	if key, child := (value.Children{}).At(0); key != "" || !child.IsNull() {
		t.Errorf("no children, and one is %q, %v", key, child)
	}
}

// The compiler keeps a struct of up to four fields in registers, if all structs in
// it are such, and copies larger ones in memory, which made most of the library
// take up to twice the time.
func TestRegisters(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[value.Value](), reflect.TypeFor[value.Children]()} {
		todo := []reflect.Type{typ}
		for len(todo) > 0 {
			one := todo[0]
			todo = todo[1:]
			if one.Kind() != reflect.Struct {
				continue
			}
			if one.NumField() > 4 {
				t.Errorf("%v has %d fields", one, one.NumField())
			}
			for i := range one.NumField() {
				todo = append(todo, one.Field(i).Type)
			}
		}
		if most := 4 * reflect.TypeFor[uintptr]().Size(); reflect.TypeFor[uintptr]().Size() == 8 && typ.Size() > most {
			t.Errorf("%v is %d bytes", typ, typ.Size())
		}
	}
}
