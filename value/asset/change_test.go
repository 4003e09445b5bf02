package asset_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// slowChanges compares two lists by the book: each name of either, then each pair of
// what was added and removed.
func slowChanges(old, now asset.List) []string {
	find := func(l asset.List, name string) string {
		for n, hash := range l.All() {
			if n == name {
				return hash
			}
		}
		return ""
	}
	var all []string
	for _, l := range []asset.List{old, now} {
		for name := range l.All() {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	empty, _ := value.TextAsset("").Hash()
	taken := map[string]bool{}
	renamedFrom := map[string]string{}
	for _, to := range all {
		for _, from := range all {
			if find(old, to) == "" && find(now, from) == "" && find(now, to) == find(old, from) && find(now, to) != empty && !taken[from] {
				taken[from], renamedFrom[to] = true, from
				break
			}
		}
	}
	var text []string
	for _, name := range all {
		a, b := find(old, name), find(now, name)
		switch {
		case renamedFrom[name] != "":
			text = append(text, fmt.Sprintf("renamed %s %s", renamedFrom[name], name))
		case taken[name] || a == b:
		case a == "":
			text = append(text, "added "+name)
		case b == "":
			text = append(text, "removed "+name)
		default:
			text = append(text, "changed "+name)
		}
	}
	return text
}

func TestChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	draw := func() asset.List {
		var members []value.Member
		for i := range r.IntN(6) {
			members = append(members, value.Member{Key: fmt.Sprint(r.IntN(8)), Value: value.TextAsset([]string{"", "a", "b", "c"}[r.IntN(4)]).Value()})
			_ = i
		}
		l, ok := asset.Known(literal(members...))
		if !ok {
			t.Fatal("not known")
		}
		return l
	}
	kinds := map[asset.ChangeKind]int{}
	for range 3000 {
		old, now := draw(), draw()
		var got []string
		for _, c := range asset.Changes(old, now) {
			kinds[c.Kind()]++
			oldName, oldHash, hadOld := c.Old()
			newName, newHash, hasNew := c.New()
			if hadOld == (oldHash == "") || hasNew == (newHash == "") {
				t.Fatal(c)
			}
			switch c.Kind() {
			case asset.Renamed:
				got = append(got, "renamed "+oldName+" "+newName)
			case asset.Removed:
				got = append(got, "removed "+oldName)
			default:
				got = append(got, c.Kind().String()+" "+newName)
			}
		}
		if want := slowChanges(old, now); !slices.Equal(got, want) {
			t.Fatalf("%v to %v: got %v, want %v", old, now, got, want)
		}
	}
	for k := asset.Added; k <= asset.Renamed; k++ {
		if kinds[k] < 100 {
			t.Errorf("%v occurs %d times", k, kinds[k])
		}
	}
}

// TestKnown compares the list from hashes with the list from reading.
func TestKnown(t *testing.T) {
	c := asset.Contents{Files: asset.FS(project())}
	text := func(key, text string) value.Member {
		return value.Member{Key: key, Value: value.TextAsset(text).Value()}
	}
	file := value.Member{Key: "r", Value: value.FileAsset("README").Value()}
	for i, v := range []value.Value{
		literal(), literal(text("a", "1"), text("./b", "2")), literal(text("a/x", "1"), value.Member{Key: "a", Value: literal(text("x", "2"), text("./y", "3"))}),
		literal(file, value.Member{Key: ".", Value: literal(text("r", "seen"), file)}),
	} {
		want, err := c.List(context.Background(), v)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := c.HashAll(context.Background(), v)
		if got, ok := asset.Known(filled); err != nil || !ok || got.String() != want.String() {
			t.Errorf("%d: got %v, %v, want %v", i, got, ok, want)
		}
		if _, ok := asset.Known(v); ok != (i < 3) {
			t.Errorf("%d: known: %v", i, ok)
		}
	}
	for _, v := range []value.Value{value.FileArchive("dist").WithHash("1").Value(), literal(value.Member{Key: "a", Value: value.FileArchive("dist").Value()}), value.Null(), value.ElidedArchive("1").Value()} {
		if _, ok := asset.Known(v); ok {
			t.Errorf("%v is known", v)
		}
	}
}
