package value_test

import (
	"errors"
	"testing"

	"github.com/propalg/propalg/value"
)

func TestLift(t *testing.T) {
	arg := func(i int) func(...value.Value) (value.Value, error) {
		return func(args ...value.Value) (value.Value, error) {
			for _, v := range args {
				if v.ContainsSecret() || v.ContainsUnknown() || v.ContainsDependencies() {
					return value.Value{}, errors.New("marked")
				}
			}

			return args[i], nil
		}
	}
	secret, dependent := value.Secret(str("s")), value.Array(object(member("k", num(1).WithDependencies(urnB))), num(2).WithDependencies(urnA))
	reference := value.ResourceReference{URN: urnA, ID: value.UnknownID()}.Value()

	for i, row := range []struct {
		args []value.Value
		want value.Value
	}{
		{[]value.Value{num(1)}, num(1)},
		{[]value.Value{num(1), secret}, value.Secret(num(1))},
		{[]value.Value{num(1), value.Array(secret)}, value.Secret(num(1))},
		{[]value.Value{secret}, value.Secret(str("s"))},
		{[]value.Value{value.Secret(value.Array(str("s"))).Elem(0)}, value.Secret(str("s"))},
		{[]value.Value{dependent}, value.Array(object(member("k", num(1))), num(2)).WithDependencies(urnA, urnB)},
		{[]value.Value{num(1), object(member("k", value.Unknown()))}, value.Unknown()},
		{[]value.Value{value.UnknownOf(value.KindBool)}, value.Unknown()},
		{[]value.Value{reference}, value.Unknown()},
		{[]value.Value{secret, dependent, value.Unknown()}, value.Secret(value.Unknown()).WithDependencies(urnA, urnB)},
		{[]value.Value{value.Sealed{Ciphertext: "c"}.Value()}, value.Secret(value.Unknown())},
		{[]value.Value{value.Unknown().WithDependencies(urnA)}, value.Unknown().WithDependencies(urnA)},
	} {
		if got, err := value.Lift(arg(0), row.args...); err != nil || !got.Identical(row.want) || flaw(got) != nil {
			t.Errorf("row %d: %v, %v", i, got.GoString(), err)
		}
	}

	if _, err := value.Lift(func(...value.Value) (value.Value, error) { return num(1), errPlanned }, secret); !errors.Is(err, errPlanned) {
		t.Error(err)
	}
}
