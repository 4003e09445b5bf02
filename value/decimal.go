package value

import (
	"strconv"
	"strings"
)

// decimal is a decimal number without its sign: 0.digits × 10^scale, where the
// digits neither begin nor end with zero; zero has none. A float64's shortest
// decimal has at most 17 digits; one more is kept, so that a longer number stays
// different from all of them.
type decimal struct {
	digits [18]byte
	n      int // digits kept
	zeros  int // zeros read since the last of them
	scale  int64
}

// parseDecimal reads a JSON number and returns the float64 whose shortest
// decimal has the value of the text. Exact is false when there is none: the text
// says more than a float64 holds, or is out of its range. Valid is false when the
// text is no JSON number. Time is linear in the text and memory constant,
// whatever the exponent: "1e999999999" is no work.
func parseDecimal(text string) (f float64, exact, valid bool) {
	unsigned := strings.TrimPrefix(text, "-")
	d, ok := splitDecimal(unsigned)
	if !ok {
		return 0, false, false
	}
	var room [48]byte
	small := append(room[:0], text[:len(text)-len(unsigned)]...)
	small = append(small, "0."...)
	small = append(append(small, d.digits[:d.n]...), "0e"...)
	small = strconv.AppendInt(small, d.scale, 10)
	f, err := strconv.ParseFloat(string(small), 64)
	if err != nil {
		return 0, false, true
	}
	shortest := strconv.AppendFloat(room[:0], f, 'e', -1, 64)
	back, _ := splitDecimal(strings.TrimPrefix(string(shortest), "-"))
	return f, back.digits == d.digits && back.scale == d.scale, true
}

// splitDecimal reads an unsigned JSON number; false when it is none.
func splitDecimal(text string) (decimal, bool) {
	var d decimal
	whole, rest := cutDigits(text)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return d, false
	}
	d.add(whole, false)
	if strings.HasPrefix(rest, ".") {
		var fraction string
		if fraction, rest = cutDigits(rest[1:]); fraction == "" {
			return d, false
		}
		d.add(fraction, true)
	}
	if rest != "" {
		if rest[0]|0x20 != 'e' {
			return d, false
		}
		exponent, ok := parseExponent(rest[1:])
		if !ok {
			return d, false
		}
		d.scale += exponent
	}
	if d.n == 0 {
		d.scale = 0
	}
	return d, true
}

func (d *decimal) add(digits string, behindPoint bool) {
	for i := range len(digits) {
		c := digits[i]
		switch {
		case d.n == 0 && c == '0' && behindPoint:
			d.scale--
		case (d.n > 0 || c != '0') && !behindPoint:
			d.scale++
		}
		if c == '0' {
			d.zeros++
			continue
		}
		for d.n > 0 && d.zeros > 0 && d.n < len(d.digits) {
			d.digits[d.n] = '0'
			d.n++
			d.zeros--
		}
		d.zeros = 0
		if d.n < len(d.digits) {
			d.digits[d.n] = c
			d.n++
		}
	}
}

func cutDigits(text string) (digits, rest string) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

// parseExponent reads what stands behind the e. An exponent beyond any text's
// number of digits comes back as such a one.
func parseExponent(text string) (int64, bool) {
	sign := int64(1)
	if text != "" && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	digits, rest := cutDigits(text)
	if digits == "" || rest != "" {
		return 0, false
	}
	const huge = 1 << 50
	e := int64(0)
	for i := range len(digits) {
		e = min(huge, e*10+int64(digits[i]-'0'))
	}
	return sign * e, true
}
