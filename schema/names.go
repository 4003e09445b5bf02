package schema

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/semver"
	"github.com/propalg/propalg/path"
)

// isToken reports whether a text is a token, package:module:name, in which the module may
// be empty. Names of functions may have hyphens.
func isToken(text string, function bool) bool {
	parts := strings.Split(text, ":")
	if len(parts) != 3 || !isPackageName(parts[0]) {
		return false
	}

	extra := "._/"
	if function {
		extra = "._/-"
	}
	return (parts[1] == "" || isTokenPart(parts[1], "._/-")) && isTokenPart(parts[2], extra)
}

// isTokenPart reports whether a text is any character but a digit, and then letters,
// digits and the extra ones.
func isTokenPart(text, extra string) bool {
	for i, r := range text {
		if (i == 0 && isDigit(r)) || (i > 0 && !isLetter(r) && !isDigit(r) && !strings.ContainsRune(extra, r)) {
			return false
		}
	}
	return text != ""
}

func isPackageName(text string) bool {
	for i, r := range text {
		if !isLetter(r) && (i == 0 || (!isDigit(r) && r != '-' && r != '_')) {
			return false
		}
	}
	return text != ""
}

// isNamespace reports whether a text is words of small letters and digits, with hyphens
// between them, the first of which begins with a letter.
func isNamespace(text string) bool {
	for word := range strings.SplitSeq(text, "-") {
		if word == "" || strings.TrimFunc(word, func(r rune) bool { return isDigit(r) || ('a' <= r && r <= 'z') }) != "" {
			return false
		}
	}
	return !isDigit(rune(text[0]))
}

func isLetter(r rune) bool { return ('a' <= r && r <= 'z') || ('A' <= r && r <= 'Z') }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isVisible reports whether all of a text is printed, and none of it is white space.
func isVisible(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) })
}

// version returns a semantic version without its build metadata, and whether it is one.
func version(text string) (string, bool) {
	_, err := semver.Parse(text)
	text, _, _ = strings.Cut(text, "+")
	return text, err == nil && text[0] != 'v'
}

// looseVersion is version for a reference to another package: "v1.2" is 1.2.0.
func looseVersion(text string) (string, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	if dots := strings.Count(text, "."); dots < 2 {
		if strings.ContainsAny(text[strings.LastIndex(text, ".")+1:], "+-") {
			return "", false
		}

		text += strings.Repeat(".0", 2-dots)
	}
	return version(text)
}

// collisions refuses tokens of resources and functions that programs cannot distinguish:
// tokens that differ only in case, or in the parts of the module that meta.moduleFormat
// leaves out, and tokens that name a module of other tokens.
func (r *reader) collisions() {
	if r.modules == nil {
		return
	}

	type entry struct{ section, token, canonical string }
	var entries []entry
	for token := range r.p.resources {
		entries = append(entries, entry{"resources", token, r.modules.canonical(token)})
	}
	for token := range r.p.functions {
		entries = append(entries, entry{"functions", token, r.modules.canonical(token)})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.section, b.section), strings.Compare(a.token, b.token))
	})

	var modules folders
	for _, e := range entries {
		modules = append(modules, r.modules.ofToken(e.canonical)+"/")
	}
	slices.Sort(modules)

	names := map[string]entry{}
	for _, e := range entries {
		for _, name := range slices.Compact([]string{strings.ToLower(e.token), e.canonical}) {
			wrong := func(reason string) { r.wrong(reason, path.Key(e.section), path.Key(e.token)) }
			if other, taken := names[name]; taken && other != e {
				wrong("programs cannot distinguish it from " + scan.Line(other.token) + " in " + other.section)
			}
			names[name] = e
			if parts := strings.Split(name, ":"); len(parts) == 3 {
				at := parts[2]
				if parts[1] != "index" {
					at = parts[1] + "/" + at
				}
				if modules.has(at) {
					wrong("programs cannot distinguish it from the module " + scan.Line(at))
				}
			}
		}
	}
}
