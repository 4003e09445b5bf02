package diff

import (
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Apply returns v with the changes of d made.
//
// Apply(old, Between(old, now, o)) equals now under o.Relation, and is
// [value.Value.Identical] to it at every place that the diff changes (law 1).
// Containers above a change keep the marks that they have in v.
//
// The diff must fit v, which need not be the old value: at every place that it changes,
// v must have the old value, as compared under the diff's Relation, or no value if
// there was none. Containers above must be of the same kind, and arrays whose elements
// are added, removed or moved must have the same length. Otherwise v is returned with
// an [*Error] that wraps [ErrFit] and names the first place, in path order, that does
// not fit.
//
// The time is linear in the diff and in the number of children of the containers that
// change. Unchanged parts share memory with v.
func Apply(v value.Value, d Diff) (value.Value, error) {
	if d.Empty() {
		return v, nil
	}
	result, err := applied(d.root(), v)
	if err != nil {
		return v, err // not as it is: a nil *Error is no nil error
	}
	return result, nil
}

// applied is what there is at a place once the changes at and below it are made.
func applied(s difftree.Place, v value.Value) (value.Value, *Error) {
	a := application{rules: s.In.Rules, open: make([]opened, 0, 4)}
	if err := a.run(s, v); err != nil {
		return v, err
	}
	if s.Node().Whole() {
		return a.result, nil
	}
	return a.result.AsPartOf(v), nil
}

// application is an Apply under way.
type application struct {
	rules   difftree.Rules
	open    []opened
	elems   []value.Value // of the open arrays, so far
	members []value.Member
	result  value.Value
}

// run makes the changes at and below a place in what is there.
func (a *application) run(s difftree.Place, v value.Value) *Error {
	err := a.enter(s, v, true)
	for err == nil && len(a.open) > 0 {
		if f := &a.open[len(a.open)-1]; f.branch.Kind == value.KindArray {
			err = a.element(f)
		} else {
			err = a.member(f)
		}
	}
	return err
}

// opened is a container that is being made anew: children of the present one, up
// to the next child that the diff changes, are taken as they are.
type opened struct {
	branch  *difftree.Branch
	present value.Value
	next    int   // the node to come to next
	child   int   // the child of present to come to next
	base    int   // its children so far are a.elems[base:] or a.members[base:]
	taken   []int // the elements of present that nodes take, ascending, where they come in another order
}

// element goes on in an array up to the next element that changes, and deals
// with that, or with the end. Where elements came, went or moved, those that no
// node takes fill the places between what nodes put.
func (a *application) element(f *opened) *Error {
	for {
		if f.next < len(f.branch.Nodes) {
			s := f.branch.Child(f.next)
			n := s.Node()
			if len(a.elems)-f.base == n.NewAt() || n.Removed() && n.OldAt() == n.NewAt() && n.OldAt() == f.child {
				f.next++
				return a.enterElement(f, s)
			}
		}
		for len(f.taken) > 0 && f.taken[0] <= f.child {
			if f.taken[0] == f.child {
				f.child++
			}
			f.taken = f.taken[1:]
		}
		if f.child >= f.present.Len() {
			break
		}
		a.push(f, "", f.present.Elem(f.child))
		f.child++
	}
	if f.next < len(f.branch.Nodes) {
		// An array of another length than the old one, where that is no matter
		// but for this element, which it has not.
		s := f.branch.Child(f.next)
		f.next++
		return a.enterElement(f, s)
	}
	a.close(f)
	return nil
}

func (a *application) enterElement(f *opened, s difftree.Place) *Error {
	n := s.Node()
	if n.Added() || n.OldAt() >= f.present.Len() {
		return a.enter(s, value.Value{}, false)
	}
	if f.child == n.OldAt() {
		f.child++
	}
	return a.enter(s, f.present.Elem(n.OldAt()), true)
}

// member is element for objects.
func (a *application) member(f *opened) *Error {
	last := f.next == len(f.branch.Nodes)
	for {
		key, present, there := f.present.MemberAt(f.child)
		switch {
		case !there && last:
			a.close(f)
			return nil
		case there && (last || key < f.branch.Nodes[f.next].Key):
			f.child++
			a.push(f, key, present)
			continue
		}
		s := f.branch.Child(f.next)
		f.next++
		there = there && key == s.Node().Key
		if there {
			f.child++
		}
		return a.enter(s, present, there)
	}
}

// enter comes to a place that the diff changes, or changes something in. It puts
// what is there now into the container that is open, or opens a container.
func (a *application) enter(s difftree.Place, present value.Value, there bool) *Error {
	n := s.Node()
	if n.Whole() {
		if !a.fits(s, present, there) {
			return a.misfit(s, present, wanted(n), found(n, present, there))
		}
		if n.Facts.Has(difftree.HasNew) {
			a.put(n.Key, n.New)
		}
		return nil
	}
	kind := n.Old.Kind()
	if n.Below != nil {
		kind = n.Below.Kind
	}
	switch {
	case !there:
		return a.misfit(s, present, kind.String(), "nothing")
	case present.Kind() != kind:
		return a.misfit(s, present, kind.String(), present.Kind().String())
	case n.Facts.Has(difftree.DependenciesChanged) && !difftree.SameDependencies(present, n.Old):
		return a.misfit(s, present, "the old dependencies", "other dependencies")
	case n.Below == nil:
		a.put(n.Key, withDependenciesOf(n.New, present))
		return nil
	case n.Below.Reshapes() && present.Len() != n.Below.OldLen():
		return a.misfit(s, present, elements(n.Below.OldLen()), elements(present.Len()))
	}
	a.begin(n.Below, present)
	return nil
}

// begin opens a container.
func (a *application) begin(b *difftree.Branch, present value.Value) {
	f := opened{branch: b, present: present, base: len(a.elems)}
	if b.Kind == value.KindObject {
		f.base = len(a.members)
		a.members = slices.Grow(a.members, present.Len()+1)
	} else {
		a.elems = slices.Grow(a.elems, present.Len()+len(b.Nodes))
		if b.Shuffles() {
			f.taken = b.TakenIndexes()
		}
	}
	a.open = append(a.open, f)
}

// fits reports whether what is at a place is what the change starts from.
func (a *application) fits(s difftree.Place, present value.Value, there bool) bool {
	n := s.Node()
	below := len(a.open) > 0 && a.open[len(a.open)-1].present.IsSecret()
	if s.In.Kind == value.KindObject && there && a.rules.Absent(present, below) {
		there = false
	}
	if n.Added() {
		return !there // what the old side may have is a null that counts as missing
	}
	return there && a.rules.Relation.Equal(present, n.Old)
}

// put adds a child to the container that is open, or, when none is, ends with it.
func (a *application) put(key string, v value.Value) {
	if len(a.open) == 0 {
		a.result = v
		return
	}
	a.push(&a.open[len(a.open)-1], key, v)
}

// push adds a child that was handed out, here or where the diff was made. Below
// a secret it loses the mark that it inherited there; elsewhere that becomes its
// own.
func (a *application) push(f *opened, key string, v value.Value) {
	if f.present.IsSecret() && !v.OwnSecret() {
		v = v.DropSecret()
	}
	if f.branch.Kind == value.KindArray {
		a.elems = append(a.elems, v)
	} else {
		a.members = append(a.members, value.Member{Key: key, Value: v})
	}
}

// close makes the container that is open, with the marks that the present one
// has, but for dependencies that the diff changes.
func (a *application) close(f *opened) {
	var made value.Value
	if f.branch.Kind == value.KindArray {
		made = value.Array(a.elems[f.base:]...)
		a.elems = a.elems[:f.base]
	} else {
		made = value.Object(a.members[f.base:]...)
		a.members = a.members[:f.base]
	}
	a.open = a.open[:len(a.open)-1]
	n := f.branch.Up.Child(f.branch.At).Node()
	owner := f.present
	if n.Facts.Has(difftree.DependenciesChanged) {
		owner = withDependenciesOf(n.New, owner)
	}
	a.put(n.Key, made.WithMarksOf(owner))
}

// withDependenciesOf returns v with the dependencies of w instead of its own.
func withDependenciesOf(w, v value.Value) value.Value {
	return v.DropDependencies().WithDependencies(slices.Collect(w.Dependencies())...)
}

// misfit makes the error for a place where something else is present. At and
// below a secret it does not say what: kinds and lengths are contents too.
func (a *application) misfit(s difftree.Place, present value.Value, want, got string) *Error {
	visible := s.Visible()
	for depth := range a.open {
		if a.open[depth].present.IsSecret() && (visible < 0 || depth < visible) {
			visible = depth
		}
	}
	n := s.Node()
	if visible >= 0 || present.IsSecret() || n.Secret() || n.Below != nil && n.Below.Secret {
		want, got = "", ""
	}
	return &Error{Op: "apply", At: path.Show(s.Path(true), visible), Want: want, Found: got, err: ErrFit}
}

func wanted(n *difftree.Node) string {
	if n.Added() {
		return "nothing"
	}
	return "the old value"
}

func found(n *difftree.Node, present value.Value, there bool) string {
	switch {
	case !there:
		return "nothing"
	case !n.Added() && present.Kind() == n.Old.Kind():
		return "another value"
	}
	return present.Kind().String()
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}
