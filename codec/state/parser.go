package state

import (
	"errors"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// parser frames a document: it validates the text and finds the resources and
// the other members.
type parser struct {
	jsonscan.Window
	file        *File // gets all but the resources
	skip        jsonscan.Skipper
	around      jsonscan.Skipper                   // for resources
	resource    func(text string, at int64) *Error // gets the resources; the text lasts as long as the call
	known       func(w *jsonscan.Window) *Entry    // of a resource that surely begins at the position; nil: none is known
	twin        *Entry                             // of the resource at hand; nil: it was scanned
	isOutlined  bool                               // outlines are read
	count       int                                // of resources
	table       piece                              // the array of resources, or null; zero: there is none
	body        piece                              // the deployment
	shapes      []string                           // of which a deployment was found
	top         []Field                            // members of the outermost object
	names       map[string]bool                    // of the members of the outermost object
	hasVersion  bool
	hasManifest bool // in the outermost object
}

func (p *parser) parse() *Error {
	p.skip = jsonscan.Skipper{Limit: limit(p.file.opts), Names: true}
	p.Space()

	at := p.Offset()
	if !p.Is('{') {
		text, fault := p.Value(&p.skip)
		if fault != nil {
			return p.broken(fault)
		}
		return &Error{Offset: at, Want: "object", Found: jsonscan.KindOf(text), err: ErrShape}
	}

	p.names = map[string]bool{}
	if err := p.members(p.names, p.outermost); err != nil {
		return err
	}
	if p.Space(); p.Pos < len(p.Text) || p.Err != nil {
		if other := foreign(p.names); other != "" && len(p.shapes) == 0 {
			return &Error{Offset: at, Found: other, err: ErrShape}
		}
		if len(p.shapes) > 0 && p.Is('{') { // two files in one, as a log has one on each line
			at := p.Offset()
			return &Error{Offset: at, Resources: p.count, Want: "end of input after the " + p.shapes[0], Found: "another object", err: codec.ErrSyntax}
		}
		return p.unexpected("end of input")
	}
	return p.conclude(at)
}

func limit(o codec.Options) int {
	if o.Depth <= 0 {
		return codec.DefaultDepth
	}
	return min(o.Depth, 2*value.MaxDepth) // as package codec does
}

// conclude decides what the document is, once it is known to be well formed.
func (p *parser) conclude(at int64) *Error {
	e := &Error{Offset: at, Resources: p.count, err: ErrShape}
	switch {
	case len(p.shapes) > 1:
		e.Want, e.Found = "one deployment", p.shapes[0]+" and "+p.shapes[1]
		return e
	case len(p.shapes) == 0 && !p.hasManifest:
		e.Want, e.Found = "one of the members deployment, checkpoint, latest, resources", foreign(p.names)
		return e
	case len(p.shapes) == 0 && !p.names["resources"]: // plans have a manifest too
		e.Want = "resources"
		return e
	case len(p.shapes) == 0:
		p.found(bareDeployment) // with null for resources
	}
	p.settle()
	if (p.file.shape == export || p.file.shape == checkpoint) && !p.hasVersion {
		e.Want, e.Found, e.err = knownVersions, "none", ErrVersion
		return e
	}

	return nil
}

// settle gives the file its shape, and the outermost members to where they
// belong in it.
func (p *parser) settle() {
	if p.file.shape == bareDeployment {
		p.file.document = p.top
	} else {
		p.file.wrapping = append(p.top, p.file.wrapping...)
	}
	p.top = nil
}

func (p *parser) broken(fault *jsonscan.Fault) *Error {
	if p.Err != nil && p.Early(fault) {
		return &Error{Offset: p.Base + int64(len(p.Text)), Resources: p.count, err: &outside{ErrRead, p.Err}}
	}
	return broken(fault, p.Base, p.count)
}

// unexpected makes the error for something else standing at pos.
func (p *parser) unexpected(want string) *Error {
	return p.broken(jsonscan.Expected(p.Text, p.Pos, want))
}

// members passes the object that begins at pos, and adds its names to a set. For each
// member it calls visit, which passes its value.
func (p *parser) members(names map[string]bool, visit func(name string) *Error) *Error {
	return p.list('}', func() *Error {
		at := p.Offset()
		name, fault := p.Name()
		switch {
		case fault != nil:
			return p.broken(fault)
		case names[name]:
			return &Error{Offset: at, Resources: p.count, err: codec.ErrDuplicate}
		}

		names[name] = true
		return visit(name)
	})
}

// list passes the array or object whose opening bracket is at pos, and calls
// visit to pass each element or member.
func (p *parser) list(closer byte, visit func() *Error) *Error {
	p.Pos++
	if p.Space(); p.Is(closer) {
		p.Pos++
		return nil
	}

	for {
		if err := visit(); err != nil {
			return err
		}
		p.Space()
		switch {
		case p.Is(closer):
			p.Pos++
			return nil
		case !p.Is(','):
			return p.unexpected("',' or '" + string(rune(closer)) + "'")
		}
		p.Pos++
		p.Space()
	}
}

// keep passes a value, and keeps it as a field.
func (p *parser) keep(to *[]Field, name string) (string, *Error) {
	at := p.Offset()
	value, fault := p.Value(&p.skip)
	if fault != nil {
		e := p.broken(fault)
		e.Field = name
		return "", e
	}

	text := p.lasting(value)
	*to = append(*to, Field{name, veil.Hide(&text), at, p.count})
	return text, nil
}

// lasting returns a text of the window that is to last: a copy, unless the file is in memory.
func (p *parser) lasting(text string) string {
	if p.file.text.Open() != nil {
		return text
	}
	return strings.Clone(text)
}

// provider reads the type of the secrets provider, and keeps the member.
func (p *parser) provider(to *[]Field, name string) *Error {
	text, err := p.keep(to, name)
	if err != nil {
		return err
	}
	r := reading{source: text}
	r.record(name, r.all(), "object", fieldOf{"type", &p.file.provider}) // anything else is kept as it is
	return nil
}

func (p *parser) outermost(name string) *Error {
	switch name {
	case plans:
		return p.plan()
	case "deployment":
		p.found(export)
		return p.deployment(name)
	case "checkpoint":
		if p.Is('{') {
			p.found(checkpoint)
			return p.only(name, checkpointMembers, p.checkpoint)
		}
	case "latest":
		p.found(oldCheckpoint)
		return p.deployment(name)
	case "resources":
		if p.Is('[') {
			p.found(bareDeployment)
		}
		return p.resources(name)
	case "version":
		return p.version(name)
	case "features":
		return p.features(name)

	case "manifest":
		p.hasManifest = p.Is('{')
	case "secrets_providers":
		return p.provider(&p.top, name)
	}

	_, err := p.keep(&p.top, name)
	return err
}

func (p *parser) checkpoint(name string) *Error {
	if name == "latest" {
		return p.deployment(name)
	}
	_, err := p.keep(&p.file.wrapping, name)
	return err
}

// found notes that a deployment begins. Its shape says how the resources are read.
func (p *parser) found(shape string) {
	p.shapes = append(p.shapes, shape)
	p.file.shape = p.shapes[0]
}

// deployment passes a deployment; null is one without resources.
func (p *parser) deployment(name string) (err *Error) {
	p.body.from = p.Offset()
	if p.Is('{') {
		err = p.only(name, deploymentMembers, p.member)
	} else {
		err = p.null(name, "object")
	}
	p.body.to = p.Offset()
	return err
}

// null passes a null, and refuses what else is there.
func (p *parser) null(name, want string) *Error {
	at := p.Offset()
	text, fault := p.Value(&p.skip)
	switch {
	case fault != nil:
		return p.broken(fault)
	case text != "null":
		return p.malformed(name, at, want, text)
	}

	return nil
}

// member visits a member of the deployment.
func (p *parser) member(name string) *Error {
	switch name {
	case plans:
		return p.plan()
	case "resources":
		return p.resources(name)
	case "secrets_providers":
		return p.provider(&p.file.document, name)
	}

	_, err := p.keep(&p.file.document, name)
	return err
}

// resources passes the resources one by one.
func (p *parser) resources(name string) *Error {
	p.table.from = p.Offset()
	defer func() { p.table.to = p.Offset() }()
	if !p.Is('[') {
		return p.null(name, "array")
	}
	p.around = around(p.skip.Limit)
	p.around.Order = p.isOutlined
	return p.list(']', func() *Error {
		at := p.Offset()
		text, err := p.next()
		if err == nil {
			err = p.resource(text, at)
		}
		if err == nil {
			p.count++
		}
		return err
	})
}

// mostMarks bounds the memory for the marks of a resource, which are some times as long as a
// text of short numbers. Of one that has more, properties are scanned again when they are read.
const mostMarks = 1 << 20

// around is what passes resources: one is an object level around its bags. Names
// inside are checked when it is read.
func around(limit int) jsonscan.Skipper {
	return jsonscan.Skipper{Limit: limit + 3, Top: true, Tape: true, Most: mostMarks, Key: codec.SignatureKey}
}

// next passes a resource, and returns its text. One that is known is not scanned.
func (p *parser) next() (string, *Error) {
	p.twin = nil
	if p.known != nil {
		p.twin = p.known(&p.Window)
	}
	if p.twin == nil {
		return p.one(&p.around)
	}
	from := p.Pos
	p.Pos += int(p.twin.Length)
	return p.Text[from:p.Pos], nil
}

// one passes a resource, and returns its text.
func (p *parser) one(skip *jsonscan.Skipper) (string, *Error) {
	at := p.Offset()
	text, fault := p.Value(skip)
	switch {
	case fault != nil && errors.Is(fault.Err, jsonscan.ErrDepth):
		return "", p.tooDeep(fault)
	case fault != nil:
		return "", p.broken(fault)
	case text[0] != '{':
		return "", p.malformed("resource", at, "object", text)
	}

	return text, nil
}

// tooDeep makes the error for the resource at pos, which is nested too deeply.
// Package codec is asked where, as it knows paths and what is not to be shown of
// them.
func (p *parser) tooDeep(fault *jsonscan.Fault) *Error {
	e := p.broken(fault)
	if _, err := codec.DecodeJSONValue(p.lasting(p.Text[p.Pos:]), p.file.opts); err != nil {
		e.adopt(err, p.Offset())
	}
	return e
}

func (p *parser) malformed(name string, at int64, want, text string) *Error {
	return &Error{
		Offset: at, Resources: p.count, Field: name,
		Want: want, Found: jsonscan.KindOf(text), err: ErrField,
	}
}
