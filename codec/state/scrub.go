package state

// NOTE: Scrub is three passes over the file:
//
//	collect  finds the texts of secrets, of which it keeps digests (scrub_texts.go)
//	names    finds URNs and IDs with such a text, which others may refer to from anywhere
//	write    copies the file with splices, record by record (scrub_walk.go)
//
// What is around the records is in memory as it is for every reader, and is walked like
// them.

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/path"
)

// Scrubbed is a place at which [Scrub] put a placeholder, or left what it found. It holds no
// property values.
type Scrubbed struct {
	URN         string     // of the resource; empty: it is about the deployment, or the URN has the text of a secret
	At          path.Shown // such as inputs.password, or resources[2].urn without a URN
	Placeholder int        // its number, from 1; 0: there is none
	Left        bool       // the text of a secret is left, since the file would be another one without it
	Sealed      bool       // an encrypted secret was there, whose text is not known and not looked for elsewhere
}

// String returns one line, such as "[scrubbed 12] urn:pulumi:…::db: inputs.password".
func (s Scrubbed) String() string {
	head := "- "
	switch {
	case s.Placeholder > 0:
		head = placeholder(s.Placeholder) + " "
	case s.Left:
		head = "! "
	}
	if s.URN != "" {
		head += s.URN + ": "
	}
	return head + s.At.String()
}

// Placeholders are this, a number and a bracket.
const placeholderBegin = "[scrubbed "

func placeholder(n int) string { return placeholderBegin + strconv.Itoa(n) + "]" }

// placeholderIn returns the number of the first placeholder in a text, and what follows it; 0
// without one.
func placeholderIn(text string) (n int, rest string) {
	const digits = 9 // so that the next fits into 32 bits
	_, rest, _ = strings.Cut(text, placeholderBegin)
	number, _, isClosed := strings.Cut(rest[:min(len(rest), digits+1)], "]")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || !isClosed {
		return 0, rest
	}
	return n, rest[len(number)+1:]
}

func isPlaceholder(text string) bool {
	n, rest := placeholderIn(text)
	return n > 0 && rest == "" && text == placeholder(n)
}

// Scrub copies a state file to w without what it has of secrets, so that somebody else may
// see what is left, and calls report, unless it is nil, for each place that it changed or
// left. Each place gets a text of its own, such as "[scrubbed 12]", whose number says nothing
// but the order of the places. Placeholders that are there already stay.
//
// Replaced are, as a whole:
//   - secrets, encrypted or not, by a secret with the placeholder as its plaintext, whatever its
//     kind was: what it holds is part of it
//   - outputs in clear that AdditionalSecretOutputs lists
//   - texts of initErrors and of assets, and hashes of these and of archives with them
//   - of an integrity error all but the version; secure values of a checkpoint's configuration
//   - texts that are JSON with a secret in it, as inputs of providers are
//
// The secrets provider becomes null, since its state is what decrypts: the result has no
// ciphertexts, and needs none.
//
// Replaced are also, wherever else they are, texts of secrets in clear and of what is in them:
// those of at least 8 bytes also where they are a part of a text, a number or a key, as they
// are, in JSON, in URLs or in base64, and of 4 to 7 bytes where they are all of a text. (What
// is in an array, an object or JSON that is secret as a whole has to have 8 bytes, and more than letters.)
// A number becomes that of its placeholder. An ID becomes the same text wherever it is all of
// a text, since that is a reference; of no other two places does the result say that they are
// equal.
//
// The shape and what holds the file together stay: names of members and properties, types,
// URNs, IDs of providers, paths, times, the manifest, the names of the stack. Where these have the
// text of a secret, which is not looked for there if it has only letters, the place is
// reported as left. Not found are secrets that were compressed, hashed or encoded in another
// way, or cut into parts, and the texts of encrypted ones: export the stack with --show-secrets
// to have these found.
//
// Every other byte stays. The file may be one that engines refuse, and its resources are not
// validated. It is read three times, one resource at a time; of the texts of secrets digests are kept.
// The error is an [*Error], after which w has a part of the result.
func Scrub(r io.ReaderAt, w io.Writer, report func(Scrubbed)) error {
	if r == nil || w == nil {
		return &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	s := &scrubber{sought: newSought(), follow: map[string]followed{}, report: report}
	first, err := pass(r, s.collect)
	if err != nil {
		return err
	}
	second, err := first, error(nil)
	if !s.sought.isEmpty() {
		second, err = pass(r, s.names)
	}
	if err != nil {
		return err
	}
	third, err := pass(r, func(in io.Reader) error { return s.write(in, io.NewSectionReader(r, 0, math.MaxInt64), w) })
	if err == nil && (first != second || first != third) {
		err = errFileChanged
	}
	if own := (*Error)(nil); err != nil && !errors.As(err, &own) {
		err = &Error{Offset: -1, err: &outside{ErrEdit, err}}
	}
	return err
}

type scrubber struct {
	sought *sought
	follow map[string]followed // what texts become that others refer to
	last   int                 // number of the latest placeholder
	report func(Scrubbed)
	fields []Field // around the records
}

// followed is what an ID or a URN with the text of a secret becomes.
type followed struct {
	text        string
	placeholder int // 0: it stays
}

// each calls visit for the records.
func (s *scrubber) each(in io.Reader, visit func(*reading) error) (*File, error) {
	return new(rewriter).each(in, visit)
}

func (s *scrubber) collect(in io.Reader) error {
	file, err := s.each(in, func(r *reading) error {
		w := s.walk(true)
		w.record(r, path.Path{})
		return nil
	})
	if err != nil {
		return err
	}

	s.fields = append(file.Fields(), file.Envelope()...)
	w := s.walk(true)
	w.around(s.fields)
	return nil
}

// textOf returns the text of a member of a record that is a string.
func (r *reading) textOf(name string) string {
	for _, m := range r.members {
		if r.source[m.At] == '"' && r.name(m) == name {
			return unquote(r.source[m.At:m.End])
		}
	}
	return ""
}

// names finds the URNs and IDs with the text of a secret.
func (s *scrubber) names(in io.Reader) error {
	_, err := s.each(in, func(r *reading) error {
		urn, id := r.textOf("urn"), r.textOf("id")
		if len(s.sought.find(urn, true)) > 0 {
			s.follow[strings.Clone(urn)] = followed{text: strings.Clone(urn)}
		}
		if _, isKnown := s.follow[id]; isKnown {
			return nil
		}
		if strings.HasPrefix(r.textOf("type"), providerTypes) {
			if len(s.sought.find(id, true)) > 0 {
				s.follow[strings.Clone(id)] = followed{text: strings.Clone(id)}
			}
			return nil
		}
		if all := s.sought.find(id, false); len(all) > 0 {
			text, n := s.replaced(id, all)
			s.follow[strings.Clone(id)] = followed{text, n}
		}
		return nil
	})
	return err
}

// next returns a placeholder, and its number.
func (s *scrubber) next() (string, int) {
	s.last++
	return placeholder(s.last), s.last
}

// replaced puts placeholders into a text, and returns the number of the first.
func (s *scrubber) replaced(text string, all []cut) (string, int) {
	var out strings.Builder
	at, first := 0, s.last+1
	for _, c := range all {
		out.WriteString(text[at:c.from])
		each, _ := s.next()
		out.WriteString(each)
		at = c.to
	}
	out.WriteString(text[at:])
	return out.String(), first
}

func (s *scrubber) write(in, again io.Reader, to io.Writer) error {
	w := s.walk(false)
	w.around(s.fields)
	inOrder(w.out)
	around, listed := w.out, w.listed
	s.tell(listed)

	c := newCopying(again, to)
	apply := func(all []splice) error {
		for _, one := range all {
			if err := c.splice(one); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := s.each(in, func(r *reading) error {
		n := 0
		for n < len(around) && around[n].base < r.to.Offset {
			n++
		}
		if err := apply(around[:n]); err != nil {
			return err
		}
		around = around[n:]

		w := s.walk(false)
		w.urn = r.textOf("urn")
		base := path.Path{}
		if len(s.sought.find(w.urn, true)) > 0 {
			w.urn, base = "", path.Path{}.Member("resources").Elem(r.to.Number)
		}
		w.record(r, base)
		inOrder(w.out)
		if err := apply(w.out); err != nil {
			return err
		}
		s.tell(w.listed)
		return nil
	})
	if err == nil {
		err = apply(around)
	}
	if err == nil {
		err = c.rest()
	}
	return err
}

func (s *scrubber) tell(all []Scrubbed) {
	if s.report == nil {
		return
	}
	for _, one := range all {
		s.report(one)
	}
}

// around walks through what is not a record.
func (w *scrubWalk) around(fields []Field) {
	for _, f := range fields {
		in, at := span{f.at, f.RevealText()}, w.member(path.Path{}, f.Name)
		switch f.Name {
		case "version", "features", "stack", "target", "manifest":
			w.value(in, scrubKept, at)
		case "secrets_providers":
			if !w.collects && in.text != "null" {
				w.out = append(w.out, in.with("null"))
				w.listed = append(w.listed, Scrubbed{At: path.Show(at, -1)})
			}
		case "config":
			w.value(in, scrubConfig, at)
		case "metadata":
			w.each(in, at, scrubFree, map[string]func(span, path.Path){
				"integrity_error": func(in span, at path.Path) {
					w.each(in, at, scrubGone, map[string]func(span, path.Path){
						"version": func(in span, at path.Path) { w.value(in, scrubKept, at) },
					})
				},
			})
		case "pending_operations":
			w.operations(in, at)
		default:
			w.value(in, scrubFree, at)
		}
	}
}

// each walks through the members of an object, most of them in the same way.
func (w *scrubWalk) each(in span, at path.Path, how scrubbing, special map[string]func(span, path.Path)) {
	if in.text[0] != '{' {
		w.value(in, how, at)
		return
	}
	for _, m := range children(in.text) {
		name := unquote(in.text[m.Name:m.NameEnd])
		of, below := in.sub(m.At, m.End), w.member(at, name)
		if visit := special[name]; visit != nil {
			visit(of, below)
		} else {
			w.value(of, how, below)
		}
	}
}

func (w *scrubWalk) operations(in span, at path.Path) {
	if in.text[0] != '[' {
		w.value(in, scrubFree, at)
		return
	}
	for i, m := range children(in.text) {
		w.each(in.sub(m.At, m.End), at.Elem(i), scrubFree, map[string]func(span, path.Path){
			"type": func(in span, at path.Path) { w.value(in, scrubKept, at) },
			"resource": func(in span, at path.Path) {
				if in.text[0] != '{' {
					w.value(in, scrubFree, at)
					return
				}
				w.record(&reading{source: in.text, members: children(in.text), to: Resource{Offset: in.base}}, at)
			},
		})
	}
}

// record walks through a record.
func (w *scrubWalk) record(r *reading, at path.Path) {
	w.hidden = map[string]bool{}
	for _, m := range r.members {
		if r.name(m) == "additionalSecretOutputs" {
			var all []string
			r.at = &m
			r.list("", &all)
			for _, name := range all {
				w.hidden[name] = true
			}
		}
	}

	for _, m := range r.members {
		name := r.name(m)
		w.value(r.span().sub(m.At, m.End), scrubbingOf(name), w.member(at, name))
	}
}

// scrubbingOf returns how a member of a record is scrubbed.
func scrubbingOf(name string) scrubbing {
	switch name {
	case "inputs":
		return scrubBag
	case "outputs":
		return scrubOutputs
	case "initErrors":
		return scrubGone
	case "id", "importID", "sourcePosition", "stackTrace", trigger:
		return scrubFree
	}
	for _, f := range new(Resource).fields() {
		if f.name == name {
			return scrubKept
		}
	}
	return scrubFree
}
