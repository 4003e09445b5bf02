package patch

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opEncode = "encode"

// Marshal returns a diff as a patch, without white space. The same diff gives the same
// bytes. The error is an [*Error].
func Marshal(d diff.Diff, o Options) ([]byte, error) {
	out, err := Append(nil, d, o)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Append appends a diff as a patch to dst, as [Marshal] does. On an error it returns dst
// unchanged, but may have overwritten bytes beyond its length.
func Append(dst []byte, d diff.Diff, o Options) ([]byte, error) {
	if err := o.check(opEncode); err != nil {
		return dst, err
	}
	w := writer{out: dst, opts: o, limit: o.depth()}
	at, err := w.header(d)
	if err != nil {
		return dst, err
	}
	for p := range d.Places() {
		if err := w.place(p); err != nil {
			return dst, err
		}
	}
	w.close(0)
	w.out = append(w.out, '}')
	if w.masked {
		w.out = slices.Insert(w.out, at, []byte(`,"masked":true`)...)
	}
	return w.out, nil
}

// writer writes one patch.
type writer struct {
	out    []byte
	opts   Options
	limit  int
	masked bool // something is masked
	cut    int  // places at this depth or deeper are in a masked container; 0 if none
	open   []opened
}

// opened is a container that is being written.
type opened struct {
	kind    value.Kind
	used    int // messages around what is in it
	started bool
	sides   sides
}

// header writes what precedes the root, and returns where "masked" belongs.
func (w *writer) header(d diff.Diff) (at int, err error) {
	w.out = append(w.out, `{"propalg":"`+version+`"`...)
	rest := d.Relation()
	var names []string
	for _, r := range relations() {
		if rest&r != 0 {
			names = append(names, `"`+r.String()+`"`)
		}
		rest &^= r
	}
	if len(names) > 0 {
		w.list("relation", names)
	}
	switch {
	case rest != 0:
		return 0, &Error{Op: opEncode, Offset: -1, Found: "an unknown relation", err: codec.ErrOptions}
	case d.Unknowns() == diff.UnknownsChanged:
		w.out = append(w.out, `,"unknowns":"changed"`...)
	}
	if !d.Certain() {
		w.out = append(w.out, `,"uncertain":true`...)
	}
	at = len(w.out)
	if w.opts.Base != "" {
		w.out = append(w.out, `,"base":"`+w.opts.Base+`"`...)
	}
	if !d.Empty() {
		w.out = append(w.out, `,"diff":`...)
	}
	return at, nil
}

// place writes a node, or begins one with nodes inside.
func (w *writer) place(p diff.Place) error {
	if w.cut > 0 && p.Depth() >= w.cut {
		return nil
	}
	w.cut = 0
	w.close(p.Depth())
	r, used := p.Record(), 0
	var up *opened
	if len(w.open) > 0 {
		up = &w.open[len(w.open)-1]
		used = up.used
		if up.started {
			w.out = append(w.out, ',')
		}
		up.started = true
		if up.kind == value.KindObject {
			if !utf8.ValidString(r.Key) {
				return w.fail(p, codec.ErrUTF8)
			}
			w.out = append(appendQuoted(w.out, r.Key), ':')
		}
	}
	w.out = append(w.out, '{')
	inside, deeper := p.Inside()
	hide := w.opts.Secrets != RevealSecrets
	start := len(w.out)
	w.facts(r, deeper, up, hide && deeper && inside.Secret)
	sides, err := w.values(p, r, up, used)
	if err != nil {
		return err
	}
	switch {
	case deeper && hide && inside.Secret:
		w.member(`"masked":true`)
		w.masked, w.cut = true, p.Depth()+1
	case deeper:
		return w.begin(p, inside, sides, used, start)
	}
	w.out = append(w.out, '}')
	return nil
}

// facts writes the fields of a node other than values and contents.
func (w *writer) facts(r diff.Record, deeper bool, up *opened, hidden bool) {
	if r.Op != 0 {
		w.member(`"op":"` + r.Op.String() + `"`)
	}
	if r.Op != 0 && (deeper || r.Own != 0) && !hidden {
		var names []string
		for _, o := range owns() {
			if r.Own&o.own != 0 {
				names = append(names, `"`+o.name+`"`)
			}
		}
		w.list("own", names)
	}
	if r.Op != 0 && r.Verdict == value.Maybe {
		w.member(`"verdict":"maybe"`)
	}
	if up != nil && up.kind == value.KindArray {
		if r.OldAt != r.NewAt {
			w.member(`"oldIndex":`)
			w.out = strconv.AppendInt(w.out, int64(r.OldAt), 10)
		}
		w.member(`"index":`)
		w.out = strconv.AppendInt(w.out, int64(r.NewAt), 10)
		if r.Moved && r.Op != diff.OpMove {
			w.member(`"moved":true`)
		}
	}
}

// member writes the beginning of a member, after a comma if it is not the first.
func (w *writer) member(text string) {
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, text...)
}

// list writes a member that is a list of names in quotes.
func (w *writer) list(name string, quoted []string) {
	w.member(`"` + name + `":[` + strings.Join(quoted, ",") + `]`)
}

// begin begins the nodes inside a container.
func (w *writer) begin(p diff.Place, inside diff.Inside, s sides, used, start int) error {
	if inside.Secret {
		w.member(`"secret":true`)
	}
	used += cost(inside.Kind)
	if used > w.limit {
		return w.fail(p, codec.ErrDepth)
	}
	if len(w.out) > start {
		w.out = append(w.out, ',')
	}
	if inside.Kind == value.KindObject {
		w.out = append(w.out, `"members":{`...)
	} else {
		w.out = append(w.out, `"elements":{"oldLength":`...)
		w.out = strconv.AppendInt(w.out, int64(inside.OldLen), 10)
		w.out = append(w.out, `,"length":`...)
		w.out = strconv.AppendInt(w.out, int64(inside.NewLen), 10)
		if inside.Unordered {
			w.out = append(w.out, `,"unordered":true`...)
		}
		w.out = append(w.out, `,"changes":[`...)
	}
	w.open = append(w.open, opened{kind: inside.Kind, used: used, sides: s})
	return nil
}

// close ends the containers at a depth or deeper.
func (w *writer) close(depth int) {
	for len(w.open) > depth {
		end := "}}"
		if w.open[len(w.open)-1].kind == value.KindArray {
			end = "]}}"
		}
		w.out = append(w.out, end...)
		w.open = w.open[:len(w.open)-1]
	}
}

// fail returns an error at a place.
func (w *writer) fail(p diff.Place, err error) *Error {
	return &Error{Op: opEncode, At: p.Shown(), Offset: -1, err: err}
}

// shown returns the path of a place, and how many of its steps may be shown; -1 for all.
func shown(p diff.Place) (whole path.Path, visible int) {
	s := p.Shown()
	if s.Cut() {
		return s.RevealPath(), s.Path().Len()
	}
	return s.Path(), -1
}
