package state

import (
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// field reads a field; null is the zero value.
func (r *reading) field(name string, v gjson.Result, to any) {
	if v.Type == gjson.Null {
		return
	}
	switch to := to.(type) {
	case *string:
		r.text(name, v, to)
	case *bool:
		*to = v.Type == gjson.True
		if !*to && v.Type != gjson.False {
			r.malformed(name, v.Index, "bool")
		}

	case *[]string:
		if name == "stackTrace" {
			r.frames(name, v, to)
		} else {
			r.list(name, to)
		}
	case *map[string][]string:
		r.textLists(name, to)

	case *time.Time:
		r.moment(name, v, to)
	case *[]value.Value:
		var texts []string
		r.list(name, &texts)
		for _, text := range texts {
			*to = append(*to, value.Secret(value.String(text)))
		}
	case *float64:
		r.seconds(name, v, to)
	case *CustomTimeouts:
		r.record(name, v, "object of numbers",
			fieldOf{"create", &to.Create}, fieldOf{"update", &to.Update}, fieldOf{"delete", &to.Delete}, fieldOf{"read", &to.Read})
	case *[]Plugin:
		r.plugins(name, v, to)
	case *value.Value:
		r.property(name, v, to)
	}
}

// tape is what is left of the marks of a value.
type tape struct {
	from  int // what their offsets are from, in the source
	marks []jsonscan.Mark
}

// tape returns the marks of the member that is being read, of which there is at least one.
func (r *reading) tape() tape {
	if len(r.marks) > 0 {
		return tape{marks: r.marks[r.at.Mark:r.at.MarkEnd]}
	}
	skip := jsonscan.Skipper{Tape: true}
	_, _ = skip.Skip(r.source[r.at.At:r.at.End], 0) // it is well formed
	return tape{r.at.At, skip.Marks}
}

// pop returns where the next value or name is, and the text or the number of children that
// it has.
func (r *reading) pop(t *tape) (at int, text string, n int) {
	if len(t.marks) == 0 { // as of what is longer than 2 GiB
		return r.at.Name, "", 0
	}
	m := t.marks[0]
	t.marks = t.marks[1:]
	if at = t.from + int(m.At); r.source[at] != '"' {
		return at, "", int(m.End)
	}
	end, isPlain := m.Text()
	return at, jsonscan.Text(r.source, at, t.from+end, isPlain), 0
}

// list reads an array of strings.
func (r *reading) list(field string, to *[]string) {
	t := r.tape()
	r.textList(field, &t, to)
}

// textList reads an array of strings; null is an empty one.
func (r *reading) textList(field string, t *tape, to *[]string) {
	at, _, n := r.pop(t)
	switch r.source[at] {
	case 'n':
		return
	case '[':
	default:
		r.malformed(field, at, "array of strings")
		return
	}

	isDropped := r.drops(field)
	if !isDropped {
		*to = slices.Grow(*to, n)
	}
	for range n {
		at, text, _ := r.pop(t)
		if r.source[at] != '"' {
			r.malformed(field, at, "array of strings")
			return
		}
		if !isDropped {
			*to = append(*to, r.lasting(text))
		}
	}
}

// drops reports whether a list is checked and not kept.
func (r *reading) drops(field string) bool {
	return r.isOutline && (field == "dependencies" || field == "propertyDependencies")
}

// textLists reads an object of arrays of strings.
func (r *reading) textLists(field string, to *map[string][]string) {
	t := r.tape()
	at, _, n := r.pop(&t)
	if r.source[at] != '{' {
		r.malformed(field, at, "object of arrays of strings")
		return
	}

	var lists map[string][]string
	var all []string // of them
	isDropped := r.drops(field) && r.at.Facts&jsonscan.Unordered == 0
	if !isDropped {
		lists = make(map[string][]string, n)
		all = make([]string, 0, len(t.marks)-2*n) // the rest are names and arrays
	}
	for range n {
		at, name, _ := r.pop(&t)
		if _, isTwice := lists[name]; isTwice {
			r.err = r.failure(field, at, codec.ErrDuplicate)
			return
		}
		from := len(all)
		if r.textList(field, &t, &all); r.err != nil {
			return
		}
		switch {
		case isDropped:
		case from == len(all):
			lists[r.lasting(name)] = nil
		default:
			lists[r.lasting(name)] = all[from:len(all):len(all)]
		}
	}
	*to = lists
}

// object calls visit for the members of an object, each name once.
func (r *reading) object(field string, v gjson.Result, want string, visit func(name string, v gjson.Result)) {
	if v.Type == gjson.Null {
		return
	}
	if !v.IsObject() {
		r.malformed(field, v.Index, want)
		return
	}

	seen := map[string]bool{}
	v.ForEach(func(key, v gjson.Result) bool {
		name := unquote(key.Raw)
		if seen[name] {
			r.err = r.failure(field, key.Index, codec.ErrDuplicate)
			return false
		}
		seen[name] = true
		visit(name, v)
		return r.err == nil
	})
}

// array calls visit for the elements of an array, as long as visit is true.
func (r *reading) array(field string, v gjson.Result, want string, visit func(v gjson.Result) bool) {
	if v.Type == gjson.Null {
		return
	}
	if !v.IsArray() {
		r.malformed(field, v.Index, want)
		return
	}

	v.ForEach(func(_, v gjson.Result) bool { return visit(v) && r.err == nil })
}

// record reads an object whose members are fields of a struct. It skips others.
func (r *reading) record(field string, v gjson.Result, want string, fields ...fieldOf) {
	r.object(field, v, want, func(name string, v gjson.Result) {
		for _, f := range fields {
			if f.name == name {
				r.field(field, v, f.to)
			}
		}
	})
}

// seconds reads a number of seconds.
func (r *reading) seconds(field string, v gjson.Result, to *float64) {
	n, err := strconv.ParseFloat(v.Raw, 64)
	*to = n
	if v.Type != gjson.Number || err != nil {
		r.malformed(field, v.Index, "number of seconds")
	}
}

// frames reads the source positions of the frames of a stack trace.
func (r *reading) frames(field string, v gjson.Result, to *[]string) {
	r.array(field, v, "array of frames", func(frame gjson.Result) bool {
		var position string
		r.record(field, frame, "object", fieldOf{"sourcePosition", &position})
		*to = append(*to, position)
		return true
	})
}

// moment reads a time.
func (r *reading) moment(field string, v gjson.Result, to *time.Time) {
	var err error
	if v.Type == gjson.String {
		err = to.UnmarshalText([]byte(unquote(v.Raw)))
	}
	if v.Type != gjson.String || err != nil {
		r.malformed(field, v.Index, "time in the form of RFC 3339")
	}
}

func unquote(raw string) string { return jsonscan.Unquote(raw[1 : len(raw)-1]) }

func isObject(text string, at int) bool { return at < len(text) && text[at] == '{' }
