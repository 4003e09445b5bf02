package pulumi

import (
	"errors"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// told is what an ObjectDiff of the SDK's says of one container, in either model:
//
//	adds, deletes   members or elements that are on one side
//	sames           those that are on both and do not differ, as they are on the old
//	updates         those that differ, with both sides; told from inside where
//	                both are containers of one kind without marks
type told struct {
	kind                 value.Kind // object or array
	adds, deletes, sames []part
	updates              []update
	oldLength, newLength int // of an array
}

// part is a member or an element. One of key and index is meant, as the kind of
// the container says.
type part struct {
	key   string
	index int
}

type update struct {
	part
	inside *told // nil where the values are told as a whole
}

func (p part) step(kind value.Kind) path.Step {
	if kind == value.KindArray {
		return path.Index(p.index)
	}
	return path.Key(p.key)
}

// tell makes what the SDK says of a diff, and the new value. It is nil of a diff
// that is empty.
func tell(d diff.Diff, old value.Value) (t *told, now value.Value, err *Error) {
	if err := unmarked(old, value.KindObject); err != nil {
		return nil, now, err
	}
	now, misfit := d.Apply(old)
	if misfit != nil {
		wrong := fail(ErrFit, "", "")
		if e := (*diff.Error)(nil); errors.As(misfit, &e) {
			wrong.At, wrong.Want, wrong.Found = e.At, e.Want, e.Found
		}
		return nil, now, wrong
	}

	if err := unmarked(now, value.KindObject); err != nil {
		return nil, now, err
	}
	if d.Empty() {
		return nil, now, nil
	}
	way := teller{relation: d.Relation()}
	t, err = way.inside(diff.Internal.Tree(d), old, now, 1)
	return t, now, err
}

// teller goes through the tree of a diff.
type teller struct{ relation value.Relation }

// inside tells of a place that is a container, of which it is given both sides.
func (t *teller) inside(at difftree.Place, old, now value.Value, depth int) (*told, *Error) {
	if depth > MaxDepth {
		return nil, fail(ErrDepth, "", "")
	}
	below := at.Node().Below
	if below == nil {
		return nil, fail(ErrKind, "a change inside", "")
	}

	own := &told{kind: below.Kind, oldLength: old.Len(), newLength: now.Len()}
	for i := range below.Nodes {
		n := &below.Nodes[i]
		here := part{key: n.Key, index: n.OldAt()}
		if err := t.one(own, below.Child(i), here, old, now, depth); err != nil {
			return nil, err.under(here.step(own.kind))
		}
	}
	own.addSames(old, now, t.relation)
	return own, nil
}

// one tells of one place inside a container.
func (t *teller) one(own *told, p difftree.Place, here part, old, now value.Value, depth int) *Error {
	n := p.Node()
	var before, after value.Value
	if own.kind == value.KindArray {
		switch {
		case n.Added() && n.NewAt() >= own.oldLength, n.Removed() && n.OldAt() >= own.newLength:
		case n.Added(), n.Removed(), n.OldAt() != n.NewAt(), n.Facts.Has(difftree.Moved):
			return fail(ErrOrder, "", "")
		}
		if n.Added() {
			here.index = n.NewAt()
		}
		before, after = old.Elem(here.index), now.Elem(n.NewAt())
	} else {
		before, after = old.Field(n.Key), now.Field(n.Key)
	}

	in, isInside := p.Inside()
	switch {
	case in.Unordered, n.Facts.Has(difftree.Own) && n.Facts.Has(difftree.OrderChanged|difftree.ValueChanged):
		return fail(ErrOrder, "", "")
	case n.Added():
		own.adds = append(own.adds, here)
	case n.Removed():
		own.deletes = append(own.deletes, here)
	case isInside && unmarked(before, in.Kind) == nil && unmarked(after, in.Kind) == nil:
		inside, err := t.inside(p, before, after, depth+1)
		if err != nil {
			return err
		}
		own.updates = append(own.updates, update{here, inside})
	default:
		own.updates = append(own.updates, update{part: here}) // with all that is inside
	}

	return nil
}

// addSames adds what is on both sides and was not told yet, but for nulls that
// count as missing: of those a diff does not know on which side they are.
func (own *told) addSames(old, now value.Value, r value.Relation) {
	if own.kind == value.KindArray {
		differ := make(map[int]bool, len(own.updates))
		for _, u := range own.updates {
			differ[u.index] = true
		}
		for i := range min(old.Len(), now.Len()) {
			if !differ[i] {
				own.sames = append(own.sames, part{index: i})
			}
		}
		return
	}
	differ := make(map[string]bool, len(own.updates)+len(own.adds)+len(own.deletes))
	for _, u := range own.updates {
		differ[u.key] = true
	}

	for _, parts := range [][]part{own.adds, own.deletes} {
		for _, p := range parts {
			differ[p.key] = true
		}
	}

	for k, m := range old.Members() {
		if differ[k] || (r&value.NullAsMissing != 0 && m.Identical(value.Null())) {
			continue
		}
		if _, isThere := now.Lookup(k); isThere {
			own.sames = append(own.sames, part{key: k})
		}
	}
}

// toldParts gives what is told of a container to a model, whose values of the two sides are
// those that old and now find.
func toldParts[K comparable, V, U any](t *told, key func(part) K, old, now func(K) V, both func(update, V, V) U) (adds, deletes, sames map[K]V, updates map[K]U) {
	adds, deletes, sames, updates = map[K]V{}, map[K]V{}, map[K]V{}, map[K]U{}
	for _, p := range t.adds {
		adds[key(p)] = now(key(p))
	}
	for _, p := range t.deletes {
		deletes[key(p)] = old(key(p))
	}
	for _, p := range t.sames {
		sames[key(p)] = old(key(p))
	}
	for _, u := range t.updates {
		k := key(u.part)
		updates[k] = both(u, old(k), now(k))
	}
	return adds, deletes, sames, updates
}

func keyOf[K ~string](p part) K { return K(p.key) }

func indexOf(p part) int { return p.index }
