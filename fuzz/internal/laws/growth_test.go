package laws_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestGrowth is law 4 for everything that is exported: four times as much takes at most six
// times the memory and the time, in whatever it is more. Every function is called on values
// of each shape, with texts, diffs, paths and patterns that go with them.
func TestGrowth(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector has costs of its own")
	}

	// One shape that is deep, one that is wide, and one of marks; -long runs them all.
	usual := []string{"deep arrays", "wide", "dependencies"}
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			if !slices.Contains(usual, s.name) && !*long {
				t.Skip("run it by -long")
			}

			few, many := s.grown(s.n).scene(), s.grown(4*s.n).scene()

			for _, i := range probe.Functions("") {
				name, _ := probe.Signature(i)
				kit.Grows(t, name, s.n, func(n int) func() {
					scene := few
					if n > s.n {
						scene = many
					}

					p := scene.Prober(uint64(i)) //nolint:gosec // small
					p.Silent = true
					_, call := p.Prepare(i)

					return call
				})
			}
		})
	}
}

// scene returns what calls are made with.
func (g *grown) scene() *probe.Scene {
	s := &probe.Scene{Old: g.old, New: g.now, Paths: []path.Path{g.deepest, g.first}, Set: g.set, Texts: []string{g.deepest.String(), g.deepest.JSONPointer()}, Index: 1, Match: diff.Auto(), Intact: true}
	s.More = []any{diff.Between(g.old, g.now, diff.Options{}), g.patterns, g.exact, g.beyond, path.NewSet(g.many...)}

	return s
}

// shape makes values that are large in one way.
type shape struct {
	name string
	n    int // of which the smaller values are
	make func(n int, leaf value.Value) (v value.Value, deepest []path.Step)
}

// grown is two values of a shape that differ in all leaves, and what leads into them.
type grown struct {
	old, now       value.Value
	deepest, first path.Path
	patterns       []path.Pattern // some
	exact          []path.Pattern // many, each of one place
	many           []path.Pattern // those, and others with wildcards
	set            *path.Set      // of the former
	beyond         *path.Set      // leads as deep as the value is, and to nothing
}

func (s *shape) grown(n int) *grown {
	old, steps := s.make(n, value.Number(1))
	now, _ := s.make(n, value.Number(2))
	g := &grown{old: old, now: now, deepest: path.Of(steps...), first: path.Of(steps[0])}

	wild := make([]path.Step, len(steps))
	for i := range wild {
		wild[i] = path.Any()
	}

	half := append(append([]path.Step{}, steps[:len(steps)/2]...), wild[len(steps)/2:]...)
	g.patterns = []path.Pattern{path.PatternOf(steps...), path.PatternOf(wild...), path.PatternOf(half...), path.MustParsePattern("k.k.n")}
	g.set, g.beyond = path.NewSet(g.patterns...), path.NewSet(path.PatternOf(slices.Concat(wild, []path.Step{path.Key("z")})...))

	for i := range n / 10 {
		key := "member" + strconv.Itoa(i)
		g.exact = append(g.exact, path.PatternOf(path.Key(key)), path.PatternOf(path.Key("k"), path.Index(i)))
		g.many = append(g.many, path.PatternOf(path.Any(), path.Key(key)), path.PatternOf(path.Key("k"), path.Index(i), path.Any()))
	}

	g.many = append(g.many, g.exact...)

	return g
}

// nested returns a value at the bottom of as many levels.
func nested(levels int, v value.Value, wrap func(v value.Value, level int) value.Value) (value.Value, []path.Step) {
	steps := make([]path.Step, levels)
	for i := range levels {
		v, steps[i] = wrap(v, i), path.Key("k")
	}

	return v, steps
}

// list returns as many elements, as the member k.
func list(n int, elem func(i int) value.Value, below ...path.Step) (value.Value, []path.Step) {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = elem(i)
	}

	return value.Object(value.Field("k", value.Array(elems...))), append([]path.Step{path.Key("k"), path.Index(0)}, below...)
}

func wide(n int, leaf value.Value) value.Value {
	members := make([]value.Member, n)
	for i := range members {
		members[i] = value.Field("member"+strconv.Itoa(i), leaf)
	}

	return value.Object(members...)
}

// shapes lists the ways in which values are large. The deep ones are as deep as values can
// be; those with something at each level have paths of more than path.MaxListed bytes.
func shapes() []shape {
	const levels = value.MaxDepth/4 - 100

	return append(deepShapes(levels),
		shape{"wide", 10_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return wide(n, leaf), []path.Step{path.Key("member0")}
		}},
		shape{"long", 10_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return list(n, func(int) value.Value { return leaf })
		}},
		shape{"objects", 3_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return list(n, func(i int) value.Value {
				return value.Object(value.Field("name", value.String(strconv.Itoa(i))), value.Field("size", leaf))
			}, path.Key("size"))
		}},
		shape{"long keys", 100_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			key := strings.Repeat("x", n)

			return value.Object(value.Field("k", value.Object(value.Field(key, value.Object(value.Field("n", leaf)))))), []path.Step{path.Key("k"), path.Key(key), path.Key("n")}
		}},
		shape{"below a long key", 4_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			key := strings.Repeat("x", 4*n)

			return value.Object(value.Field(key, wide(n, leaf))), []path.Step{path.Key(key), path.Key("member1")}
		}},
		// Not longer: a stream that exceeds its window of 256 KiB costs more for each byte, until
		// that is nine times as much.
		shape{"long text", 100_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			var b strings.Builder
			for i := range n / 8 {
				fmt.Fprintf(&b, "%v %d\n", leaf, i%100)
			}

			return value.Object(value.Field("k", value.String(b.String()))), []path.Step{path.Key("k")}
		}},
		shape{"dependencies", 5_000, func(n int, leaf value.Value) (value.Value, []path.Step) {
			urns := make([]string, n)
			for i := range urns {
				urns[i] = fmt.Sprint("urn:", i)
			}

			return value.Object(value.Field("k", value.Object(value.Field("n", leaf)).WithDependencies(urns...))), []path.Step{path.Key("k"), path.Key("n")}
		}},
	)
}

func deepShapes(levels int) []shape {
	return []shape{
		{"deep", levels, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return nested(n, leaf, func(v value.Value, _ int) value.Value { return value.Object(value.Field("k", v)) })
		}},
		{"deep arrays", levels, func(n int, leaf value.Value) (value.Value, []path.Step) {
			v, steps := nested(n, leaf, func(v value.Value, _ int) value.Value { return value.Array(v, value.Null()) })
			for i := range steps {
				steps[i] = path.Index(0)
			}

			return value.Object(value.Field("k", v)), append([]path.Step{path.Key("k")}, steps...)
		}},
		{"stairs", levels, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return nested(n, value.Object(), func(v value.Value, _ int) value.Value {
				return value.Object(value.Field("k", v), value.Field("n", leaf))
			})
		}},
		{"stairs of secrets", levels, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return nested(n, value.Object(), func(v value.Value, _ int) value.Value {
				return value.Object(value.Field("k", v), value.Field("n", value.Secret(leaf)))
			})
		}},
		{"stairs in secrets", levels, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return nested(n, value.Object(), func(v value.Value, _ int) value.Value {
				return value.Secret(value.Object(value.Field("k", v), value.Field("n", leaf)))
			})
		}},
		{"stairs of dependencies", levels, func(n int, leaf value.Value) (value.Value, []path.Step) {
			return nested(n, value.Object(), func(v value.Value, level int) value.Value {
				return value.Object(value.Field("k", v), value.Field("n", leaf.WithDependencies(fmt.Sprint("urn:", level))))
			})
		}},
		{"archives", levels / 2, func(n int, leaf value.Value) (value.Value, []path.Step) {
			v, steps := nested(n, value.TextAsset(leaf.String()), func(v value.Value, _ int) value.Value {
				a, _ := value.LiteralArchive(value.Field("k", v))
				return a
			})

			return value.Object(value.Field("k", v)), append([]path.Step{path.Key("k")}, steps...)
		}},
	}
}
