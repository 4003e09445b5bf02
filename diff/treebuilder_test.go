package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// plainly tells what differs the plain way, of values without marks whose arrays are
// as long on either side: one line a change, in order.
func plainly(lines []string, at path.Path, old, now value.Value) []string {
	switch {
	case old.Equal(now):
	case old.Kind() != now.Kind() || !old.Kind().IsContainer():
		lines = append(lines, fmt.Sprintf("update %s %s %s", at, old.String(), now.String()))
	case old.Kind() == value.KindArray:
		for i := range old.Len() {
			lines = plainly(lines, at.Elem(i), old.Elem(i), now.Elem(i))
		}
	default:
		var keys []string
		for k := range old.Members() {
			keys = append(keys, k)
		}
		for k := range now.Members() {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range slices.Compact(keys) {
			x, inOld := old.Lookup(k)
			y, inNow := now.Lookup(k)
			switch {
			case !inOld:
				lines = append(lines, fmt.Sprintf("add %s %s", at.Member(k), y.String()))
			case !inNow:
				lines = append(lines, fmt.Sprintf("delete %s %s", at.Member(k), x.String()))
			default:
				lines = plainly(lines, at.Member(k), x, y)
			}
		}
	}
	return lines
}

func tellingsOf(d diff.Diff) []string {
	var lines []string
	for c := range d.Changes() {
		line := c.Op().String() + " " + c.Path().String()
		if v, ok := c.Old(); ok {
			line += " " + v.String()
		}
		if v, ok := c.New(); ok {
			line += " " + v.String()
		}
		lines = append(lines, line)
	}
	return lines
}

// varied is a value of containers in containers, each with some members, of which
// every nth differs between two seeds, comes or goes.
func varied(seed, depth, width, every int) value.Value {
	var members []value.Member
	for i := range width {
		key := fmt.Sprintf("%c%d", 'a'+i%7, i)
		switch {
		case i%every == 0 && i%4 == seed:
			continue // there is none on this side
		case i%every == 0:
			members = append(members, value.Member{Key: key, Value: num(float64(seed))})
		case i%5 == 1 && depth > 0:
			members = append(members, value.Member{Key: key, Value: varied(seed, depth-1, width, every)})
		case i%5 == 2 && depth > 0:
			members = append(members, value.Member{Key: key, Value: arr(num(1), varied(seed, depth-1, width/2, every), num(float64(seed*(i%2))))})
		default:
			members = append(members, value.Member{Key: key, Value: str(strings.Repeat("x", i%30))})
		}
	}
	return value.Object(members...)
}

// Whatever the number of branches and of the nodes in them, the tree of a walk tells
// what differs, each thing where it is.
func TestTreeOfAWalk(t *testing.T) {
	for _, depth := range []int{0, 1, 2, 3} {
		for _, width := range []int{1, 2, 3, 4, 7, 13, 20, 95, 96, 97, 200} {
			if depth > 1 && width > 20 {
				continue
			}
			for _, every := range []int{1, 2, 3, 11} {
				for _, sides := range [][2]int{{0, 1}, {1, 0}, {2, 3}} {
					old, now := varied(sides[0], depth, width, every), varied(sides[1], depth, width, every)
					d := diff.Between(old, now, diff.Options{})
					want, got := plainly(nil, path.Path{}, old, now), tellingsOf(d)
					if !slices.Equal(got, want) || d.Len() != len(want) {
						t.Fatalf("depth %d, width %d, every %d, %v: %d changes, want %d\n%.400q\n%.400q", depth, width, every, sides, d.Len(), len(want), got, want)
					}
					if !d.Invert().Equal(diff.Between(now, old, diff.Options{})) {
						t.Fatalf("depth %d, width %d, every %d, %v: the inverse is not that of the sides", depth, width, every, sides)
					}
					if made, err := d.Apply(old); err != nil || !made.Identical(now) {
						t.Fatalf("depth %d, width %d, every %d, %v: does not apply: %v", depth, width, every, sides, err)
					}
				}
			}
		}
	}
}
