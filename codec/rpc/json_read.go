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

// reader is a JSON text and how far it was read. Before a value pos is at its
// first byte, after it behind its last.
type reader struct {
	text string
	pos  int
}

// document reads a text that is one message.
func (r *reader) document(m Message, c call) error {
	r.space()
	if err := r.message(m, c); err != nil {
		return err
	}
	if r.space(); r.pos < len(r.text) {
		return r.unexpected("end of input")
	}
	return nil
}

// message reads an object into an empty message.
func (r *reader) message(m Message, c call) error {
	var seen uint64 // a bit for each field; a test knows that these are enough
	next := 0
	return r.object(func(name string, at int) error {
		f, i := named(m, name, next)
		if f.slot == nil {
			return r.stranger(name, at, c)
		}
		if next = i; seen&(1<<i) != 0 {
			return inField(fail(codec.ErrDuplicate, at), f.name)
		}
		seen |= 1 << i
		if _, isValue := f.slot.(free); r.at('n') && !isValue {
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

// stranger deals with a name that the message has not.
func (r *reader) stranger(name string, at int, c call) error {
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

// object reads an object; member is called before each value, with the name and
// where it stands.
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

// array reads an array; elem is called before each value.
func (r *reader) array(elem func(i int) error) error {
	return r.sequence('[', ']', "array", func(i int) error {
		if err := elem(i); err != nil {
			return inField(err, element(i))
		}
		return nil
	})
}

// elements counts the elements of an array from the one at pos on, as far as they
// can be read.
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

// sequence reads what stands between two brackets, with commas between.
func (r *reader) sequence(open, shut byte, kind string, each func(i int) error) error {
	if !r.at(open) {
		return r.unexpected(kind)
	}
	r.pos++
	if r.space(); r.at(shut) {
		r.pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := each(i); err != nil {
			return err
		}
		switch r.space(); {
		case r.at(shut):
			r.pos++
			return nil
		case !r.at(','):
			return r.unexpected("',' or '" + string(shut) + "'")
		}
		r.pos++
		r.space()
	}
}

// value reads properties: the codec gets the text of one value.
func (r *reader) value(c call, decode func(string, codec.Options) (value.Value, error)) (value.Value, error) {
	begin := r.pos
	o, err := c.bag(begin)
	if err != nil {
		return value.Value{}, err
	}
	contents := r.text[begin:]
	// What is no JSON, or nested too deeply, the codec finds too, and says where.
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

// str reads a string. It shares the memory of the text, as properties do.
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

// number reads the text of a number, which may stand in quotes; what does is not
// looked at.
func (r *reader) number(want string) (s string, quoted bool, err error) {
	if r.at('"') {
		s, err = r.str()
		return s, true, err
	}
	if r.pos >= len(r.text) || r.text[r.pos] != '-' && (r.text[r.pos] < '0' || r.text[r.pos] > '9') {
		return "", false, r.unexpected(want)
	}
	end, fault := jsonscan.Number(r.text, r.pos)
	if fault != nil {
		return "", false, broken(fault)
	}
	s, r.pos = r.text[r.pos:end], end
	return s, false, nil
}

// isNumber says whether the contents of quotes are a JSON number.
func isNumber(s string) bool {
	end, fault := jsonscan.Number(s, 0)
	return fault == nil && end == len(s)
}

// integer reads a number that is an integer of so many bits, as digits or with
// fraction and exponent, in quotes or without.
func (r *reader) integer(size int) (int64, error) {
	begin := r.pos
	want := "integer of " + strconv.Itoa(size) + " bits"
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
	return 0, r.other(begin, want, "something else")
}

// integral writes a JSON number without fraction and exponent, if it is an
// integer of few digits.
func integral(s string) (string, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	sign := ""
	if mantissa, ok := strings.CutPrefix(mantissa, "-"); ok {
		sign, s = "-", mantissa
	} else {
		s = mantissa
	}
	whole, fraction, _ := strings.Cut(s, ".")
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
	stripped := strings.TrimRight(digits, "0")
	// In a JSON text of any length these cannot overflow.
	zeros := len(digits) - len(stripped) - len(fraction)
	const most = 20 // digits, more than 64 bits have
	if scale > most+len(s) || scale < -most-len(s) {
		return "", false
	}
	if zeros += scale; zeros < 0 || len(stripped)+zeros > most {
		return "", false
	}
	return sign + stripped + strings.Repeat("0", zeros), true
}

// double reads a number, in quotes or without, or one of three words in quotes.
func (r *reader) double() (float64, error) {
	const want = "number of 64 bits"
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
	return 0, r.other(begin, want, "something else")
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

// unexpected is the error for what stands at pos.
func (r *reader) unexpected(want string) error {
	return broken(jsonscan.Expected(r.text, r.pos, want))
}

// other is the error for a value of the right kind that says nothing sensible.
func (r *reader) other(at int, want, found string) error {
	e := fail(codec.ErrKind, at)
	e.Want, e.Found = want, found
	return e
}
