package patch

import (
	"iter"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opJSONPatch = "write JSON patch"

// JSONPatch returns a diff as a JSON Patch (RFC 6902), the list of operations that many
// APIs accept. Applied to the JSON of the old value, the operations give the JSON of the
// new one, without marks: dependencies are left out, and so are secret marks if
// [Options.Secrets] is [value.RevealSecrets]. Otherwise a secret in the patch is an error
// that wraps [codec.ErrPolicy], as an unknown always is. There is no masked JSON Patch, since
// it would write the mask into what it is applied to. To log a request, write the diff by
// [Marshal] or package diff/render, which mask secrets; to send one without secrets, take
// them out of the diff by [diff.Diff.Split].
//
// What is no change in the diff is not written: not an asset or archive of equal hash from
// another file or URI, nor the details of a reference under a Relation that ignores them. For
// an API that stores where an asset comes from, compare assets without their hashes
// ([value.Asset.WithHash] of "").
//
// Operations come in an order in which each is valid. In arrays, elements are removed from
// the last to the first, then moved and added from the first to the last; changes inside
// elements come after that. With [Options.Tests], a test operation precedes each operation
// that replaces or removes a value of which the diff holds the old one. The error is an
// [*Error].
func JSONPatch(d diff.Diff, o Options) ([]byte, error) {
	if err := o.check(opJSONPatch); err != nil {
		return nil, err
	}
	w := operations{out: []byte{'['}, opts: o, room: path.MaxListed}
	if !d.Empty() {
		if err := w.change(diff.Internal.Tree(d)); err != nil {
			return nil, err
		}
	}

	return append(w.out, ']'), nil
}

type operations struct {
	out     []byte
	opts    Options
	pointer []byte // to the place that is being written
	room    int    // bytes that pointers may still take
}

// change writes the operations for a place, to which the pointer leads, and for all inside.
func (w *operations) change(p difftree.Place) error {
	r := p.Record()
	inside, deeper := p.Inside()
	switch {
	case r.Op == difftree.OpAdd:
		return w.write(p, "add", &r.New)
	case r.Op == difftree.OpDelete && r.OverNull:
		null := value.Null()
		return w.replace(p, &r.Old, &null)
	case r.Op == difftree.OpDelete:
		return w.remove(p, &r.Old)
	case r.Op == difftree.OpMove && !deeper:
		return nil
	case r.Own&difftree.ValueChanged != 0 || (r.Op != 0 && r.Own == 0 && !deeper):
		if f := p.Node().Facts; f.Has(difftree.IsChange) && !f.Has(difftree.ValueChanged) {
			return nil // marks alone
		}
		return w.replace(p, &r.Old, &r.New)
	case !deeper:
		return nil

	case inside.Secret && w.opts.Secrets != value.RevealSecrets:
		return w.fail(p, "a change in a secret")
	case inside.Kind == value.KindArray:
		return w.array(p)
	}

	for child := range children(p) {
		key := child.Node().Key
		if !utf8.ValidString(key) {
			return &Error{Op: opJSONPatch, At: shownAt(child), Offset: -1, err: codec.ErrUTF8}
		}
		if err := w.below(scan.AppendPointer(nil, key), func() error { return w.change(child) }); err != nil {
			return err
		}
	}

	return nil
}

// array writes the operations for an array: those that change which elements there are,
// and their order, before those inside elements.
func (w *operations) array(p difftree.Place) error {
	var (
		s       script
		changed []difftree.Place
	)
	for child := range children(p) {
		r := child.Record()
		switch {
		case removes(r.Op):
			s.removed = append(s.removed, element{child, r.OldAt, 0})
			continue
		case adds(r.Op):
			s.placed = append(s.placed, element{child, -1, r.NewAt})
			continue
		case r.Op == difftree.OpMove || r.Moved:
			s.placed = append(s.placed, element{child, r.OldAt, r.NewAt})
		}
		changed = append(changed, child)
	}

	if err := w.arrange(&s); err != nil {
		return err
	}
	for _, child := range changed {
		at := strconv.AppendInt(nil, int64(child.Node().NewAt()), 10)
		if err := w.below(at, func() error { return w.change(child) }); err != nil {
			return err
		}
	}

	return nil
}

// arrange writes the operations that remove, move and add elements.
func (w *operations) arrange(s *script) error {
	slices.SortFunc(s.removed, func(a, b element) int { return b.from - a.from })
	slices.SortFunc(s.placed, func(a, b element) int { return a.to - b.to })
	for _, e := range s.removed {
		p, n := e.place, e.place.Node()
		at := strconv.AppendInt(nil, int64(e.from), 10)
		if err := w.below(at, func() error { return w.remove(p, &n.Old) }); err != nil {
			return err
		}
	}

	s.begin()
	for i, e := range s.placed {
		from, to := s.next(i)
		source := string(w.pointer) + "/" + strconv.Itoa(from)
		p, n := e.place, e.place.Node()
		err := w.below(strconv.AppendInt(nil, int64(to), 10), func() error {
			switch {
			case e.from < 0:
				return w.write(p, "add", &n.New)
			case from != to:
				if err := w.operation(p, "move"); err != nil {
					return err
				}
				w.out = append(appendQuoted(append(w.out, `,"from":`...), source), '}')
			}
			return nil
		})
		if err != nil {
			return err
		}
	}

	return nil
}

// children iterates over the places directly inside a place.
func children(p difftree.Place) iter.Seq[difftree.Place] {
	return func(yield func(difftree.Place) bool) {
		below := p.Node().Below
		for i := range below.Nodes {
			if !yield(below.Child(i)) {
				return
			}
		}
	}
}

func (w *operations) below(token []byte, write func() error) error {
	n := len(w.pointer)
	w.pointer = append(append(w.pointer, '/'), token...)
	err := write()
	w.pointer = w.pointer[:n]
	return err
}

func (w *operations) remove(p difftree.Place, old *value.Value) error {
	if w.opts.Tests {
		if err := w.write(p, "test", old); err != nil {
			return err
		}
	}
	if err := w.operation(p, "remove"); err != nil {
		return err
	}

	w.out = append(w.out, '}')
	return nil
}

func (w *operations) replace(p difftree.Place, old, now *value.Value) error {
	if w.opts.Tests {
		if err := w.write(p, "test", old); err != nil {
			return err
		}
	}
	return w.write(p, "replace", now)
}

func (w *operations) write(p difftree.Place, op string, v *value.Value) error {
	if err := w.operation(p, op); err != nil {
		return err
	}
	var err error
	if w.out, err = appendPlain(append(w.out, `,"value":`...), *v, &w.opts); err != nil {
		at, visible := shown(p)
		return inValue(opJSONPatch, err, at, visible, -1)
	}

	w.out = append(w.out, '}')
	return nil
}

func (w *operations) operation(p difftree.Place, op string) error {
	if w.room -= len(w.pointer); w.room < 0 {
		return &Error{Op: opJSONPatch, At: shownAt(p), Offset: -1, Found: "more paths than a list may hold", err: codec.ErrDepth}
	}
	if len(w.out) > 1 {
		w.out = append(w.out, ',')
	}

	w.out = append(w.out, `{"op":"`+op+`","path":`...)
	w.out = appendQuoted(w.out, string(w.pointer))
	return nil
}

func (w *operations) fail(p difftree.Place, found string) error {
	return &Error{Op: opJSONPatch, At: shownAt(p), Offset: -1, Found: found, err: codec.ErrPolicy}
}

// appendPlain appends the JSON of a value as an API expects it, without marks.
func appendPlain(out []byte, v value.Value, o *Options) ([]byte, error) {
	options := codec.Options{Unknowns: codec.Reject, Outputs: codec.Lower, Secrets: codec.Reject, Depth: o.depth()}
	if o.Secrets == value.RevealSecrets {
		options.Secrets = codec.Lower
	}
	return codec.AppendJSONValue(out, v, options)
}

// script is what happens to the elements of one array.
type script struct {
	removed []element // from the last to the first
	placed  []element // moved and added ones, by their new index

	moved   []int // old indexes of the moved ones, sorted
	waiting []int // how many of them have not been moved, as a Fenwick tree
	ranks   []int // for each placed element, how many elements that stay are before it
	gone    []int // old indexes of the elements that do not stay, sorted
}

// element is an element with its indexes; from is -1 for one that is added.
type element struct {
	place    difftree.Place
	from, to int
}

// begin makes a script ready for next.
func (s *script) begin() {
	for n, e := range s.placed {
		s.ranks = append(s.ranks, e.to-n)
		if e.from >= 0 {
			s.moved = append(s.moved, e.from)
			s.gone = append(s.gone, e.from)
		}
	}

	for _, e := range s.removed {
		s.gone = append(s.gone, e.from)
	}
	slices.Sort(s.moved)
	slices.Sort(s.gone)
	s.waiting = make([]int, len(s.moved)+1)
	for i := range s.moved {
		s.add(i, 1)
	}
}

// next returns where the n-th placed element is, and where it belongs, at the moment when
// all placed elements before it are where they belong: behind the element that will
// precede it. Elements that wait to be moved may be among those.
func (s *script) next(n int) (from, to int) {
	e := s.placed[n]
	if e.from >= 0 {
		i, _ := slices.BinarySearch(s.moved, e.from)
		s.add(i, -1)
		// Before it are elements that stay, those placed after these, and waiting ones.
		stay := e.from - s.goneBefore(e.from)
		placed := min(n, sort.SearchInts(s.ranks, stay+1))
		from = stay + placed + s.waitingBefore(e.from)
	}

	to = e.to
	if rank := s.ranks[n]; rank > 0 {
		to += s.waitingBefore(s.stays(rank - 1))
	}
	return from, to
}

// stays returns the old index of the n-th element that stays.
func (s *script) stays(n int) int {
	// The i-th that is gone has gone[i]-i that stay before it.
	return n + sort.Search(len(s.gone), func(i int) bool { return s.gone[i]-i > n })
}

func (s *script) goneBefore(old int) int {
	n, _ := slices.BinarySearch(s.gone, old)
	return n
}

// waitingBefore returns how many elements with old indexes below old wait to be moved.
func (s *script) waitingBefore(old int) (n int) {
	i, _ := slices.BinarySearch(s.moved, old)
	for ; i > 0; i &= i - 1 {
		n += s.waiting[i]
	}
	return n
}

func (s *script) add(i, n int) {
	for i++; i < len(s.waiting); i += i & -i {
		s.waiting[i] += n
	}
}
