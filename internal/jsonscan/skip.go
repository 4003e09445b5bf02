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
// again, by one goroutine.
type Skipper struct {
	Limit int  // messages; 0 or less: no limit but memory, a few bytes a level
	Names bool // also find duplicate member names
	Top   bool // note the Members of the outermost object; not with Names

	Members []Member // that were noted, until the next Skip

	open   []byte // closing brackets of the containers around
	names  []name
	before []int // how many names there were before those of each open object
}

type name struct {
	text string
	at   int
}

// Skip returns the offset after the value that begins at i, which must be no
// white space.
func (k *Skipper) Skip(s string, i int) (end int, f *Fault) {
	if !k.Names {
		if end, ok := k.pass(s, i); ok {
			return end, nil
		}
	}
	return k.tokens(s, i)
}

// tokens is Skip by a [Decoder], which makes the faults.
func (k *Skipper) tokens(s string, i int) (end int, f *Fault) {
	k.names, k.before = k.names[:0], k.before[:0]
	if Space(s, i) != i {
		return 0, Expected(s, i, "value")
	}

	d := Decoder{Text: s, Pos: i, Limit: k.Limit}
	for {
		t, f := d.Next()
		if f != nil {
			return 0, f
		}

		switch t.Kind {
		case KindObject:
			if k.Names {
				k.before = append(k.before, len(k.names))
			}
		case KindName:
			if k.Names {
				k.names = append(k.names, name{d.Unquoted(t), t.From})
			}
		case '}':
			if !k.Names {
				break
			}
			last := len(k.before) - 1
			if f := double(k.names[k.before[last]:]); f != nil {
				return 0, f
			}
			k.names, k.before = k.names[:k.before[last]], k.before[:last]
		case KindArray, ']', KindEnd, KindString, KindNumber, KindLiteral:
		}
		if len(d.open) == 0 {
			return d.Pos, nil
		}
	}
}

// Name scans the name of a member at i, the colon after it, and the white space up to the
// value.
func Name(s string, i int) (next int, text string, f *Fault) {
	end, plain, after, f := member(s, i)
	if f != nil {
		return 0, "", f
	}
	return Space(s, after), Text(s, i, end, plain), nil
}

// member scans the name of a member at i and the colon after it. It returns the offsets
// after each, and whether the name is plain, as [String] says.
func member(s string, i int) (end int, plain bool, after int, f *Fault) {
	if i >= len(s) || s[i] != '"' {
		return 0, false, 0, Expected(s, i, "name in quotes")
	}
	end, plain, f = String(s, i)
	if f != nil {
		return 0, false, 0, f
	}

	colon := Space(s, end)
	if colon >= len(s) || s[colon] != ':' {
		return 0, false, 0, Expected(s, colon, "':'")
	}
	return end, plain, colon + 1, nil
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

// Cost is what a container adds to the messages around what is in it.
func Cost(object bool) int {
	if object {
		return 3
	}
	return 2
}

// Closer is the closing bracket of a container.
func Closer(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

// Member is a member of the object that a [Skipper] passed: where its name and its
// value are, from the beginning of the object on.
type Member struct {
	Name, NameEnd int // quotes included
	At, End       int // of the value
	Plain         bool
}

// pass is Skip without faults, and without a check for duplicate names. The row
// state-stream of the benchmarks pays for it: with a Decoder it is more than a tenth slower.
func (k *Skipper) pass(s string, i int) (end int, ok bool) { //nolint:gocognit // one loop, whose state stays in registers
	begin, used, limit := i, 0, k.Limit
	if limit <= 0 {
		limit = math.MaxInt
	}

	k.Members = k.Members[:0]
	around := k.open[:0]
	defer func() { k.open = around }()

	closer := byte(0) // of the container
	for {
		if i >= len(s) {
			return 0, false
		}

		switch c := s[i]; c {
		case '"':
			i, _ = quoted(s, i+1)
		case '{', '[':
			if used >= limit {
				return 0, false
			}
			i = Space(s, i+1)
			if i < len(s) && s[i] == c+2 { // the bracket that closes it
				i++
				break
			}

			around = append(around, closer)
			if closer = c + 2; c == '{' {
				i = k.named(s, i, begin, len(around))
			}
			if used += Cost(c == '{'); used > limit || i < 0 {
				return 0, false
			}
			continue
		default:
			_, i = other(s, i)
		}
		for {
			if i <= 0 {
				return 0, false
			}
			if len(around) == 0 {
				return i, true
			}
			if k.Top && len(around) == 1 && closer == '}' {
				k.Members[len(k.Members)-1].End = i - begin
			}
			if i = Space(s, i); i >= len(s) {
				return 0, false
			}
			if s[i] == ',' {
				break
			}
			if s[i] != closer {
				return 0, false
			}
			i++
			used -= Cost(closer == '}')
			closer = around[len(around)-1]
			around = around[:len(around)-1]
		}
		if i = Space(s, i+1); closer == '}' {
			if i = k.named(s, i, begin, len(around)); i < 0 {
				return 0, false
			}
		}
	}
}

// named passes a name, the colon after it, and the space before the value, and
// notes it, if that is asked for.
func (k *Skipper) named(s string, i, begin, depth int) int {
	if i >= len(s) || s[i] != '"' {
		return -1
	}
	end, plain := quoted(s, i+1)
	if end < 0 {
		return -1
	}

	at := Space(s, end)
	if at >= len(s) || s[at] != ':' {
		return -1
	}
	at = Space(s, at+1)
	if k.Top && depth == 1 {
		k.Members = append(k.Members, Member{Name: i - begin, NameEnd: end - begin, At: at - begin, Plain: plain})
	}
	return at
}
