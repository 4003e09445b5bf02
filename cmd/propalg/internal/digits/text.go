package digits

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// mark begins a text that represents a number. It is not UTF-8, so no text of a
// file begins with it.
const mark = "\xff\xfe"

// withDigits returns a value in which the texts of numbers take the place of those
// that were rounded: what differs in the files differs in it.
func withDigits(v value.Value, r *codec.Report) value.Value {
	texts := map[path.Path]string{}
	rounded := make([]path.Pattern, 0, len(r.Rounded))
	for _, each := range r.Rounded {
		at := each.At.RevealPath()
		texts[at] = each.RevealText()
		rounded = append(rounded, at.Pattern())
	}
	made, err := value.Update(v, path.NewSet(rounded...), func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() != value.KindNumber {
			return c.Value(), nil
		}
		return value.String(mark + texts[c.Path()]), nil
	})
	if err != nil {
		return v // a text in place of a number is always possible
	}

	return made
}

// digitsOf returns the digits of a text that represents a number.
func digitsOf(v value.Value) (text string, ok bool) {
	s, _ := v.AsString()
	return strings.CutPrefix(s, mark)
}

// numberText returns a number as the file has it, and nothing for other values.
func numberText(v value.Value) string {
	if text, ok := digitsOf(v); ok {
		return text
	}
	if v.Kind() != value.KindNumber {
		return ""
	}

	return v.DropSecret().DropDependencies().String()
}

// rounded returns the double next to a number, an infinity beyond the largest.
func rounded(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}
