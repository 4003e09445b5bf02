package rpc

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// reader reads a JSON text. Its methods that read a value expect pos at the first
// byte of the value, and leave it after the last.
type reader struct {
	text string
	pos  int
}

// document reads a text that consists of one message.
func (r *reader) document(m Message, c call) error {
	r.space()
	if err := r.message(m, c); err != nil {
		return err
	}

	r.space()
	if r.pos < len(r.text) {
		return r.unexpected("end of input")
	}
	return nil
}

// message reads an object into an empty message.
func (r *reader) message(m Message, c call) error {
	var seen uint64 // a bit for each field; a test checks that no message has more
	next := 0
	return r.object(func(name string, at int) error {
		f, i := named(m, name, next)
		if f.slot == nil {
			return r.unknownMember(name, at, c)
		}

		next = i
		if seen&(1<<i) != 0 {
			return inField(fail(codec.ErrDuplicate, at), f.name)
		}

		seen |= 1 << i
		_, isValue := f.slot.(free)
		if r.at('n') && !isValue {
			return r.literal()
		}
		if err := contested(m, &f); err != nil {
			return inField(err, f.name)
		}
		if err := f.slot.takeJSON(r, c); err != nil {
			return inField(err, f.name)
		}
		return nil
	})
}

// unknownMember refuses or skips a member that the message does not have.
func (r *reader) unknownMember(name string, at int, c call) error {
	if !c.discard {
		return inField(fail(ErrField, at), entry(name))
	}
	end, fault := (&jsonscan.Skipper{Limit: c.limit() - c.level}).Skip(r.text, r.pos)
	if fault != nil {
		return inField(broken(fault), entry(name))
	}

	r.pos = end
	return nil
}

// object reads an object. It calls member before each value, with the name and its
// offset.
func (r *reader) object(member func(name string, at int) error) error {
	return r.sequence('{', '}', "object", func(int) error {
		begin := r.pos
		at, name, fault := jsonscan.Name(r.text, r.pos)
		if fault != nil {
			return broken(fault)
		}

		r.pos = at
		return member(name, begin)
	})
}

// array reads an array. It calls elem before each value.
func (r *reader) array(elem func(i int) error) error {
	return r.sequence('[', ']', "array", func(i int) error {
		if err := elem(i); err != nil {
			return inField(err, element(i))
		}
		return nil
	})
}

// elements counts the elements of an array from the one at pos, up to the first that
// is malformed.
func (r *reader) elements(c call) int {
	n := 0
	for at := r.pos; ; {
		end, fault := (&jsonscan.Skipper{Limit: c.limit() - c.level}).Skip(r.text, at)
		if fault != nil {
			return n
		}

		n++
		at = jsonscan.Space(r.text, end)
		if at == len(r.text) || r.text[at] != ',' {
			return n
		}
		at = jsonscan.Space(r.text, at+1)
	}
}

// sequence reads items in brackets, separated by commas. It calls each before each item.
func (r *reader) sequence(open, shut byte, kind string, each func(i int) error) error {
	if !r.at(open) {
		return r.unexpected(kind)
	}
	r.pos++
	r.space()
	if r.at(shut) {
		r.pos++
		return nil
	}

	for i := 0; ; i++ {
		if err := each(i); err != nil {
			return err
		}

		r.space()
		if r.at(shut) {
			r.pos++
			return nil
		}
		if !r.at(',') {
			return r.unexpected("',' or '" + string(shut) + "'")
		}
		r.pos++
		r.space()
	}
}

// value reads properties: it passes the text of one value to decode.
func (r *reader) value(c call, decode func(string, codec.Options) (value.Value, error)) (value.Value, error) {
	begin := r.pos
	o, err := c.bag(begin)
	if err != nil {
		return value.Value{}, err
	}

	// Of text that is malformed or nested too deeply, decode gets all that follows: it
	// finds the same fault, and knows its path.
	contents := r.text[begin:]
	end, fault := (&jsonscan.Skipper{Limit: o.Depth}).Skip(r.text, begin)
	if fault == nil {
		contents, r.pos = r.text[begin:end], end
	}
	v, err := decode(contents, o)
	switch {
	case err != nil:
		return v, fail(err, begin)
	case fault != nil:
		return v, broken(fault)
	}

	return v, nil
}

// str reads a string, which may share the memory of the text.
func (r *reader) str() (string, error) {
	if !r.at('"') {
		return "", r.unexpected("string")
	}
	end, plain, fault := jsonscan.String(r.text, r.pos)
	if fault != nil {
		return "", broken(fault)
	}

	s := jsonscan.Text(r.text, r.pos, end, plain)
	r.pos = end
	return s, nil
}

func (r *reader) boolean() (bool, error) {
	switch {
	case r.at('t'):
		return true, r.literal()
	case r.at('f'):
		return false, r.literal()
	}
	return false, r.unexpected("true or false")
}

func (r *reader) literal() error {
	end, fault := jsonscan.Literal(r.text, r.pos)
	if fault != nil {
		return broken(fault)
	}
	r.pos = end
	return nil
}

// number reads the text of a number, in quotes or without. It does not check quoted
// text.
func (r *reader) number(want string) (s string, quoted bool, err error) {
	if r.at('"') {
		s, err = r.str()
		return s, true, err
	}

	isNumber := r.pos < len(r.text) && (r.text[r.pos] == '-' || (r.text[r.pos] >= '0' && r.text[r.pos] <= '9'))
	if !isNumber {
		return "", false, r.unexpected(want)
	}
	end, _, fault := jsonscan.Number(r.text, r.pos)
	if fault != nil {
		return "", false, broken(fault)
	}
	s, r.pos = r.text[r.pos:end], end
	return s, false, nil
}

// isNumber reports whether s is a JSON number.
func isNumber(s string) bool {
	end, _, fault := jsonscan.Number(s, 0)
	return fault == nil && end == len(s)
}

// integer reads a number that is an integer of size bits. It may be in quotes, and
// have a fraction and an exponent.
func (r *reader) integer(size int) (int64, error) {
	begin := r.pos
	want := strconv.Itoa(size) + "-bit integer"
	s, quoted, err := r.number(want)
	if err != nil {
		return 0, err
	}

	if !quoted || isNumber(s) {
		if digits, ok := integral(s); ok {
			if n, err := strconv.ParseInt(digits, 10, size); err == nil {
				return n, nil
			}
		}
	}
	return 0, r.other(begin, want, "another value")
}

// integral returns a JSON number without fraction and exponent, if it is an integer
// that may fit in 64 bits.
func integral(s string) (string, bool) {
	const most = 20 // more digits than 64 bits have
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	unsigned := strings.TrimPrefix(mantissa, "-")
	sign := mantissa[:len(mantissa)-len(unsigned)]
	whole, fraction, _ := strings.Cut(unsigned, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}

	scale := 0
	if exponent != "" {
		n, err := strconv.Atoi(exponent)
		if err != nil {
			return "", false
		}
		scale = n
	}
	if scale > most+len(s) || scale < -most-len(s) {
		return "", false // and the sum below cannot overflow
	}

	stripped := strings.TrimRight(digits, "0")
	zeros := len(digits) - len(stripped) - len(fraction) + scale
	if zeros < 0 || len(stripped)+zeros > most {
		return "", false
	}
	return sign + stripped + strings.Repeat("0", zeros), true
}

// double reads a number, in quotes or without, or a quoted NaN, Infinity or -Infinity.
func (r *reader) double() (float64, error) {
	const want = "64-bit number"
	begin := r.pos
	s, quoted, err := r.number(want)
	if err != nil {
		return 0, err
	}

	if quoted {
		switch s {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		}
	}
	if !quoted || isNumber(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f, nil
		}
	}
	return 0, r.other(begin, want, "another value")
}

// blob reads base64 of either alphabet, with padding or without.
func (r *reader) blob() ([]byte, error) {
	begin := r.pos
	s, err := r.str()
	if err != nil {
		return nil, err
	}

	encoding := base64.StdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.URLEncoding
	}
	if len(s)%4 != 0 {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	b, err := encoding.DecodeString(s)
	if err != nil {
		return nil, r.other(begin, "base64", "another string")
	}
	if len(b) == 0 {
		return nil, nil
	}
	return b, nil
}

func (r *reader) space() { r.pos = jsonscan.Space(r.text, r.pos) }

func (r *reader) at(b byte) bool { return r.pos < len(r.text) && r.text[r.pos] == b }

// unexpected returns the error for the character at pos.
func (r *reader) unexpected(want string) error {
	return broken(jsonscan.Expected(r.text, r.pos, want))
}

// other returns the error for a well-formed value that the field cannot hold.
func (r *reader) other(at int, want, found string) error {
	e := fail(codec.ErrKind, at)
	e.Want, e.Found = want, found
	return e
}
