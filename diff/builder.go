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
// The records are those of [Diff.Places], in the same order. The Builder checks them:
// that they are in order, that indexes and lengths of arrays agree, that changed values
// differ under the Relation, and that no value is nested deeper than [value.MaxDepth]. It
// determines the facts and verdicts itself, so the result is a Diff like any other.
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
// change, so that no record shows it. [Diff.Certain] then returns false.
func (b *Builder) Uncertain() { b.state().uncertain = true }

// Put adds a record with no changes inside: a change of a whole value, or of a
// container's own dependencies. The first record is that of the root. The error is an
// [*Error] that wraps [ErrInvalid].
func (b *Builder) Put(r Record) error {
	x := b.state()
	if x.err == nil {
		r.Key = r.RevealKey()
		x.fail(&r, x.put(&r))
	}
	return x.failed()
}

// Enter adds the record of a container with changes inside. The records up to the
// matching Leave are those changes. Its errors are those of Put.
func (b *Builder) Enter(r Record, inside Inside) error {
	x := b.state()
	if x.err == nil {
		r.Key = r.RevealKey()
		x.fail(&r, x.enter(&r, inside))
	}
	return x.failed()
}

// Leave ends the container that was entered last. Its errors are those of Put.
func (b *Builder) Leave() error {
	x := b.state()
	if x.err == nil {
		x.fail(nil, x.leave())
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
		d.top = veil.Hide(topOf(x.rules, x.found[0]))
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
	old, now state           // the container, if it or one above it is a change of its own, which has the values
}

// known reports whether the values of a container are known. There are none above the
// root.
func (o *opening) known() bool { return o != nil && o.old.there() }

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

// fail notes an error at a record, or at the innermost open container, if something else
// was expected there.
func (x *building) fail(r *Record, want string) {
	if x.err != nil || want == "" {
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
		var n difftree.Node
		r.locate(&n)
		into(&x.open[len(x.open)-1], &n)
	}

	x.err = &Error{Op: "build", At: path.Show(path.Of(steps...), visible), Want: want, err: ErrInvalid}
}

func wantDepth() string { return "at most " + strconv.Itoa(value.MaxDepth) + " levels" }

func (x *building) up() *opening {
	if len(x.open) == 0 {
		return nil
	}
	return &x.open[len(x.open)-1]
}

// put does what [Builder.Put] does. Like all checks of records, it returns what was
// expected instead, or "".
func (x *building) put(r *Record) (want string) {
	up := x.up()
	if want = x.position(up, r); want != "" {
		return want
	}
	var n difftree.Node
	if r.Own != 0 {
		n, want = x.ofItself(up, r, nil)
	} else {
		n, want = x.whole(up, r)
	}
	switch {
	case want != "":
		return want
	case r.Own != 0 && !up.known() && !x.adds(n):
		return "no other differences between the two sides"
	}

	x.found = append(x.found, n)
	return ""
}

func (x *building) enter(r *Record, inside Inside) (want string) {
	up := x.up()
	if want = x.position(up, r); want != "" {
		return want
	}

	f := opening{last: -1, shape: difftree.Branch{Kind: inside.Kind, Secret: inside.Secret}, base: len(x.found)}
	isArray := inside.Kind == value.KindArray
	switch {
	case !inside.Kind.IsContainer():
		return "an array or an object"
	case !isArray && (inside.Unordered || inside.OldLen != 0 || inside.NewLen != 0):
		return "lengths and order for arrays only"
	case min(inside.OldLen, inside.NewLen) < 0 || max(inside.OldLen, inside.NewLen) > path.MaxIndex:
		return "valid array lengths"
	case up != nil && up.shape.Secret && !inside.Secret:
		return "secret contents in a secret container"
	case len(x.open) >= value.MaxDepth:
		return wantDepth()
	case isArray:
		f.shape.OldSize, f.shape.NewSize = difftree.ClampIndex(inside.OldLen), difftree.ClampIndex(inside.NewLen)
		f.shape.Unordered = inside.Unordered
	}

	if r.Op == 0 {
		f.node, want = x.bare(up, r)
	} else {
		f.node, want = x.ofItself(up, r, &f.shape)
	}
	if want == "" {
		want = f.know(up, r)
	}
	if want == "" {
		x.open = append(x.open, f)
	}
	return want
}

func (x *building) leave() (want string) {
	f := x.up()
	if f == nil {
		return "a container that was entered"
	}

	inside := x.found[f.base:]
	if len(inside) == 0 {
		return "changes inside"
	}
	if f.shape.Kind == value.KindArray {
		want = f.checkArray(inside)
	}
	if want != "" {
		return want
	}

	n := f.node
	n.Below = new(difftree.Branch)
	*n.Below = f.shape
	n.Below.Rules = x.rules
	n.Below.Attach(slices.Clone(inside))
	if n.Facts.Has(difftree.Own) && (len(x.open) == 1 || !x.open[len(x.open)-2].known()) && !x.adds(n) {
		return "changes inside for all differences"
	}
	x.found = append(x.found[:f.base], n)
	x.open = x.open[:len(x.open)-1]
	return ""
}

// adds reports whether the old side of a container, with the changes inside, is its new
// one.
func (x *building) adds(n difftree.Node) bool {
	n.Key, n.OldIndex, n.NewIndex = "", 0, 0
	made, err := applied(topOf(x.rules, n).Child(0), n.Old)
	return err == nil && x.rules.Relation.Equal(made, n.New)
}
