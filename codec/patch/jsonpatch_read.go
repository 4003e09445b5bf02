package patch

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

const opReadJSONPatch = "read JSON patch"

// ReadJSONPatch reads a JSON Patch (RFC 6902) and returns what it changes in base: the
// [value.Strict] diff, of aligned arrays, from base to what the operations make of it. Its
// Apply makes these changes in base, and in other values that the diff fits.
//
// The values of the document are read as package codec does, so that assets and references
// which [JSONPatch] wrote are such again. Base is its JSON without marks. Places below an
// asset, an archive, a reference, a sealed secret or an unknown do not exist, and a test
// finds an unknown equal to nothing but an unknown. A test, and an operation that replaces a
// value by an equal one, overlook marks, and the latter changes nothing. Containers above
// what changes keep their marks.
//
// A place that is secret in base, or when an operation replaces what is there, stays
// secret; so does what is moved or copied from a secret. What differs in shape from a value
// that held secrets becomes secret as a whole ([value.Value.WithSecretsOf]), and so does
// what enters an array that held one.
//
// All operations are done, or none and the error is an [*Error]. For a text that is no JSON
// Patch it wraps [ErrForm] or a cause of package codec. For one that does not fit base it
// wraps [diff.ErrFit], with the place in the value as it is at that operation; in a secret
// that is the outermost one, and the error is the same whatever is there. [Error].Op has the
// index of the operation, from 0. Copies that add up to more than 64 MiB are an error that
// wraps [codec.ErrPolicy].
//
// An operation takes time that grows with its own text and with the logarithm of the length
// of arrays. The first one in an array takes time linear in its length; so do, with their
// value, a copy, and a move to a place that holds or held a secret.
func ReadJSONPatch[Text ~string | ~[]byte](text Text, base value.Value, o Options) (diff.Diff, error) {
	return readJSONPatch(string(text), base, o)
}

func readJSONPatch(text string, base value.Value, o Options) (diff.Diff, error) {
	document, err := decodeRequest(opReadJSONPatch, text, o)
	if err != nil {
		return diff.Diff{}, err
	}
	if document.Kind() != value.KindArray {
		return diff.Diff{}, &Error{Op: opReadJSONPatch, Offset: -1, Want: "an array of operations", err: ErrForm}
	}

	t := target{root: newPlace(base, base), room: mostCopied}
	for i, operation := range document.Elems() {
		if err := t.operate(operation); err != nil {
			err.Op = opReadJSONPatch + ": operation " + strconv.Itoa(i)
			return diff.Diff{}, err
		}
	}
	return diff.Between(base, t.root.settle(), diff.Options{Arrays: diff.Aligned()}), nil
}

// decodeRequest decodes a document that is to be read. A place in it is no place in the
// value that it is for, so that only the offset is kept.
func decodeRequest(op, text string, o Options) (value.Value, error) {
	if err := o.check(op); err != nil {
		return value.Value{}, err
	}
	document, err := codec.DecodeJSONValue(text, codec.Options{Depth: o.depth(), Provider: o.Provider})
	var e *codec.Error
	if errors.As(err, &e) {
		return value.Value{}, &Error{Op: op, Offset: e.Offset, Want: e.Want, Found: e.Found, err: errors.Unwrap(e)}
	}

	return document, nil
}

// operate makes the change of one operation.
func (t *target) operate(operation value.Value) *Error {
	if operation.Kind() != value.KindObject || isMarked(operation) {
		return malformed("an object with op and path", "")
	}
	op, err := textOf(operation, "op")
	if err != nil {
		return err
	}
	at, err := pointer(operation, "path")
	if err != nil {
		return err
	}

	switch op {
	case "remove":
		_, _, err = t.take(at)
		return err
	case "move", "copy":
		from, err := pointer(operation, "from")
		switch {
		case err != nil:
			return err
		case op == "copy":
			return t.duplicate(from, at)
		}
		return t.move(from, at)
	case "add", "replace", "test":
	default:
		return malformed("add, remove, replace, move, copy or test as op", "")
	}

	v, ok := operation.Lookup("value")
	switch {
	case !ok:
		return malformed("a member value", "none")
	case op == "test":
		return t.test(at, v)
	}
	x := newPlace(v, value.Null())
	x.given = !v.ContainsSecret() && !v.ContainsDependencies()
	return t.put(at, x, op == "add", nil)
}

// textOf returns a member of an operation that is a text.
func textOf(operation value.Value, name string) (string, *Error) {
	v, ok := operation.Lookup(name)
	if !ok {
		return "", malformed("a member "+name, "none")
	}
	s, ok := v.AsString()
	if !ok || isMarked(v) {
		return "", malformed("a string as "+name, "")
	}
	return s, nil
}

// pointer returns the tokens of a JSON pointer (RFC 6901).
func pointer(operation value.Value, name string) ([]string, *Error) {
	s, err := textOf(operation, name)
	if err != nil || s == "" {
		return nil, err
	}

	tokens := strings.Split(s, "/")
	if tokens[0] != "" {
		return nil, malformed("a JSON pointer as "+name, "no '/' at its beginning")
	}
	for i, token := range tokens {
		if !strings.Contains(token, "~") {
			continue
		}
		if strings.Count(token, "~") != strings.Count(token, "~0")+strings.Count(token, "~1") {
			return nil, malformed("a JSON pointer as "+name, "a '~' without 0 or 1")
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return tokens[1:], nil
}

// isMarked reports whether a value has a mark itself.
func isMarked(v value.Value) bool { return v.IsSecret() || v.HasDependencies() }

func malformed(want, found string) *Error {
	return &Error{Offset: -1, Want: want, Found: found, err: ErrForm}
}

func (t *target) test(at []string, v value.Value) *Error {
	w, x, err := t.find(at)
	if err != nil {
		return err
	}
	if !sameJSON(x.settle(), v) {
		w.enter(x)
		return w.misfit("the value of the test", "")
	}

	return nil
}

func (t *target) move(from, to []string) *Error {
	if len(from) < len(to) && slices.Equal(from, to[:len(from)]) {
		return malformed("a path that is not inside of from", "")
	}
	if slices.Equal(from, to) {
		_, _, err := t.find(from)
		return err
	}
	w, x, err := t.take(from)
	if err != nil {
		return err
	}

	return t.put(to, x, true, w.last())
}

func (t *target) duplicate(from, to []string) *Error {
	w, x, err := t.find(from)
	if err != nil {
		return err
	}
	v := x.settle()
	if w.secret >= 0 {
		v = v.AsPartOf(w.above[w.secret].v)
	}
	if t.room = remaining(t.room, v); t.room < 0 {
		return &Error{At: w.shown(), Offset: -1, Found: "copies of more than 64 MiB", err: codec.ErrPolicy}
	}

	return t.put(to, newPlace(v, value.Null()), true, nil)
}

// mostCopied limits what copies add to a value, in bytes: each can double it.
const mostCopied = 64 << 20

// remaining returns what a value leaves of a room, or something negative.
func remaining(room int, v value.Value) int {
	const overhead = 16

	room -= overhead
	if s, ok := v.AsString(); ok {
		return room - len(s)
	}
	if a, ok := v.AsAsset(); ok {
		s, _ := a.Text()
		return room - len(s)
	}
	for children, i := v.Children(), 0; i < children.Len() && room >= 0; i++ {
		key, child := children.At(i)
		room = remaining(room-len(key), child)
	}
	return room
}
