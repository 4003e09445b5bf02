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

// member is a member of an object that is read, and where to: see decode.
type member struct {
	name string // empty: all others
	to   any
}

// record reads members of an object.
func (in *reading) record(field string, c chunk, members ...member) error {
	return in.each(field, c, func(name string, c chunk) error {
		for _, m := range members {
			if m.name == name || m.name == "" {
				return in.decode(name, c, m.to)
			}
		}
		return nil
	})
}

// decode reads a value, or calls the function that does. Null leaves everything as it is.
func (in *reading) decode(name string, c chunk, to any) error {
	switch to := to.(type) {
	case func(name string, c chunk) error:
		return to(name, c)
	case *chunk:
		*to = c
		return nil
	}
	if c.isNull() {
		return nil
	}

	kind := jsonscan.KindOf(c.text)
	want := "string"
	switch to := to.(type) {
	case *string:
		if kind == want {
			*to = jsonscan.Unquote(c.text[1 : len(c.text)-1])
			return nil
		}
	case *[]string:
		return in.array(name, c, func(c chunk) error {
			*to = append(*to, "")
			return in.decode(name, c, &(*to)[len(*to)-1])
		})
	case *bool:
		if want = "bool"; kind == want {
			*to = c.text == "true"
			return nil
		}
	case *float64:
		n, err := strconv.ParseFloat(c.text, 64)
		if want = "number"; kind == want && err == nil {
			*to = n
			return nil
		}
	case *map[Op]int:
		return in.each(name, c, func(op string, c chunk) error {
			var n float64
			err := in.decode(name, c, &n)
			(*to)[Op(op)] = int(min(max(n, 0), math.MaxInt32))
			return err
		})
	}
	return in.malformed(name, c, want)
}

// lasted returns a reader of the duration of the run, in units.
func (in *reading) lasted(unit time.Duration) func(name string, c chunk) error {
	return func(name string, c chunk) error {
		var n float64
		err := in.decode(name, c, &n)
		in.run.Duration = time.Duration(min(max(n*float64(unit), 0), math.MaxInt64/2))
		return err
	}
}
