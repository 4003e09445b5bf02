package diff_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// The places of a diff are its changes and what is above them, each once, where
// the changes say that they are.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := kit.DrawLists(t)
		for _, how := range modes() {
			d := diff.Between(old, now, diff.Options{Relation: value.Engine, Arrays: how})
			var all, changes []diff.Change
			for c := range d.Changes() {
				all = append(all, c)
			}
			for p := range d.Places() {
				c, ok := p.Change()
				if _, inside := p.Inside(); !ok && !inside && p.Record().Op != diff.OpMove {
					t.Fatalf("%v is no place", p.Shown())
				}
				if !ok {
					continue
				}
				changes = append(changes, c)
				if x, _ := c.Old(); p.Depth() != c.Path().Len() || !p.Shown().Equal(c.Shown()) || !x.Identical(p.Record().Old) ||
					p.Record().Op != c.Op() || p.Record().Verdict != c.Verdict() {
					t.Fatalf("%v: depth %d, record %v of %v", p.Shown(), p.Depth(), p.Record().Op, c)
				}
			}
			if len(all) != len(changes) {
				t.Fatalf("%d changes at places, of %d", len(changes), len(all))
			}
			for i := range all {
				if all[i] != changes[i] {
					t.Fatalf("change %d is another", i)
				}
			}
		}
	})
}

func TestPlaceZero(t *testing.T) {
	var p diff.Place
	_, changed := p.Change()
	_, inside := p.Inside()
	if changed || inside || p.Depth() != 0 || p.Shown().String() != "" || p.Record().Op != 0 {
		t.Error("the zero Place is a place")
	}
	for range (diff.Diff{}).Places() {
		t.Error("a place in nothing")
	}
	for range diff.Between(num(1), num(2), diff.Options{}).Places() {
		break
	}
	if diff.Between(num(1), num(2), diff.Options{Unknowns: diff.UnknownsChanged}).Unknowns() != diff.UnknownsChanged {
		t.Error("unknowns")
	}
}

// TestBuilderRefuses is a table of what is no diff: the calls, and what was
// wanted instead.
func TestBuilderRefuses(t *testing.T) {
	update := diff.Record{Op: diff.OpUpdate, Old: num(1), New: num(2)}
	at := func(key string, r diff.Record) recording { r.Key = key; return recording{record: r} }
	object := recording{call: enter, inside: diff.Inside{Kind: value.KindObject}}
	array := func(n, m int) recording {
		return recording{call: enter, inside: diff.Inside{Kind: value.KindArray, OldLen: n, NewLen: m}}
	}
	element := func(oldAt, newAt int, r diff.Record) recording {
		r.OldAt, r.NewAt = oldAt, newAt
		return recording{record: r}
	}
	insert := diff.Record{Op: diff.OpInsert, New: num(1)}
	remove := diff.Record{Op: diff.OpRemove, Old: num(1)}
	move := diff.Record{Op: diff.OpMove, Old: num(1), New: num(1)}
	end := recording{call: leave}
	for i, row := range []struct {
		calls []recording
		where string
		want  string // empty: it is one
	}{
		{[]recording{at("", update)}, "", ""},
		{[]recording{object, at("a", update), at("b", update), end}, "", ""},
		{[]recording{object, at("b", update), at("a", update), end}, "a", "keys in order"},
		{[]recording{object, at("a", update), at("a", update), end}, "a", "keys in order"},
		{[]recording{object, end}, "", "changes inside"},
		{[]recording{object, at("a", update)}, "", "a Leave for every Enter"},
		{[]recording{end}, "", "was entered"},
		{[]recording{at("", update), at("", update)}, "", "one root"},
		{[]recording{object, at("a", diff.Record{Op: diff.OpUpdate, Old: num(1), New: num(1)})}, "a", "different values"},
		{[]recording{object, at("a", insert)}, "a", "add, delete or update"},
		{[]recording{array(3, 3), element(1, 1, update), end}, "", ""},
		{[]recording{array(3, 3), element(0, 2, move), element(1, 0, update), end}, "[0]", "in order"},
		{[]recording{array(3, 3), element(0, 2, move), end}, "", ""},
		{[]recording{array(3, 3), element(3, 3, update), end}, "[3]", "in range"},
		{[]recording{array(3, 3), element(1, 2, update), end}, "", "in order"},
		{[]recording{array(3, 4), element(1, 1, insert), end}, "", ""},
		{[]recording{array(3, 4), element(0, 1, insert), end}, "", "gaps"},
		{[]recording{array(3, 2), element(2, 2, remove), end}, "", ""},
		{[]recording{array(3, 2), element(2, 0, remove), end}, "", "gaps"},
		{[]recording{array(3, 4), element(1, 1, insert), element(1, 1, insert), end}, "[1]", "in order"},
		{[]recording{array(3, 5), element(1, 1, insert), end}, "", "every place"},
		{[]recording{array(3, 3), element(1, 1, remove), element(1, 1, insert), end}, "", ""},
		{[]recording{array(3, 3), element(1, 1, insert), element(1, 1, remove), end}, "[1]", "in order"},
		{[]recording{array(2, 3), element(2, 2, diff.Record{Op: diff.OpAdd, New: num(1)}), end}, "", ""},
		{[]recording{array(2, 3), element(1, 1, diff.Record{Op: diff.OpAdd, New: num(1)}), end}, "[1]", "in range"},
		{[]recording{array(2, 3), element(0, 0, insert), element(2, 2, diff.Record{Op: diff.OpAdd, New: num(1)}), end}, "[2]", "index by index, or else"},
		{[]recording{array(-1, 3), end}, "", "lengths"},
		{[]recording{array(-path.MaxIndex, 3), end}, "", "lengths"},
		{[]recording{array(path.MaxIndex, path.MaxIndex), element(7, 7, update), end}, "", ""},
	} {
		d, err := build(diff.Options{}, false, row.calls)
		if row.want == "" {
			if err != nil || d.Empty() {
				t.Errorf("row %d: %v", i, err)
			}
			continue
		}
		var e *diff.Error
		if !errors.As(err, &e) || !errors.Is(err, diff.ErrInvalid) || !strings.Contains(e.Want, row.want) || e.At.String() != row.where {
			t.Errorf("row %d: %v, want %q at %q", i, err, row.want, row.where)
		}
	}
}

// What is said of a container itself has to be true of the values that it has.
func TestBuilderComparesWithContainers(t *testing.T) {
	old := obj("a", num(1), "b", num(1))
	in := recording{call: enter, inside: diff.Inside{Kind: value.KindObject}}
	own := diff.Record{Op: diff.OpUpdate, Own: diff.OwnDependencies, Old: old}
	change := recording{record: diff.Record{Key: "a", Op: diff.OpUpdate, Old: num(1), New: num(2)}}
	for i, row := range []struct {
		now  value.Value
		good bool
	}{
		{dep(obj("a", num(2), "b", num(1)), urnA), true},
		{dep(obj("a", num(2), "b", num(3)), urnA), false},            // something else differs
		{dep(obj("a", num(3), "b", num(1)), urnA), false},            // another value
		{obj("a", num(2), "b", num(1)), false},                       // the same dependencies
		{dep(obj("b", num(1)), urnA), false},                         // nothing there
		{dep(arr(num(2), num(1)), urnA), false},                      // another kind
		{sec(dep(obj("a", num(2), "b", num(1)), urnA)), false},       // secret on one side
		{dep(obj("a", dep(num(2), urnA), "b", num(1)), urnA), false}, // other marks
	} {
		own.New, in.record = row.now, own
		in.record.New = row.now
		if _, err := build(diff.Options{}, false, []recording{in, change, {call: leave}}); (err == nil) != row.good {
			t.Errorf("row %d: %v", i, err)
		}
	}
}

// A null that counts as missing is there all the same, and has to be told.
func TestBuilderWantsNulls(t *testing.T) {
	now := dep(obj("a", num(1)), urnA)
	in := recording{
		record: diff.Record{Op: diff.OpUpdate, Own: diff.OwnDependencies, Old: obj("a", value.Null()), New: now},
		inside: diff.Inside{Kind: value.KindObject}, call: enter,
	}
	for _, over := range []bool{true, false} {
		add := recording{record: diff.Record{Key: "a", Op: diff.OpAdd, New: num(1), OverNull: over}}
		if _, err := build(diff.Options{Relation: value.Engine}, false, []recording{in, add, {call: leave}}); (err == nil) != over {
			t.Errorf("over null %v: %v", over, err)
		}
	}
}

// Neither depth nor claims of length cost more than they are told in.
func TestBuilderBounds(t *testing.T) {
	const depth = value.MaxDepth
	old, now := num(1), num(2)
	for range depth {
		old, now = arr(old), arr(now)
	}
	d := diff.Between(old, now, diff.Options{})
	got, err := build(diff.Options{}, false, recorded(d))
	if err != nil || !got.Equal(d) {
		t.Fatalf("depth: %v", err)
	}
	b := &diff.Builder{}
	for range depth {
		if err := b.Enter(diff.Record{}, diff.Inside{Kind: value.KindArray, OldLen: 1, NewLen: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Put(diff.Record{Op: 77}); err == nil || len(err.Error()) > 1000 {
		t.Errorf("%v", err)
	}
	if n := testing.AllocsPerRun(1, func() {
		_, err = build(diff.Options{}, false, []recording{
			{call: enter, inside: diff.Inside{Kind: value.KindArray, OldLen: path.MaxIndex, NewLen: path.MaxIndex}},
			{record: diff.Record{OldAt: 5, NewAt: 1 << 30, Op: diff.OpMove}},
			{call: leave},
		})
	}); err != nil || n > 30 {
		t.Errorf("%v allocations, %v", n, err)
	}
}

// A Builder says nothing of what it was told.
func TestBuilderHidesContent(t *testing.T) {
	b := diff.NewBuilder(diff.Options{})
	secret := diff.Record{Key: "canary", Op: diff.OpUpdate, Old: str("canary"), New: str("kanary")}
	_ = b.Enter(diff.Record{}, diff.Inside{Kind: value.KindObject, Secret: true})
	err := b.Put(secret)
	texts := fmt.Sprintf("%v %+v %#v %v %s %x %v %+v %#v", b, b, b, *b, b, b, err, err, err)
	if strings.Contains(texts, "anary") || err == nil {
		t.Error(texts)
	}
	if _, again := b.Diff(); again == nil || again.Error() != "diff: build: [secret]: invalid diff: expected an inherited secret mark on values in secret containers, and only there" {
		t.Error(again)
	}
}

func ExamplePlace() {
	old := value.Object(value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String("dev")})})
	now, _ := old.With(path.MustParse("tags.env"), value.String("prod"))
	for p := range diff.Between(old, now, diff.Options{}).Places() {
		_, inside := p.Inside()
		c, changed := p.Change()
		fmt.Println(p.Depth(), p.Shown(), inside, changed, c.Op())
	}
	// Output:
	// 0  true false invalid op
	// 1 tags true false invalid op
	// 2 tags.env false true update
}

func ExampleRecord() {
	old, now := value.Array(value.String("a"), value.String("b")), value.Array(value.String("b"))
	for p := range diff.Between(old, now, diff.Options{Arrays: diff.Aligned()}).Places() {
		if r := p.Record(); r.Op == diff.OpRemove {
			fmt.Println("element", r.OldAt, "went, from before", r.NewAt)
		}
	}
	// Output: element 0 went, from before 0
}

func ExampleInside() {
	old, now := value.Array(value.Number(1), value.Number(2)), value.Array(value.Number(1))
	for p := range diff.Between(old, now, diff.Options{}).Places() {
		if inside, ok := p.Inside(); ok {
			fmt.Println(inside.Kind, inside.OldLen, inside.NewLen)
		}
	}
	// Output: array 2 1
}

func ExampleOwn() {
	old := value.Object(value.Member{Key: "a", Value: value.Number(1)})
	now := old.WithDependencies("urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets")
	for p := range diff.Between(old, now, diff.Options{}).Places() {
		fmt.Println(p.Record().Own == diff.OwnDependencies)
	}
	// Output: true
}

func ExampleBuilder() {
	b := diff.NewBuilder(diff.Options{})
	calls := []error{
		b.Enter(diff.Record{}, diff.Inside{Kind: value.KindObject}),
		b.Put(diff.Record{Key: "size", Op: diff.OpUpdate, Old: value.Number(1), New: value.Number(2)}),
		b.Leave(),
	}
	d, err := b.Diff()
	fmt.Println(d)
	fmt.Println(calls, err)

	err = b.Put(diff.Record{Key: "size", Op: diff.OpUpdate, Old: value.Number(1), New: value.Number(1)})
	fmt.Println(err)
	// Output:
	// ~ size: 1 => 2
	// [<nil> <nil> <nil>] <nil>
	// diff: build: invalid diff: expected one root, an update without key or index
}
