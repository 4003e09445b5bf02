package patch

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opFieldMask = "write field mask"

// MaskOptions are the options of [FieldMask].
type MaskOptions struct {
	// Maps are the places of objects that are maps in the API, such as labels. A field mask
	// cannot name a key of a map, so the map itself is listed if anything in it changes.
	Maps *path.Set
	// SnakeCase writes names in snake case, as .proto files do: cidr_block for cidrBlock. By
	// default names are as in the diff, which is also how protobuf spells them in JSON.
	SnakeCase bool
}

// FieldMask returns the paths of a google.protobuf.FieldMask that covers every change of d,
// except for changes of marks alone. The paths are sorted, and none is below another.
//
// A path ends at the first array or map, or at the outermost secret, whose keys are secret
// too. The path of the root is "*". When the list exceeds [path.MaxListed] bytes, the rest
// are top-level fields, which cover what changed in them. If a key cannot be the name of a
// field, the error is an [*Error] that wraps [codec.ErrPolicy]; its object may be a map that
// is missing from Maps.
func FieldMask(d diff.Diff, o MaskOptions) ([]string, error) {
	m := masking{opts: o, room: path.MaxListed}
	for p, depth := range difftree.Places(diff.Internal.Tree(d)) {
		if err := m.place(p, depth); err != nil {
			return nil, err
		}
	}

	return m.sorted(), nil
}

// masking collects the paths of a field mask. It follows the places of a diff, of which
// each container comes before what is in it.
type masking struct {
	opts   MaskOptions
	room   int // bytes that paths may still take
	listed []string

	open []masked // the present place and those above it that are fields, from the root
	text []byte   // the path of the present place
}

type masked struct {
	maps   path.Matcher // of MaskOptions.Maps
	step   path.Step
	size   int  // of its path
	wrong  bool // its key, or one above it, cannot be the name of a field
	ends   bool // no path goes on below it
	listed bool // it is in the list, and so is what is in it
}

// place goes to a place, and lists it if it is a change.
func (m *masking) place(p difftree.Place, depth int) error {
	m.open = m.open[:min(len(m.open), depth)]
	m.enter(p)
	n := p.Node()
	if !n.Facts.Has(difftree.IsChange) || (!n.Facts.Has(difftree.ValueChanged|difftree.OrderChanged) && n.Op != difftree.OpMove) {
		return nil // marks alone, if anything
	}

	return m.list()
}

// enter goes to a place from the one above it. Where paths end, it stays.
func (m *masking) enter(p difftree.Place) {
	here := masked{maps: m.opts.Maps.Matcher()}
	if n := len(m.open); n > 0 {
		up := &m.open[n-1]
		if up.ends || up.listed {
			return
		}

		key := p.Node().Key
		here = masked{maps: up.maps.Next(path.Key(key)), step: path.Key(key), wrong: up.wrong || !isFieldName(key)}
		m.text = m.text[:up.size]
		if n > 1 {
			m.text = append(m.text, '.')
		}
		if m.opts.SnakeCase {
			m.text = appendSnakeCase(m.text, key)
		} else {
			m.text = append(m.text, key...)
		}
		here.size = len(m.text)
	}

	inside, _ := p.Inside()
	here.ends = inside.Kind == value.KindArray || inside.Secret || here.maps.MatchesAbove()
	m.open = append(m.open, here)
}

// list adds the path of the present place, or of the top-level field that it is in.
func (m *masking) list() error {
	here := &m.open[len(m.open)-1]
	if here.wrong {
		first := slices.IndexFunc(m.open, func(at masked) bool { return at.wrong })
		return &Error{Op: opFieldMask, At: path.Show(m.at(first), -1), Offset: -1, Want: "the name of a field", err: codec.ErrPolicy}
	}

	if here.size > m.room && len(m.open) > 1 {
		here = &m.open[1]
	}
	if here.listed || (len(m.open) > 1 && m.open[1].listed) {
		return nil
	}
	here.listed = true
	if here.size == 0 {
		m.listed = append(m.listed, "*")
	} else {
		m.listed = append(m.listed, string(m.text[:here.size]))
		m.room -= here.size
	}

	return nil
}

func (m *masking) at(n int) path.Path {
	steps := make([]path.Step, 0, n)
	for _, up := range m.open[1 : n+1] {
		steps = append(steps, up.step)
	}
	return path.Of(steps...)
}

// sorted returns the list in order, without paths that are below others: a shorter one may
// come late, and two keys may be one in snake case.
func (m *masking) sorted() []string {
	slices.Sort(m.listed)

	kept := m.listed[:0]
	for _, text := range m.listed {
		if n := len(kept); n == 0 || (text != kept[n-1] && !strings.HasPrefix(text, kept[n-1]+".")) {
			kept = append(kept, text)
		}
	}
	return kept
}

// isFieldName reports whether protobuf has such names in JSON: letters and digits, a
// small letter first.
func isFieldName(key string) bool {
	for i := range len(key) {
		c := key[i]
		if isLetter := c >= 'a' && c <= 'z'; !isLetter && (i == 0 || ((c < 'A' || c > 'Z') && (c < '0' || c > '9'))) {
			return false
		}
	}

	return key != ""
}

func appendSnakeCase(out []byte, name string) []byte {
	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' {
			out = append(out, '_', c+'a'-'A')
		} else {
			out = append(out, c)
		}
	}

	return out
}
