package state

import (
	"bytes"
	"io"
	"math"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// destination is what is known of the file that records are moved into.
type destination struct {
	file     io.ReaderAt
	sum      uint32
	document *File
	body     piece // the deployment
	table    piece // its resources; zero: it has none

	stack, project string
	root           string // URN of the stack's own resource
	isRootless     bool   // it has to be made
	first, last    piece  // of the records; zero: there is none
	second         int64  // offset of the second; 0: there is none

	mover *mover // which makes the records
}

// met is a provider of the destination with the URN of one that is to be there.
type met struct {
	like      *traveller // that one
	id        string
	isDeleted bool
	isEqual   bool // its inputs are those of the other one
}

func newDestination(file io.ReaderAt) *destination { return &destination{file: file} }

// home reads the destination, and finds whose it is.
func (m *mover) home() (err error) {
	d := m.to
	own := ""
	d.sum, err = pass(d.file, func(in io.Reader) (err error) {
		var x rewriter
		d.document, err = x.each(in, func(r *reading) error {
			if err := r.links(func(name string) bool { return isName(name) || name == "parent" }); err != nil {
				return err
			}
			at := piece{r.to.Offset, r.to.Offset + int64(len(r.source))}
			switch r.to.Number {
			case 0:
				d.first, own = at, strings.Clone(r.to.URN)
			case 1:
				d.second = at.from
			}
			if d.last = at; d.root == "" && r.to.Type == urn.RootStackType && r.to.Parent == "" {
				d.root = strings.Clone(r.to.URN)
			}
			return nil
		})
		if x.stream != nil {
			d.body, d.table = x.stream.body, x.stream.table
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := fit("destination", d.document); err != nil {
		return err
	}

	if d.root != "" {
		own = d.root
	}
	if d.stack, d.project, err = m.owner(own); err != nil {
		return err
	}
	if d.isRootless = d.root == ""; d.isRootless {
		d.root = urn.Prefix + d.stack + "::" + d.project + "::" + urn.RootStackType + "::" + d.project + "-" + d.stack
	}
	return nil
}

// owner returns the stack and the project of the destination, of which a resource is.
func (m *mover) owner(of string) (stack, project string, err error) {
	if u, err := urn.Parse(of); err == nil {
		stack, project = u.Stack(), u.Project()
	} else {
		stack, project = m.to.document.owner()
	}
	for _, each := range []struct{ what, option, is string }{{"stack", m.options.Stack, stack}, {"project", m.options.Project, project}} {
		switch {
		case each.option == "" && each.is == "":
			return "", "", refused("nothing in the destination says its %s, which has to be given", each.what)
		case each.option != "" && each.is != "" && each.option != each.is:
			return "", "", refused("the %s of the destination is %s, not %s", each.what, each.is, each.option)
		case each.is == "" && each.what == "stack":
			stack = each.option
		case each.is == "":
			project = each.option
		}
	}
	return stack, project, checkURN(urn.Parts{Stack: stack, Project: project, Type: "a:b:C"})
}

// owner returns the stack, and the project if it says so, that a checkpoint names.
func (f *File) owner() (stack, project string) {
	for _, field := range f.Envelope() {
		if (field.Name != "stack" && field.Name != "target") || jsonscan.KindOf(field.RevealText()) != "string" {
			continue
		}
		parts := strings.Split(unquote(field.RevealText()), "/")
		if stack = parts[len(parts)-1]; len(parts) == 3 {
			project = parts[1]
		}
	}
	return stack, project
}

// meet finds what the destination has of what is to come.
func (m *mover) meet() error {
	found := map[string]*met{}
	sum, err := pass(m.to.file, func(in io.Reader) error {
		var x rewriter
		_, err := x.each(in, func(r *reading) error {
			if err := r.links(func(name string) bool { return isName(name) || name == "delete" }); err != nil {
				return err
			}
			own := m.taken[r.to.URN]
			if own == nil || (found[own.now] != nil && !found[own.now].isDeleted) {
				return nil
			}
			one := &met{like: own, id: strings.Clone(r.to.ID), isDeleted: r.to.Delete}
			found[own.now] = one
			if !isProviderType(own.typ) || one.isDeleted || one.id == own.id {
				return nil
			}
			same, err := m.sameInputs(own, r.source)
			one.isEqual = same
			return err
		})
		_, _ = io.Copy(io.Discard, in)
		return err
	})
	if err != nil {
		return err
	}
	if sum != m.to.sum {
		return &Error{Offset: -1, err: &outside{ErrEdit, errFileChanged}}
	}

	for _, r := range m.result.all {
		m.meetOne(r, found[r.now])
	}
	if root := m.to; root.isRootless {
		if other := m.taken[root.root]; other != nil {
			m.refuse(other, "urn", "it would have the URN of the stack's own resource")
		}
		m.result.Relocations = append(m.result.Relocations, Relocation{To: root.root})
	}
	for _, r := range m.result.all {
		m.result.Relocations = append(m.result.Relocations, Relocation{URN: r.urn, Record: r.record, To: r.now, Stays: !r.goes, IsMet: r.met != nil})
	}
	return nil
}

func (m *mover) meetOne(r *traveller, there *met) {
	ref := r.reference(r.now)
	switch {
	case there == nil:
	case !isProviderType(r.typ):
		m.refuse(r, "urn", "the destination has %s", r.now)
	case there.isDeleted:
		m.refuse(r, "urn", "the destination has the provider %s, pending deletion", r.now)
	case there.id != r.id && (there.like != r || !there.isEqual):
		m.refuse(r, "urn", "the destination has the provider %s with other inputs, or with secrets of which that is not known", r.now)
	default:
		r.met = there
		ref = (&mended{id: there.id}).reference(r.now)
	}
	if isProviderType(r.typ) {
		m.now[r.reference(r.urn)] = ref
	}
}

// sameInputs reports whether a provider has the inputs of another record. Encrypted ones are
// equal if their ciphertexts and the providers of these are.
func (m *mover) sameInputs(r *traveller, text string) (bool, error) {
	own, err := m.from.result.text(r.mended)
	if err != nil {
		return false, err
	}
	a, err := inputsOf(own)
	if err != nil {
		return false, err
	}
	b, err := inputsOf(text)
	if err != nil {
		return false, err
	}
	return a.Equal(b) && (!isSealed(a) || m.sameSecrets()), nil
}

// plain are the options with which properties are only looked at.
func plain() codec.Options {
	return codec.Options{Form: codec.FormState, RoundNumbers: true, Depth: math.MaxInt32}
}

// inputsOf returns the inputs in the text of a record.
func inputsOf(text string) (value.Value, error) {
	for _, one := range children(text) {
		if unquote(text[one.Name:one.NameEnd]) == "inputs" && text[one.At] == '{' {
			v, err := codec.DecodeJSON(text[one.At:one.End], plain())
			if err != nil {
				failed := &Error{Offset: -1, Field: "inputs"}
				failed.adopt(err, -1)
				return value.Value{}, failed
			}
			return v, nil
		}
	}
	return value.Object(), nil
}

// isSealed reports whether there is an encrypted secret in a value.
func isSealed(v value.Value) bool {
	if !v.ContainsSecret() {
		return false
	}
	for at := range v.Walk() {
		if _, isSealed := at.Value().AsSealed(); isSealed {
			return true
		}
	}
	return false
}

// sameSecrets reports whether both files have the same secrets provider.
func (m *mover) sameSecrets() bool {
	own, _ := m.document.field("secrets_providers")
	other, _ := m.to.document.field("secrets_providers")
	return fieldValue(own).Equal(fieldValue(other))
}

// separator returns what to put between two records of the destination: what is between its
// first two, or around its first one.
func (d *destination) separator() string {
	const most = 200 // indentation of what engines write is some bytes
	lead := d.blank(d.table.from+1, d.first.from, most)
	switch {
	case d.second > 0:
		if text := d.blank(d.first.to, d.second, most); text != "" {
			return text
		}
	case d.last.to > 0:
		return "," + lead
	}
	return ",\n"
}

// blank returns the text between two offsets if it is short.
func (d *destination) blank(from, to int64, most int) string {
	if to <= from || to-from > int64(most) {
		return ""
	}
	text := make([]byte, to-from)
	if n, _ := d.file.ReadAt(text, from); n < len(text) || len(bytes.Trim(text, ", \t\r\n")) > 0 || bytes.Count(text, []byte(",")) > 1 {
		return ""
	}
	return string(text)
}
