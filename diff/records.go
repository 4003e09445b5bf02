package diff

import (
	"errors"
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ErrInvalid is wrapped by an [*Error] if the records of a patch are not a diff.
var ErrInvalid = errors.New("invalid diff")

// builder makes a Diff of records, those of [difftree.Places] in the same order. It checks
// them, since they may come from a file: that they are in order, that indexes and lengths of
// arrays agree, that changed values differ under the Relation, and that no value is nested
// deeper than [value.MaxDepth]. It determines the facts and verdicts itself, so the result
// is a Diff like any other.
//
// After the first error, all calls return that error. The time is linear in the records
// and their values, times the logarithm of the number of records in one array.
type builder struct {
	rules     difftree.Rules
	open      []opening
	found     []difftree.Node // of the open containers, in no branch yet
	count     int
	verdict   value.Verdict
	uncertain bool
	err       *Error
}

// Uncertain records that a compared value contains an unknown in a part that did not
// change, so that no record shows it. [Diff.Certain] then returns false.
func (b *builder) Uncertain() { b.uncertain = true }

// Put adds a record with no changes inside: a change of a whole value, or of a
// container's own dependencies. The first record is that of the root. The error is an
// [*Error] that wraps [ErrInvalid].
func (b *builder) Put(r difftree.Record) error {
	if b.err == nil {
		b.fail(&r, b.put(&r))
	}
	return b.failed()
}

// Enter adds the record of a container with changes inside. The records up to the
// matching Leave are those changes. Its errors are those of Put.
func (b *builder) Enter(r difftree.Record, inside difftree.Inside) error {
	if b.err == nil {
		b.fail(&r, b.enter(&r, inside))
	}
	return b.failed()
}

// Leave ends the container that was entered last. Its errors are those of Put.
func (b *builder) Leave() error {
	if b.err == nil {
		b.fail(nil, b.leave())
	}
	return b.failed()
}

// Diff returns the diff of the records. Without any record it is empty.
func (b *builder) Diff() (Diff, error) {
	if len(b.open) > 0 {
		b.fail(nil, "a Leave for every Enter")
	}
	if b.err != nil {
		return Diff{}, b.err
	}

	d := Diff{rules: b.rules, count: b.count, verdict: b.rules.ResultOf(b.verdict), uncertain: b.uncertain}
	if len(b.found) > 0 {
		d.top = veil.Hide(topOf(b.rules, b.found[0]))
	}
	return d, nil
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

func (b *builder) failed() error {
	if b.err == nil {
		return nil
	}
	return b.err
}

// fail notes an error at a record, or at the innermost open container, if something else
// was expected there.
func (b *builder) fail(r *difftree.Record, want string) {
	if b.err != nil || want == "" {
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
	for i := 1; i < len(b.open); i++ {
		into(&b.open[i-1], &b.open[i].node)
	}
	if r != nil && len(b.open) > 0 {
		var n difftree.Node
		locate(r, &n)
		into(&b.open[len(b.open)-1], &n)
	}

	b.err = &Error{Op: "build", At: path.Show(path.Of(steps...), visible), Want: want, err: ErrInvalid}
}

func wantDepth() string { return "at most " + strconv.Itoa(value.MaxDepth) + " levels" }

func (b *builder) up() *opening {
	if len(b.open) == 0 {
		return nil
	}
	return &b.open[len(b.open)-1]
}

// put does what Put does. Like all checks of records, it returns what was
// expected instead, or "".
func (b *builder) put(r *difftree.Record) (want string) {
	up := b.up()
	if want = b.position(up, r); want != "" {
		return want
	}
	var n difftree.Node
	if r.Own != 0 {
		n, want = b.ofItself(up, r, nil)
	} else {
		n, want = b.whole(up, r)
	}
	switch {
	case want != "":
		return want
	case r.Own != 0 && !up.known() && !b.adds(n):
		return "no other differences between the two sides"
	}

	b.found = append(b.found, n)
	return ""
}

func (b *builder) enter(r *difftree.Record, inside difftree.Inside) (want string) {
	up := b.up()
	if want = b.position(up, r); want != "" {
		return want
	}

	f := opening{last: -1, shape: difftree.Branch{Kind: inside.Kind, Secret: inside.Secret}, base: len(b.found)}
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
	case len(b.open) >= value.MaxDepth:
		return wantDepth()
	case isArray:
		f.shape.OldSize, f.shape.NewSize = difftree.ClampIndex(inside.OldLen), difftree.ClampIndex(inside.NewLen)
		f.shape.Unordered = inside.Unordered
	}

	if r.Op == 0 {
		f.node, want = b.bare(up, r)
	} else {
		f.node, want = b.ofItself(up, r, &f.shape)
	}
	if want == "" {
		want = f.know(up, r)
	}
	if want == "" {
		b.open = append(b.open, f)
	}
	return want
}

func (b *builder) leave() (want string) {
	f := b.up()
	if f == nil {
		return "a container that was entered"
	}

	inside := b.found[f.base:]
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
	n.Below.Rules = b.rules
	n.Below.Attach(slices.Clone(inside))
	if n.Facts.Has(difftree.Own) && (len(b.open) == 1 || !b.open[len(b.open)-2].known()) && !b.adds(n) {
		return "changes inside for all differences"
	}
	b.found = append(b.found[:f.base], n)
	b.open = b.open[:len(b.open)-1]
	return ""
}

// adds reports whether the old side of a container, with the changes inside, is its new
// one.
func (b *builder) adds(n difftree.Node) bool {
	n.Key, n.OldIndex, n.NewIndex = "", 0, 0
	made, err := applied(topOf(b.rules, n).Child(0), n.Old)
	return err == nil && b.rules.Relation.Equal(made, n.New)
}
