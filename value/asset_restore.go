package value

// Restore returns v with elided assets and archives replaced by those in from that have
// the same hash. Engines do this after a call, since providers may return hashes only.
//
// Entries of literal archives are replaced too, and serve as replacements. An asset or
// archive without a match stays elided, even inside a replacement.
//
// Of several matches the first in the order of [Value.Walk] is used, but one in a secret
// only if there is no other. A replacement from a secret becomes secret; if it is an entry,
// which cannot have marks, its archive does. Marks of v are kept. Unchanged parts share
// memory with v.
func (v Value) Restore(from Value) Value {
	found := contents{}
	eachBlob(v, func(blob Value, _ bool) {
		if key, elided := keyOf(blob); elided {
			found[key] = blobFound{}
		}
	})
	if len(found) == 0 {
		return v
	}

	eachBlob(from, func(blob Value, secret bool) {
		key, elided := keyOf(blob)
		if had, wanted := found[key]; wanted && !elided && (!had.there || (had.secret && !secret)) {
			found[key] = blobFound{blob, true, secret}
		}
	})
	return found.restore(v)
}

// blobKey identifies an elided asset or archive and its contents.
type blobKey struct {
	hash string
	kind Kind
}

type contents map[blobKey]blobFound

type blobFound struct {
	value  Value // without marks
	there  bool
	secret bool // found in a secret
}

// keyOf returns the key of an asset or archive, which is elided or has contents.
func keyOf(blob Value) (key blobKey, elided bool) {
	r := blob.blob()
	return blobKey{r.hash, blob.kind}, r.source == SourceElided
}

func bareBlob(blob Value) Value { return blob.DropDependencies().DropSecret() }

// eachBlob calls f for all assets and archives in a value, without their marks. Entries of
// archives follow their archive.
func eachBlob(v Value, f func(blob Value, secret bool)) {
	for c := range v.Walk() {
		if k := c.value.kind; k == KindAsset || k == KindArchive {
			eachEntry(bareBlob(c.value), c.value.IsSecret(), f)
		}
	}
}

func eachEntry(blob Value, secret bool, f func(blob Value, secret bool)) {
	f(blob, secret)
	if blob.kind == KindArchive {
		for _, entry := range blob.archive().entries {
			eachEntry(entry.Value, secret, f)
		}
	}
}

// restore returns v with contents filled in.
func (c contents) restore(v Value) Value {
	if v.kind != KindAsset && v.kind != KindArchive {
		v, _ = v.rebuilt(func(_ int, child Value) (Value, bool, error) { return c.restore(child), true, nil })
		return v
	}

	restored, fromSecret := c.restoreBlob(bareBlob(v), MaxDepth)
	if fromSecret && !v.IsSecret() {
		restored = Secret(restored)
	}
	return restored.WithMarksOf(v)
}

// restoreBlob returns an asset or archive without marks, of at most so many levels, with
// contents filled in, and whether some are from a secret. Entries of an archive have no
// mark of their own.
func (c contents) restoreBlob(blob Value, levels int) (restored Value, fromSecret bool) {
	key, elided := keyOf(blob)
	if found := c[key]; elided && found.there && found.value.levels() <= levels {
		return found.value, found.secret
	}
	if blob.kind != KindArchive {
		return blob, false
	}

	entries, _ := rebuiltAll(blob.archive().entries, (*Member).value, false, func(_ int, entry Value) (Value, bool, error) {
		made, secret := c.restoreBlob(entry, levels-1)
		fromSecret = fromSecret || secret
		return made, true, nil
	})
	if entries != nil {
		blob, _ = blob.withEntries(entries)
	}
	return blob, fromSecret
}

func (v *Value) levels() int {
	if v.kind == KindArchive {
		return v.archive().levels
	}
	return 0
}
