package codec

import (
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// measurer finds out how many bytes a value takes as a message, and everything
// that keeps it from being written. The form of messages is drawn in
// protowire.go. It does not recurse: containers stand on a stack.
type measurer struct {
	bytes Policy // for byte strings
	limit int
	used  int // messages around what is measured next, its own Value included
	inner int // length of the message in the Value that was measured last, if there is one
	open  stack[measured]
}

// measured is a container that is being measured.
type measured struct {
	branch
	next int // child that comes next
	sum  int // bytes of the children before
	used int // messages around the container and its wrapping, its own Value included
	deps int // bytes of the list of dependencies
}

// run returns the length of the Value that holds v. Then m.inner is the length
// of the Struct in it, if there is one.
func (m *measurer) run(v value.Value) (n int, err *Error) {
	n, opened, err := m.value("", v, v.IsSecret())
	if err != nil || !opened {
		return n, err
	}
	for {
		top := m.open.top()
		if top.next == top.len() {
			key := top.key
			n = m.close(top)
			if m.open.n == 0 {
				return n, nil
			}
			m.add(key, n)
			continue
		}
		key, child := top.child(top.next)
		top.next++
		if top.named() {
			if err := m.key(key); err != nil {
				return 0, err
			}
		}
		n, opened, err := m.value(key, child, child.OwnSecret())
		if err != nil {
			return 0, err
		}
		if !opened {
			m.add(key, n)
		}
	}
}

// add counts a child, which is a Value of n bytes.
func (m *measurer) add(key string, n int) {
	if top := m.open.top(); top.named() {
		top.sum += entrySize(len(key), n)
	} else {
		top.sum += chunkSize(n)
	}
}

func (m *measurer) key(key string) *Error {
	if len(key) == len(SignatureKey) && key == SignatureKey {
		m.open.pop() // it is the container that cannot be written
		return m.fail(ErrSignature, "another name than the signature key")
	}
	if !utf8.ValidString(key) {
		return m.fail(ErrUTF8, "name in UTF-8")
	}
	return nil
}

// close returns the length of the Value that holds the container on top of the
// stack.
func (m *measurer) close(top *measured) int {
	n := m.message(top.sum)
	if top.isArchive {
		n = sigEntrySize + entrySize(len("assets"), n)
		if hash, ok := top.archive.Hash(); ok {
			n += entrySize(len("hash"), chunkSize(len(hash)))
		}
		n = m.message(n)
	}
	m.used = top.used
	n = m.wrapped(top.from, top.isSecret, top.deps, n)
	m.open.pop()
	return n
}

// message returns the length of a Value that holds a Struct or ListValue of n
// bytes.
func (m *measurer) message(n int) int {
	m.inner = n
	return chunkSize(n)
}

// value returns the length of the Value that holds v, or opens a container.
func (m *measurer) value(key string, v value.Value, isSecret bool) (n int, opened bool, err *Error) {
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
		b := branchOf(v, isSecret, key)
		if err = m.enter(&b); err == nil {
			m.open.push(measured{branch: b, used: outside, deps: deps})
		}
		return 0, true, err
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
func (m *measurer) enter(b *branch) *Error {
	around := 0
	if b.isArchive {
		if hash, ok := b.archive.Hash(); ok {
			if err := m.text(hash); err != nil {
				return err
			}
		}
		around = 3
	}
	most := around + 1
	if b.len() > 0 {
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
		return 0, m.fail(ErrSealed, "the secret decrypted")
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
	if !utf8.ValidString(s) {
		return m.fail(ErrUTF8, "")
	}
	if isSentinel(s) {
		return m.fail(ErrSentinel, "")
	}
	return nil
}

// need checks that the limit allows so many more messages.
func (m *measurer) need(messages int) *Error {
	if m.used+messages > m.limit {
		return m.fail(ErrDepth, "")
	}
	return nil
}

// fail makes the error for the value that is being measured, but for its operation:
// what m holds is to stay on the stack.
func (m *measurer) fail(cause error, want string) *Error {
	t := trail{visible: -1}
	for i := range m.open.n {
		f := m.open.at(i)
		if f.isArchive {
			break // no path leads into an archive
		}
		t.into(f.from, f.next-1)
	}
	return &Error{At: t.shown(), Offset: -1, Want: want, err: cause}
}

// chunkSize returns the length of a field that holds n bytes and has a tag of
// one byte.
func chunkSize(n int) int { return 1 + uvarintSize(n) + n }

// entrySize returns the length of an entry of a Struct with a key of so many
// bytes and a Value of n.
func entrySize(key, n int) int { return chunkSize(chunkSize(key) + chunkSize(n)) }

// The entries that objects with a signature have, as bytes: the signature, but
// for its own text; and the mark of a secret output.
const (
	sigEntry     = "\x0a\x46\x0a\x20" + SignatureKey + "\x12\x22\x1a\x20"
	sigEntrySize = len(sigEntry) + len(sigSecret)
	secretEntry  = "\x0a\x0c\x0a\x06secret\x12\x02\x20\x01"
)
