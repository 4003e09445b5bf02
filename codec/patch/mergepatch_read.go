package patch

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opReadMergePatch = "read merge patch"

// ReadMergePatch reads a JSON Merge Patch (RFC 7396) and returns what it changes in base,
// as [ReadJSONPatch] does, with the same rules for values, marks and secrets. An object that
// meets an asset, an archive, a reference, a byte string, a sealed secret or an unknown in
// base does not fit, since these are objects in JSON too and their members would be mixed.
// The time is linear in the document and in the containers that it enters.
func ReadMergePatch[Text ~string | ~[]byte](text Text, base value.Value, o Options) (diff.Diff, error) {
	return readMergePatch(string(text), base, o)
}

func readMergePatch(text string, base value.Value, o Options) (diff.Diff, error) {
	document, err := decodeRequest(opReadMergePatch, text, o)
	if err != nil {
		return diff.Diff{}, err
	}
	w := way{secret: -1}
	now, misfit := w.merge(base, true, document)
	if misfit != nil {
		misfit.Op = opReadMergePatch
		return diff.Diff{}, misfit
	}

	return diff.Between(base, now, diff.Options{Arrays: diff.Aligned()}), nil
}

// merge returns what a patch makes of the value that was reached, if there is one.
func (w *way) merge(old value.Value, there bool, patch value.Value) (value.Value, *Error) {
	above := w.secret
	if above < 0 && old.IsSecret() {
		w.secret = len(w.steps)
		defer func() { w.secret = above }()
	}
	isWhole := patch.Kind() != value.KindObject || isMarked(patch)
	now := old
	switch {
	case isWhole && there && sameJSON(old, patch) && !patch.ContainsSecret() && !patch.ContainsDependencies():
		return old, nil
	case isWhole:
		now = patch
	case old.Kind() != value.KindObject && isJSONObject(old):
		return old, w.misfit("an object or a plain value", old.Kind().String())
	case old.Kind() != value.KindObject:
		now = value.Object()
	}

	if !isWhole {
		var err *Error
		if now, err = w.mergeMembers(now, patch); err != nil {
			return old, err
		}
	}
	if above < 0 && (isWhole || old.Kind() != value.KindObject) {
		now = now.WithSecretsOf(old)
	}
	return now, nil
}

func (w *way) mergeMembers(old, patch value.Value) (value.Value, *Error) {
	secret := old.IsSecret()
	members := make([]value.Member, 0, old.Len()+patch.Len())
	add := func(key string, v value.Value) {
		members = append(members, value.Field(key, difftree.NotInherited(v, secret)))
	}
	next := 0 // the next member of old
	for key, change := range patch.Members() {
		before, there := value.Null(), false
		for ; next < old.Len() && !there; next++ {
			k, v, _ := old.MemberAt(next)
			if k > key {
				break
			}
			if there = k == key; there {
				before = v
			} else {
				add(k, v)
			}
		}
		if change.IsNull() && !isMarked(change) {
			continue
		}

		w.steps = append(w.steps, path.Key(key))
		now, err := w.merge(before, there, change)
		if err != nil {
			return old, err
		}
		add(key, now)
		w.steps = w.steps[:len(w.steps)-1]
	}
	for ; next < old.Len(); next++ {
		k, v, _ := old.MemberAt(next)
		add(k, v)
	}

	return value.Object(members...).WithMarksOf(old), nil
}
