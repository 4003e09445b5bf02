package probe

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
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

// Secret is what no printer may show. Texts and numbers of two secrets that are compared
// are equally long, since lengths are not secret.
type Secret struct {
	Text   string
	Number float64
	Bool   bool
}

// bag holds the secret as marked leaves, in a marked container, and beside dependencies.
func (s Secret) bag() value.Value {
	whole := value.Secret(value.Object(
		value.Field("text", value.String(s.Text)), value.Field("number", value.Number(s.Number)), value.Field("bool", value.Bool(s.Bool)),
		value.Field(s.Text, value.Array(value.Number(s.Number), value.Bool(s.Bool))),
	))

	return value.Object(
		value.Field("text", value.Secret(value.String(s.Text))), value.Field("number", value.Secret(value.Number(s.Number))),
		value.Field("bool", value.Secret(value.Bool(s.Bool))), value.Field("whole", whole),
		value.Field("deps", value.Secret(value.Number(s.Number)).WithDependencies("urn:pulumi:s::p::t::n")),
		value.Field("list", value.Array(value.Secret(value.Array(value.Number(s.Number), value.String(s.Text))))), value.Field("plain", value.Number(1)),
	)
}

// scene has the secret on both sides of a change. Its boolean is always the same, since the
// texts of two booleans differ in length, which shows in places and sizes.
func (s Secret) scene() *Scene {
	s.Bool = true
	now, _ := s.bag().WithField("text", value.Secret(value.Null()))
	now, _ = now.WithField("plain", value.Number(2))
	now, _ = now.With(path.MustParse("whole.number"), value.Null())
	scene := &Scene{
		Old: s.bag(), New: now, Paths: []path.Path{path.MustParse("whole.number"), path.MustParse("list[0]")}, Set: path.MustSet("plain", "whole"),
		Texts: []string{"number", "bool", "whole", "deps", "list", "urn:pulumi:s::p::t:m:T::n"}, Index: 1, Match: diff.Auto(),
	}
	scene.encoded = scene.intact()

	return scene
}

// result is what a function returned.
type result struct {
	name  string
	value any
}

// results calls a function, and those that make its arguments, and returns what they
// returned.
func (s *Scene) results(function int, seed uint64) []result {
	p := s.Prober(seed)
	p.Silent = true

	var all []result
	p.Returned = func(name string, x any) {
		if t := reflect.TypeOf(x); ours(t) && t.Kind() != reflect.Map { // some printers do not sort maps
			all = append(all, result{name, x})
		}
	}
	p.Call(function)
	return all
}

// parts returns a secret and all that is in it, and a builder that has it before it is
// marked.
func (s Secret) parts() []result {
	b := &value.Builder{}
	b.Push(value.Bool(s.Bool))
	b.PushMember(s.Text, value.Number(s.Number))

	all := []result{{"Builder", b}}
	for c := range s.bag().Walk() {
		v := c.Value()
		all = append(all, result{"Walk", v})
		for key, member := range v.Members() {
			all = append(all, result{"Members", member}, result{"Field", v.Field(key)})
		}
		for i := range v.Len() {
			all = append(all, result{"Elem", v.Elem(i)})
		}
	}
	return all
}

// scenes is how many scenes each function is called in.
const scenes = 2

// digests are types that hold a digest of a secret or its exact size, so that two secrets
// may print differently.
var digests = []reflect.Type{reflect.TypeFor[state.Entry](), reflect.TypeFor[*state.Comparison](), reflect.TypeFor[*check.Session]()}

// Leaks calls every function on two secrets, and returns what the printers show of them in
// the results, one line for each result and printer that shows some: because the text has
// the secret in it, or because the texts of two secrets differ in more than addresses.
func Leaks(printers []Printer) []string {
	a, b := Secret{"ghjkmnpqghjkmnpqghjkmnpq", 7042613.527, true}, Secret{"hvwxyzhvwxyzhvwxyzhvwxyz", 1934857.861, false}
	l := listener{
		needles: append(a.needles(), b.needles()...), printers: printers, heard: map[string]bool{},
	}
	for i, part := range a.parts() {
		l.print(part.name, part.value, b.parts()[i].value, false)
	}
	one, other := a.scene(), b.scene()
	for i := range everything() {
		for seed := range uint64(scenes) {
			l.compare(one.results(i, seed), other.results(i, seed))
		}
	}

	return l.found
}

// compare prints the results of two secrets. Where functions return something else, since
// the secrets are not equal, only the first results are those of the same calls.
func (l *listener) compare(first, second []result) {
	for i := range min(len(first), len(second)) {
		x, y := first[i], second[i]
		t := reflect.TypeOf(x.value)
		if x.name != y.name || t != reflect.TypeOf(y.value) {
			return
		}

		if what := x.name + " " + t.String(); !l.heard[what] {
			l.heard[what] = true
			l.print(what, x.value, y.value, slices.Contains(digests, t))
		}
	}
}

// print notes what the printers show of two results.
func (l *listener) print(what string, x, y any, differ bool) {
	for _, p := range l.printers {
		for i, held := range Held(x) {
			if shown := l.hear(p, held, Held(y)[i], differ); shown != "" {
				l.found = append(l.found, what+": "+p.Name+" "+shown)
				break
			}
		}
	}
}

// listener knows what a secret looks like.
type listener struct {
	needles  []string
	printers []Printer
	heard    map[string]bool // by the function and the type of the result
	found    []string
}

// pointer is a pointer as a whole number, which may read as a part of another by chance.
var pointer = regexp.MustCompile(`\b[0-9a-fA-F]{9,17}\b`)

// hear says what a printer shows of two results, empty for nothing.
func (l *listener) hear(p Printer, x, y any, differ bool) string {
	text, other := p.Both(x, y)
	all := text + other
	if leak(l.needles, all) != "" { // rare, so the replacement is too
		if at := leak(l.needles, pointer.ReplaceAllString(all, "@")); at != "" {
			return "shows " + at
		}
	}
	if at := difference(text, other); at != "" && !differ {
		return "distinguishes two secrets: " + at
	}

	return ""
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

// difference is where two texts differ but for addresses, empty if nowhere.
func difference(one, other string) string {
	x, y := strings.Split(one, "\n"), strings.Split(other, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			continue
		}

		line, second := unaddressed(x[i]), unaddressed(y[i])
		if line != second {
			at := 0
			for at < min(len(line), len(second)) && line[at] == second[at] {
				at++
			}
			from := max(0, at-40)
			return fmt.Sprintf("%q, %q", line[from:min(len(line), at+40)], second[from:min(len(second), at+40)])
		}
	}

	if len(x) != len(y) {
		return "one is longer"
	}
	return ""
}

// unaddressed returns a line with @ for what may be an address: six hexadecimal digits or
// more. By hand, since a regular expression takes as long as all that is printed.
func unaddressed(line string) string {
	const least = 6

	b := make([]byte, 0, len(line))
	for line != "" {
		digits := 0
		for digits < len(line) && hexadecimal(line[digits]) {
			digits++
		}

		switch {
		case digits >= least:
			b = append(b, '@')
		case digits > 0:
			b = append(b, line[:digits]...)
		default:
			b = append(b, line[0])
		}
		line = line[max(digits, 1):]
	}

	return string(b)
}

func hexadecimal(c byte) bool {
	return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F')
}
