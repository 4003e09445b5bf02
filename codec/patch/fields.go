package patch

import (
	"slices"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// field reads a field of a node, or of its elements.
func (r *reader) field(n *node, name string, at int, inElements bool) *Error {
	which := fieldOf(name, inElements)
	if which == 0 {
		n.mistake(at, wanted(inElements), "an unknown member")
		_, _, err := r.value()
		return err
	}
	if n.has&which != 0 {
		return &Error{Op: opDecode, Offset: at, err: codec.ErrDuplicate}
	}
	n.has |= which

	switch name {
	case "members":
		return r.inside(n, value.KindObject)
	case "elements":
		return r.inside(n, value.KindArray)
	case "changes":
		return r.changes(n)
	}

	raw, where, err := r.value()
	if err != nil {
		return err
	}
	if want := n.set(which, raw, where); want != "" {
		n.mistake(where.lo, want, "")
	}
	return nil
}

// fieldNames returns the names of the fields in the order of their bits, those of elements
// last.
func fieldNames() [17]string {
	return [...]string{
		"op", "own", "verdict", "oldIndex", "index", "moved", "hidden", "old", "new", "secret", "masked",
		"members", "elements", "oldLength", "length", "unordered", "changes",
	}
}

// fieldOf returns the field of a name, or 0.
func fieldOf(name string, inElements bool) field {
	names := fieldNames()
	i := slices.Index(names[:], name)
	if i < 0 {
		return 0
	}
	which := field(1) << i
	switch {
	case inElements != (which >= fieldOldLength):
		return 0
	case which&fieldInside != 0:
		return fieldInside
	}

	return which
}

// wanted lists the fields for error texts.
func wanted(inElements bool) string {
	if inElements {
		return "oldLength, length, unordered or changes"
	}
	return "op, own, verdict, oldIndex, index, moved, hidden, old, new, secret, masked, members or elements"
}

// set parses the text of a field. It returns what is expected if the text is invalid.
func (n *node) set(which field, raw string, at span) (want string) {
	ok := true
	switch which {
	case fieldOp:
		n.op, ok = opOf(text(raw))
		want = "an operation"
	case fieldOwn:
		n.own, ok = set(raw, ownOf)
		want = "dependencies, order or length, each once"
	case fieldVerdict:
		n.maybe, ok = text(raw) == "maybe", text(raw) == "maybe" || text(raw) == "changed"
		want = "maybe or changed"
	case fieldHidden:
		n.hides, ok = set(raw, sideOf)
		want = "old or new, each once"
	case fieldOldIndex:
		n.oldIndex, ok = number(raw)
		want = "an index"
	case fieldIndex:
		n.index, ok = number(raw)
		want = "an index"
	case fieldOldLength:
		n.oldLen, ok = number(raw)
		want = "a length"
	case fieldLength:
		n.length, ok = number(raw)
		want = "a length"
	case fieldOld:
		n.old = at
	case fieldNew:
		n.now = at

	case fieldMoved, fieldUnordered, fieldSecret, fieldMasked:
		var isTrue bool
		if isTrue, ok = flag(raw); isTrue {
			n.isTrue |= which
		}
		want = "true or false"

	case fieldMembers, fieldElements, fieldChanges, fieldInside: // not scalars: the reader enters them
	}
	if ok {
		return ""
	}

	return want
}

func opOf(name string) (difftree.Op, bool) {
	for op := difftree.OpAdd; op <= difftree.OpMove; op++ {
		if diff.Op(op).String() == name {
			return op, true
		}
	}
	return 0, false
}

func ownOf(name string) difftree.Facts {
	for _, o := range owns() {
		if o.name == name {
			return o.own
		}
	}
	return 0
}

func relationOf(name string) value.Relation {
	for _, r := range relations() {
		if r.String() == name {
			return r
		}
	}
	return 0
}

func sideOf(name string) field { return fieldOf(name, false) & (fieldOld | fieldNew) }

// set parses JSON text as a list of names, each once, of the bits that bitOf returns.
func set[T difftree.Facts | value.Relation | field](raw string, bitOf func(name string) T) (all T, ok bool) {
	list := jsonscan.Decoder{Text: raw}
	if t, _ := list.Next(); t.Kind != jsonscan.KindArray {
		return 0, false
	}
	for {
		t, fault := list.Next()
		if fault != nil || t.Kind == ']' {
			return all, fault == nil
		}

		bit := bitOf(text(raw[t.From:t.To]))
		if bit == 0 || all&bit != 0 {
			return all, false
		}
		all |= bit
	}
}

func flag(raw string) (is, ok bool) { return raw == "true", raw == "true" || raw == "false" }

// text parses JSON text as a string. Other text gives "", which names nothing.
func text(raw string) string {
	if raw[0] != '"' {
		return ""
	}
	return jsonscan.Unquote(raw[1 : len(raw)-1])
}

// number parses JSON text as an index or length.
func number(raw string) (int, bool) {
	n, err := strconv.ParseUint(raw, 10, strconv.IntSize-1)
	return int(n), err == nil //nolint:gosec // it has no more bits
}
