package state

import (
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

func (r *reading) field(name string, v gjson.Result, to any) {
	switch to := to.(type) {
	case *string:
		r.text(name, v, to)
	case *bool:
		r.flag(name, v, to)

	case *[]string:
		if name == "stackTrace" {
			r.frames(name, v, to)
		} else {
			r.textList(name, v, to)
		}
	case *map[string][]string:
		r.textLists(name, v, to)

	case *time.Time:
		r.moment(name, v, to)
	case *[]value.Value:
		r.secretList(name, v, to)
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

// textLists reads an object of arrays of strings.
func (r *reading) textLists(field string, v gjson.Result, to *map[string][]string) {
	if v.Type == gjson.Null {
		return
	}

	all := map[string][]string{}
	r.object(field, v, "object of arrays of strings", func(name string, list gjson.Result) {
		var texts []string
		r.textList(field, list, &texts)
		all[r.lasting(name)] = texts
	})
	*to = all
}

// object calls visit for the members of an object, each name once.
func (r *reading) object(field string, v gjson.Result, want string, visit func(name string, v gjson.Result)) {
	if v.Type == gjson.Null {
		return
	}
	if !v.IsObject() {
		r.malformed(field, v, want)
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
		r.malformed(field, v, want)
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
	if v.Type == gjson.Null {
		return
	}
	n, err := strconv.ParseFloat(v.Raw, 64)
	if v.Type != gjson.Number || err != nil {
		r.malformed(field, v, "number of seconds")
		return
	}

	*to = n
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
	if v.Type == gjson.Null {
		return
	}

	var err error
	if v.Type == gjson.String {
		err = to.UnmarshalText([]byte(unquote(v.Raw)))
	}
	if v.Type != gjson.String || err != nil {
		r.malformed(field, v, "time in the form of RFC 3339")
	}
}

// textList reads an array of strings; null is an empty one. It returns the value that is
// of another kind, or nil.
func textList(v gjson.Result, to *[]string) (bad *gjson.Result) {
	if v.Type == gjson.Null {
		return nil
	}
	if !v.IsArray() {
		return &v
	}
	v.ForEach(func(_, e gjson.Result) bool {
		if e.Type != gjson.String {
			bad = &e
			return false
		}

		*to = append(*to, unquote(e.Raw))
		return true
	})
	return bad
}

func unquote(raw string) string { return jsonscan.Unquote(raw[1 : len(raw)-1]) }

func isObject(text string, at int) bool { return at < len(text) && text[at] == '{' }
