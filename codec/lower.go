package codec

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// isInternal reports whether the name of a member of the outermost object is that of
// an internal property.
func isInternal(key string) bool { return strings.HasPrefix(key, "__") }

const opApply = "apply policies"

// ApplyPolicies returns what the policies of the options leave of a value: what is
// kept when it is written, or was read. The error is an [*Error].
func ApplyPolicies(v value.Value, o Options) (value.Value, error) {
	if err := o.check(opApply); err != nil {
		return value.Value{}, err
	}
	return lower(opApply, v, &o)
}

// lower applies the policies to a value: once it was read, and before it is
// written. A value of which everything is kept comes back as it is.
func lower(op string, v value.Value, o *Options) (value.Value, error) {
	if o.keepsAll() {
		return v, nil
	}
	if v.IsSecret() {
		v = value.Secret(v)
	}
	l := lowering{op: op, opts: *o, leaves: o.Assets != Keep || o.References != Keep || o.Nulls != Keep}
	return l.run(v)
}

// lowering rebuilds a value from below. It does not recurse.
type lowering struct {
	op     string
	opts   Options
	leaves bool // a policy is about content that has no deep fact
	build  value.Builder
	open   []lowered
}

// lowered is a container that is being rebuilt.
type lowered struct {
	from value.Value
	next int // child to be looked at
	kept int // children that were kept
}

// outcome is what became of a value.
type outcome uint8

const (
	whole   outcome = iota // there it is
	dropped                // it is to go
	opened                 // it is a container, which stands on the stack
)

func (l *lowering) run(v value.Value) (value.Value, error) {
	v, what, err := l.visit(v)
	for err == nil && what == opened {
		top := &l.open[len(l.open)-1]
		if key, child, there := top.child(); there {
			top.next++
			if l.opts.Internal == Lower && len(l.open) == 1 && isInternal(key) {
				continue // whatever it holds
			}
			if child, what, err = l.visit(child); err == nil && what != opened {
				err = l.put(child, what)
				what = opened
			}
			continue
		}
		v = l.close()
		if len(l.open) == 0 {
			return v, nil
		}
		err = l.put(v, whole)
	}
	if err != nil {
		return value.Value{}, err
	}
	return v, nil
}

// child returns the child to be looked at, and its name if it is a member.
func (c *lowered) child() (key string, v value.Value, there bool) {
	if c.next >= c.from.Len() {
		return "", value.Value{}, false
	}
	if c.from.Kind() == value.KindObject {
		key, v, _ = c.from.MemberAt(c.next)
		return key, v, true
	}
	return "", c.from.Elem(c.next), true
}

// visit decides about a value: whole is the answer for what stays as it is, all
// below included.
func (l *lowering) visit(v value.Value) (value.Value, outcome, error) {
	top := len(l.open) == 0
	if !l.leaves && (!top || l.opts.Internal == Keep) &&
		!v.ContainsSecret() && !v.ContainsUnknown() && !v.ContainsDependencies() {
		return v, whole, nil
	}
	if v.OwnSecret() && l.opts.Secrets == Reject {
		return v, whole, l.fail(ErrPolicy, "secret")
	}
	if v.HasDependencies() && l.opts.Outputs == Reject {
		return v, whole, l.fail(ErrPolicy, "output")
	}
	content, err := v, error(nil)
	switch v.Kind() {
	case value.KindArray, value.KindObject:
		l.open = append(l.open, lowered{from: v})
		return v, opened, nil
	case value.KindUnknown:
		return l.unknown(v)
	case value.KindAsset, value.KindArchive:
		content, err = l.asset(v)
	case value.KindResourceReference:
		r, _ := v.AsResourceReference()
		switch l.opts.References {
		case Lower:
			if content = r.Lower(); content.IsUnknown() {
				return l.unknown(l.remark(v, content))
			}
		case Reject:
			err = l.fail(ErrPolicy, "resource reference")
		case Keep:
		}
	case value.KindSealed:
		if l.opts.Secrets == Lower {
			err = l.fail(ErrSealed, "")
		}
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString:
	}
	return l.remark(v, content), whole, err
}

func (l *lowering) unknown(v value.Value) (value.Value, outcome, error) {
	switch l.opts.Unknowns {
	case Lower:
		return value.Value{}, dropped, nil
	case Reject:
		return v, whole, l.fail(ErrPolicy, "unknown")
	case Keep:
	}
	return l.remark(v, v), whole, nil
}

// asset elides the contents of an asset or archive.
func (l *lowering) asset(v value.Value) (value.Value, error) {
	switch l.opts.Assets {
	case Keep:
		return v, nil
	case Reject:
		return v, l.fail(ErrPolicy, v.Kind().String())
	case Lower:
	}
	if a, ok := v.AsAsset(); ok {
		if hash, ok := a.Hash(); ok {
			return value.ElidedAsset(hash).Value(), nil
		}
		return v, l.fail(ErrPolicy, "asset without a hash, of which nothing would be left")
	}
	a, _ := v.AsArchive()
	if hash, ok := a.Hash(); ok {
		return value.ElidedArchive(hash).Value(), nil
	}
	if a.Source() == value.SourceLiteral && a.Len() == 0 {
		return v, nil
	}
	return v, l.fail(ErrPolicy, "archive without a hash, of which nothing would be left")
}

// remark returns content with those marks of v that the policies leave.
func (l *lowering) remark(v, content value.Value) value.Value {
	content = content.DropDependencies().DropSecret()
	if v.HasDependencies() && l.opts.Outputs == Keep {
		content = content.WithDependencies(slices.Collect(v.Dependencies())...)
	}
	if v.OwnSecret() && l.keepsSecret(v) {
		content = value.Secret(content)
	}
	return content
}

// keepsSecret reports whether a value that is secret stays so: an output that is kept
// is kept with its mark, which a peer that knows outputs understands.
func (l *lowering) keepsSecret(v value.Value) bool {
	return l.opts.Secrets == Keep || l.opts.Secrets == Lower && l.opts.Outputs == Keep && v.HasDependencies()
}

// put gives a value that was decided about to the container around it.
func (l *lowering) put(v value.Value, what outcome) error {
	top := &l.open[len(l.open)-1]
	if top.from.Kind() == value.KindArray {
		if what == dropped {
			v = value.Null()
		}
		l.build.Push(v)
		top.kept++
		return nil
	}
	if what == dropped {
		return nil
	}
	if v.IsNull() && !v.IsSecret() && !v.HasDependencies() {
		switch l.opts.Nulls {
		case Lower:
			return nil
		case Reject:
			return l.fail(ErrPolicy, "null")
		case Keep:
		}
	}
	key, _, _ := top.from.MemberAt(top.next - 1)
	if l.opts.Internal == Reject && len(l.open) == 1 && isInternal(key) {
		return l.fail(ErrPolicy, "internal property")
	}
	l.build.PushMember(key, v)
	top.kept++
	return nil
}

// close makes the container on top of the stack, with its marks.
func (l *lowering) close() value.Value {
	top := l.open[len(l.open)-1]
	l.open = l.open[:len(l.open)-1]
	var v value.Value
	if top.from.Kind() == value.KindArray {
		v = l.build.Array(top.kept)
	} else {
		v, _, _ = l.build.Object(top.kept)
	}
	if top.from.HasDependencies() && l.opts.Outputs == Keep {
		v = v.WithDependencies(slices.Collect(top.from.Dependencies())...)
	}
	if top.from.OwnSecret() && l.keepsSecret(top.from) {
		v = value.Secret(v)
	}
	return v
}

// fail makes the error for the child that is being looked at, or for the root.
func (l *lowering) fail(cause error, found string) error {
	t := trail{visible: -1}
	for i := range l.open {
		t.into(l.open[i].from, l.open[i].next-1)
	}
	return &Error{Op: l.op, At: t.shown(), Offset: -1, Found: found, err: cause}
}

// trail collects the path down to a value.
type trail struct {
	steps   []path.Step
	visible int // steps above which nothing is secret, -1: all of them
}

// into adds the step from a container to one of its children.
func (t *trail) into(container value.Value, child int) {
	if container.IsSecret() && t.visible < 0 {
		t.visible = len(t.steps)
	}
	step := path.Index(child)
	if key, _, ok := container.MemberAt(child); ok {
		step = path.Key(key)
	}
	t.steps = append(t.steps, step)
}

func (t *trail) shown() path.Shown { return path.Show(path.Of(t.steps...), t.visible) }
