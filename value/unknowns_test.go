package value_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/propalg/propalg/value"
)

func TestWithUnknowns(t *testing.T) {
	one, unknown := num(1), value.Unknown()
	for i, c := range []struct {
		state value.Value
		names []string
		want  value.Value
	}{
		{object(member("b", one)), []string{"c", "a", "b", "a"}, object(member("a", unknown), member("b", one), member("c", unknown))},
		{object(member("b", value.Null())), []string{"b"}, object(member("b", value.Null()))},
		{object(member("b", object(member("c", one)))), []string{"b"}, object(member("b", object(member("c", one))))}, // what is missing inside of b stays so
		{object(), nil, object()},
		{object(), []string{""}, object(member("", unknown))},
		{value.Null(), []string{"a"}, object(member("a", unknown))},
		{value.Null(), nil, value.Null()},
		{value.Secret(value.Null()), []string{"a"}, value.Secret(object(member("a", unknown)))},
		{value.Secret(object(member("b", one))).WithDependencies(urnA), []string{"a"}, value.Secret(object(member("a", unknown), member("b", one))).WithDependencies(urnA)},
		{value.Secret(value.Array(object())).Elem(0), []string{"a"}, value.Secret(value.Array(object(member("a", unknown)))).Elem(0)},
		{unknown, []string{"a"}, unknown},
		{value.Array(one), []string{"a"}, value.Array(one)},
		{str("x"), []string{"a"}, str("x")},
	} {
		got := c.state.WithUnknowns(c.names...)
		if !got.Identical(c.want) || flaw(got) != nil {
			t.Errorf("row %d: %#v, want %#v; %v", i, got, c.want, flaw(got))
		}
		if again := got.WithUnknowns(c.names...); !value.Internal.SharesMemory(again, got) {
			t.Errorf("row %d: filling again changes something", i)
		}
	}
}

func TestWithUnknownsWide(t *testing.T) {
	const n = 30_000
	names := make([]string, 2*n)
	var ms []value.Member
	for i := range names {
		names[i] = strconv.Itoa(i)
		if i%2 == 0 {
			ms = append(ms, member(names[i], num(1)))
		}
	}
	state := object(ms...)
	got := state.WithUnknowns(names...)
	if got.Len() != 2*n || !got.Field("1").IsUnknown() || got.Field("2").IsUnknown() || state.Len() != n {
		t.Errorf("%d properties", got.Len())
	}
}

func ExampleValue_WithUnknowns() {
	// In a preview a provider returned what it can know before it acts.
	state := object(member("name", str("logs")))
	fmt.Println(state.WithUnknowns("arn", "name"))
	// Output: {arn: [unknown], name: "logs"}
}
