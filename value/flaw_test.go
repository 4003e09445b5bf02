package value_test

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/propalg/propalg/value"
)

// layout is a Value as rep.go lays it out. Tests look at it from outside: with a test file in
// package value, all that the tests import would be compiled once more.
type layout struct {
	_      [0]func()
	ptr    unsafe.Pointer
	num    uint64
	height uint32
	facts  uint16
	kind   value.Kind
	hint   value.Kind
}

// The facts, in their order.
const (
	ownSecret uint16 = 1 << iota
	inheritedSecret
	boxed
	deepSecret
	deepUnknown
	deepDeps
)

type box struct {
	ptr  unsafe.Pointer
	num  uint64
	deps []string
}

func memoryOf(v *value.Value) *layout { return (*layout)(unsafe.Pointer(v)) }

func (m *layout) content() (ptr unsafe.Pointer, num uint64, deps []string) {
	if m.facts&boxed != 0 {
		b := (*box)(m.ptr)
		return b.ptr, b.num, b.deps
	}
	return m.ptr, m.num, nil
}

// inherited reports whether v was handed out of a secret.
func inherited(v value.Value) bool { return memoryOf(&v).facts&inheritedSecret != 0 }

// flaw returns what is wrong with the representation of v, a shallow one: deep
// facts and heights that do not sum up, unsorted members or dependencies,
// inherited marks inside containers, content where there is none.
func flaw(v value.Value) error {
	m := memoryOf(&v)
	if unsafe.Sizeof(v) != unsafe.Sizeof(*m) {
		return errors.New("the layout is not that of a Value")
	}
	want := m.facts & (ownSecret | inheritedSecret | boxed)
	if m.facts&ownSecret != 0 {
		want |= deepSecret
	}
	reference, _ := v.AsResourceReference()
	if m.kind == value.KindUnknown || reference.ID.IsUnknown() {
		want |= deepUnknown
	}
	ptr, num, deps := m.content()
	if m.facts&boxed != 0 {
		want |= deepDeps
		if len(deps) == 0 || !slices.IsSorted(deps) || len(slices.Compact(slices.Clone(deps))) != len(deps) {
			return fmt.Errorf("dependencies %q", deps)
		}
	}
	children, err := insides(m)
	if err != nil {
		return err
	}
	height := uint32(0)
	for i, child := range children {
		if inherited(child) {
			return fmt.Errorf("child %d has an inherited mark in memory", i)
		}
		if err := flaw(child); err != nil {
			return fmt.Errorf("child %d: %w", i, err)
		}
		want |= memoryOf(&child).facts & (deepSecret | deepUnknown | deepDeps)
		height = max(height, memoryOf(&child).height)
	}
	if m.kind.IsContainer() {
		height++
	}
	isBits := m.kind == value.KindBool || m.kind == value.KindNumber
	switch {
	case m.facts != want || m.height != height:
		return fmt.Errorf("%v has facts %b and height %d, want %b and %d", m.kind, m.facts, m.height, want, height)
	case (m.hint != 0) != (m.kind == value.KindUnknown):
		return fmt.Errorf("%v has the hint %v", m.kind, m.hint)
	case (m.kind == value.KindNull || m.kind == value.KindUnknown) && ptr != nil, m.kind > value.KindObject && num != 0:
		return fmt.Errorf("%v has stray content", m.kind)
	case isBits && ptr != nil && num != 0, isBits && m.facts&boxed == 0 && (ptr != nil) != v.IsSecret():
		return fmt.Errorf("the bits of a %v are in the wrong place", m.kind)
	case m.kind == value.KindSealed && m.facts&ownSecret == 0:
		return errors.New("a sealed secret is not secret")
	}
	return nil
}

// insides are the elements or members in memory.
func insides(m *layout) ([]value.Value, error) {
	ptr, num, _ := m.content()
	switch m.kind {
	case value.KindArray:
		return unsafe.Slice((*value.Value)(ptr), int(num)), nil
	case value.KindObject:
		members := unsafe.Slice((*value.Member)(ptr), int(num))
		all := make([]value.Value, len(members))
		for i := range members {
			all[i] = members[i].Value
			if i > 0 && members[i-1].Key >= members[i].Key {
				return nil, fmt.Errorf("members %d and %d are not in order", i-1, i)
			}
		}
		return all, nil
	default:
		return nil, nil
	}
}
