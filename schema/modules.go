package schema

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// What [Read] takes of the regular expression meta.moduleFormat. Matching takes time in
// proportion to the instructions. Those of published schemas have 15 bytes and 20
// instructions at most.
const (
	longestFormat    = 64
	mostInstructions = 100
)

// modules knows which part of the module in a token is the module that programs see.
type modules struct {
	format *regexp.Regexp
	known  map[string]module // by modules in tokens
}

// module is what programs see of the module in a token: nothing is found if the regular
// expression does not match, or has no group.
type module struct {
	seen  string
	found bool
}

func newModules(format string) (m *modules, wrong string) {
	if format == "" {
		format = "(.*)"
	}
	if len(format) > longestFormat {
		return nil, "expected a regular expression of at most " + strconv.Itoa(longestFormat) + " bytes, found " + strconv.Itoa(len(format))
	}

	compiled, err := regexp.Compile(format)
	if err != nil {
		return nil, "not a regular expression: " + err.Error()
	}
	if n := instructions(format); n > mostInstructions {
		return nil, "expected a regular expression of at most " + strconv.Itoa(mostInstructions) + " instructions, found " + strconv.Itoa(n)
	}
	return &modules{format: compiled, known: map[string]module{}}, ""
}

// instructions returns how long a regular expression is when it is compiled.
func instructions(format string) int {
	parsed, err := syntax.Parse(format, syntax.Perl)
	if err != nil {
		return 0
	}

	compiled, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(compiled.Inst)
}

// of returns what programs see of the module in a token.
func (m *modules) of(text string) module {
	if is, known := m.known[text]; known {
		return is
	}
	var is module
	if match := m.format.FindStringSubmatch(text); len(match) > 1 {
		is = module{match[1], true}
	}
	m.known[text] = is

	return is
}

// ofToken returns the module of a token, as programs see it, or "".
func (m *modules) ofToken(token string) string {
	parts := strings.Split(token, ":")
	if len(parts) != 3 || (parts[0] == "pulumi" && (parts[1] == "pulumi" || parts[1] == "providers")) {
		return ""
	}
	if is := m.of(parts[1]); is.seen != "index" {
		return is.seen
	}

	return ""
}

// canonical returns a token in small letters, with the module that programs see.
func (m *modules) canonical(token string) string {
	if parts := strings.Split(token, ":"); len(parts) == 3 {
		if module := m.ofToken(token); module != "" {
			token = parts[0] + ":" + module + ":" + parts[2]
		}
	}
	return strings.ToLower(token)
}

// folders are modules, each with a slash at its end, in order.
type folders []string

// has reports whether a text is a module, or the beginning of one up to a slash.
func (all folders) has(text string) bool {
	i, _ := slices.BinarySearch(all, text+"/")
	return i < len(all) && strings.HasPrefix(all[i], text+"/")
}
