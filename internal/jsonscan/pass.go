package jsonscan

import "math"

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
