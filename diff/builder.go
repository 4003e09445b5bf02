package diff

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ErrInvalid is wrapped by an [*Error] if the records given to a [Builder] are not a
// diff.
var ErrInvalid = errors.New("invalid diff")

// Builder makes a Diff of records, for example of records read from a file.
//
// The records are those of [Diff.Places], in the same order. The Builder trusts none of
// them: it checks that they are in order, that indexes and lengths of arrays agree, and
// that changed values differ under the Relation, and that no value is put deeper than
// [value.MaxDepth]. It determines the facts and verdicts itself, so the result is a Diff
// like any other.
//
//	b := diff.NewBuilder(diff.Options{})
//	for p := range d.Places() {
//		for ; depth > p.Depth(); depth-- {
//			b.Leave()
//		}
//		if inside, ok := p.Inside(); ok {
//			b.Enter(p.Record(), inside)
//			depth++
//			continue
//		}
//		b.Put(p.Record())
//	}
//	…
//	again, err := b.Diff() // again.Equal(d)
//
// After the first error, all calls return that error. The time is linear in the records
// and their values, times the logarithm of the number of records in one array. The zero
// Builder makes diffs under [value.Strict]. A Builder makes one Diff and is not safe
// for concurrent use.
type Builder struct{ inner veil.Pointer[building] }

// NewBuilder returns a Builder for a diff under the Relation and the Unknowns of o. The
// other options are ignored.
func NewBuilder(o Options) *Builder {
	b := &Builder{}
	b.state().rules = o.rules()
	return b
}

func (b *Builder) state() *building {
	if b.inner.Open() == nil {
		b.inner = veil.Hide(&building{})
	}
	return b.inner.Open()
}

// Format writes no content for any verb, since records may be secret.
func (b *Builder) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("diff.Builder")) }

// Uncertain records that a compared value contains an unknown in a part that did not
// change.
func (b *Builder) Uncertain() { b.state().uncertain = true }

// Put adds a record with no changes inside: a change of a whole value, or of a
// container's own dependencies. The first record is that of the root. The error is an
// [*Error] that wraps [ErrInvalid].
func (b *Builder) Put(r Record) error {
	x := b.state()
	if x.err == nil {
		x.put(r)
	}
	return x.failed()
}

// Enter adds the record of a container with changes inside. The records up to the
// matching Leave are those changes. Its errors are those of Put.
func (b *Builder) Enter(r Record, inside Inside) error {
	x := b.state()
	if x.err == nil {
		x.enter(r, inside)
	}
	return x.failed()
}

// Leave ends the container that was entered last. Its errors are those of Put.
func (b *Builder) Leave() error {
	x := b.state()
	if x.err == nil {
		x.leave()
	}
	return x.failed()
}

// Diff returns the diff of the records. Without any record it is empty.
func (b *Builder) Diff() (Diff, error) {
	x := b.state()
	if len(x.open) > 0 {
		x.fail(nil, "a Leave for every Enter")
	}
	if x.err != nil {
		return Diff{}, x.failed()
	}
	d := Diff{rules: x.rules, count: x.count, verdict: x.rules.ResultOf(x.verdict), uncertain: x.uncertain}
	if len(x.found) > 0 {
		d.top = veil.Hide(x.branch(x.found, difftree.Branch{}))
	}
	return d, nil
}

// building is the state of a Builder.
type building struct {
	rules     difftree.Rules
	open      []opening
	found     []difftree.Node // of the open containers, in no branch yet
	count     int
	verdict   value.Verdict
	uncertain bool
	err       *Error
}

// opening is a container that was entered.
type opening struct {
	node     difftree.Node   // of the container
	shape    difftree.Branch // without nodes
	base     int             // its differing children so far are found[base:]
	last     int             // the highest index in new that was taken
	way      way             // how its records describe elements so far
	old, now state           // the container, where known
	known    bool            // itself or one above it is a change of its own, which has the values
}

// way says how records describe the elements of an array. The two cannot be mixed.
type way uint8

const (
	eitherWay way = iota
	indexByIndex
	byScript
)

func (x *building) failed() error {
	if x.err == nil {
		return nil
	}
	return x.err
}

// fail notes an error at a record, or at the innermost open container.
func (x *building) fail(r *Record, want string) {
	if x.err != nil {
		return
	}
	visible := -1
	var steps []path.Step
	into := func(o *opening, n *difftree.Node) {
		if visible < 0 && o.shape.Secret {
			visible = len(steps)
		}
		o.shape.Nodes = []difftree.Node{*n}
		steps = append(steps, o.shape.Step(0, n.Removed()))
		o.shape.Nodes = nil
	}
	for i := 1; i < len(x.open); i++ {
		into(&x.open[i-1], &x.open[i].node)
	}
	if r != nil && len(x.open) > 0 {
		into(&x.open[len(x.open)-1], &difftree.Node{Key: r.Key, OldIndex: difftree.ClampIndex(r.OldAt), NewIndex: difftree.ClampIndex(r.NewAt), Op: difftree.Op(r.Op)})
	}
	x.err = &Error{Op: "build", At: path.Show(path.Of(steps...), visible), Want: want, err: ErrInvalid}
}

// wantDepth is what is expected where a value would be deeper than any can be.
func wantDepth() string { return "at most " + strconv.Itoa(value.MaxDepth) + " levels" }

// up returns the innermost open container, or nil.
func (x *building) up() *opening {
	if len(x.open) == 0 {
		return nil
	}
	return &x.open[len(x.open)-1]
}

func (x *building) put(r Record) {
	up := x.up()
	if !x.position(up, &r) {
		return
	}
	var n difftree.Node
	var ok bool
	if r.Own != 0 {
		n, ok = x.ofItself(up, &r, nil)
	} else {
		n, ok = x.whole(up, &r)
	}
	if !ok {
		return
	}
	if r.Own != 0 && (up == nil || !up.known) && !x.adds(n) {
		x.fail(&r, "no other differences between the two sides")
		return
	}
	x.found = append(x.found, n)
}

func (x *building) enter(r Record, inside Inside) {
	up := x.up()
	if !x.position(up, &r) {
		return
	}
	f := opening{last: -1, shape: difftree.Branch{Kind: inside.Kind, Secret: inside.Secret}}
	switch {
	case !inside.Kind.IsContainer():
		x.fail(&r, "an array or an object")
		return
	case inside.Kind == value.KindArray:
		f.shape.OldSize, f.shape.NewSize, f.shape.Unordered = difftree.ClampIndex(inside.OldLen), difftree.ClampIndex(inside.NewLen), inside.Unordered
	case inside.Unordered || inside.OldLen != 0 || inside.NewLen != 0:
		x.fail(&r, "lengths and order for arrays only")
		return
	}
	if min(inside.OldLen, inside.NewLen) < 0 || max(inside.OldLen, inside.NewLen) > path.MaxIndex {
		x.fail(&r, "valid array lengths")
		return
	}
	if up != nil && up.shape.Secret && !inside.Secret {
		x.fail(&r, "secret contents in a secret container")
		return
	}
	if len(x.open) >= value.MaxDepth {
		x.fail(&r, wantDepth())
		return
	}
	var ok bool
	if r.Op == 0 {
		f.node, ok = x.bare(up, &r)
	} else {
		f.node, ok = x.ofItself(up, &r, &f.shape)
	}
	if !ok || !x.know(up, &r, &f) {
		return
	}
	f.base = len(x.found)
	x.open = append(x.open, f)
}

func (x *building) leave() {
	f := x.up()
	if f == nil {
		x.fail(nil, "a container that was entered")
		return
	}
	inside := x.found[f.base:]
	if len(inside) == 0 {
		x.fail(nil, "changes inside")
		return
	}
	if f.shape.Kind == value.KindArray {
		if want := f.checkArray(inside); want != "" {
			x.fail(nil, want)
			return
		}
	}
	n := f.node
	n.Below = x.branch(inside, f.shape)
	if n.Facts.Has(difftree.Own) && (len(x.open) == 1 || !x.open[len(x.open)-2].known) && !x.adds(n) {
		x.fail(nil, "changes inside for all differences")
		return
	}
	x.found = append(x.found[:f.base], n)
	x.open = x.open[:len(x.open)-1]
}

// branch returns a branch with copies of nodes.
func (x *building) branch(inside []difftree.Node, shape difftree.Branch) *difftree.Branch {
	shape.Rules = x.rules
	shape.Attach(slices.Clone(inside))
	return &shape
}

// adds reports whether the old side of a container, with the changes inside, is its new
// one.
func (x *building) adds(n difftree.Node) bool {
	n.Key, n.OldIndex, n.NewIndex = "", 0, 0
	top := &difftree.Branch{Rules: x.rules}
	top.Attach([]difftree.Node{n})
	made, err := Apply(n.Old, Diff{top: veil.Hide(top), rules: x.rules, count: 1})
	return err == nil && x.rules.Relation.Equal(made, n.New)
}
