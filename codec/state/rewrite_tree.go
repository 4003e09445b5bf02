package state

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// node is a JSON value whose text is edited. It is read into a tree when the first edit
// leads into it, so that many edits of one bag read it once, and is written with all that
// was between its parts:
//
//	{ "a" : 1 , "b" : 2 }
//	 ^   ^^^ ^^^         ^
//	lead colon after     tail
type node struct {
	text       string // of all of it, until it is read
	open       byte   // the opening bracket; 0: not read yet, or no container
	lead, tail string
	children   []*child       // of an array, those that are left
	byKey      map[string]int // of an object, indexes of those that are left
	first      int            // index of the first child that is left, or none
}

type child struct {
	name  string // quoted, as it is spelled; empty in an array
	colon string // with the space around it
	after string // the comma, if there is another child, with the space around it
	gone  bool   // in an object: it was removed
	node
}

// Why a path leads nowhere.
var (
	errNoContainer = errors.New("it leads below a value that is neither object nor array")
	errNoKey       = errors.New("a key is needed in an object, and an index in an array")
	errInSecret    = errors.New("it leads into a secret or another value with a signature")
	errNoIndex     = errors.New("the index is beyond the end of the array")
	errNoProperty  = errors.New("there is no such property")
	errSealed      = errors.New("it is encrypted; a file that was exported with --show-secrets has what it holds")
	errRevealed    = errors.New("it is a secret, and the new value is not")
)

// failedAt returns the error for a path.
func failedAt(p path.Path, err error) error { return fmt.Errorf("%s: %w", scan.Line(p.String()), err) }

func (n *node) edit(e *PropertyEdit, set string) error {
	below := e.At
	for {
		step, rest, _ := below.Cut()
		i, err := n.child(step)
		switch {
		case err != nil:
			return failedAt(e.At, err)
		case rest.IsRoot() && i == len(n.children) && !e.Remove && !e.Secret && !e.Plain:
			n.add(step, set)
			return nil
		case i == len(n.children):
			return failedAt(e.At, errNoProperty)
		case rest.IsRoot() && e.Remove:
			n.remove(i, step)
			return nil
		case rest.IsRoot():
			return n.children[i].replace(e, set)
		}

		n, below = &n.children[i].node, rest
	}
}

// child returns which of the children a step leads to; their number for a new one.
func (n *node) child(step path.Step) (int, error) {
	n.read()
	index, isIndex := step.AsIndex()
	key, _ := step.AsKey()
	switch {
	case n.open == 0:
		return 0, errNoContainer
	case isIndex != (n.open == '['):
		return 0, errNoKey
	case isIndex && index > len(n.children):
		return 0, errNoIndex
	case isIndex:
		return index, nil
	case n.isSigned() || key == codec.SignatureKey:
		return 0, errInSecret
	}

	if i, ok := n.byKey[key]; ok {
		return i, nil
	}
	return len(n.children), nil
}

// isSigned reports whether a node that was read has a signature.
func (n *node) isSigned() bool {
	_, ok := n.byKey[codec.SignatureKey]
	return ok
}

// read reads a container into a tree, with all that is in it, in one pass.
func (n *node) read() {
	if n.open != 0 || (n.text[0] != '{' && n.text[0] != '[') {
		return
	}

	d := jsonscan.Decoder{Text: n.text}
	open := []*node{}
	at := 0 // end of what was read
	for {
		t, _ := d.Next() // well formed, since it was read before
		switch t.Kind {
		case jsonscan.KindEnd:
			return
		case '}', ']':
			top := open[len(open)-1]
			top.tail = n.text[at:t.From]
			open = open[:len(open)-1]
		case jsonscan.KindName:
			c := open[len(open)-1].begin(d.Unquoted(t), n.text[at:t.From])
			c.name = n.text[t.From:t.To]
		case jsonscan.KindObject, jsonscan.KindArray:
			to := n
			if len(open) > 0 {
				to = open[len(open)-1].value(n.text[at:t.From])
			}
			to.open = byte(t.Kind)
			if t.Kind == jsonscan.KindObject {
				to.byKey = map[string]int{}
			}
			open = append(open, to)
		case jsonscan.KindString, jsonscan.KindNumber, jsonscan.KindLiteral:
			open[len(open)-1].value(n.text[at:t.From]).text = n.text[t.From:t.To]
		}

		at = t.To
	}
}

// begin adds a child that is being read, after the text between it and what is before.
func (n *node) begin(key, between string) *child {
	if len(n.children) == 0 {
		n.lead = between
	} else {
		n.children[len(n.children)-1].after = between
	}
	if n.byKey != nil {
		n.byKey[key] = len(n.children)
	}

	c := &child{}
	n.children = append(n.children, c)
	return c
}

func (n *node) value(between string) *node {
	if n.open == '[' {
		return &n.begin("", between).node
	}
	c := n.children[len(n.children)-1]
	c.colon = between
	return &c.node
}

// add adds a child after all that are left, with the same space around it.
func (n *node) add(step path.Step, set string) {
	c := &child{node: node{text: set}}
	if key, ok := step.AsKey(); ok {
		n.byKey[key] = len(n.children)
		c.name, c.colon = quotedKey(key), ":"
	}

	if last := len(n.children); last > n.first {
		n.children[last-1].after = "," + n.lead
		if c.name != "" {
			c.colon = n.children[n.first].colon
		}
	} else {
		n.lead, n.tail = "", ""
	}
	n.children = append(n.children, c)
}

// remove removes a child. In an object it stays in its place, so that others keep theirs,
// unless it is the last.
func (n *node) remove(i int, step path.Step) {
	if n.open == '[' {
		n.children = slices.Delete(n.children, i, i+1)
		return
	}

	key, _ := step.AsKey()
	delete(n.byKey, key)
	n.children[i].gone = true
	for len(n.children) > 0 && n.children[len(n.children)-1].gone {
		n.children = n.children[:len(n.children)-1]
	}
	for n.first < len(n.children) && n.children[n.first].gone {
		n.first++
	}
	n.first = min(n.first, len(n.children))
}

// replace makes a value another one, or secret.
func (n *node) replace(e *PropertyEdit, set string) error {
	n.read()
	isSecret := false
	if e.Secret || e.Plain || n.isSigned() {
		o := codec.Options{Form: codec.FormState, Depth: math.MaxInt32, RoundNumbers: !e.Secret && !e.Plain}
		old, err := codec.DecodeJSONValue(n.String(), o)
		if err != nil {
			return err
		}

		isSecret = old.IsSecret()
		if _, isSealed := old.AsSealed(); isSealed && e.Plain {
			return failedAt(e.At, errSealed)
		}
		if (e.Secret && !isSecret) || (e.Plain && isSecret) {
			now := value.Secret(old)
			if isSecret {
				now = old.DropSecret()
			}
			written, err := EncodeBags([]value.Value{now}, nil, o)
			if err != nil {
				return err
			}
			set = string(written[0])
		}
	}
	switch {
	case e.Secret && isSecret, e.Plain && !isSecret:
		return nil
	case e.Plain:
	case isSecret && !e.Value.IsSecret():
		return failedAt(e.At, errRevealed)
	}

	*n = node{text: set}
	return nil
}

func quotedKey(key string) string {
	text, err := codec.AppendJSONValue(nil, value.String(key), codec.Options{Form: codec.FormState})
	if err != nil {
		return strconv.QuoteToASCII(key)
	}
	return string(text)
}

// String returns the text of the value.
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	if n.open == 0 {
		b.WriteString(n.text)
		return
	}

	b.WriteByte(n.open)
	b.WriteString(n.lead)
	between := ""
	for _, c := range n.children {
		if c.gone {
			continue
		}
		b.WriteString(between)
		b.WriteString(c.name)
		b.WriteString(c.colon)
		c.write(b)
		between = c.after
	}
	b.WriteString(n.tail)
	b.WriteByte(jsonscan.Closer(n.open == '{'))
}
