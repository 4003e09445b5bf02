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

	low, err = lower(op, v, o)
	if isStruct {
		return bag(op, -1, low, err)
	}
	return low, err
}

// messageError returns the error for a value that [protoWriter] cannot write. It writes
// the value as text: what can be a message can be text, and the other way round, but for
// numbers that are not finite.
func messageError(op string, v value.Value, isStruct bool, o *Options) error {
	w := jsonWriter{opts: *o, limit: o.depth(), used: 1, isMessage: true}
	if isStruct {
		w.used = 0
	}
	return w.fail(op, w.value(v, v.IsSecret()))
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

// containerCost returns how many messages a container adds around each child, or takes
// itself if it is empty.
func containerCost(children int, named bool) int {
	if children == 0 {
		return 1
	}
	return jsonscan.Cost(named)
}
