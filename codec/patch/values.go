package patch

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// cost returns how many messages a container adds around what is in it.
func cost(k value.Kind) int { return jsonscan.Cost(k == value.KindObject) }

type side struct {
	value.Value
	there bool
}

// sides are both sides of a container. They are known if the container, or one of its
// ancestors, is a change itself.
type sides struct {
	old, now side
	known    bool
}

// within returns the sides of a record inside the container.
func (s sides) within(r *difftree.Record, kind value.Kind) (in sides) {
	if !s.known {
		return in
	}
	in.known = true
	if kind == value.KindObject {
		in.old.Value, in.old.there = s.old.Lookup(r.Key)
		in.now.Value, in.now.there = s.now.Lookup(r.Key)
		return in
	}

	if !adds(r.Op) && r.OldAt < s.old.Len() {
		in.old = side{s.old.Elem(r.OldAt), true}
	}
	if !removes(r.Op) && r.NewAt < s.now.Len() {
		in.now = side{s.now.Elem(r.NewAt), true}
	}
	return in
}

func of(r *difftree.Record) sides {
	return sides{
		old:   side{r.Old, !adds(r.Op) || r.OverNull},
		now:   side{r.New, !removes(r.Op) || r.OverNull},
		known: true,
	}
}

// adds reports whether a change has no old value, but maybe a null.
func adds(op difftree.Op) bool { return op == difftree.OpAdd || op == difftree.OpInsert }

// removes reports whether a change has no new value, but maybe a null.
func removes(op difftree.Op) bool { return op == difftree.OpDelete || op == difftree.OpRemove }

// appendQuoted writes a key as a JSON string. Package codec would refuse a string that is
// the sentinel of an unknown, which is an ordinary key.
func appendQuoted(out []byte, key string) []byte {
	const hex = "0123456789abcdef"

	out = append(out, '"')
	for i := range len(key) {
		c := key[i]
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
