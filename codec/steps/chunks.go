package steps

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
)

func (c chunk) isNull() bool { return c.text == "" || c.text[0] == 'n' }

// sub returns the chunk from one offset to another. from does not decrease from call to
// call, and done is that of the call before, with its line.
func (c chunk) sub(done *chunk, from, to int) chunk {
	at := int(done.at - c.at)
	done.line += strings.Count(c.text[at:from], "\n")
	done.at = c.at + int64(from)
	return chunk{c.text[from:to], done.at, done.line}
}

// each calls visit for the members of an object; null has none. The text is well formed.
func (in *reading) each(field string, c chunk, visit func(name string, c chunk) error) error {
	if c.isNull() {
		return nil
	}
	if c.text[0] != '{' {
		return in.malformed(field, c, "object")
	}

	names := make(map[string]bool, 8)
	done := chunk{at: c.at, line: c.line}
	var skip jsonscan.Skipper
	for at := jsonscan.Space(c.text, 1); c.text[at] != '}'; {
		next, name, fault := jsonscan.Name(c.text, at)
		if fault == nil && names[name] {
			fault = &jsonscan.Fault{Offset: at, Err: codec.ErrDuplicate}
		}
		end := 0
		if fault == nil {
			names[name] = true
			end, fault = skip.Skip(c.text, next)
		}
		if fault != nil {
			e := in.fail(c, fault.Offset, fault.Err)
			e.Field, e.Want, e.Found = field, fault.Want, fault.Found
			return e
		}

		if err := visit(name, c.sub(&done, next, end)); err != nil {
			return err
		}
		if at = jsonscan.Space(c.text, end); c.text[at] == ',' {
			at = jsonscan.Space(c.text, at+1)
		}
	}
	return nil
}

// array calls visit for the elements of an array; null has none. The text is well formed.
func (in *reading) array(field string, c chunk, visit func(c chunk) error) error {
	if c.isNull() {
		return nil
	}
	if c.text[0] != '[' {
		return in.malformed(field, c, "array")
	}

	done := chunk{at: c.at, line: c.line}
	var skip jsonscan.Skipper
	for at := jsonscan.Space(c.text, 1); c.text[at] != ']'; {
		end, fault := skip.Skip(c.text, at)
		if fault != nil {
			return in.fail(c, fault.Offset, fault.Err) // cannot happen
		}
		if err := visit(c.sub(&done, at, end)); err != nil {
			return err
		}
		if at = jsonscan.Space(c.text, end); c.text[at] == ',' {
			at = jsonscan.Space(c.text, at+1)
		}
	}
	return nil
}

func (in *reading) text(field string, c chunk, to *string) error {
	switch {
	case c.isNull():
		return nil
	case c.text[0] != '"':
		return in.malformed(field, c, "string")
	}
	*to = jsonscan.Unquote(c.text[1 : len(c.text)-1])
	return nil
}

// texts reads an array of strings; that of null is nil.
func (in *reading) texts(field string, c chunk, to *[]string) error {
	return in.array(field, c, func(c chunk) error {
		var one string
		err := in.text(field, c, &one)
		*to = append(*to, one)
		return err
	})
}

func (in *reading) flag(field string, c chunk, to *bool) error {
	switch {
	case c.isNull():
		return nil
	case c.text != "true" && c.text != "false":
		return in.malformed(field, c, "bool")
	}
	*to = c.text == "true"
	return nil
}

func (in *reading) number64(field string, c chunk, to *float64) error {
	if c.isNull() {
		return nil
	}
	n, err := strconv.ParseFloat(c.text, 64)
	if err != nil {
		return in.malformed(field, c, "number")
	}
	*to = n
	return nil
}

// duration reads a number of units.
func (in *reading) duration(field string, c chunk, unit time.Duration) error {
	var n float64
	if err := in.number64(field, c, &n); err != nil {
		return err
	}
	in.run.Duration = time.Duration(min(max(n*float64(unit), 0), math.MaxInt64/2))
	return nil
}

// counts reads an object of numbers by operation; that of null is empty.
func (in *reading) counts(field string, c chunk, to *map[Op]int) error {
	*to = map[Op]int{}
	return in.each(field, c, func(name string, c chunk) error {
		var n float64
		err := in.number64(field, c, &n)
		(*to)[Op(name)] = int(min(max(n, 0), math.MaxInt32))
		return err
	})
}
