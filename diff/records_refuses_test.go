package diff_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestBuilderRefuses is a table of what is no diff: the calls, and what was
// wanted instead.
func TestBuilderRefuses(t *testing.T) {
	update := difftree.Record{Op: difftree.OpUpdate, Old: num(1), New: num(2)}
	at := func(key string, r difftree.Record) recording { r.Key = key; return recording{record: r} }
	object := recording{call: enter, inside: difftree.Inside{Kind: value.KindObject}}
	array := func(n, m int) recording {
		return recording{call: enter, inside: difftree.Inside{Kind: value.KindArray, OldLen: n, NewLen: m}}
	}
	element := func(oldAt, newAt int, r difftree.Record) recording {
		r.OldAt, r.NewAt = oldAt, newAt
		return recording{record: r}
	}
	insert := difftree.Record{Op: difftree.OpInsert, New: num(1)}
	remove := difftree.Record{Op: difftree.OpRemove, Old: num(1)}
	move := difftree.Record{Op: difftree.OpMove, Old: num(1), New: num(1)}
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
		{[]recording{object, at("a", difftree.Record{Op: difftree.OpUpdate, Old: num(1), New: num(1)})}, "a", "different values"},
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
		{[]recording{array(2, 3), element(2, 2, difftree.Record{Op: difftree.OpAdd, New: num(1)}), end}, "", ""},
		{[]recording{array(2, 3), element(1, 1, difftree.Record{Op: difftree.OpAdd, New: num(1)}), end}, "[1]", "in range"},
		{[]recording{array(2, 3), element(0, 0, insert), element(2, 2, difftree.Record{Op: difftree.OpAdd, New: num(1)}), end}, "[2]", "index by index, or else"},
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
	in := recording{call: enter, inside: difftree.Inside{Kind: value.KindObject}}
	own := difftree.Record{Op: difftree.OpUpdate, Own: difftree.DependenciesChanged, Old: old}
	change := recording{record: difftree.Record{Key: "a", Op: difftree.OpUpdate, Old: num(1), New: num(2)}}
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
		record: difftree.Record{Op: difftree.OpUpdate, Own: difftree.DependenciesChanged, Old: obj("a", value.Null()), New: now},
		inside: difftree.Inside{Kind: value.KindObject}, call: enter,
	}
	for _, over := range []bool{true, false} {
		add := recording{record: difftree.Record{Key: "a", Op: difftree.OpAdd, New: num(1), OverNull: over}}
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
	b := diff.Internal.Builder(diff.Options{})
	for range depth {
		if err := b.Enter(difftree.Record{}, difftree.Inside{Kind: value.KindArray, OldLen: 1, NewLen: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Put(difftree.Record{Op: 77}); err == nil || len(err.Error()) > 1000 {
		t.Errorf("%v", err)
	}
	if n := testing.AllocsPerRun(1, func() {
		_, err = build(diff.Options{}, false, []recording{
			{call: enter, inside: difftree.Inside{Kind: value.KindArray, OldLen: path.MaxIndex, NewLen: path.MaxIndex}},
			{record: difftree.Record{OldAt: 5, NewAt: 1 << 30, Op: difftree.OpMove}},
			{call: leave},
		})
	}); err != nil || n > 30 {
		t.Errorf("%v allocations, %v", n, err)
	}
}

// The error of a builder shows nothing of a secret that it was told.
func TestBuilderHidesContent(t *testing.T) {
	b := diff.Internal.Builder(diff.Options{})
	secret := difftree.Record{Key: "canary", Op: difftree.OpUpdate, Old: str("canary"), New: str("kanary")}
	_ = b.Enter(difftree.Record{}, difftree.Inside{Kind: value.KindObject, Secret: true})
	err := b.Put(secret)
	texts := fmt.Sprintf("%v %+v %#v", err, err, err)
	if strings.Contains(texts, "anary") || err == nil {
		t.Error(texts)
	}
	if _, again := b.Diff(); again == nil || again.Error() != "diff: build: [secret]: invalid diff: expected an inherited secret mark on values in secret containers, and only there" {
		t.Error(again)
	}
}
