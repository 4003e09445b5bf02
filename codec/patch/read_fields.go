package patch

import (
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// field is a set of fields of a node and of its elements.
type field uint32

const (
	fieldOp field = 1 << iota
	fieldOwn
	fieldVerdict
	fieldOldIndex
	fieldIndex
	fieldMoved
	fieldHidden
	fieldOld
	fieldNew
	fieldSecret
	fieldMasked
	fieldInside // members or elements
	fieldOldLength
	fieldLength
	fieldUnordered
	fieldChanges

	fieldsOfElements = fieldOldLength | fieldLength | fieldUnordered | fieldChanges
)

// fieldOf returns the field of a name, or 0, and what its value is, for error texts.
func fieldOf(name string) (which field, want string) {
	switch name {
	case "op":
		return fieldOp, "an operation"
	case "own":
		return fieldOwn, "dependencies, order or length, each once"
	case "verdict":
		return fieldVerdict, "maybe or changed"
	case "oldIndex":
		return fieldOldIndex, "an index"
	case "index":
		return fieldIndex, "an index"
	case "moved":
		return fieldMoved, "true or false"
	case "hidden":
		return fieldHidden, "old or new, each once"
	case "old":
		return fieldOld, ""
	case "new":
		return fieldNew, ""
	case "secret":
		return fieldSecret, "true or false"
	case "masked":
		return fieldMasked, "true or false"
	case "members", "elements":
		return fieldInside, ""
	case "oldLength":
		return fieldOldLength, "a length"
	case "length":
		return fieldLength, "a length"
	case "unordered":
		return fieldUnordered, "true or false"
	case "changes":
		return fieldChanges, ""
	}
	return 0, ""
}

// field reads a field of a node, or of its elements.
func (r *reader) field(n *node, name string, at int, inElements bool) *Error {
	which, want := fieldOf(name)
	isOfElements := which&fieldsOfElements != 0
	if which == 0 || isOfElements != inElements {
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
	if !n.set(which, raw, where) {
		n.mistake(where.lo, want, "")
	}
	return nil
}

// wanted lists the fields for error texts.
func wanted(inElements bool) string {
	if inElements {
		return "oldLength, length, unordered or changes"
	}
	return "op, own, verdict, oldIndex, index, moved, hidden, old, new, secret, masked, members or elements"
}

// set parses the text of a field, and reports whether it is valid.
func (n *node) set(which field, raw string, at span) (ok bool) {
	ok = true
	switch which {
	case fieldOp:
		n.op, ok = opOf(text(raw))
	case fieldOwn:
		n.own, ok = set(raw, ownOf)
	case fieldVerdict:
		n.maybe, ok = text(raw) == "maybe", text(raw) == "maybe" || text(raw) == "changed"
	case fieldHidden:
		n.hides, ok = set(raw, sideOf)
	case fieldOldIndex:
		n.oldIndex, ok = number(raw)
	case fieldIndex:
		n.index, ok = number(raw)
	case fieldOldLength:
		n.oldLen, ok = number(raw)
	case fieldLength:
		n.length, ok = number(raw)
	case fieldOld:
		n.old = at
	case fieldNew:
		n.now = at

	case fieldMoved, fieldUnordered, fieldSecret, fieldMasked:
		var isTrue bool
		if isTrue, ok = flag(raw); isTrue {
			n.isTrue |= which
		}

	case fieldInside, fieldChanges, fieldsOfElements: // not scalars: the reader enters them
	}

	return ok
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

func sideOf(name string) field {
	which, _ := fieldOf(name)
	return which & (fieldOld | fieldNew)
}

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

// relations returns the relations that a patch can name.
func relations() [4]value.Relation {
	return [...]value.Relation{value.NullAsMissing, value.IgnoreSecrets, value.IgnoreDependencies, value.IgnoreReferenceDetails}
}

// ownName is the name of an aspect of a container's own change.
type ownName struct {
	own  difftree.Facts
	name string
}

func owns() [3]ownName {
	return [...]ownName{{difftree.DependenciesChanged, "dependencies"}, {difftree.OrderChanged, "order"}, {difftree.ValueChanged, "length"}}
}
