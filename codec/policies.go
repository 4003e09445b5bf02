package codec

// NOTE: What an internal property is, is said again by schema (check.go) and by the
// generator of schemas in fuzz.

import (
	"errors"
	"strings"

	"github.com/propalg/propalg/value"
)

// isInternal reports whether the name of a member of the outermost object is that of
// an internal property.
func isInternal(key string) bool { return strings.HasPrefix(key, "__") }

const opApply = "apply policies"

// ready checks the options and applies the policies to a value before it is written.
func ready(op string, v value.Value, isStruct bool, o *Options) (low value.Value, err error) {
	if err := o.check(op); err != nil {
		return v, err
	}
	if o.Form != FormWire {
		return v, &Error{Op: op, Offset: -1, Want: FormWire.String(), Found: o.Form.String(), err: ErrOptions}
	}

	low, err = lower(op, v, o)
	if isStruct {
		return bag(op, -1, low, err)
	}
	return low, err
}

// ApplyPolicies applies the policies in o to v, as readers and writers do.
//
// It returns an [*Error] for content that a policy rejects or cannot lower, and for
// invalid options. ByteStrings, RoundNumbers, Form and Depth have no effect on v.
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

	l := lowerer{op: op, opts: *o, leaves: o.Assets != Keep || o.References != Keep || o.Nulls != Keep}
	v, err := value.Transformer{Before: l.before, After: l.after}.Apply(v)
	if err != nil {
		return value.Value{}, errors.Unwrap(err) // which has the place too
	}
	return v, nil
}

type lowerer struct {
	op     string
	opts   Options
	leaves bool // a policy is about content that has no deep fact
}

// before decides about everything but containers, and about what is not looked into.
func (l *lowerer) before(c *value.Cursor) (value.Value, error) {
	v := c.Value()
	if l.opts.Internal == Lower && isInternalAt(c) {
		c.Remove() // whatever it holds
		return v, nil
	}

	isPlain := !v.ContainsSecret() && !v.ContainsUnknown() && !v.ContainsDependencies()
	if isPlain && !l.leaves && (c.Depth() > 0 || l.opts.Internal == Keep) {
		c.SkipBelow()
		return l.settled(c, v)
	}
	if v.OwnSecret() && l.opts.Secrets == Reject {
		return v, l.fail(c, ErrPolicy, "secret")
	}
	if v.HasDependencies() && l.opts.Outputs == Reject {
		return v, l.fail(c, ErrPolicy, "output")
	}
	return v, nil
}

// after decides about the content of scalars and the like, and about marks.
func (l *lowerer) after(c *value.Cursor) (value.Value, error) {
	v := c.Value()
	content, err := v, error(nil)
	switch v.Kind() {
	case value.KindUnknown:
		return l.unknown(c, v)
	case value.KindAsset, value.KindArchive:
		content, err = l.asset(c, v)
	case value.KindResourceReference:
		r, _ := v.AsResourceReference()
		switch l.opts.References {
		case Lower:
			content = r.Lower()
			if content.IsUnknown() {
				return l.unknown(c, content)
			}
		case Reject:
			err = l.fail(c, ErrPolicy, "resource reference")
		case Keep:
		}
	case value.KindSealed:
		if l.opts.Secrets == Lower {
			err = l.fail(c, ErrSealed, "")
		}

	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindArray, value.KindObject:
	}
	if err != nil {
		return v, err
	}

	return l.settled(c, l.remark(c, content))
}

func (l *lowerer) unknown(c *value.Cursor, content value.Value) (value.Value, error) {
	switch l.opts.Unknowns {
	case Lower:
		if isMember(c) {
			c.Remove()
		}
		c.DropMarks()
		return value.Null(), nil
	case Reject:
		return content, l.fail(c, ErrPolicy, "unknown")
	case Keep:
	}

	return l.settled(c, l.remark(c, content))
}

func (l *lowerer) asset(c *value.Cursor, v value.Value) (value.Value, error) {
	switch l.opts.Assets {
	case Keep:
		return v, nil
	case Reject:
		return v, l.fail(c, ErrPolicy, v.Kind().String())
	case Lower:
	}

	if a, ok := v.AsAsset(); ok {
		if _, hashed := a.Hash(); hashed {
			return v.DropContent(), nil
		}
		return v, l.fail(c, ErrPolicy, "asset without a hash, of which nothing would be left")
	}
	a, _ := v.AsArchive()
	if _, hashed := a.Hash(); hashed {
		return v.DropContent(), nil
	}
	if a.Source() == value.SourceLiteral && a.Len() == 0 {
		return v, nil
	}
	return v, l.fail(c, ErrPolicy, "archive without a hash, of which nothing would be left")
}

// remark returns content with those marks of the value that the policies leave.
func (l *lowerer) remark(c *value.Cursor, content value.Value) value.Value {
	v := c.Value()
	c.DropMarks()

	kept := v
	if l.opts.Outputs != Keep {
		kept = kept.DropDependencies()
	}
	if !v.OwnSecret() || !l.keepsSecret(v) {
		kept = kept.DropSecret()
	}
	return content.DropDependencies().DropSecret().WithMarksOf(kept)
}

// keepsSecret reports whether a value that is secret stays so: an output that is kept
// is kept with its mark, which a peer that knows outputs understands.
func (l *lowerer) keepsSecret(v value.Value) bool {
	return l.opts.Secrets == Keep || (l.opts.Secrets == Lower && l.opts.Outputs == Keep && v.HasDependencies())
}

// settled applies the policies about members to one that is otherwise decided about.
func (l *lowerer) settled(c *value.Cursor, v value.Value) (value.Value, error) {
	isBareNull := v.IsNull() && !v.OwnSecret() && !v.HasDependencies()
	switch {
	case !isMember(c):
	case isBareNull && l.opts.Nulls == Lower:
		c.Remove()
	case isBareNull && l.opts.Nulls == Reject:
		return v, l.fail(c, ErrPolicy, "null")
	case l.opts.Internal == Reject && isInternalAt(c):
		return v, l.fail(c, ErrPolicy, "internal property")
	}

	return v, nil
}

func isMember(c *value.Cursor) bool {
	step, ok := c.Step()
	return ok && step.IsKey()
}

func isInternalAt(c *value.Cursor) bool {
	step, _ := c.Step()
	key, _ := step.AsKey()
	return c.Depth() == 1 && isInternal(key)
}

func (l *lowerer) fail(c *value.Cursor, cause error, found string) error {
	return &Error{Op: l.op, At: c.Shown(), Offset: -1, Found: found, err: cause}
}
