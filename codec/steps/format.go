package steps

import (
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
)

// FormatOf returns the format of a text of which at least the beginning is there: "preview",
// "plan" or "event log", or "" if it is none of them. A property bag, and a state file, may
// have some of the same names: a preview has steps with operations and URNs, or the
// summary that previews end with. FormatOf passes over the text once at most.
func FormatOf[Text ~string | ~[]byte](text Text) string {
	s := strings.TrimPrefix(string(text), "\ufeff")
	at := jsonscan.Space(s, 0)
	for at < len(s) && s[at] != '{' { // other lines
		end := strings.IndexByte(s[at:], '\n')
		if end < 0 {
			return ""
		}
		at = jsonscan.Space(s, at+end)
	}
	return formatAt(s, at)
}

func formatAt(s string, at int) string {
	names := map[string]bool{}
	found := ""
	lookAt(s, at, func(name string, at int) bool {
		names[name] = true
		switch {
		case name == "resourcePlans":
			found = formatPlan
		case name == "plan" && names["version"]:
			found = formatAt(s, at)
			return false
		case names["sequence"] && names["timestamp"]:
			found = formatLog
		case name == "steps" && at < len(s) && s[at] == '[':
			first := map[string]bool{}
			begin := jsonscan.Space(s, at+1)
			names["no steps"] = begin < len(s) && s[begin] == ']'
			lookAt(s, begin, func(name string, _ int) bool {
				first[name] = true
				return true
			})
			if first["op"] && first["urn"] {
				found = formatPreview
			}
		case isPreview(names):
			found = formatPreview
		}
		return found == ""
	})
	return found
}

// isPreview reports whether an object that need not have steps is a preview.
func isPreview(names map[string]bool) bool {
	switch {
	case names["duration"]:
		return names["changeSummary"] || names["diagnostics"] || names["no steps"]
	case names["changeSummary"]:
		return names["diagnostics"] || names["no steps"]
	}
	return false
}

// isEmptyPreview reports whether an object may be a preview that had nothing to do. Engines
// leave out what is empty.
func isEmptyPreview(names map[string]bool) bool {
	delete(names, "config")
	return len(names) == 1 && names["duration"]
}

// lookAt calls visit for the members of the object at an offset, with the offset of the
// value, as long as visit is true and the text is well formed.
func lookAt(s string, at int, visit func(name string, at int) bool) {
	if at >= len(s) || s[at] != '{' {
		return
	}
	var skip jsonscan.Skipper
	for at < len(s) {
		next, name, fault := jsonscan.Name(s, jsonscan.Space(s, at+1))
		if fault != nil || !visit(name, next) {
			return
		}
		end, fault := skip.Skip(s, next)
		if fault != nil {
			return
		}
		if at = jsonscan.Space(s, end); at >= len(s) || s[at] != ',' {
			return
		}
	}
}
