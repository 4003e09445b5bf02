package codec

import (
	"slices"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ready checks the options and applies the policies to a value before it is written.
func ready(op string, v value.Value, isStruct bool, o *Options) (low value.Value, err error) {
	if err := o.check(op); err != nil {
		return v, err
	}
	if o.Form != FormWire {
		return v, &Error{Op: op, Offset: -1, Want: FormWire.String(), Found: o.Form.String(), err: ErrOptions}
	}
	if low, err = lower(op, v, o); err != nil {
		return v, err
	}
	if isStruct {
		err = wantObject(op, -1, low)
	}
	return low, err
}

// checkMessage returns an error if a value cannot be written as a message.
func checkMessage(op string, v value.Value, isStruct bool, o *Options) error {
	c := messageChecker{byteStrings: o.ByteStrings == Keep, limit: o.depth()}
	used := 1
	if isStruct {
		used = 0
	}
	t := c.value(v, v.IsSecret(), used)
	if t == nil {
		return nil
	}

	at, visible := pathTo(c.around)
	return &Error{Op: op, At: path.Show(at, visible), Offset: -1, Want: t.want, err: t.err}
}

// messageChecker finds out whether a value can be written as a message.
type messageChecker struct {
	byteStrings bool // are kept
	limit       int
	around      []parent // after trouble: the containers around it, innermost first
}

// parent is a container, and which child of it is meant.
type parent struct {
	from  value.Value
	child int
}

// pathTo returns the path into containers, of which the innermost is the first, and how
// many of its steps may be shown (-1: all).
func pathTo(around []parent) (at path.Path, visible int) {
	visible = -1
	var steps []path.Step
	for _, p := range slices.Backward(around) {
		if p.from.IsSecret() && visible < 0 {
			visible = len(steps)
		}
		step := path.Index(p.child)
		if key, _, ok := p.from.MemberAt(p.child); ok {
			step = path.Key(key)
		}
		steps = append(steps, step)
	}
	return path.Of(steps...), visible
}

// value checks a value with so many messages around it, its own Value included.
func (c *messageChecker) value(v value.Value, isSecret bool, used int) *trouble {
	if v.HasDependencies() {
		if t := c.need(used + 5); t != nil {
			return t
		}
		for urn := range v.Dependencies() {
			if t := checkText(urn); t != nil {
				return t
			}
		}
		used += 3
	} else if isSecret && v.Kind() != value.KindSealed {
		used += 3
	}
	if t := c.need(used); t != nil {
		return t
	}

	switch v.Kind() {
	case value.KindArray, value.KindObject:
		return c.container(v, used)
	case value.KindString:
		s, _ := v.AsString()
		if goesAsBytes(s) && !c.byteStrings {
			return checkText(s)
		}
		if goesAsBytes(s) {
			return c.need(used + 3)
		}
	case value.KindArchive:
		if a, _ := v.AsArchive(); a.Source() == value.SourceLiteral {
			return c.literal(a, used)
		}
		return c.signed(v, used)
	case value.KindAsset, value.KindResourceReference:
		return c.signed(v, used)
	case value.KindSealed:
		return &trouble{err: ErrSealed, want: "a decrypted secret"}
	case value.KindNull, value.KindBool, value.KindNumber, value.KindUnknown:
	}
	return nil
}

func (c *messageChecker) container(v value.Value, used int) *trouble {
	children, named := v.Children(), v.Kind() == value.KindObject
	used += containerCost(children.Len(), named)
	if t := c.need(used); t != nil {
		return t
	}

	for i := range children.Len() {
		key, child := children.At(i)
		if key == SignatureKey { // it is the container that cannot be written
			return reservedName()
		}
		t := checkName(key)
		if t == nil {
			t = c.value(child, child.OwnSecret(), used)
		}
		if t != nil {
			c.around = append(c.around, parent{v, i})
			return t
		}
	}
	return nil
}

// literal checks an archive with its entries, which no path leads to.
func (c *messageChecker) literal(a value.Archive, used int) *trouble {
	if hash, ok := a.Hash(); ok {
		if t := checkText(hash); t != nil {
			return t
		}
	}
	used += 3 + containerCost(a.Len(), true)
	if t := c.need(used); t != nil {
		return t
	}

	for name, entry := range a.Entries() {
		if name == SignatureKey {
			return reservedName()
		}
		t := checkName(name)
		if t == nil {
			t = c.value(entry, false, used)
		}
		if t != nil {
			return t
		}
	}
	return nil
}

// signed checks an object with a signature that has nothing but texts.
func (c *messageChecker) signed(v value.Value, used int) *trouble {
	s := signedBy(v)
	for _, f := range s.fields[:s.n] {
		if t := checkText(f.text); t != nil {
			return t
		}
	}
	return c.need(used + 3)
}

// need checks that the limit allows so many messages.
func (c *messageChecker) need(messages int) *trouble {
	if messages > c.limit {
		return &trouble{err: ErrDepth}
	}
	return nil
}

func checkName(name string) *trouble {
	if isUTF8(name) {
		return nil
	}
	return &trouble{err: ErrUTF8, want: "name in UTF-8"}
}

func reservedName() *trouble {
	return &trouble{err: ErrSignature, want: "a name other than the signature key"}
}

// checkText checks a string that must not become a byte string.
func checkText(s string) *trouble {
	if !isUTF8(s) {
		return &trouble{err: ErrUTF8}
	}
	if isSentinel(s) {
		return &trouble{err: ErrSentinel}
	}
	return nil
}

// containerCost returns how many messages a container adds around each child, or takes
// itself if it is empty.
func containerCost(children int, named bool) int {
	if children == 0 {
		return 1
	}
	return jsonscan.Cost(named)
}
