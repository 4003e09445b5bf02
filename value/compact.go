package value

import "strings"

// Compact returns a copy of v, marks included, that shares no memory with v or
// with anything else, texts included: for those who keep one leaf of a big bag,
// which would else keep the whole text and neighbours of that leaf alive. The
// copy is [Value.Identical] to v. Parts that v holds several times are copied
// several times.
func (v Value) Compact() Value {
	var c compaction
	out := c.copied(v)
	for len(c.todo) > 0 {
		next := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		for i := range next.elems {
			next.elems[i] = c.copied(next.elems[i])
		}
		for i := range next.members {
			m := &next.members[i]
			m.Key, m.Value = strings.Clone(m.Key), c.copied(m.Value)
		}
	}
	return out
}

// compaction is a Compact under way. What is to do are the insides of copied
// containers: in memory of the copy already, but not yet what they point to.
type compaction struct{ todo []inside }

type inside struct {
	elems   []Value
	members []Member
}

// copied returns a copy of v and, for a container, remembers its inside.
func (c *compaction) copied(v Value) Value {
	bare := v
	switch v.kind {
	case KindNull, KindBool, KindNumber, KindUnknown:
		if v.IsSecret() {
			bare = v.unveiled().veiled()
		}
		if !v.HasDependencies() {
			return bare
		}
	case KindString:
		bare = makeString(strings.Clone(v.str()))
	case KindArray:
		elems := cloned(v.elems())
		c.todo = append(c.todo, inside{elems: elems})
		bare = makeArray(elems)
	case KindObject:
		members := cloned(v.members())
		c.todo = append(c.todo, inside{members: members})
		bare = makeObject(members)
	case KindAsset:
		a := v.asset()
		bare = makeAsset(&assetRep{a.source, strings.Clone(a.text), strings.Clone(a.hash)})
	case KindArchive:
		a := *v.archive()
		a.text, a.hash, a.entries = strings.Clone(a.text), strings.Clone(a.hash), cloned(a.entries)
		c.todo = append(c.todo, inside{members: a.entries})
		bare = makeArchive(&a)
	case KindResourceReference:
		r := *v.reference()
		for _, text := range []*string{&r.URN, &r.ID.text, &r.PackageVersion, &r.Name, &r.Type} {
			*text = strings.Clone(*text)
		}
		bare = makeReference(&r)
	case KindSealed:
		s := v.sealed()
		bare = makeSealed(&Sealed{strings.Clone(s.Ciphertext), strings.Clone(s.Provider)})
	}
	bare = bare.WithMarksOf(v)
	if v.HasDependencies() {
		deps := cloned(v.deps())
		for i := range deps {
			deps[i] = strings.Clone(deps[i])
		}
		bare = bare.withDeps(deps)
	}
	return bare
}

// cloned is slices.Clone, which keeps the memory of an empty slice alive.
func cloned[T any](a []T) []T {
	own := make([]T, len(a))
	copy(own, a)
	return own
}
