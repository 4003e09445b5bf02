package state

import (
	"strconv"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/tidwall/gjson"
)

// option takes a member that says how an engine treats the resource, or where it
// was declared; false: it is none of these.
func (r *reading) option(k string, v gjson.Result) bool {
	switch k {
	case "taint":
		r.flag(k, v, &r.to.Taint)
	case "pendingReplacement":
		r.flag(k, v, &r.to.PendingReplacement)
	case "retainOnDelete":
		r.flag(k, v, &r.to.RetainOnDelete)
	case "refreshBeforeUpdate":
		r.flag(k, v, &r.to.RefreshBeforeUpdate)
	case "importID":
		r.text(k, v, &r.to.ImportID)
	case "deletedWith":
		r.text(k, v, &r.to.DeletedWith)
	case "viewOf":
		r.text(k, v, &r.to.ViewOf)
	case "extensionRef":
		r.text(k, v, &r.to.ExtensionRef)
	case "snippetID":
		r.text(k, v, &r.to.SnippetID)
	case "sourcePosition":
		r.text(k, v, &r.to.SourcePosition)
	case "replaceWith":
		r.textList(k, v, &r.to.ReplaceWith)
	case "ignoreChanges":
		r.textList(k, v, &r.to.IgnoreChanges)
	case "replaceOnChanges":
		r.textList(k, v, &r.to.ReplaceOnChanges)
	case "hideDiff":
		r.textList(k, v, &r.to.HideDiff)
	case "additionalSecretOutputs":
		r.textList(k, v, &r.to.AdditionalSecretOutputs)
	case "resourceHooks":
		r.textLists(k, v, &r.to.ResourceHooks)
	case "customTimeouts":
		r.timeouts(k, v, &r.to.CustomTimeouts)
	case "stackTrace":
		r.frames(k, v, &r.to.StackTrace)
	case trigger:
		r.property(k, v, &r.to.ReplacementTrigger, &r.to.ReplacementTriggerReport, codec.DecodeJSON)
	default:
		return false
	}
	return true
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

// timeouts reads how long operations may take.
func (r *reading) timeouts(field string, v gjson.Result, to *CustomTimeouts) {
	r.object(field, v, "object of numbers", func(name string, v gjson.Result) {
		known := map[string]*float64{"create": &to.Create, "update": &to.Update, "delete": &to.Delete, "read": &to.Read}
		seconds := known[name]
		if seconds == nil || v.Type == gjson.Null {
			return
		}
		n, err := strconv.ParseFloat(v.Raw, 64)
		if v.Type != gjson.Number || err != nil {
			r.malformed(field, v, "number of seconds")
			return
		}
		*seconds = n
	})
}

// frames reads the source positions of the frames of a stack trace.
func (r *reading) frames(field string, v gjson.Result, to *[]string) {
	r.array(field, v, "array of frames", func(frame gjson.Result) bool {
		var position string
		r.object(field, frame, "object", func(name string, v gjson.Result) {
			if name == "sourcePosition" {
				r.text(field, v, &position)
			}
		})
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
