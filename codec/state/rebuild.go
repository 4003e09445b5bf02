package state

import (
	"slices"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// rebuild makes a value anew where visit says so. It does not recurse.
type rebuild struct {
	// visit gets each value that is not below one that stays, and how many
	// messages are around it, its own wrapping not counted. It returns what takes
	// its place.
	visit func(v value.Value, used int) (visited, error)
	build value.Builder
	open  []level
	made  value.Value
}

// visited is what takes the place of a value.
type visited struct {
	v     value.Value
	used  int  // messages around it, its own wrapping not counted
	below bool // it is a container, and what is in it is to be visited too
}

// level is a container that is being rebuilt.
type level struct {
	marked value.Value // for its marks
	from   value.Value // without secret mark, so that children carry their own only
	next   int         // child that comes next
	used   int         // messages around the children
}

func (b *rebuild) run(v value.Value) (value.Value, error) {
	if v.IsSecret() {
		v = value.Secret(v.DropSecret())
	}
	err := b.enter(v, 0)
	for err == nil && len(b.open) > 0 {
		top := &b.open[len(b.open)-1]
		if top.next >= top.from.Len() {
			b.leave()
			continue
		}
		_, child, isObject := top.from.MemberAt(top.next)
		if !isObject {
			child = top.from.Elem(top.next)
		}
		top.next++
		err = b.enter(child, top.used)
	}
	if err != nil {
		return value.Value{}, err
	}
	return b.made, nil
}

func (b *rebuild) enter(v value.Value, used int) error {
	got, err := b.visit(v, used)
	if err != nil {
		return err
	}
	if !got.below {
		b.put(got.v)
		return nil
	}
	isObject := got.v.Kind() == value.KindObject
	b.open = append(b.open, level{
		marked: got.v, from: got.v.DropSecret(),
		used: got.used + wrapping(got.v) + jsonscan.Cost(isObject),
	})
	return nil
}

// leave closes the container on top of the stack, with its marks.
func (b *rebuild) leave() {
	top := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	var v value.Value
	if top.from.Kind() == value.KindObject {
		v, _, _ = b.build.Object(top.from.Len())
	} else {
		v = b.build.Array(top.from.Len())
	}
	b.put(remark(v, top.marked))
}

// put gives what takes the place of a value to the container around it.
func (b *rebuild) put(v value.Value) {
	if len(b.open) == 0 {
		b.made = v
		return
	}
	top := &b.open[len(b.open)-1]
	if key, _, isObject := top.from.MemberAt(top.next - 1); isObject {
		b.build.PushMember(key, v)
	} else {
		b.build.Push(v)
	}
}

// remark returns v with the marks of another value, and with its own.
func remark(v, marked value.Value) value.Value {
	if marked.HasDependencies() {
		v = v.WithDependencies(slices.Collect(marked.Dependencies())...)
	}
	if marked.OwnSecret() {
		v = value.Secret(v)
	}
	return v
}

// wrapping counts the messages of what is written around a value for its marks.
func wrapping(v value.Value) int {
	if v.HasDependencies() || v.OwnSecret() && v.Kind() != value.KindSealed {
		return 3
	}
	return 0
}

// at returns the place of the value that is being visited, and from which of its
// steps on all is secret.
func (b *rebuild) at() (at path.Path, visible int) {
	steps := make([]path.Step, 0, len(b.open))
	visible = -1
	for i := range b.open {
		top := &b.open[i]
		if visible < 0 && top.marked.IsSecret() {
			visible = i
		}
		step := path.Index(top.next - 1)
		if key, _, isObject := top.from.MemberAt(top.next - 1); isObject {
			step = path.Key(key)
		}
		steps = append(steps, step)
	}
	return path.Of(steps...), visible
}

// hide is the place of something below the secret that is being visited.
func (b *rebuild) hide(below path.Shown) path.Shown {
	at, visible := b.at()
	if visible < 0 {
		visible = at.Len()
	}
	return path.Show(at.Join(below.RevealPath()), visible)
}
