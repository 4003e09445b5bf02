package path_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

func TestIndexClamps(t *testing.T) {
	for i, c := range []struct{ in, want int }{
		{0, 0}, {7, 7}, {path.MaxIndex, path.MaxIndex}, {-1, path.MaxIndex}, {-1 << 31, path.MaxIndex}, {maxInt(), path.MaxIndex}, {-maxInt() - 1, path.MaxIndex},
	} {
		if got, ok := path.Index(c.in).AsIndex(); !ok || got != c.want {
			t.Errorf("row %d: Index(%d) is %d, %v", i, c.in, got, ok)
		}
		if p := path.Of().Elem(c.in); p != path.Of(path.Index(c.want)) {
			t.Errorf("row %d: path %v", i, p)
		}
	}
}

// maxInt is the largest int of the platform, 32 bits or 64.
func maxInt() int { return int(^uint(0) >> 1) }

func TestStepParts(t *testing.T) {
	var zero path.Step
	if zero != path.Key("") || !zero.IsKey() || zero.String() != `[""]` {
		t.Errorf("the zero Step is %v", zero)
	}
	if name, ok := path.Key("k").AsKey(); name != "k" || !ok {
		t.Errorf("got %q, %v", name, ok)
	}
	if i, ok := path.Key("k").AsIndex(); i != 0 || ok {
		t.Errorf("got %d, %v", i, ok)
	}
	if name, ok := path.Index(3).AsKey(); name != "" || ok || path.Index(3).IsKey() {
		t.Errorf("got %q, %v", name, ok)
	}
	for i, c := range []struct {
		step path.Step
		want string
	}{{path.Key("a1"), "a1"}, {path.Key("1"), `["1"]`}, {path.Index(12), "[12]"}, {path.Key("*"), `["*"]`}} {
		if c.step.String() != c.want || fmt.Sprint(c.step) != c.want {
			t.Errorf("row %d: %s", i, c.step)
		}
	}
}

// The order of steps and pattern steps, all pairs.
func TestStepOrder(t *testing.T) {
	sorted := []path.Step{path.Any()}
	for _, i := range []int{0, 1, 2, 10, 127, 128, path.MaxIndex} {
		sorted = append(sorted, path.Index(i))
	}
	for _, k := range []string{"", "\x00", "*", "0", "A", "a", "a\x00", "aa", "b", "é", "\xff"} {
		sorted = append(sorted, path.Key(k))
	}
	for i, a := range sorted {
		for j, b := range sorted {
			want := cmp.Compare(i, j)
			if got := a.Compare(b); got != want || a.Equal(b) != (want == 0) {
				t.Errorf("%v against %v: %d, want %d", a, b, got, want)
			}
		}
	}
}

// Every operation on paths is the operation on slices of steps.
func TestPathsAreSlicesOfSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genSteps().Draw(t, "a"), genSteps().Draw(t, "b")
		if rapid.Bool().Draw(t, "related") {
			b = slices.Concat(a[:rapid.IntRange(0, len(a)).Draw(t, "shared")], b)
		}
		p, q := path.Of(a...), path.Of(b...)
		if p.Len() != len(a) || p.IsRoot() != (len(a) == 0) || !slices.Equal(slices.Collect(p.Steps()), a) {
			t.Fatalf("%v: %v", a, p)
		}
		if (p == q) != slices.Equal(a, b) || p.Equal(q) != (p == q) || p.Compare(q) != slices.CompareFunc(a, b, path.Step.Compare) {
			t.Fatalf("%v against %v: %d", p, q, p.Compare(q))
		}
		below := len(b) <= len(a) && slices.Equal(a[:len(b)], b)
		trimmed, ok := p.TrimPrefix(q)
		if p.HasPrefix(q) != below || ok != below || (below && trimmed != path.Of(a[len(b):]...)) || (!below && trimmed != p) {
			t.Fatalf("%v has prefix %v: %v; trimmed %v", p, q, p.HasPrefix(q), trimmed)
		}
		both := path.Of(slices.Concat(a, b)...)
		if p.Append(b...) != both || p.Join(q) != both || !both.HasPrefix(p) {
			t.Fatalf("%v and %v: %v, %v", p, q, p.Append(b...), p.Join(q))
		}
		for n := -1; n <= len(a)+1; n++ {
			if got := p.Prefix(n); got != path.Of(a[:max(0, min(n, len(a)))]...) {
				t.Fatalf("first %d of %v: %v", n, p, got)
			}
		}
		checkEnds(t, p, a)
	})
}

// checkEnds checks what looks at one end of a path.
func checkEnds(t *rapid.T, p path.Path, steps []path.Step) {
	first, _, ok1 := p.Cut()
	last, ok2 := p.Last()
	parent, ok3 := p.Parent()
	if n := len(steps); n > 0 {
		if !ok1 || !ok2 || !ok3 || first != steps[0] || last != steps[n-1] || parent != path.Of(steps[:n-1]...) {
			t.Fatalf("%v: first %v, last %v, parent %v", p, first, last, parent)
		}
		again := parent.Append(last)
		if name, ok := last.AsKey(); ok {
			again = parent.Member(name)
		} else if i, ok := last.AsIndex(); ok {
			again = parent.Elem(i)
		}
		if again != p {
			t.Fatalf("%v put together again: %v", p, again)
		}
	} else if ok1 || ok2 || ok3 || parent != path.Of() || first != (path.Step{}) || last != (path.Step{}) {
		t.Fatalf("the root: first %v, last %v, parent %v", first, last, parent)
	}
}

// A length of key or an index on either side of each size of its packed form.
func TestPackedSizes(t *testing.T) {
	for bit := range 31 {
		for off := -3; off <= 3; off++ {
			i := max(0, 1<<bit+off)
			p := path.MustParse("a").Elem(i).Member("b")
			if got, _ := p.Prefix(2).Last(); got != path.Index(i) || p.Len() != 3 {
				t.Errorf("index %d: %v", i, p)
			}
			if i > 1<<22 {
				continue
			}
			long := path.Path{}.Elem(1).Member(strings.Repeat("k", i)).Elem(2)
			parent, _ := long.Parent()
			last, _ := parent.Last()
			if name, ok := last.AsKey(); !ok || len(name) != i || long.Len() != 3 {
				t.Errorf("key of %d bytes: %d, %v", i, len(name), ok)
			}
		}
	}
}

// Two paths made from one parent do not write over each other.
func TestAppendNeverAliases(t *testing.T) {
	parent := path.MustParse("a.b.c")
	left, right := parent.Member("left"), parent.Member("right")
	longer := left.Append(path.Index(1), path.Index(2))
	steps := []path.Step{path.Key("x"), path.Key("y")}
	made := parent.Append(steps...)
	steps[0] = path.Key("z")
	for i, c := range []struct {
		got  path.Path
		want string
	}{{left, "a.b.c.left"}, {right, "a.b.c.right"}, {longer, "a.b.c.left[1][2]"}, {parent, "a.b.c"}, {made, "a.b.c.x.y"}} {
		if c.got.String() != c.want {
			t.Errorf("row %d: %v, want %s", i, c.got, c.want)
		}
	}
}

func TestStepsCanStop(t *testing.T) {
	p := path.MustParse("a.b.c")
	n := 0
	for range p.Steps() {
		n++
		break
	}
	for range p.Pattern().Steps() {
		n++
		break
	}
	if n != 2 {
		t.Errorf("%d steps", n)
	}
}

func TestSortedPaths(t *testing.T) {
	want := []string{"", "[0]", "[2]", "[10]", `[""]`, `["1"]`, "a", "a[0]", "a[0].b", "a.b", "a.b.c", "b"}
	var got []path.Path
	for i := range want {
		got = append(got, path.MustParse(want[(i*5+3)%len(want)]))
	}
	slices.SortFunc(got, path.Path.Compare)
	for i, p := range got {
		if p.String() != want[i] {
			t.Errorf("place %d: %v, want %s", i, p, want[i])
		}
	}
}

func TestWithGoCmpAndGoSyntax(t *testing.T) {
	type mine struct {
		P path.Path
		Q path.Pattern
		S path.Step
		U path.Shown
	}
	a := mine{path.MustParse("a"), path.MustParsePattern("[*]"), path.Key("s"), path.Show(path.MustParse("a.b"), 1)}
	b := a
	if !gocmp.Equal(a, b) {
		t.Error("equal ones differ")
	}
	b.P = path.MustParse("b")
	if diff := gocmp.Diff(a, b); !strings.Contains(diff, "a") {
		t.Errorf("diff %q", diff)
	}
	if got := fmt.Sprintf("%#v %#v", a.P.Member("\n"), a.Q); got != `path.MustParse("a[\"\n\"]") path.MustParsePattern("[*]")` {
		t.Errorf("go syntax: %s", got)
	}
}
