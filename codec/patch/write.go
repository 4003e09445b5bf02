package patch

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opEncode = "encode"

// Marshal returns a diff as a patch, without white space. The same diff gives the same
// bytes. The error is an [*Error].
func Marshal(d diff.Diff, o Options) ([]byte, error) {
	if err := o.check(opEncode); err != nil {
		return nil, err
	}
	w := writer{opts: o, limit: o.depth()}
	at, err := w.header(d)
	if err != nil {
		return nil, err
	}

	for p, depth := range difftree.Places(diff.Internal.Tree(d)) {
		if err := w.place(p, depth); err != nil {
			return nil, err
		}
	}
	w.endSecret()
	w.close(0)
	w.out = append(w.out, '}')
	if w.masked {
		w.out = slices.Insert(w.out, at, []byte(`,"masked":true`)...)
	}
	return w.out, nil
}

type writer struct {
	out    []byte
	opts   Options
	limit  int
	masked bool // something is masked
	secret secretContainer
	open   []opened
}

// secretContainer is a container with changes inside it that is written as one change.
type secretContainer struct {
	inside  int  // the depth of the places in it, and of deeper ones; 0: there is none
	sure    bool // one of them surely changed
	verdict int  // where its verdict belongs in the text
}

// opened is a container that is being written.
type opened struct {
	kind  value.Kind
	used  int // messages around what is in it
	sides sides
}

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
	case diff.Internal.MaybeIsChanged(d):
		w.member(`"unknowns":"changed"`)
	}

	if !d.Certain() {
		w.member(`"uncertain":true`)
	}
	at = len(w.out)
	if w.opts.Base != "" {
		w.member(`"base":"` + w.opts.Base + `"`)
	}
	if !d.Empty() {
		w.member(`"diff":`)
	}
	return at, nil
}

// place writes a node, or begins one with nodes inside.
func (w *writer) place(p difftree.Place, depth int) error {
	r, used := p.Record(), 0
	if w.secret.inside > 0 {
		if depth >= w.secret.inside {
			w.secret.sure = w.secret.sure || isSure(&r)
			return nil
		}
		w.endSecret()
	}

	w.close(depth)
	var up *opened
	if len(w.open) > 0 {
		up = &w.open[len(w.open)-1]
		used = up.used
		w.member("")
		if up.kind == value.KindObject {
			key := r.Key
			if !utf8.ValidString(key) {
				return w.fail(p, codec.ErrUTF8)
			}
			w.out = append(appendQuoted(w.out, key), ':')
		}
	}

	w.out = append(w.out, '{')
	inside, deeper := p.Inside()
	hide := w.opts.Secrets != value.RevealSecrets
	if hide && deeper && inside.Secret {
		return w.beginSecret(p, depth, r, up, used)
	}
	w.change(r, deeper, up, hide && r.Old.IsSecret() && r.New.IsSecret())
	sides, err := w.values(p, r, up, used)
	if err != nil {
		return err
	}
	if deeper {
		return w.begin(p, inside, sides, used)
	}
	w.out = append(w.out, '}')
	return nil
}

// isSure reports whether a record is a change, and not one that may turn out to be none.
func isSure(r *difftree.Record) bool { return r.Op != 0 && r.Verdict != value.Maybe }

// beginSecret writes a container whose contents are secret as any other secret that changed,
// or the node would say that the secret is a container. The places in it are not written.
func (w *writer) beginSecret(p difftree.Place, depth int, r difftree.Record, up *opened, used int) error {
	w.secret = secretContainer{inside: depth + 1, sure: isSure(&r)}
	r.Op, r.Moved = difftree.OpUpdate, r.Moved || r.Op == difftree.OpMove
	w.member(`"op":"` + diff.Op(r.Op).String() + `"`)
	w.secret.verdict = len(w.out)
	w.index(&r, up)
	for _, name := range []string{`"old":`, `"new":`} {
		if err := w.value(p, name, side{value.Null(), true}, true, used); err != nil {
			return err
		}
	}

	w.out = append(w.out, '}')
	return nil
}

// endSecret writes the verdict of a secret container, once all places in it are known.
func (w *writer) endSecret() {
	if w.secret.inside > 0 && !w.secret.sure {
		w.out = slices.Insert(w.out, w.secret.verdict, []byte(`,"verdict":"maybe"`)...)
	}
	w.secret = secretContainer{}
}

// change writes the fields of a node other than values and contents. Where the container
// is hidden, what of its own changed is left out.
func (w *writer) change(r difftree.Record, deeper bool, up *opened, hidden bool) {
	if r.Op != 0 {
		w.member(`"op":"` + diff.Op(r.Op).String() + `"`)
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
	w.index(&r, up)
}

// index writes where an element is.
func (w *writer) index(r *difftree.Record, up *opened) {
	if up == nil || up.kind != value.KindArray {
		return
	}

	if r.OldAt != r.NewAt {
		w.number(`"oldIndex":`, r.OldAt)
	}
	w.number(`"index":`, r.NewAt)
	if r.Moved && r.Op != difftree.OpMove {
		w.member(`"moved":true`)
	}
}

// member writes the beginning of a member or an element, after a comma if it is not the
// first.
func (w *writer) member(text string) {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, text...)
}

// list writes a member that is a list of names in quotes.
func (w *writer) list(name string, quoted []string) {
	w.member(`"` + name + `":[` + strings.Join(quoted, ",") + `]`)
}

func (w *writer) number(name string, n int) {
	w.member(name)
	w.out = strconv.AppendInt(w.out, int64(n), 10)
}

// begin begins the nodes inside a container.
func (w *writer) begin(p difftree.Place, inside difftree.Inside, s sides, used int) error {
	if inside.Secret {
		w.member(`"secret":true`)
	}
	used += cost(inside.Kind)
	if used > w.limit {
		return w.fail(p, codec.ErrDepth)
	}

	if inside.Kind == value.KindObject {
		w.member(`"members":{`)
	} else {
		w.member(`"elements":{`)
		w.number(`"oldLength":`, inside.OldLen)
		w.number(`"length":`, inside.NewLen)
		if inside.Unordered {
			w.member(`"unordered":true`)
		}
		w.member(`"changes":[`)
	}
	w.open = append(w.open, opened{kind: inside.Kind, used: used, sides: s})
	return nil
}

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

func (w *writer) fail(p difftree.Place, err error) *Error {
	return &Error{Op: opEncode, At: shownAt(p), Offset: -1, err: err}
}

// shownAt returns the path of a place for display.
func shownAt(p difftree.Place) path.Shown { return diff.Internal.ChangeAt(p).Shown() }

// shown returns the path of a place, and how many of its steps may be shown; -1 for all.
func shown(p difftree.Place) (whole path.Path, visible int) {
	s := shownAt(p)
	if s.Redacted() {
		return s.RevealPath(), s.Path().Len()
	}
	return s.Path(), -1
}
