package codec

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// node is a container whose path may be needed: one around an error, or around a
// number that was rounded. Whether a container is an object of the user's or has a
// signature may be known only at its end, and decides what the steps inside it are,
// so paths are made of nodes afterwards.
type node struct {
	outer *node
	step  path.Step // from outer to here
	class class
	inner bool // outer is a secret whose plaintext is a text of its own, with this as root
}

// class is what an object on the wire turned out to be, as far as paths go.
type class uint8

const (
	plain  class = iota // its members are steps
	output              // its member `value` adds no step
	secret              // its member `value` adds no step, and everything below is hidden
)

// classOf returns the class of an object with a signature, whose field `secret` may be
// true.
func classOf(sig string, isSecret bool) class {
	switch {
	case sig == sigSecret, sig == sigOutput && isSecret:
		return secret
	case sig == sigOutput:
		return output
	}
	return plain
}

// position is a value in a container: below node, or a root.
type position struct {
	node  *node
	step  path.Step
	inner bool // the root of a plaintext, which adds no step
}

// as returns the container at the position, which is of a class.
func (s position) as(c class) *node {
	return &node{outer: s.node, step: s.step, inner: s.inner, class: c}
}

// into returns the place of a child of the container that has this place.
func (s position) into(c class, step path.Step) position { return position{node: s.as(c), step: step} }

// path returns the path of the position and how many of its steps may be seen; it
// is secret if below a secret, even if all its steps may.
func (s position) path() (p path.Path, visible int, isSecret bool) {
	var chain []*node
	for n := s.as(plain); n.outer != nil; n = n.outer {
		chain = append(chain, n)
	}
	steps := make([]path.Step, 0, len(chain))

	visible = -1
	for _, n := range slices.Backward(chain) {
		through := n.inner || (n.step == path.Key("value") && n.outer.class != plain)
		if through && n.outer.class == secret && visible < 0 {
			visible = len(steps)
		}
		if !through {
			steps = append(steps, n.step)
		}
	}
	return path.Of(steps...), visible, visible >= 0
}

// shown returns the path of the position as texts may show it, and whether it is
// secret.
func (s position) shown() (at path.Shown, isSecret bool) {
	p, visible, isSecret := s.path()
	return path.Show(p, visible), isSecret
}

// wantPlaintext is what is expected of a secret that somebody wrote by hand.
const wantPlaintext = `a plaintext in JSON, where a string has quotes of its own`

// inPlaintext says of an error in a plaintext that is not JSON what a plaintext is.
func inPlaintext(e *Error) *Error {
	if errors.Is(e.err, ErrSyntax) {
		e.Want = wantPlaintext
	}
	return e
}

// failAt puts operation and place into an error, which then says nothing of what was found
// if that is secret, nor what a scanner expected there, since that tells what was before.
func failAt(op string, e *Error, s position) error {
	at, isSecret := s.shown()
	e.Op, e.At = op, at
	if isSecret {
		e.Found = ""
		if isSyntax := errors.Is(e.err, ErrSyntax) || errors.Is(e.err, ErrUTF8); isSyntax && e.Want != wantPlaintext {
			e.Want = "JSON"
		}
	}

	return e
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
