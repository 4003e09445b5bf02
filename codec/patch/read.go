package patch

import (
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// reader reads a text into nodes. Errors of malformed text have an offset and no path,
// since whether an ancestor is secret is not known before the end. What else is wrong
// with a node is noted there, for the builder to report.
type reader struct {
	text  string
	pos   int
	limit int
	used  int // messages around the node that is being read
	skip  jsonscan.Skipper

	relation  value.Relation
	unknowns  diff.Unknowns
	uncertain bool
	masked    bool
	base      string
	root      *node
}

// span is the place of a value in the text. The zero span means that it is absent.
type span struct{ lo, hi int }

func (s span) there() bool { return s.hi > 0 }

// node is a node of the text, with its values unread.
type node struct {
	at               int // its offset
	key              string
	old, now         span
	oldIndex, index  int
	oldLen, length   int
	inside           []node
	wrong            *wrong // the first error
	kind             value.Kind
	op               diff.Op
	own              diff.Own
	has              field // the fields that were read
	maybe            bool
	hidesOld         bool
	hidesNew         bool
	moved, unordered bool
	secret, masked   bool
}

// wrong is what is wrong with a node that is valid JSON.
type wrong struct {
	offset      int
	want, found string
}

// field is a set of fields of a node and of its elements.
type field uint32

const (
	fieldOp field = 1 << iota
	fieldOwn
	fieldVerdict
	fieldOldIndex
	fieldIndex
	fieldMoved
	fieldHidden
	fieldOld
	fieldNew
	fieldSecret
	fieldMasked
	fieldInside
	fieldOldLength
	fieldLength
	fieldUnordered
	fieldChanges
)

// document reads the whole text.
func (r *reader) document() *Error {
	r.pos = jsonscan.Space(r.text, 0)
	begin := r.pos
	if err := r.open('{'); err != nil {
		return err
	}

	seen := map[string]bool{}
	err := r.members(func(name string, at int) *Error {
		if seen[name] {
			return &Error{Op: opDecode, Offset: at, err: codec.ErrDuplicate}
		}
		seen[name] = true
		return r.top(name, at)
	})
	if err != nil {
		return err
	}

	r.pos = jsonscan.Space(r.text, r.pos)
	if r.pos < len(r.text) {
		return broken(jsonscan.Expected(r.text, r.pos, "end of input"))
	}
	if !seen["propalg"] {
		return r.noForm(begin, "a member propalg that is "+strconv.Quote(version), "")
	}
	return nil
}

// noForm returns the error for JSON that is not a patch.
func (r *reader) noForm(offset int, want, found string) *Error {
	return &Error{Op: opDecode, Offset: offset, Want: want, Found: found, err: ErrForm}
}

// top reads a member of the patch itself.
func (r *reader) top(name string, at int) *Error {
	if name == "diff" {
		root, err := r.node("", 0)
		r.root = &root
		return err
	}

	begin := r.pos
	raw, err := r.value()
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
		list, isList := texts(raw)
		ok = isList
		for _, t := range list {
			found := value.Strict
			for _, rel := range relations() {
				if rel.String() == t {
					found = rel
				}
			}
			ok = ok && found != value.Strict && r.relation&found == 0
			r.relation |= found
		}
	case "unknowns":
		want, ok = `"changed"`, text(raw) == "changed"
		r.unknowns = diff.UnknownsChanged
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
		return r.noForm(at, "propalg, relation, unknowns, uncertain, masked, base or diff", "another member")
	}
	if !ok {
		return r.noForm(begin, want, "")
	}
	return nil
}

// node reads a node. It has the key, or the index unless one is read.
func (r *reader) node(key string, index int) (node, *Error) {
	n := node{at: r.pos, key: key, index: index}
	if err := r.open('{'); err != nil {
		return n, err
	}

	err := r.members(func(name string, at int) *Error { return r.field(&n, name, at, false) })
	if err == nil && n.op == 0 && n.has&(fieldInside|fieldMasked) == 0 {
		n.mistake(n.at, "op, members or elements", "none")
	}
	return n, err
}

// inside reads the changes inside a container: its "members" or "elements".
func (r *reader) inside(n *node, kind value.Kind) *Error {
	begin := r.pos
	if err := r.open('{'); err != nil {
		return err
	}

	n.kind = kind
	r.used += cost(kind)
	if r.used > r.limit {
		return &Error{Op: opDecode, Offset: begin, err: codec.ErrDepth}
	}

	err := r.members(func(name string, at int) *Error {
		if kind == value.KindObject {
			return r.child(n, name, 0)
		}
		return r.field(n, name, at, true)
	})
	r.used -= cost(kind)
	return err
}

// changes reads the array of changed elements.
func (r *reader) changes(n *node) *Error {
	if err := r.open('['); err != nil {
		return err
	}
	return r.items(']', func() *Error { return r.child(n, "", len(n.inside)) })
}

// child reads a node inside another.
func (r *reader) child(n *node, key string, index int) *Error {
	child, err := r.node(key, index)
	if err != nil {
		return err
	}
	n.inside = append(n.inside, child)
	return nil
}

// mistake notes what is wrong with a node, if it is the first.
func (n *node) mistake(offset int, want, found string) {
	if n.wrong == nil {
		n.wrong = &wrong{offset, want, found}
	}
}

// open reads an opening bracket.
func (r *reader) open(bracket byte) *Error {
	if r.pos >= len(r.text) || r.text[r.pos] != bracket {
		return broken(jsonscan.Expected(r.text, r.pos, "'"+string(rune(bracket))+"'"))
	}
	r.pos++
	return nil
}

// members reads the rest of an object. It calls member before each value, with the
// name and its offset.
func (r *reader) members(member func(name string, at int) *Error) *Error {
	return r.items('}', func() *Error {
		at := r.pos
		next, name, fault := jsonscan.Name(r.text, r.pos)
		if fault != nil {
			return broken(fault)
		}
		r.pos = next
		return member(name, at)
	})
}

// items reads the rest of an object or array, up to its closing bracket. It calls item
// before each member or element.
func (r *reader) items(closer byte, item func() *Error) *Error {
	for first := true; ; first = false {
		r.pos = jsonscan.Space(r.text, r.pos)
		if r.pos < len(r.text) && r.text[r.pos] == closer {
			r.pos++
			return nil
		}

		if !first {
			if r.pos >= len(r.text) || r.text[r.pos] != ',' {
				return broken(jsonscan.Expected(r.text, r.pos, "',' or '"+string(rune(closer))+"'"))
			}
			r.pos = jsonscan.Space(r.text, r.pos+1)
		}

		if err := item(); err != nil {
			return err
		}
	}
}

// shallow is the depth of members that are not a VALUE: a list of names.
const shallow = 4

// value skips a value and returns its text.
func (r *reader) value() (string, *Error) {
	if r.pos >= len(r.text) {
		return "", broken(jsonscan.Expected(r.text, r.pos, "value"))
	}
	r.skip.Limit = max(shallow, r.limit-r.used) // values are looked at again
	end, fault := r.skip.Skip(r.text, r.pos)
	if fault != nil {
		return "", broken(fault)
	}
	raw := r.text[r.pos:end]
	r.pos = end
	return raw, nil
}
