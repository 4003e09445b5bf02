package state

import (
	"bufio"
	"io"
	"math"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
)

// render makes the texts of all records that go, and keeps none.
func (m *mover) render() error {
	m.to.mover = m
	same := m.sameSecrets()
	extensions := m.extensions()
	for _, r := range m.result.all {
		if r.met != nil {
			continue
		}
		text, err := m.record(r)
		if err != nil {
			return err
		}
		if err := m.checkRecord(r, text, same, extensions); err != nil {
			return err
		}
	}
	return nil
}

// extensions returns the names of the extensions that both files have alike.
func (m *mover) extensions() map[string]bool {
	of := func(f *File) (all map[string]string) {
		all = map[string]string{}
		field, _ := f.field("extensions")
		text := field.RevealText()
		for _, one := range children(text) {
			all[unquote(text[one.Name:one.NameEnd])] = text[one.At:one.End]
		}
		return all
	}
	both, other := map[string]bool{}, of(m.to.document)
	for name, text := range of(m.document) {
		both[name] = other[name] == text
	}
	return both
}

// checkRecord refuses what the destination cannot have.
func (m *mover) checkRecord(r *traveller, text string, same bool, extensions map[string]bool) error {
	for _, one := range children(text) {
		name, in := unquote(text[one.Name:one.NameEnd]), text[one.At:one.End]
		switch {
		case name == "extensionRef" && in[0] == '"' && !extensions[unquote(in)]:
			m.refuse(r, name, "the destination has no such extension %s", unquote(in))
		case name != "inputs" && name != "outputs" && name != trigger:
		case !same && (strings.Contains(in, "ciphertext") || strings.Contains(in, `\u`)):
			v, err := codec.DecodeJSONValue(in, plain())
			if err != nil {
				failed := &Error{Offset: -1, URN: r.urn, Field: name}
				failed.adopt(err, -1)
				return failed
			}
			if isSealed(v) {
				m.refuse(r, name, "it has encrypted secrets, and the files have not the same secrets provider; pulumi stack export --show-secrets writes them in plaintext")
			}
		}
	}
	return nil
}

// record returns the text of a record in the destination.
func (m *mover) record(r *traveller) (string, error) {
	text, err := m.from.result.text(r.mended)
	if err != nil {
		return "", err
	}
	x := &rewriter{
		edits: &Edits{}, moves: true, renamed: m.renamed, pieces: map[string]string{}, stream: &streaming{},
	}
	own := &reading{
		file: m.document, source: text, members: children(text),
		to: Resource{URN: r.urn, Offset: r.offset, Number: r.number},
	}
	hasParent := false
	for _, one := range own.members {
		in := own.span().sub(one.At, one.End)
		switch own.name(one) {
		case "urn":
			err = x.respell(&x.splices, in, r.urn, r.now)
		case "parent":
			if hasParent = true; r.linkTo("parent") == "" {
				x.splices = append(x.splices, in.with(quotedKey(m.parentOf(r))))
			}
		}
		if err != nil {
			return "", err
		}
	}
	if !hasParent {
		x.addMember(own, "parent", quotedKey(m.parentOf(r)))
	}
	bonds := r.bonds
	if r.copied {
		bonds = m.copyBonds(r)
	}
	x.splices = append(x.splices, rebound(own.span(), bonds)...)
	if err := x.bags(own, nil); err != nil {
		return "", err
	}
	return own.span().spliced(x.splices), nil
}

// WriteSource writes the source without what is moved. It writes nothing if the file is not the
// one that [Move] read.
func (m *Moved) WriteSource(w io.Writer) error {
	if m == nil || m.source == nil {
		return &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	_, err := m.source.WriteTo(w)
	return err
}

// WriteDestination writes the destination with what is moved. It writes nothing if the file is
// not the one that [Move] read; if the source is another one, it returns an error, but only
// after it has written to w.
func (m *Moved) WriteDestination(w io.Writer) error {
	if m == nil || m.destination == nil || w == nil {
		return &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	d := m.destination
	sum, err := pass(d.file, func(in io.Reader) error {
		_, err := io.Copy(io.Discard, in)
		return err
	})
	if err == nil && sum != d.sum {
		err = errFileChanged
	}
	if err != nil {
		return &Error{Offset: -1, err: &outside{ErrEdit, err}}
	}

	to := counted{to: bufio.NewWriterSize(w, jsonscan.WindowSize)}
	before, open, closing, after := d.place()
	from := &Repaired{file: d.file}
	to.piece(from, piece{0, before})
	to.text(open)
	separator, between := d.separator(), ""
	if d.isRootless {
		to.text(`{"urn":` + quotedKey(d.root) + `,"custom":false,"type":"pulumi:pulumi:Stack"}`)
		between = separator
	}
	if d.last.to > 0 {
		to.text(between)
		to.piece(from, piece{before, after})
		between = separator
	}
	for _, r := range m.all {
		if r.met != nil || to.err != nil {
			continue
		}
		text, err := d.mover.record(r)
		if err != nil {
			return err
		}
		to.text(between)
		to.text(text)
		between = separator
	}
	to.text(closing)
	to.piece(from, piece{after, math.MaxInt64})
	if to.err != nil {
		return to.err
	}
	return to.to.Flush()
}

// place returns the offsets before and after the records, and what to write around them.
func (d *destination) place() (before int64, open, closing string, after int64) {
	switch {
	case d.last.to > 0:
		return d.first.from, "", "", d.last.to
	case d.table.to > 0:
		return d.table.from, "[", "]", d.table.to
	case d.document.Shape() != "" && len(d.document.Fields()) > 0: // a deployment with other members
		return d.body.from + 1, `"resources":[`, "],", d.body.from + 1
	}
	return d.body.from, `{"resources":[`, "]}", d.body.to
}

// text writes a text.
func (c *counted) text(text string) {
	if c.err == nil {
		var n int
		n, c.err = c.to.WriteString(text)
		c.n += int64(n)
	}
}
