package patch

import (
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// reader reads a text into nodes. It does not recurse: open nodes stand on a
// stack. What it says of broken text has an offset and no path, since whether
// there is a secret above is not known before the end; what else is wrong with a
// node it notes there, for who goes through the nodes afterwards.
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

	open []frame
}

// span is where a value stands in the text; the zero span is none.
type span struct{ lo, hi int }

func (s span) there() bool { return s.hi > 0 }

// node is a node of the text.
type node struct {
	at               int // its offset
	key              string
	old, now         span
	oldIndex, index  int
	oldLen, length   int
	inside           []node
	wrong            *wrong // the first thing that is
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

// wrong is what is wrong with a node, though it is JSON.
type wrong struct {
	offset      int
	want, found string
}

// field is a field of a node or of its elements. They are a set.
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

// part is the part of a node that is being read.
type part uint8

const (
	inFields   part = iota // of the node
	inMembers              // of the object members
	inElements             // fields of the object elements
	inChanges              // of the array changes
)

func (p part) closer() byte { return jsonscan.Closer(p != inChanges) }

// frame is a node that is being read.
type frame struct {
	node    node
	part    part
	started bool // something was read in this part
}

// document reads the whole text.
func (r *reader) document() *Error {
	r.pos = jsonscan.Space(r.text, 0)
	if r.pos >= len(r.text) || r.text[r.pos] != '{' {
		return broken(jsonscan.Expected(r.text, r.pos, "'{'"))
	}
	begin := r.pos
	r.pos++
	seen, started := map[string]bool{}, false
	for {
		more, err := r.more(started, '}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		started = true
		at := r.pos
		name, err := r.name()
		if err != nil {
			return err
		}
		if seen[name] {
			return &Error{Op: opDecode, Offset: at, err: codec.ErrDuplicate}
		}
		seen[name] = true
		if err := r.top(name, at); err != nil {
			return err
		}
	}
	if r.pos = jsonscan.Space(r.text, r.pos); r.pos < len(r.text) {
		return broken(jsonscan.Expected(r.text, r.pos, "end of input"))
	}
	if !seen["propalg"] {
		return r.noForm(begin, "a member propalg that is "+strconv.Quote(version), "")
	}
	return nil
}

// noForm makes an error for what is no patch.
func (r *reader) noForm(offset int, want, found string) *Error {
	return &Error{Op: opDecode, Offset: offset, Want: want, Found: found, err: ErrForm}
}

// top reads a member of the patch itself.
func (r *reader) top(name string, at int) *Error {
	if name == "diff" {
		return r.diff()
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
		want = "names of what is overlooked, each once"
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

// diff reads the nodes.
func (r *reader) diff() *Error {
	if err := r.enter("", 0); err != nil {
		return err
	}
	for len(r.open) > 0 {
		f := &r.open[len(r.open)-1]
		more, err := r.more(f.started, f.part.closer())
		if err != nil {
			return err
		}
		f.started = true
		switch {
		case !more:
			r.leave(f)
		case f.part == inChanges:
			err = r.enter("", len(f.node.inside))
		default:
			err = r.field(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enter begins a node.
func (r *reader) enter(key string, index int) *Error {
	if r.pos >= len(r.text) || r.text[r.pos] != '{' {
		return broken(jsonscan.Expected(r.text, r.pos, "'{'"))
	}
	r.open = append(r.open, frame{node: node{at: r.pos, key: key, index: index}})
	r.pos++
	return nil
}

// leave ends a part of a node, or the node.
func (r *reader) leave(f *frame) {
	switch f.part {
	case inChanges:
		f.part = inElements
	case inMembers, inElements:
		f.part = inFields
		r.used -= cost(f.node.kind)
	case inFields:
		n := f.node
		if n.op == 0 && n.has&(fieldInside|fieldMasked) == 0 {
			n.mistake(n.at, "op, members or elements", "none")
		}
		r.open = r.open[:len(r.open)-1]
		if len(r.open) == 0 {
			r.root = &n
			return
		}
		up := &r.open[len(r.open)-1].node
		up.inside = append(up.inside, n)
	}
}

// mistake notes what is wrong with a node, unless something is already.
func (n *node) mistake(offset int, want, found string) {
	if n.wrong == nil {
		n.wrong = &wrong{offset, want, found}
	}
}

// more stands before the next member or element, or behind the end.
func (r *reader) more(started bool, closer byte) (bool, *Error) {
	r.pos = jsonscan.Space(r.text, r.pos)
	switch {
	case r.pos < len(r.text) && r.text[r.pos] == closer:
		r.pos++
		return false, nil
	case !started:
		return true, nil
	case r.pos >= len(r.text) || r.text[r.pos] != ',':
		return false, broken(jsonscan.Expected(r.text, r.pos, "',' or '"+string(rune(closer))+"'"))
	}
	r.pos = jsonscan.Space(r.text, r.pos+1)
	return true, nil
}

// name reads the name of a member.
func (r *reader) name() (string, *Error) {
	next, name, fault := jsonscan.Name(r.text, r.pos)
	if fault != nil {
		return "", broken(fault)
	}
	r.pos = next
	return name, nil
}

// shallow is how deep a member may be that is no VALUE: a list of names is.
const shallow = 4

// value passes over a value and returns its text.
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
