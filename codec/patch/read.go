package patch

import (
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// reader reads a text into nodes. Errors of malformed text have an offset and no path,
// since whether an ancestor is secret is not known before the end. What else is wrong
// with a node is noted there, for the builder to report.
type reader struct {
	text   string
	tokens jsonscan.Decoder
	limit  int
	used   int // messages around the node that is being read

	relation       value.Relation
	maybeIsChanged bool
	uncertain      bool
	masked         bool
	base           string
	root           *node
}

// span is the place of a value in the text. The zero span means that it is absent.
type span struct{ lo, hi int }

func (s span) there() bool { return s.hi > 0 }

type node struct {
	at              int // its offset
	key             string
	old, now        span
	oldIndex, index int
	oldLen, length  int
	inside          []node
	wrong           *Error // the first error, without a path
	kind            value.Kind
	op              difftree.Op
	own             difftree.Facts
	has             field // the fields that were read
	isTrue          field // those of them that are true
	hides           field // fieldOld and fieldNew, if the value is hidden
	maybe           bool
}

func (n *node) is(which field) bool { return n.isTrue&which != 0 }

func (r *reader) document() *Error {
	r.tokens = jsonscan.Decoder{Text: r.text}
	begin, err := r.begin(jsonscan.KindObject)
	if err != nil {
		return err
	}

	seen := map[string]bool{}
	err = r.members(func(name string, at int) *Error {
		if seen[name] {
			return &Error{Op: opDecode, Offset: at, err: codec.ErrDuplicate}
		}
		seen[name] = true
		return r.top(name, at)
	})
	if err != nil {
		return err
	}
	if _, err := r.next(); err != nil {
		return err
	}
	if !seen["propalg"] {
		return noForm(begin, "a member propalg that is "+strconv.Quote(version), "")
	}

	return nil
}

func noForm(offset int, want, found string) *Error {
	return &Error{Op: opDecode, Offset: offset, Want: want, Found: found, err: ErrForm}
}

// top reads a member of the patch itself.
func (r *reader) top(name string, at int) *Error {
	if name == "diff" {
		root := node{}
		r.root = &root
		return r.node(r.root)
	}

	raw, where, err := r.value()
	if err != nil {
		return err
	}

	var want string
	var ok bool
	switch name {
	case "propalg":
		want, ok = strconv.Quote(version)+", the form that is read here", text(raw) == version
	case "relation":
		want = "names of relations, each once"
		r.relation, ok = set(raw, relationOf)
	case "unknowns":
		want, ok = `"changed"`, text(raw) == "changed"
		r.maybeIsChanged = true
	case "uncertain":
		r.uncertain, ok = flag(raw)
		want = "true or false"
	case "masked":
		r.masked, ok = flag(raw)
		want = "true or false"
	case "base":
		r.base = text(raw)
		want, ok = "a fingerprint", isFingerprint(r.base)
	default:
		return noForm(at, "propalg, relation, unknowns, uncertain, masked, base or diff", "an unknown member")
	}
	if !ok {
		return noForm(where.lo, want, "")
	}
	return nil
}

// node reads a node into n, which has its key, or the index unless one is read.
func (r *reader) node(n *node) *Error {
	at, err := r.begin(jsonscan.KindObject)
	if err != nil {
		return err
	}
	n.at = at
	return r.fields(n)
}

// fields reads the fields of a node, after its opening bracket.
func (r *reader) fields(n *node) *Error {
	err := r.members(func(name string, at int) *Error { return r.field(n, name, at, false) })
	if err == nil && n.op == 0 && n.has&(fieldInside|fieldMasked) == 0 {
		n.mistake(n.at, "op, members or elements", "none")
	}
	return err
}

// inside reads the changes inside a container: its "members" or "elements".
func (r *reader) inside(n *node, kind value.Kind) *Error {
	at, err := r.begin(jsonscan.KindObject)
	if err != nil {
		return err
	}

	n.kind = kind
	r.used += cost(kind)
	if r.used > r.limit {
		return &Error{Op: opDecode, Offset: at, err: codec.ErrDepth}
	}

	err = r.members(func(name string, at int) *Error {
		if kind == value.KindArray {
			return r.field(n, name, at, true)
		}
		child := node{key: name}
		err := r.node(&child)
		n.inside = append(n.inside, child)
		return err
	})
	r.used -= cost(kind)
	return err
}

// changes reads the array of changed elements.
func (r *reader) changes(n *node) *Error {
	if _, err := r.begin(jsonscan.KindArray); err != nil {
		return err
	}
	for {
		t, err := r.next()
		if err != nil || t.Kind == ']' {
			return err
		}
		if t.Kind != jsonscan.KindObject {
			return r.expected(jsonscan.KindObject, t.From)
		}

		child := node{at: t.From, index: len(n.inside)}
		if err := r.fields(&child); err != nil {
			return err
		}
		n.inside = append(n.inside, child)
	}
}

// mistake notes what is wrong with a node, if it is the first.
func (n *node) mistake(offset int, want, found string) {
	if n.wrong == nil {
		n.wrong = noForm(offset, want, found)
	}
}

func (r *reader) next() (jsonscan.Token, *Error) {
	t, fault := r.tokens.Next()
	if fault != nil {
		return t, broken(fault)
	}
	return t, nil
}

func (r *reader) begin(kind jsonscan.Kind) (at int, err *Error) {
	t, fault := r.tokens.Next()
	if fault != nil {
		return 0, r.expected(kind, r.tokens.Pos)
	}
	if t.Kind != kind {
		return 0, r.expected(kind, t.From)
	}

	return t.From, nil
}

func (r *reader) expected(kind jsonscan.Kind, at int) *Error {
	return broken(jsonscan.Expected(r.text, at, "'"+string(rune(kind))+"'"))
}

// members reads the rest of an object. It calls member before each value, with the
// name and its offset.
func (r *reader) members(member func(name string, at int) *Error) *Error {
	for {
		t, err := r.next()
		if err != nil || t.Kind == '}' {
			return err
		}
		if err := member(r.tokens.Unquoted(t), t.From); err != nil {
			return err
		}
	}
}

// A member that is not a VALUE is no deeper than shallow: it is a list of names.
const shallow = 4

// value skips a value and returns its text and place.
func (r *reader) value() (raw string, at span, err *Error) {
	r.tokens.Limit = r.tokens.Used + max(shallow, r.limit-r.used) // values are looked at again
	from, to, fault := r.tokens.SkipValue()
	r.tokens.Limit = 0
	if fault != nil {
		return "", at, broken(fault)
	}
	return r.text[from:to], span{from, to}, nil
}
