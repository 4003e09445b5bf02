package demo

import (
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// shape is what a value may look like. The schema says the same to authors of programs;
// engines do not enforce it.
type shape struct {
	kind   value.Kind       // null: any
	fields map[string]shape // members of an object that have a shape of their own
	each   *shape           // other members of an object, or elements of an array
	needs  []string         // members that have to be there
	rule   func(v value.Value, fail failing)
}

// failing reports what is wrong with a value, or with what is below it.
type failing func(why string, below ...path.Step)

// check returns what is wrong with a value: where, and why. It must not say what it
// found: failures are shown to everybody. Nor does the engine, where they come from
// CheckFailureAt: what is wrong at a secret, or inside one, names no property, since
// the engine prints the property that is named.
func (s shape) check(v value.Value) []rpc.CheckFailure {
	var all []rpc.CheckFailure
	s.visit(v, path.Path{}, func(at path.Path, why string) {
		all = append(all, rpc.CheckFailureAt(v, at, why))
	})
	return all
}

// visit recurses as deep as the shape, which is known, never as deep as the value,
// which may be a million.
func (s shape) visit(v value.Value, at path.Path, report func(at path.Path, why string)) {
	fail := func(why string, below ...path.Step) { report(at.Append(below...), why) }
	switch {
	case v.IsUnknown(), v.IsNull(): // not known yet, and not given
		return
	case s.kind != value.KindNull && v.Kind() != s.kind:
		fail("expected " + s.kind.String())
		return
	case s.rule != nil:
		s.rule(v, fail)
	}
	for _, name := range s.needs {
		if v.Field(name).IsNull() {
			fail("is required", path.Key(name))
		}
	}
	for name, member := range v.Members() {
		field, known := s.fields[name]
		switch {
		case known:
			field.visit(member, at.Append(path.Key(name)), report)
		case s.each != nil:
			s.each.visit(member, at.Append(path.Key(name)), report)
		case s.fields != nil:
			fail("there is no such property", path.Key(name))
		}
	}
	for i, elem := range v.Elems() {
		if s.each != nil {
			s.each.visit(elem, at.Append(path.Index(i)), report)
		}
	}
}

func shown(v value.Value, fail failing) { // what IDs and addresses are made of
	if text, _ := v.AsString(); text == "" || v.IsSecret() {
		fail("is empty, or a secret, which would be shown")
	}
}

func named(v value.Value, fail failing) { // IDs are a name, "#" and a number
	shown(v, fail)
	if text, _ := v.AsString(); strings.Contains(text, "#") {
		fail(`holds a "#"`)
	}
}

func within(low, high float64) func(value.Value, failing) {
	return func(v value.Value, fail failing) {
		if n, _ := v.AsNumber(); !(n >= low && n <= high && n == float64(int64(n))) {
			fail("not a whole number in range")
		}
	}
}

func noDuplicates(v value.Value, fail failing) {
	seen := map[string]bool{}
	for i, elem := range v.Elems() {
		text, known := elem.AsString()
		if known && seen[text] {
			fail("duplicate element", path.Index(i))
		}
		seen[text] = known
	}
}
