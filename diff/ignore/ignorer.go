package ignore

import (
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Ignorer is a list of patterns made ready to be applied to many pairs of values,
// as an engine does that sees one resource again and again. What [Ignorer.Apply]
// costs depends on the values and on the patterns that concern them, not on how many
// others there are. It may be used by many goroutines at a time.
type Ignorer struct {
	patterns []path.Pattern
	mode     Mode
	firsts   []string           // the keys that patterns begin with, in the patterns' order
	byKey    map[string][]int32 // the patterns that begin with a key, by number
	always   []int32            // those that begin otherwise
	shapes   [64]uint64         // a bit for each length and first byte, modulo 64: whether a key of firsts has it
	table    [64]uint64         // the same for hashes
}

// passMost is how many keys both sides have, for each key that patterns begin with,
// up to which it costs less to hold all of them against the table than to look for
// those few.
const passMost = 8

// NewIgnorer makes patterns ready, to be applied by the rules of a mode.
func NewIgnorer(patterns []path.Pattern, mode Mode) *Ignorer {
	g := &Ignorer{patterns: slices.Clone(patterns), mode: mode, byKey: map[string][]int32{}}
	for i, p := range g.patterns {
		number := int32(i) //nolint:gosec // a slice of two billion patterns takes 32 GiB
		name, ok := firstKey(p)
		if !ok {
			g.always = append(g.always, number)
			continue
		}
		if g.byKey[name] == nil {
			g.firsts = append(g.firsts, name)
			at := wideHash(name)
			g.table[at/64%64] |= 1 << (at % 64)
			if name != "" {
				g.shapes[len(name)%64] |= 1 << (name[0] % 64)
			}
		}
		g.byKey[name] = append(g.byKey[name], number)
	}
	return g
}

// Apply gives the value that [Changes] gives with the same patterns and mode. Its
// report has only the patterns that matched or met a mismatch, in the order of the
// list: of one that is not there, neither side has anything that it names.
func (g *Ignorer) Apply(old, now value.Value) Result {
	var few [8]int32
	due := few[:1] // the first, if it is the only one
	if len(g.patterns) != 1 {
		if due = g.due(old, now, few[:0]); len(due) == 0 {
			return Result{Value: now}
		}
	}
	if len(due) == 1 {
		p := g.patterns[due[0]]
		if made, matched, done := ignoreOne(old, now, g.mode, p); done && matched == 0 {
			return Result{Value: made}
		} else if done {
			return Result{Value: made, Patterns: []PatternResult{{Pattern: p, Matched: matched}}}
		}
	}
	reports := make([]PatternResult, len(due))
	for i, number := range due {
		reports[i].Pattern = g.patterns[number]
	}
	var a *ignoring
	a = a.orNew(old, now, g.mode, reports)
	for i := range reports {
		a.apply(i)
	}
	reports = slices.DeleteFunc(reports, func(r PatternResult) bool { return r.Matched == 0 && len(r.Mismatches) == 0 })
	return Result{Value: a.result(), Patterns: reports}
}

// due appends the numbers of the patterns that may do something, in order. Which
// do not is as for rootKeys.
func (g *Ignorer) due(old, now value.Value, due []int32) []int32 {
	if g.mode.form(old) != formObject || g.mode.form(now) != formObject {
		for i := range g.patterns {
			due = append(due, int32(i)) //nolint:gosec // see NewIgnorer
		}
		return due
	}
	due = append(due, g.always...)
	if len(g.firsts) < 2 || old.Len()+now.Len() > passMost*len(g.firsts) {
		for _, name := range g.firsts {
			if has(old, name) || has(now, name) {
				due = append(due, g.byKey[name]...)
			}
		}
	} else {
		olds, nows := old.Children(), now.Children()
		for i, name, ok := g.next(olds, 0); ok; i, name, ok = g.next(olds, i) {
			due = append(due, g.byKey[name]...)
		}
		for i, name, ok := g.next(nows, 0); ok; i, name, ok = g.next(nows, i) {
			if !has(old, name) {
				due = append(due, g.byKey[name]...)
			}
		}
	}
	slices.Sort(due)
	return due
}

// next is the next key from child i on that some pattern may begin with, and what
// comes behind it.
func (g *Ignorer) next(children value.Children, i int) (behind int, name string, ok bool) {
	for ; i < children.Len(); i++ {
		if name, _ := children.At(i); g.hasShape(name) && g.mayBegin(name) {
			return i + 1, name, true
		}
	}
	return i, "", false
}

// hasShape reports whether some pattern may begin with a key; false is certain. This
// is asked of every key, and says all of most; then there is mayBegin to ask.
func (g *Ignorer) hasShape(name string) bool {
	return name == "" || g.shapes[len(name)%64]>>(name[0]%64)&1 != 0
}

// mayBegin is hasShape, more exactly.
func (g *Ignorer) mayBegin(name string) bool {
	at := wideHash(name)
	return g.table[at/64%64]>>(at%64)&1 != 0
}

// wideHash is a number of a key, of which the lower bits are to be used.
func wideHash(key string) uint32 {
	if key == "" {
		return 0
	}
	h := uint32(key[0])*31 + uint32(key[len(key)/2])*101 + uint32(key[len(key)-1])*7 + uint32(len(key))*257 //nolint:gosec // a hash
	return h ^ h>>8
}
