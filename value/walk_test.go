package value_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func TestAt(t *testing.T) {
	v := sample()
	rows := []struct {
		path string
		want value.Value
		ok   bool
	}{
		{"", v, true},
		{"a.b", num(1), true},
		{"a.n", value.Null(), true},
		{"a.n.x", value.Null(), false},
		{"a.b.x", value.Null(), false},
		{"a[0]", value.Null(), false},
		{"l.a", value.Null(), false},
		{"l[2]", value.Null(), true},
		{"l[3]", value.Null(), false},
		{"l[2147483647]", value.Null(), false},
		{"s.k", value.Secret(num(1)), true},
		{"s.l[0]", value.Secret(num(1)), true},
		{"s.l[1]", value.Null(), false},
		{"u", value.Secret(value.Unknown()).WithDependencies(urnB), true},
		{"u.x[7]", value.Secret(value.Unknown()).WithDependencies(urnB), true},
		{"d[0]", num(1), true},
		{"x.y", value.Null(), false},
		{"nothing", value.Null(), false},
	}
	for _, row := range rows {
		p := path.MustParse(row.path)
		got, ok := v.At(p)
		if !got.Identical(row.want) || ok != row.ok || v.Has(p) != row.ok {
			t.Errorf("At(%q): %v", row.path, ok)
		}
	}
	if x, _ := v.At(path.MustParse("s.k")); !x.IsSecret() || x.OwnSecret() {
		t.Error("a part of a secret has its own mark")
	}
	if x := v.Field("s").Field("l").Elem(0); !x.IsSecret() || !x.Equal(value.Secret(num(1))) {
		t.Error("a part of a part of a secret is not secret")
	}
}

// At agrees with single steps, and with what the walk sees.
func TestWalkAgreesWithAt(t *testing.T) {
	for i, v := range hosts(t) {
		var paths []path.Path
		shown := 0
		for c := range v.Walk() {
			p := c.Path()
			x, ok := v.At(p)
			if !ok || !x.Identical(c.Value()) || x.IsSecret() != c.Value().IsSecret() || x.OwnSecret() != c.Value().OwnSecret() || inherited(x) != inherited(c.Value()) {
				t.Errorf("value %d: the walk sees something else at %v", i, p)
			}
			if got := stepwise(v, p); !got.Identical(x) {
				t.Errorf("value %d: single steps see something else at %v", i, p)
			}
			step, below := c.Step()
			if last, ok := p.Last(); c.Depth() != p.Len() || below != ok || step != last {
				t.Errorf("value %d: depth %d and step %v at %v", i, c.Depth(), step, p)
			}
			if inherited(x) != (above(v, p, value.Value.IsSecret) || (p.IsRoot() && inherited(v))) {
				t.Errorf("value %d: inherited mark at %v: %v", i, p, inherited(x))
			}
			if hidden := above(v, p, value.Value.IsSecret); c.Shown().Redacted() != hidden || c.Shown().RevealPath() != p {
				t.Errorf("value %d: %v is shown as %v", i, p, c.Shown())
			} else if hidden {
				shown++
				if x, _ := v.At(c.Shown().Path()); !x.IsSecret() || above(v, c.Shown().Path(), value.Value.IsSecret) {
					t.Errorf("value %d: %v is shown as %v", i, p, c.Shown())
				}
			}
			paths = append(paths, p)
		}
		if !slices.IsSortedFunc(paths, path.Path.Compare) || len(slices.Compact(slices.Clone(paths))) != len(paths) {
			t.Errorf("value %d is walked in the order %v", i, paths)
		}
		if len(paths) != count(v) {
			t.Errorf("value %d: %d steps, want %d", i, len(paths), count(v))
		}
	}
}

func stepwise(v value.Value, p path.Path) value.Value {
	for s := range p.Steps() {
		if i, ok := s.AsIndex(); ok {
			v = v.Elem(i)
		} else if key, ok := s.AsKey(); ok {
			v = v.Field(key)
		}
	}
	return v
}

// above reports whether something is true of a container above p.
func above(v value.Value, p path.Path, is func(value.Value) bool) bool {
	for n := range p.Len() {
		if x, _ := v.At(p.Prefix(n)); is(x) {
			return true
		}
	}
	return false
}

func count(v value.Value) int {
	n := 1
	for _, e := range v.Elems() {
		n += count(e)
	}
	for _, e := range v.Members() {
		n += count(e)
	}
	return n
}

func TestWalkStopsAndSkips(t *testing.T) {
	v := sample()
	var seen []string
	for c := range v.Walk() {
		seen = append(seen, c.Shown().String())
		if c.Value().Kind() == value.KindArray {
			c.SkipBelow()
		}
		if c.Value().IsUnknown() {
			break
		}
	}
	if got, want := strings.Join(seen, " "), " N a a.b a.n d l s s[secret] s[secret] u"; got != want {
		t.Errorf("walked %q, want %q", got, want)
	}
	for c := range v.Walk() {
		c.SkipBelow()
		if c.Depth() > 0 {
			t.Errorf("walked into what was to be skipped")
		}
	}
	var kept *value.Cursor
	for c := range v.Walk() {
		kept = c
	}
	if kept.Path().Len() > 1 || kept.Depth() != 0 || (&value.Cursor{}).Path().Len() != 0 {
		t.Error("a cursor outlived its walk")
	}
}

func TestDependenciesAt(t *testing.T) {
	inner := num(1).WithDependencies("c", "a")
	v := object(member("l", value.Array(inner, num(2), value.Unknown().WithDependencies("z")).WithDependencies("b", "a"))).WithDependencies("d")
	for p, want := range map[string]string{
		"": "d", "l": "a b d", "l[0]": "a b c d", "l[1]": "a b d", "l[2]": "a b d z", "l[2].x.y": "a b d z",
		"l[3]": "", "m": "", "l[0].x": "",
	} {
		if got := strings.Join(slices.Collect(v.DependenciesAt(path.MustParse(p))), " "); got != want {
			t.Errorf("DependenciesAt(%q) = %q, want %q", p, got, want)
		}
	}
	for u := range v.DependenciesAt(path.MustParse("l[0]")) {
		if u != "a" {
			t.Error("goes on after break")
		}
		break
	}
	if got := slices.Collect(v.Field("l").Dependencies()); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("asking changed the dependencies to %q", got)
	}
}

func TestDependenciesAtReference(t *testing.T) {
	for i, v := range hosts(t) {
		for c := range v.Walk() {
			p := c.Path()
			all := map[string]bool{}
			for n := range p.Len() + 1 {
				x, _ := v.At(p.Prefix(n))
				for u := range x.Dependencies() {
					all[u] = true
				}
			}
			last, n := "", 0
			for u := range v.DependenciesAt(p) {
				if !all[u] || u <= last {
					t.Errorf("value %d: %v depends on %q", i, p, u)
				}
				last, n = u, n+1
			}
			if n != len(all) {
				t.Errorf("value %d: %v has %d dependencies, want %d", i, p, n, len(all))
			}
		}
	}
}

func TestErrorText(t *testing.T) {
	if got := fmt.Sprint(&value.Error{Op: "x", Want: "y", Found: "z"}); got != "value: x: expected y, found z" {
		t.Errorf("got %q", got)
	}
}
