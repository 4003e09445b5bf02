package bench_test

import (
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/propalg/propalg/value"
)

// Four representations of a property value that were weighed, each with the
// same small bag (see shape): 406 nodes, 5 of them secret. What decided is in
// docs/notes/values.md.
//
//   - value:  24 bytes: pointer, number, facts; sorted members (the one we have)
//   - iface:  log/slog's way: an interface, a number, and flags (32 bytes)
//   - node:   a pointer to a node that holds everything, objects as Go maps
//   - wide:   a plain struct with a field for every content, no unsafe (72 bytes)

// shape makes a bag through the constructors of one design.
type shape[V any] struct {
	null   func() V
	number func(float64) V
	str    func(string) V
	array  func([]V) V
	object func([]string, []V) V
	secret func(V) V
}

func (s shape[V]) bag() V {
	var keys []string
	var members []V
	for i := range 45 {
		n := strconv.Itoa(i)
		id := s.str("i-0123456789abcdef" + n)
		if i%9 == 0 {
			id = s.secret(id)
		}
		keys = append(keys, "resource"+n)
		members = append(members, s.object(
			[]string{"id", "name", "size", "tags", "zone"},
			[]V{id, s.str("web-" + n), s.number(float64(i)), s.array([]V{s.str("a"), s.str("b"), s.null()}), s.str("eu-west-1")}))
	}
	return s.object(keys, members)
}

var ours = shape[value.Value]{
	null: value.Null, number: value.Number, str: value.String, secret: value.Secret,
	array: func(es []value.Value) value.Value { return value.Array(es...) },
	object: func(keys []string, vs []value.Value) value.Value {
		ms := make([]value.Member, len(keys))
		for i := range keys {
			ms[i] = value.Member{Key: keys[i], Value: vs[i]}
		}
		return value.Object(ms...)
	},
}

// iface: the dynamic type of the interface is the kind.
type iface struct {
	any   any
	num   uint64
	flags uint32
}

type (
	ifaceString *byte
	ifaceElems  *iface
	ifaceMember struct {
		key   string
		value iface
	}
	ifaceMembers *ifaceMember
	ifaceNumber  struct{}
)

var ifaces = shape[iface]{
	null:   func() iface { return iface{} },
	number: func(f float64) iface { return iface{any: ifaceNumber{}, num: uint64(f)} },
	str:    func(s string) iface { return iface{any: ifaceString(unsafe.StringData(s)), num: uint64(len(s))} },
	array: func(es []iface) iface {
		return iface{any: ifaceElems(unsafe.SliceData(append([]iface(nil), es...))), num: uint64(len(es))}
	},
	object: func(keys []string, vs []iface) iface {
		ms := make([]ifaceMember, len(keys))
		for i := range keys {
			ms[i] = ifaceMember{keys[i], vs[i]}
		}
		return iface{any: ifaceMembers(unsafe.SliceData(ms)), num: uint64(len(ms))}
	},
	secret: func(v iface) iface { v.flags |= 1; return v },
}

func (v iface) equal(w iface) bool {
	if v.num != w.num || v.flags != w.flags {
		return false
	}
	switch x := v.any.(type) {
	case nil:
		return w.any == nil
	case ifaceNumber:
		_, ok := w.any.(ifaceNumber)
		return ok
	case ifaceString:
		y, ok := w.any.(ifaceString)
		return ok && unsafe.String(x, v.num) == unsafe.String(y, w.num)
	case ifaceElems:
		y, ok := w.any.(ifaceElems)
		if !ok {
			return false
		}
		a, b := unsafe.Slice((*iface)(x), v.num), unsafe.Slice((*iface)(y), v.num)
		for i := range a {
			if !a[i].equal(b[i]) {
				return false
			}
		}
		return true
	case ifaceMembers:
		y, ok := w.any.(ifaceMembers)
		if !ok {
			return false
		}
		a, b := unsafe.Slice((*ifaceMember)(x), v.num), unsafe.Slice((*ifaceMember)(y), v.num)
		for i := range a {
			if a[i].key != b[i].key || !a[i].value.equal(b[i].value) {
				return false
			}
		}
		return true
	}
	return false
}

// node: every value is a pointer.
type node struct {
	kind    value.Kind
	secret  bool
	num     float64
	str     string
	elems   []*node
	members map[string]*node
}

var nodes = shape[*node]{
	null:   func() *node { return &node{} },
	number: func(f float64) *node { return &node{kind: value.KindNumber, num: f} },
	str:    func(s string) *node { return &node{kind: value.KindString, str: s} },
	array:  func(es []*node) *node { return &node{kind: value.KindArray, elems: append([]*node(nil), es...)} },
	object: func(keys []string, vs []*node) *node {
		ms := make(map[string]*node, len(keys))
		for i := range keys {
			ms[keys[i]] = vs[i]
		}
		return &node{kind: value.KindObject, members: ms}
	},
	secret: func(v *node) *node { w := *v; w.secret = true; return &w },
}

func (v *node) equal(w *node) bool {
	if v.kind != w.kind || v.secret != w.secret || v.num != w.num || v.str != w.str ||
		len(v.elems) != len(w.elems) || len(v.members) != len(w.members) {
		return false
	}
	for i := range v.elems {
		if !v.elems[i].equal(w.elems[i]) {
			return false
		}
	}
	for k, m := range v.members {
		if o, ok := w.members[k]; !ok || !m.equal(o) {
			return false
		}
	}
	return true
}

// wide: sorted members, no pointers but those of Go's own strings and slices.
type wide struct {
	kind    value.Kind
	secret  bool
	num     float64
	str     string
	elems   []wide
	members []wideMember
}

type wideMember struct {
	key   string
	value wide
}

var wides = shape[wide]{
	null:   func() wide { return wide{} },
	number: func(f float64) wide { return wide{kind: value.KindNumber, num: f} },
	str:    func(s string) wide { return wide{kind: value.KindString, str: s} },
	array:  func(es []wide) wide { return wide{kind: value.KindArray, elems: append([]wide(nil), es...)} },
	object: func(keys []string, vs []wide) wide {
		ms := make([]wideMember, len(keys))
		for i := range keys {
			ms[i] = wideMember{keys[i], vs[i]}
		}
		return wide{kind: value.KindObject, members: ms}
	},
	secret: func(v wide) wide { v.secret = true; return v },
}

func (v *wide) equal(w *wide) bool {
	if v.kind != w.kind || v.secret != w.secret || v.num != w.num || v.str != w.str ||
		len(v.elems) != len(w.elems) || len(v.members) != len(w.members) {
		return false
	}
	for i := range v.elems {
		if !v.elems[i].equal(&w.elems[i]) {
			return false
		}
	}
	for i := range v.members {
		if v.members[i].key != w.members[i].key || !v.members[i].value.equal(&w.members[i].value) {
			return false
		}
	}
	return true
}

func BenchmarkDesignEqual(b *testing.B) {
	run := func(name string, equal func() bool) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !equal() {
					b.Fatal("not equal")
				}
			}
		})
	}
	a1, a2 := ours.bag(), ours.bag()
	run("value", func() bool { return a1.Equal(a2) })
	b1, b2 := ifaces.bag(), ifaces.bag()
	run("iface", func() bool { return b1.equal(b2) })
	c1, c2 := nodes.bag(), nodes.bag()
	run("node", func() bool { return c1.equal(c2) })
	d1, d2 := wides.bag(), wides.bag()
	run("wide", func() bool { return d1.equal(&d2) })
}

func BenchmarkDesignBuild(b *testing.B) {
	b.Run("value", func(b *testing.B) { build(b, ours) })
	b.Run("iface", func(b *testing.B) { build(b, ifaces) })
	b.Run("node", func(b *testing.B) { build(b, nodes) })
	b.Run("wide", func(b *testing.B) { build(b, wides) })
}

// build reports the bytes that one bag keeps, in addition to time and allocations.
func build[V any](b *testing.B, s shape[V]) {
	b.Helper()
	const many = 200
	var before, after runtime.MemStats
	kept := make([]V, many)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range kept {
		kept[i] = s.bag()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportAllocs()
	for b.Loop() {
		kept[0] = s.bag()
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/many, "kept-B")
	runtime.KeepAlive(kept)
}
