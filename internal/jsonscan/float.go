package jsonscan

import (
	"math"
	"strconv"
)

// Float returns the double nearest to a number that [Number] found to be valid,
// and whether the double holds it: whether the shortest decimal that reads back
// as that double has the value of the text. 0.1, 1e23 and 100e-2 are held;
// 9007199254740993, 1e400 (which gives an infinity), 1e-400 and a 0.1 with a
// tail of digits are not. Zero keeps its sign. The answer is exact for any
// number of digits and any exponent, and costs no more than reading the text.
func Float(text string) (f float64, held bool) {
	if f, ok := shortInteger(text); ok {
		return f, true
	}
	d := dissect(text)
	switch {
	case d.first < 0:
		return signed(0, d.negative), true
	case d.exponent > 400:
		return signed(math.Inf(1), d.negative), false
	case d.exponent < -400:
		return signed(0, d.negative), false
	}

	// An error can only say that it is out of range, and f is infinite then.
	f, _ = strconv.ParseFloat(d.normal(), 64)
	switch {
	case d.count > 17:
		// No shortest decimal of a double is that long.
		return f, false
	case d.count <= 15 && d.exponent > -300 && d.exponent < 300:
		// Decimals of 15 digits are further apart than doubles are here, so
		// that no other one is shortest for this double.
		return f, true
	}
	return f, d.is(math.Abs(f))
}

// shortInteger reads integers of at most 15 digits, which most numbers are.
func shortInteger(text string) (float64, bool) {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 15 {
		return 0, false
	}

	n := int64(0)
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	return signed(float64(n), len(digits) < len(text)), true
}

func signed(f float64, negative bool) float64 {
	if negative {
		return -f
	}
	return f
}

// decimal is a number taken apart. Its significant digits reach from the first
// that is not zero to the last one; the value is d.ddd × 10^exponent.
type decimal struct {
	text        string
	negative    bool
	first, last int   // offsets of significant digits; first is -1 in a zero
	count       int   // of significant digits
	exponent    int64 // that of the first significant digit; clipped where no number reaches
}

func dissect(text string) decimal {
	d := decimal{text: text, first: -1}
	i := 0
	if text[0] == '-' {
		d.negative = true
		i = 1
	}

	whole, seen := -1, 0 // digits before the point, digits so far
	firstSeen, lastSeen := 0, 0
	for ; i < len(text) && text[i] != 'e' && text[i] != 'E'; i++ {
		if text[i] == '.' {
			whole = seen
			continue
		}

		if text[i] != '0' {
			if d.first < 0 {
				d.first, firstSeen = i, seen
			}
			d.last, lastSeen = i, seen
		}
		seen++
	}
	if whole < 0 {
		whole = seen
	}
	d.count = lastSeen - firstSeen + 1
	d.exponent = int64(whole-1-firstSeen) + exponent(text[i:])
	return d
}

func exponent(text string) int64 {
	const clip = 1 << 50 // more than the digits of any text could outweigh
	if text == "" {
		return 0
	}

	i := 1
	if text[i] == '+' || text[i] == '-' {
		i++
	}
	n := int64(0)
	for ; i < len(text); i++ {
		n = min(clip, n*10+int64(text[i]-'0'))
	}
	if text[1] == '-' {
		return -n
	}
	return n
}

// normal returns a text of bounded exponent, and bounded length, that rounds to
// the same double. strconv clips exponents of more than four digits before it
// weighs them against leading zeros, and miscounts whole digits beyond the 800th.
func (d *decimal) normal() string {
	// Half-way points between doubles have at most 767 digits: of those after,
	// it matters only that there are some.
	const enough = 780
	if len(d.text) <= enough {
		return d.text
	}

	b := make([]byte, 0, enough+32)
	if d.negative {
		b = append(b, '-')
	}
	n := 0
	for i := d.first; i <= d.last && n < enough; i++ {
		if d.text[i] != '.' {
			b = append(b, d.text[i])
			n++
		}
	}
	if n < d.count {
		b = append(b, '1')
		n++
	}
	b = append(b, 'e')
	return string(strconv.AppendInt(b, d.exponent-int64(n-1), 10))
}

// is reports whether the shortest decimal of f has the value of d, sign aside.
func (d *decimal) is(f float64) bool {
	if math.IsInf(f, 0) || f == 0 {
		return false
	}

	var room [32]byte
	short := strconv.AppendFloat(room[:0], f, 'e', -1, 64) // d.ddde±dd
	n := 0
	i := d.first
	for ; n < len(short) && short[n] != 'e'; n++ {
		if short[n] == '.' {
			continue
		}
		if i <= d.last && d.text[i] == '.' {
			i++
		}
		if i > d.last || d.text[i] != short[n] {
			return false
		}
		i++
	}
	return i > d.last && exponent(string(short[n:])) == d.exponent
}
