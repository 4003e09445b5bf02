package jsonscan

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Skipper passes over whole values, validating them. Depth is counted as
// protobuf counts messages: an array needs one and its elements one more, an
// object needs one and its members two more. A Skipper may be used again and
// again, by one goroutine. It holds offsets, and nothing of the text.
type Skipper struct {
	Limit int    // messages; 0 or less: no limit but memory, a few bytes a level
	Used  int    // messages around the value
	Names bool   // also find duplicate member names
	Top   bool   // note the Members of the outermost object; not with Names
	Order bool   // also find what [Facts] say of names
	Tape  bool   // note Marks
	Most  int    // if there are more Marks than this, note none; 0: note all
	Key   string // the name of members that make values [Keyed]

	// What was noted, until the next Skip.
	Members []Member
	Marks   []Mark
	Sizes   Sizes // of what has Marks; not with Top

	facts  Facts // of all of the value
	open   []byte
	before []int // where the latest name of each object around is
	levels []level
}

// Member is a member of the object that a [Skipper] passed: where its name and its
// value are, from the beginning of the object on.
type Member struct {
	Name, NameEnd int // quotes included
	At, End       int // of the value
	Mark, MarkEnd int // of the value, in the Marks
	Plain         bool
	Facts         Facts // about the value
	Sizes         Sizes // of the value, if it has Marks
}

// Sizes says how much memory the value takes that marks are of.
type Sizes struct {
	Members int // of all objects together
	Elems   int // of all arrays together
	Texts   int // bytes of texts and names, as they are written
	Escaped int // of those with escapes
}

// Facts is a set of what a value has.
type Facts uint8

// The facts.
const (
	Unordered Facts = 1 << iota // names that may be duplicates: they are not in ascending order, or escaped
	Keyed                       // a member with the name that was asked for
	Inexact                     // numbers that may be rounded: long ones, or with an exponent
)

// Mark is where a name, text, number, literal or the beginning of a container is, and how
// far it goes. The marks of a value, in the order of the text, are what a reader needs that
// builds the value: it does not scan a text again.
type Mark struct {
	At uint32
	// End is the offset after a number, a literal or the closing quote of a text;
	// see [Mark.Text]. Of a container it is the number of its children, or
	// [Unclosed].
	End uint32
}

// Unclosed is the End of a container whose end was not reached.
const Unclosed = math.MaxUint32

// escaped, in the End of a text, says that it has escapes.
const escaped = 1 << 31

// No offset of a longer text than longest fits into a mark.
const longest = math.MaxInt32

// Text is the offset after a text, and whether it is plain, as [String] says.
func (m Mark) Text() (end int, plain bool) { return int(m.End &^ escaped), m.End < escaped }

// level is a container around the one that is passed, for its marks.
type level struct {
	mark int
	n    uint32 // children that were passed
}

// Skip returns the offset after the value that begins at i, which must be no
// white space. After a fault, Marks are of what precedes it; of a text that is too long for
// them there are none.
func (k *Skipper) Skip(s string, i int) (end int, f *Fault) {
	end, f = pass(k, s, i)
	return end, repeated(k, s, i, f)
}

// Names that are mostOrdered levels down, or more, count as unordered: what is kept for a
// level is a byte.
const mostOrdered = 1000

// pass is Skip without a look for duplicate names. It is the one grammar of whole values: all
// that reads states, and bags as JSON, goes through it once.
func pass(k *Skipper, s string, i int) (end int, f *Fault) {
	k.Members, k.Marks, k.Sizes, k.facts = k.Members[:0], k.Marks[:0], Sizes{}, 0
	k.open, k.levels = k.open[:0], k.levels[:0]

	p := passing{begin: i, tape: k.Tape && len(s) <= longest, isAsked: k.Order || k.Names, used: k.Used, limit: cmp.Or(max(k.Limit, 0), math.MaxInt), most: cmp.Or(k.Most, math.MaxInt)}
	for {
		if p.closer == '}' {
			if i, f = named(k, &p, s, i); f != nil {
				return 0, f
			}
		}
		var isOpen bool
		if i, isOpen, f = value(k, &p, s, i); f != nil {
			return 0, f
		}

		for !isOpen {
			if len(k.open) == 0 {
				k.facts |= p.facts
				return i, nil
			}
			if k.Top && len(k.open) == 1 && p.closer == '}' {
				m := &k.Members[len(k.Members)-1]
				m.End, m.MarkEnd, m.Facts, m.Sizes = i-p.begin, len(k.Marks), p.facts, k.Sizes
				k.facts |= p.facts
				p.facts, k.Sizes = 0, Sizes{}
			}
			p.n++
			i = Space(s, i)
			switch {
			case i < len(s) && s[i] == ',':
				i, isOpen = Space(s, i+1), true
			case i < len(s) && s[i] == p.closer:
				i++
				k.leave(&p)
			default:
				return 0, Expected(s, i, "',' or '"+string(rune(p.closer))+"'")
			}
		}
		if len(k.Marks) > p.most {
			p.tape, k.Marks = false, k.Marks[:0]
		}
	}
}

// passing is where a pass is in a value.
type passing struct {
	begin       int
	used, limit int // messages
	most        int // marks
	tape        bool
	isAsked     bool  // whether somebody wants facts about names
	facts       Facts // about the value, or the member of the outermost object
	closer      byte  // of the container; 0: there is none
	name        int   // the offset of the latest name in it; 0: none
	level
}

// named passes the name of a member, the colon after it, and the space before the value.
func named(k *Skipper, p *passing, s string, i int) (next int, f *Fault) {
	end, plain, after, f := member(s, i)
	if f != nil {
		return 0, f
	}

	isTop := k.Top && len(k.open) == 1
	switch {
	case isTop, !p.isAsked:
	case !plain:
		p.facts |= Unordered
	case p.name > 0 && s[p.name:p.name+end-i] >= s[i:end]: // with the quote, so these differ if the names do
		p.facts |= Unordered
	case end-i == len(k.Key)+2 && s[i+1:end-1] == k.Key:
		p.facts |= Keyed
	}
	p.name = i
	if p.tape {
		k.note(i, end, plain)
		k.Sizes.Texts += end - i - 2
	}

	next = Space(s, after)
	if isTop {
		k.Members = append(k.Members, Member{Name: i - p.begin, NameEnd: end - p.begin, At: next - p.begin, Mark: len(k.Marks), Plain: plain})
	}
	return next, nil
}

// value passes a value, or the bracket that opens it and the space after that.
func value(k *Skipper, p *passing, s string, i int) (next int, isOpen bool, f *Fault) {
	if i >= len(s) {
		return 0, false, Expected(s, i, "value")
	}

	plain, isExact := true, true
	switch c := s[i]; c {
	case '"':
		next, plain, f = String(s, i)
	case '{', '[':
		return opened(k, p, s, i)
	default:
		next, isExact, f = scalar(s, i)
	}
	if !isExact {
		p.facts |= Inexact
	}
	if p.tape && f == nil {
		k.note(i, next, plain)
		if s[i] == '"' {
			k.Sizes.Texts += next - i - 2
		}
	}
	return next, false, f
}

// note makes the mark of what is between two offsets.
func (k *Skipper) note(at, end int, plain bool) {
	k.Marks = append(k.Marks, Mark{uint32(at), uint32(end)}) //nolint:gosec // not above longest
	if !plain {
		k.Marks[len(k.Marks)-1].End |= escaped
		k.Sizes.Escaped += end - at
	}
}

// opened passes a bracket, and the one that closes it if the container is empty.
func opened(k *Skipper, p *passing, s string, i int) (next int, isOpen bool, f *Fault) {
	if p.used >= p.limit {
		return 0, false, tooDeep(i)
	}
	if p.tape {
		k.Marks = append(k.Marks, Mark{uint32(i), Unclosed}) //nolint:gosec // not above longest
	}
	closer := s[i] + 2
	if next = Space(s, i+1); next < len(s) && s[next] == closer {
		if p.tape {
			k.Marks[len(k.Marks)-1].End = 0
		}
		return next + 1, false, nil
	}

	if depth := len(k.open); p.isAsked && depth < mostOrdered {
		k.before = append(k.before[:depth], p.name)
	}
	k.open = append(k.open, p.closer)
	if p.tape {
		k.levels = append(k.levels, p.level)
		p.level = level{mark: len(k.Marks) - 1}
	}
	p.closer, p.name = closer, 0
	if p.used += Cost(closer == '}'); p.used > p.limit {
		return 0, false, tooDeep(next)
	}
	return next, true, nil
}

// leave ends a container.
func (k *Skipper) leave(p *passing) {
	if p.tape {
		k.Marks[p.mark].End = p.n
		if p.closer == '}' {
			k.Sizes.Members += int(p.n)
		} else {
			k.Sizes.Elems += int(p.n)
		}
		p.level = k.levels[len(k.levels)-1]
		k.levels = k.levels[:len(k.levels)-1]
	}
	p.used -= Cost(p.closer == '}')
	depth := len(k.open) - 1
	p.closer, k.open = k.open[depth], k.open[:depth]
	switch {
	case !p.isAsked:
	case depth < mostOrdered:
		p.name = k.before[depth]
	default:
		p.name = 0
		p.facts |= Unordered
	}
}

// repeated returns the fault of the first duplicate name in a value that was passed, or of
// what precedes the fault of it, if there may be one; else that fault.
func repeated(k *Skipper, s string, i int, other *Fault) *Fault {
	if !k.Names || (other == nil && k.facts&Unordered == 0) {
		return other
	}

	var names []name // of the objects around
	var before []int // how many names there were before those of each open object
	d := Decoder{Text: s, Pos: i, Limit: k.Limit, Used: k.Used}
	for {
		t, f := d.Next()
		if f != nil {
			return other
		}
		switch t.Kind {
		case KindObject:
			before = append(before, len(names))
		case KindName:
			names = append(names, name{d.Unquoted(t), t.From})
		case '}':
			last := len(before) - 1
			if f := double(names[before[last]:]); f != nil {
				return f
			}
			names, before = names[:before[last]], before[:last]
		case KindEnd, KindString, KindNumber, KindLiteral, KindArray:
		}
		if len(d.open) == 0 {
			return other
		}
	}
}

type name struct {
	text string
	at   int
}

// double returns the fault of the first duplicate name, if there is one.
func double(names []name) *Fault {
	if len(names) < 2 {
		return nil
	}

	slices.SortFunc(names, func(a, b name) int {
		return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.at, b.at))
	})
	at := -1
	for i := 1; i < len(names); i++ {
		if names[i].text == names[i-1].text && (at < 0 || names[i].at < at) {
			at = names[i].at
		}
	}
	if at < 0 {
		return nil
	}
	return &Fault{Offset: at, Err: ErrDuplicate, Want: "another name", Found: "a duplicate"}
}
