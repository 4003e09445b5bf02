package provider_test

import (
	"fmt"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// What a response puts into memory that is used again is wiped, however
// much it was: nothing keeps a secret alive, and no diff sees another one.
func TestNotesAreWiped(t *testing.T) {
	for _, width := range []int{0, 1, 5, 9, 17, 95, 96, 97, 200} {
		wide := func(x float64) value.Value {
			members := make([]value.Member, width)
			for i := range members {
				members[i] = value.Member{Key: fmt.Sprintf("k%d", i), Value: value.Number(x)}
			}
			return value.Object(members...)
		}
		nested := func(x float64) value.Value { // as many containers as members
			members := make([]value.Member, width)
			for i := range members {
				members[i] = value.Member{Key: fmt.Sprintf("k%d", i), Value: arr(sec(arr(num(x))))}
			}
			return value.Object(members...)
		}
		for i, c := range [][2]value.Value{
			{wide(1), wide(2)},
			{obj("a", wide(1)), obj("a", wide(2))},
			{arr(wide(1), wide(2)), arr(wide(2), wide(1), num(1))},
			{obj("a", wide(1), "b", wide(1), "c", num(1)), obj("a", wide(2), "b", str("x"), "d", num(1))},
			{dep(wide(1), urnA), wide(2)},
			{sec(wide(1)), wide(2)},
			{num(1), num(2)},
			{nested(1), nested(2)},
			{arr(nested(1), num(1)), arr(nested(2), num(2))},
		} {
			d := diff.Between(c[0], c[1], diff.Options{Relation: value.Engine})
			provider.Respond(d, provider.Options{})
			if provider.NotesHold() {
				t.Errorf("width %d, row %d: a Response left something", width, i)
			}
		}
	}
}

// Where members of the root are told without a walk the Response is what it is
// where there is one: a pattern that matches nothing makes no difference.
func TestResponseOfMembers(t *testing.T) {
	none := patterns(`["no such member"]`)
	for i, c := range [][2]value.Value{
		{obj("a", num(1), "b", num(1)), obj("a", num(2), "c", num(1))},
		{obj("a", value.Null(), "n", value.Null()), obj("a", num(2), "b", value.Null(), "n", sec(value.Null()))},
		{obj("a", sec(num(1)), "b.c", num(1), "\xff", num(1)), obj("a", num(1), "b.c", num(2), "\xff", num(2))},
		{obj("a", dep(obj(), urnA), "b", obj()), obj("a", obj(), "b", arr())},
		{obj("a", obj("x", num(1)), "z", num(1)), obj("a", obj("x", num(2), "y", value.Null()))},
		{arr(num(1)), arr(num(2), num(3))},
		{obj(), obj("", num(1))},
	} {
		for _, relation := range []value.Relation{value.Strict, value.Engine} {
			d := diff.Between(c[0], c[1], diff.Options{Relation: relation})
			for _, o := range []provider.Options{{}, {Side: provider.FromInputs, Stables: []string{"a", "q", "z"}}} {
				got := provider.Respond(d, o)
				o.ReplaceOn = none
				if want := provider.Respond(d, o); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
					t.Errorf("row %d, %v:\n got %+v\nwant %+v", i, relation, got, want)
				}
			}
		}
	}
}
