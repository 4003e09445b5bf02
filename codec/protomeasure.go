package codec

import (
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// depthOnStack is how many containers in one another need no allocation.
const depthOnStack = 16

// measurer finds out how many bytes a value takes as a message, and everything
// that keeps it from being written. The form of messages is drawn in
// protowire.go. It does not recurse: containers stand on a stack.
type measurer struct {
	bytes Policy // for byte strings
	limit int
	used  int  // messages around what is measured next, its own Value included
	inner int  // length of the message in the Value that was measured last, if there is one
	odd   bool // there is a string that goes as bytes
}

// measured is a container that is being measured.
type measured struct {
	branch
	next int // child that comes next
	len  int // children
	sum  int // bytes of the children before
	used int // messages around the container and its wrapping, its own Value included
	deps int // bytes of the list of dependencies
	key  int // length of the name of the container itself, if it is a member
}

// run returns the length of the Value that holds v. Then m.inner is the length
// of the Struct in it, if there is one.
func (m *measurer) run(v value.Value) (n int, err *Error) {
	var room [depthOnStack]measured
	open := room[:0] // the containers around top
	var top measured
	n, opened, err := m.value(v, v.IsSecret(), &top)
	if err != nil {
		err.At = trailOf(open)
	}
	if !opened || err != nil {
		return n, err
	}
	for {
		if top.plainOnes(); top.next == top.len {
			n = m.close(&top)
			if len(open) == 0 {
				return n, nil
			}
			key := top.key
			top = open[len(open)-1]
			open = open[:len(open)-1]
			top.add(key, n)
			continue
		}
		key, child := top.child(top.next)
		top.next++
		if key == SignatureKey { // it is the container that cannot be written
			err := flawed(ErrSignature, "another name than the signature key")
			err.At = trailOf(open)
			return 0, err
		}
		open = append(open, top)
		if !isUTF8(key) {
			err := flawed(ErrUTF8, "name in UTF-8")
			err.At = trailOf(open)
			return 0, err
		}
		n, opened, err := m.value(child, child.OwnSecret(), &top)
		if err != nil {
			err.At = trailOf(open)
			return 0, err
		}
		if opened {
			top.key = len(key)
			continue
		}
		top = open[len(open)-1]
		open = open[:len(open)-1]
		top.add(len(key), n)
	}
}

// plainOnes counts the children that come next and are scalars of the most usual
// kinds, which nothing can be wrong with.
func (f *measured) plainOnes() {
	if f.isArchive() {
		return
	}
	children, named, i, sum := f.children, f.named(), f.next, f.sum
	for ; i < f.len; i++ {
		key, child := children.At(i)
		if child.OwnSecret() || child.HasDependencies() {
			break
		}
		n := 2
		if kind := child.Kind(); kind == value.KindString {
			s, _ := child.AsString()
			if len(s) == sentinelLength || !isASCII(s) {
				break
			}
			n = chunkSize(len(s))
		} else if kind == value.KindNumber {
			n = 9
		} else if kind > value.KindNumber {
			break
		}
		if !named {
			sum += chunkSize(n)
			continue
		}
		if len(key) == len(SignatureKey) || !isASCII(key) {
			break
		}
		sum += entrySize(len(key), n)
	}
	f.next, f.sum = i, sum
}

// add counts a child, which is a Value of n bytes and may have a name of so many.
func (f *measured) add(key, n int) {
	if f.named() {
		f.sum += entrySize(key, n)
	} else {
		f.sum += chunkSize(n)
	}
}

// close returns the length of the Value that holds a container.
func (m *measurer) close(top *measured) int {
	n := m.message(top.sum)
	if top.isArchive() {
		n = sigEntrySize + entrySize(len("assets"), n)
		if hash, ok := top.archive().Hash(); ok {
			n += entrySize(len("hash"), chunkSize(len(hash)))
		}
		n = m.message(n)
	}
	m.used = top.used
	return m.wrapped(top.from, top.isSecret, top.deps, n)
}

// message returns the length of a Value that holds a Struct or ListValue of n
// bytes.
func (m *measurer) message(n int) int {
	m.inner = n
	return chunkSize(n)
}

// value returns the length of the Value that holds v, or opens a container, which
// it puts into top.
func (m *measurer) value(v value.Value, isSecret bool, top *measured) (n int, opened bool, err *Error) {
	outside := m.used
	deps := 0
	if v.HasDependencies() {
		if deps, err = m.dependencies(v); err != nil {
			return 0, false, err
		}
		m.used += 3
	} else if isSecret && v.Kind() != value.KindSealed {
		if err := m.need(3); err != nil {
			return 0, false, err
		}
		m.used += 3
	}
	switch {
	case isBranch(v):
		b := branchOf(v, isSecret)
		*top = measured{branch: b, len: b.len(), used: outside, deps: deps}
		return 0, true, m.enter(top)
	case deps > 0 && v.IsUnknown():
	default:
		if n, err = m.leaf(v); err != nil {
			return 0, false, err
		}
	}
	m.used = outside
	if deps > 0 || isSecret {
		n = m.wrapped(v, isSecret, deps, n)
	}
	return n, false, nil
}

// enter checks what can be checked of a container before its children.
func (m *measurer) enter(b *measured) *Error {
	around := 0
	if b.isArchive() {
		if hash, ok := b.archive().Hash(); ok {
			if err := m.text(hash); err != nil {
				return err
			}
		}
		around = 3
	}
	most := around + 1
	if b.len > 0 {
		most = around + jsonscan.Cost(b.named())
	}
	if err := m.need(most); err != nil {
		return err
	}
	m.used += most
	return nil
}

// wrapped returns the length of a Value that holds a Value of n bytes with its
// marks.
func (m *measurer) wrapped(v value.Value, isSecret bool, deps, n int) int {
	switch {
	case deps > 0:
		n = entrySize(len("value"), n)
		if v.IsUnknown() {
			n = 0
		}
		if isSecret {
			n += len(secretEntry)
		}
		n += sigEntrySize + entrySize(len("dependencies"), chunkSize(deps))
	case isSecret && v.Kind() != value.KindSealed:
		n = sigEntrySize + entrySize(len("value"), n)
	default:
		return n
	}
	return m.message(n)
}

// dependencies returns the length of the ListValue with the dependencies.
func (m *measurer) dependencies(v value.Value) (n int, err *Error) {
	if err := m.need(5); err != nil {
		return 0, err
	}
	for urn := range v.Dependencies() {
		if err := m.text(urn); err != nil {
			return 0, err
		}
		n += chunkSize(chunkSize(len(urn)))
	}
	return n, nil
}

// leaf returns the length of a Value without its marks.
func (m *measurer) leaf(v value.Value) (int, *Error) {
	switch v.Kind() {
	case value.KindNumber:
		return 9, nil
	case value.KindString:
		s, _ := v.AsString()
		return m.string(s)
	case value.KindUnknown:
		return chunkSize(sentinelLength), nil
	case value.KindAsset, value.KindArchive, value.KindResourceReference:
		s := signedBy(v)
		return m.signed(&s)
	case value.KindSealed:
		return 0, flawed(ErrSealed, "the secret decrypted")
	case value.KindNull, value.KindBool, value.KindArray, value.KindObject:
	}
	return 2, nil
}

func (m *measurer) string(s string) (int, *Error) {
	switch {
	case !goesAsBytes(s):
		return chunkSize(len(s)), nil
	case m.bytes != Keep:
		return 0, m.text(s)
	}
	m.odd = true
	return m.message(sigEntrySize + entrySize(len("value"), chunkSize(base64Size(s)))), m.need(3)
}

// signed returns the length of a Value that holds an object with a signature.
func (m *measurer) signed(s *signed) (int, *Error) {
	n := sigEntrySize
	for i := range s.fields[:s.n] {
		f := &s.fields[i]
		if err := m.text(f.text); err != nil {
			return 0, err
		}
		n += entrySize(len(f.name), chunkSize(len(f.text)))
	}
	return m.message(n), m.need(3)
}

// text checks a string that can be no byte string.
func (m *measurer) text(s string) *Error {
	if !isUTF8(s) {
		return flawed(ErrUTF8, "")
	}
	if isSentinel(s) {
		return flawed(ErrSentinel, "")
	}
	return nil
}

// need checks that the limit allows so many more messages.
func (m *measurer) need(messages int) *Error {
	if m.used+messages > m.limit {
		return flawed(ErrDepth, "")
	}
	return nil
}

// flawed makes an error, but for its operation and place.
func flawed(cause error, want string) *Error { return &Error{Offset: -1, Want: want, err: cause} }

// trailOf returns the place of the child that the innermost of some containers is
// at.
func trailOf(open []measured) path.Shown {
	t := trail{visible: -1}
	for i := range open {
		f := &open[i]
		if f.isArchive() {
			break // no path leads into an archive
		}
		t.into(f.from, f.next-1)
	}
	return t.shown()
}

// chunkSize returns the length of a field that holds n bytes and has a tag of
// one byte.
func chunkSize(n int) int {
	if n < 0x80 {
		return 2 + n
	}
	return 1 + uvarintSize(n) + n
}

// entrySize returns the length of an entry of a Struct with a key of so many
// bytes and a Value of n.
func entrySize(key, n int) int {
	if key+n < 0x80-4 {
		return key + n + 6
	}
	return chunkSize(chunkSize(key) + chunkSize(n))
}

// The entries that objects with a signature have, as bytes: the signature, but
// for its own text; and the mark of a secret output.
const (
	sigEntry     = "\x0a\x46\x0a\x20" + SignatureKey + "\x12\x22\x1a\x20"
	sigEntrySize = len(sigEntry) + len(sigSecret)
	secretEntry  = "\x0a\x0c\x0a\x06secret\x12\x02\x20\x01"
)
