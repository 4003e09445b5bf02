package provider_test

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"testing"
	_ "unsafe" // for go:linkname

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Memory that is used again is wiped, whatever a response put into it: it keeps no
// secret, and no other response sees it.
func TestNotesAreWiped(t *testing.T) {
	for _, width := range []int{0, 1, 5, 9, 17, 95, 96, 97, 200} {
		for i, pair := range widePairs(width) {
			d := diff.Between(pair[0], pair[1], diff.Options{Relation: value.Engine})
			provider.Differ{}.Respond(d)
			w := responders.Get()
			if text := textIn(reflect.ValueOf(w).Elem()); text != "" {
				t.Errorf("width %d, pair %d: the memory holds %.60q", width, i, text)
			}
			responders.Put(w)
		}
	}
}

// responders is the pool of package provider.
//
//go:linkname responders github.com/propalg/propalg/provider.responders
var responders sync.Pool

// textIn returns a text in memory, also behind the end of a slice.
func textIn(v reflect.Value) (text string) {
	switch v.Kind() {
	case reflect.String:
		text = v.String()
	case reflect.Slice:
		v = v.Slice(0, v.Cap())
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return string(bytes.Trim(v.Bytes(), "\x00"))
		}
		for i := 0; text == "" && i < v.Len(); i++ {
			text = textIn(v.Index(i))
		}
	case reflect.Struct:
		for i := 0; text == "" && i < v.NumField(); i++ {
			text = textIn(v.Field(i))
		}
	}
	return text
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
			for _, o := range []provider.Differ{{}, {Stables: []string{"a", "q", "z"}}} {
				got := o.Respond(d)
				o.ReplaceOn = none
				if want := o.Respond(d); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
					t.Errorf("row %d, %v:\n got %+v\nwant %+v", i, relation, got, want)
				}
			}
		}
	}
}

// widePairs returns pairs of values that differ in up to so many places, as members, as
// elements and inside containers. They are meant for tests of memory that is used again.
func widePairs(width int) [][2]value.Value {
	number := value.Number
	wide := func(x value.Value) value.Value {
		members := make([]value.Member, width)
		for i := range members {
			members[i] = value.Member{Key: fmt.Sprintf("k%d", i), Value: x}
		}
		return value.Object(members...)
	}
	one, two := wide(number(1)), wide(number(2))
	nested := func(x float64) value.Value { // as many containers as members
		return wide(value.Array(value.Secret(value.Array(number(x)))))
	}
	return [][2]value.Value{
		{one, two},
		{kit.Object("a", one), kit.Object("a", two)},
		{value.Array(one, two), value.Array(two, one, number(1))},
		{kit.Object("a", one, "b", one, "c", number(1)), kit.Object("a", two, "b", value.String("x"), "d", number(1))},
		{kit.Depends(one, kit.URNA), two},
		{value.Secret(one), two},
		{number(1), number(2)},
		{nested(1), nested(2)},
		{value.Array(nested(1), number(1)), value.Array(nested(2), number(2))},
	}
}
