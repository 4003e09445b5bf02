package subjects

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Printer writes something, or what differs between two things.
type Printer struct {
	Name  string
	Print func(x any) string
	Diff  func(x, y any) string
}

// Both prints, or compares, two things.
func (p Printer) Both(x, y any) (text, other string) {
	if p.Print != nil {
		return said(func() string { return p.Print(x) }), said(func() string { return p.Print(y) })
	}

	return said(func() string { return p.Diff(x, y) }), said(func() string { return p.Diff(y, x) })
}

// said is what a printer writes, or panics with.
func said(write func() string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint("panic: ", r)
		}
	}()

	return write()
}

// Leaks returns what the printers show of secrets, one line for each subject and
// printer that shows some: because the text has the secret in it, or because the texts
// of two secrets differ in more than addresses.
func Leaks(printers []Printer) []string {
	a, b := Secret{"ghjkmnpqghjkmnpqghjkmnpq", 7042613.527, true}, Secret{"hvwxyzhvwxyzhvwxyzhvwxyz", 1934857.861, false}
	first, second := All(a), All(b)

	if len(first) != len(second) {
		return []string{fmt.Sprintf("%d subjects of one secret, %d of another", len(first), len(second))}
	}

	var found []string

	l := listener{append(a.needles(), b.needles()...), regexp.MustCompile(`(0[xXo])?[0-9a-fA-F]{6,}`)}

	for i := range first {
		for _, p := range printers {
			for _, h := range holders() {
				if what := l.hear(p, h, first[i], second[i]); what != "" {
					found = append(found, first[i].Name+" "+h.name+": "+p.Name+" "+what)

					break
				}
			}
		}
	}

	return found
}

// listener knows what a secret looks like, and what an address does.
type listener struct {
	needles []string
	address *regexp.Regexp
}

// hear says what a printer shows of a subject, empty for nothing.
func (l listener) hear(p Printer, h holder, x, y Subject) string {
	text, other := p.Both(h.hold(x.Value), h.hold(y.Value))
	if at := leak(l.needles, text+other); at != "" {
		return "shows " + at
	}

	if at := l.differ(text, other); at != "" && !x.Digests {
		return "distinguishes two secrets: " + at
	}

	return ""
}

// holder is a way in which a caller holds a subject.
type holder struct {
	name string
	hold func(x any) any
}

type hidden struct{ x any }

type exported struct {
	X    any
	List []any
}

func holders() []holder {
	return []holder{
		{"alone", func(x any) any { return x }},
		{"through a pointer", func(x any) any { return &x }},
		{"in an unexported field", func(x any) any { return hidden{x} }},
		{"in exported fields", func(x any) any { return &exported{x, []any{x}} }},
		{"in a map", func(x any) any { return map[string]any{"k": x} }},
	}
}

// needles are what a text of the secret may look like.
func (s Secret) needles() []string {
	bits := math.Float64bits(s.Number)
	number := strconv.FormatFloat(s.Number, 'f', -1, 64)

	ordinals := strings.Trim(fmt.Sprintf("%d", []byte(s.Text[:6])), "[]")

	return []string{
		s.Text[:6], s.Text[len(s.Text)-6:], fmt.Sprintf("%x", s.Text[:6]), fmt.Sprintf("% x", s.Text[:6]),
		ordinals, strings.ReplaceAll(ordinals, " ", ", "),
		number[:7], number[:1] + "." + number[1:7], strconv.FormatUint(bits, 10), strconv.FormatUint(bits, 16),
		strconv.FormatUint(bits, 8), strconv.FormatUint(bits, 2),
	}
}

// leak is the text around the first needle in it, empty if there is none.
func leak(needles []string, text string) string {
	lower := strings.ToLower(text)

	for _, needle := range needles {
		if at := strings.Index(lower, needle); at >= 0 {
			return strconv.Quote(text[max(0, at-40):min(len(text), at+60)])
		}
	}

	return ""
}

// differ is where two texts differ but for addresses, empty if nowhere.
func (l listener) differ(one, other string) string {
	if one == other {
		return ""
	}

	x, y := strings.Split(l.address.ReplaceAllString(one, "@"), "\n"), strings.Split(l.address.ReplaceAllString(other, "@"), "\n")

	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			at := 0
			for at < min(len(x[i]), len(y[i])) && x[i][at] == y[i][at] {
				at++
			}

			from := max(0, at-40)

			return fmt.Sprintf("%q, %q", x[i][from:min(len(x[i]), at+40)], y[i][from:min(len(y[i]), at+40)])
		}
	}

	if len(x) != len(y) {
		return "one is longer"
	}

	return ""
}
