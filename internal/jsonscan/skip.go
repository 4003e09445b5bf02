package jsonscan

import (
	"cmp"
	"slices"
	"strings"
)

// Skipper passes over whole values, validating them. Depth is counted as
// protobuf counts messages: an array needs one and its elements one more, an
// object needs one and its members two more. A Skipper may be used again and
// again, by one goroutine.
type Skipper struct {
	Limit int  // messages; 0 or less: no limit but memory, one small struct a level
	Names bool // also find names that stand twice in one object
	Top   bool // note the Members of the outermost object; not with Names

	Members []Member // that were noted, until the next Skip

	open  []level
	names []name
}

type level struct {
	object bool
	names  int // how many names were open before this object's
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
	k.open, k.names = k.open[:0], k.names[:0]
	used := 0
	for {
		var done bool
		i, done, f = k.begin(s, i, &used)
		for f == nil && done {
			if len(k.open) == 0 {
				return i, nil
			}
			i, done, f = k.next(s, i, &used)
		}
		if f != nil {
			return 0, f
		}
	}
}

// begin passes a scalar or an empty container, and is done with it, or the
// beginning of a container up to its first element or member value.
func (k *Skipper) begin(s string, i int, used *int) (at int, done bool, f *Fault) {
	if i >= len(s) {
		return 0, false, Expected(s, i, "value")
	}
	switch c := s[i]; {
	case c == '"':
		i, _, f = String(s, i)
		return i, true, f
	case c == '{' || c == '[':
		return k.enter(s, i, used)
	case c == '-' || c >= '0' && c <= '9':
		i, f = Number(s, i)
		return i, true, f
	case c == 't' || c == 'f' || c == 'n':
		i, f = Literal(s, i)
		return i, true, f
	}
	return 0, false, Expected(s, i, "value")
}

func (k *Skipper) enter(s string, i int, used *int) (at int, done bool, f *Fault) {
	if f := k.within(*used+1, i); f != nil {
		return 0, false, f
	}
	object := s[i] == '{'
	k.open = append(k.open, level{object, len(k.names)})
	*used += Cost(object)
	i = Space(s, i+1)
	if i < len(s) && s[i] == Closer(object) {
		return k.leave(i, used)
	}
	if f := k.within(*used, i); f != nil {
		return 0, false, f
	}
	if object {
		i, f = k.name(s, i)
	}
	return i, false, f
}

// next passes what stands after an element or member: a comma, and then it is
// not done; or the end of the container, and then it is.
func (k *Skipper) next(s string, i int, used *int) (at int, done bool, f *Fault) {
	object := k.open[len(k.open)-1].object
	i = Space(s, i)
	switch {
	case i < len(s) && s[i] == Closer(object):
		return k.leave(i, used)
	case i >= len(s) || s[i] != ',':
		return 0, false, Expected(s, i, "',' or '"+string(rune(Closer(object)))+"'")
	}
	i = Space(s, i+1)
	if object {
		i, f = k.name(s, i)
	}
	return i, false, f
}

func (k *Skipper) leave(i int, used *int) (at int, done bool, f *Fault) {
	top := k.open[len(k.open)-1]
	k.open = k.open[:len(k.open)-1]
	*used -= Cost(top.object)
	f = double(k.names[top.names:])
	k.names = k.names[:top.names]
	return i + 1, true, f
}

// name passes the name of a member and the colon after it.
func (k *Skipper) name(s string, i int) (int, *Fault) {
	at := i
	i, text, f := Name(s, i)
	if f == nil && k.Names {
		k.names = append(k.names, name{text, at})
	}
	return i, f
}

func (k *Skipper) within(messages, i int) *Fault {
	if k.Limit > 0 && messages > k.Limit {
		return &Fault{Offset: i, Cause: Depth, Want: "fewer levels", Found: "one more"}
	}
	return nil
}

// Name scans the name of a member at i, the colon after it, and the white space
// up to the value.
func Name(s string, i int) (next int, text string, f *Fault) {
	if i >= len(s) || s[i] != '"' {
		return 0, "", Expected(s, i, "name in quotes")
	}
	end, plain, f := String(s, i)
	if f != nil {
		return 0, "", f
	}
	text = Text(s, i, end, plain)
	if i = Space(s, end); i >= len(s) || s[i] != ':' {
		return 0, "", Expected(s, i, "':'")
	}
	return Space(s, i+1), text, nil
}

// double finds the first name that stood there before.
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
	return &Fault{Offset: at, Cause: Duplicate, Want: "another name", Found: "one that is there already"}
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
