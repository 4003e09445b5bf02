package patch

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// masking reports whether the sides of a change are masked, and whether the node is
// masked as a whole.
func (w *writer) masking(p difftree.Place, r *difftree.Record) (hide, asWhole bool) {
	if w.opts.Secrets == value.RevealSecrets {
		return false, false
	}

	if r.Op != 0 && p.Secret() {
		return true, false
	}
	if !pairs(r) {
		return false, false
	}
	if _, deeper := p.Inside(); deeper || r.Own != 0 {
		return false, true
	}
	return !identical(r.Old, r.New), false
}

// pairs reports whether a record has two containers of one kind and a secret in either.
// A place in one may then be a place in the other.
func pairs(r *difftree.Record) bool {
	return (r.Op == difftree.OpUpdate || r.Op == difftree.OpMove) && r.Old.Kind() == r.New.Kind() &&
		(r.Old.ContainsSecret() || r.New.ContainsSecret())
}

// identical reports whether one value need not be written, since it equals the other, in
// what is put into a secret container too: a mark of its own stays there, an inherited one
// does not, and to Identical both are secret.
func identical(v, w value.Value) bool { return v.OwnSecret() == w.OwnSecret() && v.Identical(w) }

// inherits reports whether a value is secret only because an ancestor is.
func inherits(v value.Value) bool { return v.IsSecret() && !v.OwnSecret() }

// hidden writes which values are secret only because an ancestor is.
func (w *writer) hidden(s sides) {
	old, now := s.old.there && inherits(s.old.Value), s.now.there && inherits(s.now.Value)
	switch {
	case old && now:
		w.member(`"hidden":["old","new"]`)
	case old:
		w.member(`"hidden":["old"]`)
	case now:
		w.member(`"hidden":["new"]`)
	}
}

func (w *writer) shows(v value.Value) bool {
	return !v.ContainsSecret() || w.opts.Secrets == value.RevealSecrets || (w.opts.Secrets == value.KeepSealed && !hasClear(v))
}

// hasClear reports whether a value holds a secret that is not sealed.
func hasClear(v value.Value) bool {
	for c := range v.Walk() {
		if at := c.Value(); at.IsSecret() && at.Kind() != value.KindSealed {
			return true
		}
	}
	return false
}

// values writes the sides of a change that the container does not have, and returns
// the sides that are known inside the node.
//
// They are not known in a container that is only changed in parts, and holds something
// masked: a place that is secret on one side only, maybe at another index, would be in
// clear on the other (law 6). The nodes inside it write their own sides.
func (w *writer) values(p difftree.Place, r difftree.Record, up *opened, used int) (sides, error) {
	var above sides
	if up != nil {
		above = up.sides.within(&r, up.kind)
	}
	if r.Op == 0 {
		return above, nil
	}

	all := of(&r)
	if above.known {
		if above.old.there != all.old.there || above.now.there != all.now.there {
			return all, &Error{Op: opEncode, At: shownAt(p), Offset: -1, Want: "the value in the changed container", err: diff.ErrInvalid}
		}
		all.old.there = all.old.there && !identical(all.old.Value, above.old.Value)
		all.now.there = all.now.there && !identical(all.now.Value, above.now.Value)
	} else if r.Op == difftree.OpMove && identical(r.Old, r.New) {
		all.now.there = false
	}

	hide, asWhole := w.masking(p, &r)
	if asWhole {
		w.member(`"masked":true`)
		w.masked = true
		return sides{}, nil
	}
	if !hide {
		w.hidden(all)
	}
	if err := w.value(p, `"old":`, all.old, hide, used); err != nil {
		return all, err
	}
	if err := w.value(p, `"new":`, all.now, hide, used); err != nil {
		return all, err
	}
	return sides{old: side{r.Old, true}, now: side{r.New, true}, known: true}, nil
}

// value writes one side, if present.
func (w *writer) value(p difftree.Place, name string, s side, hide bool, used int) error {
	if !s.there {
		return nil
	}

	w.member(name)
	v, o := s.Value, codec.Options{Form: codec.FormSealed, Depth: room(w.limit, used)}
	bare := inherits(v) && !hide
	switch {
	case hide && (w.opts.Secrets != value.KeepSealed || v.Kind() != value.KindSealed):
		v, o.Form, w.masked = value.Secret(value.Null()), codec.FormMasked, true
	case bare:
		v = v.DropSecret()
	}
	if !w.shows(v) {
		o.Form, w.masked = codec.FormMasked, true
	}
	out, err := codec.AppendJSONValue(w.out, v, o)
	if err != nil {
		at, visible := shown(p)
		if bare && visible < 0 {
			visible = at.Len()
		}
		return inValue(opEncode, err, at, visible, -1)
	}

	w.out = out
	return nil
}
