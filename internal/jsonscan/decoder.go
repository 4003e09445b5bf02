package jsonscan

// Decoder reads the tokens of one value, one after the other, and checks the
// grammar. The zero Decoder with a Text is ready. After a fault of [ErrDepth], which is
// at Pos, it can go on with a higher limit.
type Decoder struct {
	Text  string
	Pos   int // offset after the last token
	Limit int // on messages, see [Skipper]; 0 or less: none
	Used  int // messages around the next token

	open  []byte // closing brackets of the open containers
	state state
}

// Token is a part of a text that a Decoder has read.
type Token struct {
	Kind     Kind
	From, To int
	Plain    bool // a name or string without escapes
}

// Kind is the kind of a token; for brackets it is the bracket.
type Kind byte

// The kinds of tokens.
const (
	KindEnd     Kind = 0 // nothing follows the value
	KindName    Kind = ':'
	KindString  Kind = '"'
	KindNumber  Kind = '0'
	KindLiteral Kind = 'n' // null, true or false
	KindObject  Kind = '{'
	KindArray   Kind = '['
)

type state uint8

const (
	atValue state = iota // a value
	atFirst              // the first child of a container, or its end
	atNext               // a comma or the end of the container, or of the text
)

// AtValue reports whether a value comes next. After a fault it reports whether the
// fault is in a value, and not in a name or between values.
func (d *Decoder) AtValue() bool { return d.state == atValue }

// Unquoted returns the contents of a name or string.
func (d *Decoder) Unquoted(t Token) string { return Text(d.Text, t.From, t.To, t.Plain) }

// Next returns the next token, and [KindEnd] after the value and the white space after it.
func (d *Decoder) Next() (Token, *Fault) {
	d.Pos = Space(d.Text, d.Pos)
	if d.state == atValue {
		return d.value()
	}
	if len(d.open) == 0 {
		if d.Pos < len(d.Text) {
			return Token{}, Expected(d.Text, d.Pos, "end of input")
		}
		return Token{Kind: KindEnd, From: d.Pos, To: d.Pos}, nil
	}

	closer := d.open[len(d.open)-1]
	if d.is(closer) {
		d.open = d.open[:len(d.open)-1]
		d.Used -= Cost(closer == '}')
		return d.token(Kind(closer), d.Pos+1), nil
	}
	if d.state == atNext {
		if !d.is(',') {
			return Token{}, Expected(d.Text, d.Pos, "',' or '"+string(rune(closer))+"'")
		}
		d.Pos = Space(d.Text, d.Pos+1)
	}

	if closer == '}' {
		return d.name()
	}
	d.state = atValue
	return d.value()
}

func (d *Decoder) is(c byte) bool { return d.Pos < len(d.Text) && d.Text[d.Pos] == c }

// token makes a token that ends at an offset, after which no value can follow.
func (d *Decoder) token(kind Kind, end int) Token {
	t := Token{Kind: kind, From: d.Pos, To: end}
	d.Pos, d.state = end, atNext
	return t
}

func (d *Decoder) name() (Token, *Fault) {
	end, plain, after, f := member(d.Text, d.Pos)
	if f != nil {
		return Token{}, f
	}

	t := d.token(KindName, end)
	t.Plain = plain
	d.Pos, d.state = after, atValue
	return t, nil
}

func (d *Decoder) value() (t Token, f *Fault) {
	s, i := d.Text, d.Pos
	if i >= len(s) {
		return t, Expected(s, i, "value")
	}

	var end int
	var plain bool
	kind := KindLiteral
	switch c := s[i]; c {
	case '{', '[':
		return d.enter(Kind(c))
	case '"':
		kind = KindString
		end, plain, f = String(s, i)
	default:
		if c <= '9' {
			kind = KindNumber
		}
		end, _, f = scalar(s, i)
	}
	if f != nil {
		return t, f
	}

	t = d.token(kind, end)
	t.Plain = plain
	return t, nil
}

// enter begins a container, if the limit allows it and its first child.
func (d *Decoder) enter(kind Kind) (Token, *Fault) {
	closer := Closer(kind == KindObject)
	at, need := d.Pos, 1
	if d.Limit > 0 && d.Used+need <= d.Limit {
		next := Space(d.Text, d.Pos+1)
		if next >= len(d.Text) || d.Text[next] != closer {
			at, need = next, Cost(kind == KindObject)
		}
	}
	if d.Limit > 0 && d.Used+need > d.Limit {
		return Token{}, tooDeep(at)
	}

	t := d.token(kind, d.Pos+1)
	d.open = append(d.open, closer)
	d.Used += Cost(kind == KindObject)
	d.state = atFirst
	return t, nil
}

// SkipRest passes the rest of the innermost open container.
func (d *Decoder) SkipRest() *Fault {
	for depth := len(d.open); len(d.open) >= depth; {
		if _, f := d.Next(); f != nil {
			return f
		}
	}
	return nil
}

// SkipValue passes a value and returns where it begins and ends.
func (d *Decoder) SkipValue() (from, to int, f *Fault) {
	t, f := d.Next()
	if f == nil && (t.Kind == KindObject || t.Kind == KindArray) {
		f = d.SkipRest()
	}
	return t.From, d.Pos, f
}
