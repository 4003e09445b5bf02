package asset

import (
	"slices"

	"github.com/propalg/propalg/value"
)

// filling puts hashes into a value: it meets assets and archives in the order in
// which a plan has them.
type filling struct {
	*hashPlan
	met     int
	stack   []fillFrame
	result  value.Value
	changed bool
}

// fillFrame is a container that is open: a literal archive too. Parts is nil until
// one of them has changed.
type fillFrame struct {
	v       value.Value   // with its marks
	bare    value.Value   // without the secret mark, so that its parts have their own only
	archive value.Archive // if it is one
	blob    int
	next    int
	parts   []value.Member
}

func (f *filling) run(v value.Value) value.Value {
	f.visit(v)
	for len(f.stack) > 0 {
		top := &f.stack[len(f.stack)-1]
		if top.next == top.width() {
			f.pop()
			continue
		}
		part := top.part(top.next).Value
		top.next++
		f.visit(part)
	}
	if !f.changed {
		return v
	}
	return f.result
}

func (t *fillFrame) width() int {
	if t.v.Kind() == value.KindArchive {
		return t.archive.Len()
	}
	return t.bare.Len()
}

func (t *fillFrame) part(i int) value.Member {
	var m value.Member
	switch t.v.Kind() {
	case value.KindArchive:
		m.Key, m.Value, _ = t.archive.EntryAt(i)
	case value.KindArray:
		m.Value = t.bare.Elem(i)
	case value.KindObject:
		m.Key, m.Value, _ = t.bare.MemberAt(i)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	return m
}

// visit opens containers, and hashes what is to be hashed.
func (f *filling) visit(v value.Value) {
	switch v.Kind() {
	case value.KindArray, value.KindObject:
		if v.Len() > 0 {
			f.stack = append(f.stack, fillFrame{v: v, bare: v.DropSecret(), blob: noJob})
			return
		}
	case value.KindArchive:
		a, _ := v.AsArchive()
		f.stack = append(f.stack, fillFrame{v: v, archive: a, blob: f.meet()})
		return
	case value.KindAsset:
		if job := f.meet(); job != noJob {
			a, _ := v.AsAsset()
			f.put(marked(v, a.WithHash(f.jobs[job].hash).Value()), true)
			return
		}
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	f.put(v, false)
}

// meet is the job of the next asset or archive.
func (f *filling) meet() int {
	f.met++
	return f.blobs[f.met-1]
}

// pop closes a container.
func (f *filling) pop() {
	t := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	if t.parts == nil && t.blob == noJob {
		f.put(t.v, false)
		return
	}
	var fresh value.Value
	switch t.v.Kind() {
	case value.KindArchive:
		fresh = t.madeArchive(f.jobs)
	case value.KindArray:
		elems := make([]value.Value, len(t.parts))
		for i, p := range t.parts {
			elems[i] = p.Value
		}
		fresh = value.Array(elems...)
	case value.KindObject:
		fresh = value.Object(t.parts...)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	f.put(marked(t.v, fresh), true)
}

// madeArchive is the archive with its new entries, and with its hash.
func (t *fillFrame) madeArchive(jobs []hashJob) value.Value {
	a := t.archive
	hash, _ := a.Hash()
	if t.parts != nil {
		if remade, err := value.LiteralArchive(t.parts...); err == nil { // as they were, but for hashes
			a = remade
		}
	}
	if t.blob != noJob {
		hash = jobs[t.blob].hash
	}
	return a.WithHash(hash).Value()
}

// put gives a part to the container it comes from.
func (f *filling) put(v value.Value, changed bool) {
	if len(f.stack) == 0 {
		f.result, f.changed = v, changed
		return
	}
	top := &f.stack[len(f.stack)-1]
	if !changed {
		return
	}
	if top.parts == nil {
		top.parts = make([]value.Member, top.width())
		for i := range top.parts {
			top.parts[i] = top.part(i)
		}
	}
	top.parts[top.next-1].Value = v
}

// marked gives a new value the marks of the old one.
func marked(old, fresh value.Value) value.Value {
	if old.HasDependencies() {
		fresh = fresh.WithDependencies(slices.Collect(old.Dependencies())...)
	}
	if old.IsSecret() {
		fresh = value.Secret(fresh)
	}
	return fresh
}
