package diff

import (
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// entry is a line, or a container of lines, of the text of a diff.
type entry struct {
	label    string
	isIndex  bool
	change   *Change // nil for a container that only holds changes
	cut      bool    // changes inside are hidden, since this is a secret
	replaces bool    // a change here, or hidden inside, forces a replacement
	state    path.State
	below    []*entry
	more     int // changes below that are too many, and too deep, to be told
}

// maxDeep is how many changes are told of those that stand deeper than texts
// nest, below one place.
const maxDeep = 200

// outliner arranges the changes of a diff as nested entries, as deep as texts
// nest. Changes inside a secret become one entry at the secret, unless secrets
// are revealed. It goes through the tree of the diff, not through paths, so that
// it is linear in its size at any depth.
type outliner struct {
	opts   TextOptions
	levels []*entry // the entries above and at the place, the root first
	states []path.State
}

func outline(d Diff, opts TextOptions) []*entry {
	root := &entry{}
	o := outliner{opts: opts}
	for at, depth := d.root(), 0; at.in != nil; {
		e := root
		if depth > 0 {
			e = o.entry(at, depth)
		}
		below := o.visit(e, at, depth)
		if below {
			at, depth = spot{at.node().below, 0}, depth+1
			continue
		}
		for at.in != nil && at.i+1 == len(at.in.nodes) {
			at, depth = spot{at.in.up, at.in.at}, depth-1
		}
		at.i++
	}
	if root.change != nil || root.cut {
		return []*entry{root}
	}
	return root.below
}

// entry makes the entry for a node, below that of its container; nil when it is
// not told.
func (o *outliner) entry(at spot, depth int) *entry {
	n := at.node()
	step := at.in.step(at.i, n.gone())
	if depth <= maxLevels {
		_, isIndex := step.Index()
		e := &entry{label: keyLabel(step), isIndex: isIndex}
		parent := o.levels[depth-1]
		parent.below = append(parent.below, e)
		return e
	}
	// Too deep to nest: named by the rest of the path.
	parent := o.levels[maxLevels]
	told := n.facts.has(isChange) || n.below != nil && n.below.secret
	switch {
	case !told:
		return nil
	case len(parent.below) == maxDeep:
		parent.more++
		return nil
	}
	var few [fewSteps]path.Step
	steps := at.steps(few[:0], n.gone())[maxLevels:]
	e := &entry{label: clip(scan.Line(path.Of(steps...).String()), maxLabel)}
	parent.below = append(parent.below, e)
	return e
}

// visit notes what there is to tell of a node, and reports whether what is below
// it is to be visited.
func (o *outliner) visit(e *entry, at spot, depth int) bool {
	n := at.node()
	st := o.opts.ReplaceOn.Start()
	if depth > 0 {
		st = o.states[depth-1].Step(at.in.step(at.i, n.gone()))
	}
	hidden := o.opts.Secrets != RevealSecrets && n.below != nil && n.below.secret
	if e != nil {
		e.state = st
		if n.facts.has(isChange) {
			e.change = &Change{at.anchor()}
			e.replaces = st.Covers() || at.holds(st)
		}
		if hidden {
			e.cut = true
			e.replaces = e.replaces || o.replacesInside(at)
		}
	}
	if n.below == nil || hidden {
		return false
	}
	o.levels, o.states = append(o.levels[:min(depth, len(o.levels))], e), append(o.states[:depth], st)
	return true
}

// replacesInside reports whether one of the changes inside a node forces a
// replacement.
func (o *outliner) replacesInside(at spot) bool {
	if o.opts.ReplaceOn.Len() == 0 {
		return false
	}
	end := at.beyond()
	for s := at.next(); s != end; s = s.next() {
		if s.node().facts.has(isChange) && (Change{s.anchor()}).Matches(o.opts.ReplaceOn) {
			return true
		}
	}
	return false
}

// keyLabel names a key as it is when it is a plain word, quoted otherwise, and
// an element as [i].
func keyLabel(s path.Step) string {
	k, ok := s.Key()
	if !ok {
		return s.String()
	}
	if k != "" && len(k) <= maxLabel && strings.IndexFunc(k, isOdd) < 0 {
		return k
	}
	return clip(value.String(k).String(), maxLabel)
}

func isOdd(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("_-./$@+", r)
}

// clip elides the middle of a text that has more than width characters.
func clip(s string, width int) string {
	if len(s) <= width || runes(s) <= width {
		return s
	}
	const gap = "…"
	front := prefix(s, width*2/3)
	back := suffix(s, width-width*2/3-1)
	return front + gap + back
}

// prefix returns the first n characters of a text, without looking further.
func prefix(s string, n int) string {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s[:i]
}

// suffix returns the last n characters of a text, without looking further.
func suffix(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// runes counts characters, but stops where no caller looks any further.
func runes(s string) int {
	n := 0
	for range s {
		if n++; n > 4096 {
			break
		}
	}
	return n
}
