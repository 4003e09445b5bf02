package value

import "slices"

// Restore returns v with its elided assets and archives filled in from a value
// that holds assets and archives of the same hashes with their contents, as engines
// do after a call, of which providers may answer with hashes alone. Entries of
// literal archives, on either side, are filled in and looked at too. What is found
// nowhere stays elided.
//
// Of several contents with one hash the first one counts, in the order of
// [Value.Walk], but for those in a secret, which count last: what is filled in
// from a secret becomes secret (an archive as a whole, when it is one of its
// entries). Other marks are v's own, and stay. What is filled in comes as from has
// it; elided entries in it stay elided. What does not change shares memory with v.
func Restore(v, from Value) Value {
	r := restoring{found: map[blobKey]blobFound{}}
	eachBlob(v, func(blob Value, _ bool) {
		if key, elided := keyOf(blob); elided {
			r.found[key] = blobFound{}
		}
	})
	if len(r.found) == 0 {
		return v
	}
	eachBlob(from, func(blob Value, secret bool) {
		key, elided := keyOf(blob)
		if had, wanted := r.found[key]; wanted && !elided && (!had.there || had.secret && !secret) {
			r.found[key] = blobFound{blob, true, secret}
		}
	})
	return r.run(v)
}

// blobKey is what an elided asset or archive and its contents have in common.
type blobKey struct {
	hash string
	kind Kind
}

type blobFound struct {
	value  Value // without marks
	there  bool
	secret bool // it stands in a secret
}

// keyOf is the key of an asset or archive; it is elided, or it has contents.
func keyOf(blob Value) (key blobKey, elided bool) {
	if blob.kind == KindAsset {
		a := blob.asset()
		return blobKey{a.hash, KindAsset}, a.source == SourceElided
	}
	a := blob.archive()
	return blobKey{a.hash, KindArchive}, a.source == SourceElided
}

// bareBlob is an asset or archive without marks.
func bareBlob(blob Value) Value {
	if blob.kind == KindAsset {
		return makeAsset(blob.asset())
	}
	return makeArchive(blob.archive())
}

// eachBlob hands out all assets and archives in a value, without their marks, and
// whether they are in a secret: entries of archives too, after what they are in.
func eachBlob(v Value, f func(blob Value, secret bool)) {
	var open [][]Member // of archives
	for c := range v.Walk() {
		if k := c.value.kind; k != KindAsset && k != KindArchive {
			continue
		}
		secret := c.value.IsSecret()
		blob := bareBlob(c.value)
		for {
			f(blob, secret)
			if blob.kind == KindArchive && len(blob.archive().entries) > 0 {
				open = append(open, blob.archive().entries)
			}
			for len(open) > 0 && len(open[len(open)-1]) == 0 {
				open = open[:len(open)-1]
			}
			if len(open) == 0 {
				break
			}
			top := &open[len(open)-1]
			blob, *top = (*top)[0].Value, (*top)[1:]
		}
	}
}

// restoring is a Restore under way: the containers that are open, archives among
// them, and in the end the result.
type restoring struct {
	found   map[blobKey]blobFound
	stack   []restoreFrame
	result  Value
	changed bool
}

type restoreFrame struct {
	markFrame
	secret bool // it is secret, or a container above is
	mark   bool // an archive in which something came from a secret
}

func (r *restoring) run(v Value) Value {
	r.visit(v)
	for len(r.stack) > 0 {
		top := &r.stack[len(r.stack)-1]
		i := top.next
		top.next++
		switch {
		case i == top.width():
			r.stack = r.stack[:len(r.stack)-1]
			r.finish(top.remade(), top.mark, top.elems != nil || top.members != nil)
		case top.at.kind == KindArray:
			r.visit(top.at.elems()[i])
		case top.at.kind == KindObject:
			r.visit(top.at.members()[i].Value)
		default:
			r.visit(top.at.archive().entries[i].Value)
		}
	}
	if r.changed {
		return r.result
	}
	return v
}

// width is how many children there are.
func (f *restoreFrame) width() int {
	if f.at.kind == KindArchive {
		return len(f.at.archive().entries)
	}
	return f.at.Len()
}

// remade is the container with the children that have changed.
func (f *restoreFrame) remade() Value {
	if f.at.kind != KindArchive || f.members == nil {
		return f.made()
	}
	a := *f.at.archive()
	a.entries, a.levels = f.members, 1
	for i := range a.entries {
		if e := &a.entries[i].Value; e.kind == KindArchive {
			a.levels = max(a.levels, e.archive().levels+1)
		}
	}
	return f.at.remake(makeArchive(&a))
}

// visit opens what has children, fills in what is elided, and passes over all
// else.
func (r *restoring) visit(v Value) {
	secret := v.IsSecret() || len(r.stack) > 0 && r.stack[len(r.stack)-1].secret
	f := restoreFrame{markFrame: markFrame{at: v}, secret: secret}
	switch v.kind {
	case KindArray, KindObject:
		r.stack = append(r.stack, f)
	case KindAsset, KindArchive:
		key, elided := keyOf(v)
		if b := r.found[key]; elided && b.there {
			r.finish(v.remake(b.value), b.secret && !secret, true)
		} else if f.width() > 0 {
			r.stack = append(r.stack, f)
		}
	case KindNull, KindBool, KindNumber, KindString, KindResourceReference, KindUnknown, KindSealed:
	}
}

// finish puts a value back into its container if it has changed. An entry of an
// archive cannot be marked; the archive is.
func (r *restoring) finish(v Value, mark, changed bool) {
	if !changed {
		return
	}
	if len(r.stack) == 0 {
		if mark {
			v = Secret(v)
		}
		r.result, r.changed = v, true
		return
	}
	top := &r.stack[len(r.stack)-1]
	switch {
	case top.at.kind == KindArchive:
		top.mark = top.mark || mark
		if top.members == nil {
			top.members = slices.Clone(top.at.archive().entries)
		}
	case mark:
		v = Secret(v)
	}
	top.set(v)
}
