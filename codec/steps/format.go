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
		case name == "steps":
			names[name] = isListOf(s, at, "op", "urn")
			if names[name] && !isEmptyList(s, at) {
				found = formatPreview
			}
		case name == "diagnostics":
			names[name] = isListOf(s, at, "message", "severity")
		case name == "duration":
			names[name] = jsonscan.KindOf(s[min(at, len(s)):]) == "number"
		case name == "changeSummary":
			names[name] = jsonscan.KindOf(s[min(at, len(s)):]) == "object"
		}
		if found == "" && (name == "duration" || name == "changeSummary") && isPreview(names) {
			found = formatPreview
		}
		return found == ""
	})
	return found
}

// isPreview reports whether members are those of a preview. Engines leave out what is empty,
// but for the steps.
func isPreview(names map[string]bool) bool {
	hasSummary, hasContent := names["changeSummary"], names["steps"] || names["diagnostics"]
	return (names["duration"] && (hasSummary || hasContent)) || (hasSummary && hasContent)
}

// isListOf reports whether the array at an offset is empty or begins with an object that has
// two members.
func isListOf(s string, at int, one, other string) bool {
	if at >= len(s) || s[at] != '[' {
		return false
	}
	if isEmptyList(s, at) {
		return true
	}
	first := map[string]bool{}
	lookAt(s, jsonscan.Space(s, at+1), func(name string, _ int) bool {
		first[name] = true
		return true
	})
	return first[one] && first[other]
}

func isEmptyList(s string, at int) bool {
	end := jsonscan.Space(s, at+1)
	return end < len(s) && s[end] == ']'
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
