package diff_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// recording is one call of a Builder: Put, Enter, or, without a record, Leave.
type recording struct {
	record difftree.Record
	inside difftree.Inside
	call   call
}

type call uint8

const (
	put call = iota
	enter
	leave
)

// recorded are the calls that make a diff again.
func recorded(d diff.Diff) []recording {
	var all []recording
	depth := 0
	for p, above := range difftree.Places(diff.Internal.Tree(d)) {
		for ; depth > above; depth-- {
			all = append(all, recording{call: leave})
		}
		step := recording{record: p.Record()}
		if inside, ok := p.Inside(); ok {
			step.call, step.inside = enter, inside
			depth++
		}
		all = append(all, step)
	}
	for range depth {
		all = append(all, recording{call: leave})
	}
	return all
}

func build(o diff.Options, uncertain bool, all []recording) (diff.Diff, error) {
	b := diff.Internal.Builder(o)
	if uncertain {
		b.Uncertain()
	}
	for _, c := range all {
		switch c.call {
		case put:
			_ = b.Put(c.record)
		case enter:
			_ = b.Enter(c.record, c.inside)
		case leave:
			_ = b.Leave()
		}
	}
	return b.Diff()
}

func TestRebuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Lists(t)
		unknowns := rapid.Bool().Draw(t, "unknowns")
		for _, rel := range kit.Relations() {
			for _, how := range modes() {
				o := diff.Options{Relation: rel, Arrays: how, MaybeIsChanged: unknowns}
				d := diff.Between(old, now, o)
				checkRebuilt(t, o, d)
				checkRebuilt(t, o, d.Invert())
			}
		}
	})
}

func checkRebuilt(t *rapid.T, o diff.Options, d diff.Diff) {
	got, err := build(o, !d.Certain(), recorded(d))
	if err != nil || !got.Equal(d) || got.Certain() != d.Certain() || got.Len() != d.Len() {
		t.Fatalf("%v, %v: %v\n%#v\nis not\n%#v\n%s", o.Relation, o.Arrays, err, got, d, list(d))
	}
}

// What the algebra makes of diffs is told like any other.
func TestRebuildAlgebra(t *testing.T) {
	sets := []*path.Set{}
	for _, p := range []string{"[1]", "list[*].name", "a", "[*].a", "list[2]"} {
		sets = append(sets, path.NewSet(path.MustParsePattern(p)))
	}
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Lists(t)
		third := now
		if rapid.Bool().Draw(t, "three") {
			third, _ = draw.Lists(t)
		}
		for _, rel := range []value.Relation{value.Strict, value.Engine, value.IgnoreSecrets} {
			for _, how := range modes() {
				o := diff.Options{Relation: rel, Arrays: how}
				d := diff.Between(old, now, o)
				rest, matched := d.Split(rapid.SampledFrom(sets).Draw(t, "patterns"))
				checkRebuilt(t, o, rest)
				checkRebuilt(t, o, matched)
				both, err := d.Then(diff.Between(now, third, o))
				if err != nil {
					t.Fatal(err)
				}
				checkRebuilt(t, o, both)
			}
		}
	})
}

// One thing told wrong is an error, or another diff that all else can work with.
func TestRebuildCorrupted(t *testing.T) {
	refused, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Lists(t)
		o := diff.Options{
			Relation: rapid.SampledFrom(kit.Relations()).Draw(t, "relation"),
			Arrays:   rapid.SampledFrom(modes()).Draw(t, "mode"),
		}
		d := diff.Between(old, now, o)
		all := recorded(d)
		if len(all) == 0 {
			return
		}
		for range 8 {
			got, err := build(o, false, corrupted(t, all, old, now))
			if err != nil {
				refused++
				var e *diff.Error
				if !errors.As(err, &e) || !errors.Is(err, diff.ErrInvalid) || e.Op != "build" || e.Want == "" || !got.Empty() {
					t.Fatalf("error %#v", err)
				}
				continue
			}
			taken++
			survives(t, o, got, old, now)
		}
	})
	if refused == 0 || taken == 0 {
		t.Errorf("%d refused and %d taken", refused, taken)
	}
}

// survives does with a diff all that can be done with one.
func survives(t *rapid.T, o diff.Options, d diff.Diff, old, now value.Value) {
	for _, v := range []value.Value{old, now, {}} {
		if next, err := d.Apply(v); err == nil {
			back, err := d.Invert().Apply(next)
			if err != nil || !o.Relation.Equal(back, v) {
				t.Fatalf("%v, %v: %v: the inverse gives %s\nfor %s\n%s\n%+v", o.Relation, o.Arrays, err, kit.Dump(back), kit.Dump(v), list(d), recorded(d))
			}
		}
	}
	_ = d.Invert().String() + d.String()
	_ = render.Text(d, render.Options{Secrets: value.RevealSecrets})
	_ = provider.Differ{ReplaceOn: path.NewSet(path.MustParsePattern("[*].a"))}.Respond(d)
	for c := range d.Leaves() {
		_ = c.String() + c.Path().String() + c.OldPath().String()
	}
	_ = d.Changed(path.MustParse("list[1].name"))
	checkRebuilt(t, o, d)
}

// corrupted is a copy of what was told, one thing of it wrong.
func corrupted(t *rapid.T, all []recording, old, now value.Value) []recording {
	all = slices.Clone(all)
	i := rapid.IntRange(0, len(all)-1).Draw(t, "at")
	number := func(n int) int {
		return rapid.SampledFrom([]int{n - 1, n + 1, 0, 1, 2, -1, n + 2, math.MaxInt, path.MaxIndex, math.MinInt}).Draw(t, "number")
	}
	some := func(v value.Value) value.Value {
		return rapid.SampledFrom([]value.Value{old, now, {}, value.Unknown(), sec(v), dep(v, urnA), v.DropSecret(), arr(v), str("p")}).Draw(t, "value")
	}
	c := &all[i]
	switch rapid.IntRange(0, 17).Draw(t, "corruption") {
	case 0:
		return slices.Delete(all, i, i+1)
	case 1:
		return slices.Insert(all, i, all[rapid.IntRange(0, len(all)-1).Draw(t, "another")])
	case 2:
		j := rapid.IntRange(0, len(all)-1).Draw(t, "another")
		all[i], all[j] = all[j], all[i]
	case 3:
		c.record.Key = fuzz.Internal.Keys().Draw(t, "key")
	case 4:
		c.record.OldAt = number(c.record.OldAt)
	case 5:
		c.record.NewAt = number(c.record.NewAt)
	case 6:
		c.record.Op = difftree.Op(rapid.IntRange(0, 7).Draw(t, "op")) //nolint:gosec // small
	case 7:
		c.record.Old = some(c.record.Old)
	case 8:
		c.record.New = some(c.record.New)
	case 9:
		c.record.OverNull = !c.record.OverNull
	case 10:
		c.record.Moved = !c.record.Moved
	case 11:
		c.record.Own = rapid.SampledFrom([]difftree.Facts{
			0, difftree.DependenciesChanged, difftree.OrderChanged, difftree.ValueChanged, difftree.DependenciesChanged | difftree.OrderChanged,
			difftree.OwnFacts, difftree.SecretChanged,
		}).Draw(t, "own")
	case 12:
		c.record.Verdict = value.Verdict(rapid.IntRange(0, 3).Draw(t, "verdict")) //nolint:gosec // small
	case 13:
		c.inside.OldLen = number(c.inside.OldLen)
	case 14:
		c.inside.NewLen = number(c.inside.NewLen)
	case 15:
		c.inside.Unordered = !c.inside.Unordered
	case 16:
		c.inside.Secret = !c.inside.Secret
	default:
		c.inside.Kind = value.Kind(rapid.IntRange(0, 12).Draw(t, "kind")) //nolint:gosec // small
	}
	return all
}

// The place of an element that was added or removed is the start of its gap on the other
// side, though an index after others that are in the gap would say the same.
func TestRebuildGaps(t *testing.T) {
	for i, c := range []struct {
		oldAt, newAt int // where an element is added, and where one is removed
		ok           bool
	}{{0, 0, true}, {1, 0, false}, {0, 1, false}, {1, 1, false}} {
		_, err := build(diff.Options{}, false, []recording{
			{call: enter, inside: difftree.Inside{Kind: value.KindArray, OldLen: 2, NewLen: 2}},
			{record: difftree.Record{NewAt: c.newAt, Op: difftree.OpRemove, Old: str("a")}},
			{record: difftree.Record{OldAt: c.oldAt, Op: difftree.OpInsert, New: str("b")}},
			{call: leave},
		})
		if (err == nil) != c.ok || (err != nil && !errors.Is(err, diff.ErrInvalid)) {
			t.Errorf("row %d: %v", i, err)
		}
	}
}

// A change may lead to no value that is deeper than any can be: with one level less,
// the diff is made and applied.
func TestRebuildDepth(t *testing.T) {
	const above = value.MaxDepth / 2
	const most = value.MaxDepth - above
	array := difftree.Inside{Kind: value.KindArray, OldLen: 1, NewLen: 1}
	object := difftree.Inside{Kind: value.KindObject}
	update := func(v value.Value) difftree.Record {
		return difftree.Record{Op: difftree.OpUpdate, Old: str("x"), New: v}
	}
	for i, c := range []struct {
		levels int
		inside difftree.Inside
		put    difftree.Record
		ok     bool
	}{
		{above, array, update(kit.Nested(most, num(1))), true},
		{above, array, update(kit.Nested(most+1, num(1))), false},
		{above, array, update(kit.Nested(value.MaxDepth-1000, num(1))), false},
		{above, array, difftree.Record{Op: difftree.OpUpdate, Old: kit.Nested(most+1, num(1)), New: str("x")}, false},
		{above, object, difftree.Record{Key: "k", Op: difftree.OpAdd, New: kit.Nested(most, num(1))}, true},
		{above, object, difftree.Record{Key: "k", Op: difftree.OpAdd, New: kit.Nested(most+1, num(1))}, false},
		{above, object, difftree.Record{Key: "k", Op: difftree.OpDelete, Old: kit.Nested(most+1, num(1))}, false},
		{value.MaxDepth, array, update(num(1)), true},
		{value.MaxDepth, array, update(arr()), false},
		{value.MaxDepth + 1, array, update(num(1)), false},
		{value.MaxDepth + 1, object, difftree.Record{Key: "k", Op: difftree.OpAdd, New: num(1)}, false},
	} {
		b := diff.Internal.Builder(diff.Options{})
		_ = b.Enter(difftree.Record{}, c.inside)
		for range c.levels - 1 {
			_ = b.Enter(difftree.Record{Key: c.put.Key}, c.inside)
		}
		_ = b.Put(c.put)
		for range c.levels {
			_ = b.Leave()
		}
		d, err := b.Diff()
		if !c.ok {
			var e *diff.Error
			if !errors.As(err, &e) || !errors.Is(err, diff.ErrInvalid) || e.Want != "at most 10000 levels" || e.At.Path().Len() < above {
				t.Errorf("row %d: %.200v", i, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("row %d: %.200v", i, err)
			continue
		}
		old := c.put.Old
		if c.inside.Kind == value.KindObject {
			old = obj()
		}
		for k := range c.levels {
			if c.inside.Kind == value.KindArray {
				old = arr(old)
			} else if k > 0 {
				old = obj("k", old)
			}
		}
		now, err := d.Apply(old)
		if err != nil || now.Depth() != c.levels+c.put.New.Depth() {
			t.Errorf("row %d: %d levels, %.200v", i, now.Depth(), err)
		}
		if back, err := d.Then(d.Invert()); err != nil || !back.Empty() {
			t.Errorf("row %d: there and back: %.200v", i, err)
		}
	}
}
