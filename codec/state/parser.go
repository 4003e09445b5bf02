package state

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
)

// parser frames a document: it validates the text and finds where the resources
// and the other members stand.
type parser struct {
	file        *File
	text        string
	skip        jsonscan.Skipper
	shapes      []Shape // of which a deployment was found
	top         []Field // members of the outermost object
	hasVersion  bool
	hasManifest bool // in the outermost object
}

func (p *parser) parse() *Error {
	p.skip = jsonscan.Skipper{Limit: p.file.opts.Depth, Names: true}
	if p.skip.Limit <= 0 {
		p.skip.Limit = codec.DefaultDepth
	}
	at := jsonscan.Space(p.text, 0)
	if at >= len(p.text) || p.text[at] != '{' {
		if _, fault := p.skip.Skip(p.text, at); fault != nil {
			return p.broken(fault)
		}
		return &Error{Offset: int64(at), Want: "object", Found: kindAt(p.text, at), err: ErrShape}
	}
	end, err := p.members(at, p.outermost)
	if err != nil {
		return err
	}
	if end = jsonscan.Space(p.text, end); end < len(p.text) {
		return p.broken(jsonscan.Expected(p.text, end, "end of input"))
	}
	return p.conclude(at)
}

// conclude decides what the document is, once it is known to be well formed.
func (p *parser) conclude(at int) *Error {
	e := &Error{Offset: int64(at), Resources: len(p.file.resources), err: ErrShape}
	switch {
	case len(p.shapes) > 1:
		e.Want, e.Found = "one deployment", p.shapes[0].String()+" and "+p.shapes[1].String()
		return e
	case len(p.shapes) == 0 && !p.hasManifest:
		e.Want = "one of the members deployment, checkpoint, latest, resources"
		return e
	case len(p.shapes) == 0:
		p.shapes = []Shape{Bare} // without resources
	}
	p.file.shape = p.shapes[0]
	if p.file.shape == Bare {
		p.file.document = p.top
	} else {
		p.file.wrapping = append(p.top, p.file.wrapping...)
	}
	if (p.file.shape == Export || p.file.shape == Checkpoint) && !p.hasVersion {
		e.Want, e.Found, e.err = "3 or 4", "none", ErrVersion
		return e
	}
	return nil
}

func (p *parser) broken(fault *jsonscan.Fault) *Error {
	return broken(fault, len(p.file.resources))
}

// members passes the object that begins at an offset. For each member it calls
// visit with the offset of its value, and gets the offset after that.
func (p *parser) members(at int, visit func(name string, at int) (int, *Error)) (int, *Error) {
	names := map[string]bool{}
	return p.list(at, '}', func(at int) (int, *Error) {
		next, name, fault := jsonscan.Name(p.text, at)
		if fault == nil && names[name] {
			fault = &jsonscan.Fault{Offset: at, Cause: jsonscan.Duplicate}
		}
		if fault != nil {
			return 0, p.broken(fault)
		}
		names[name] = true
		return visit(name, next)
	})
}

// list passes the array or object whose opening bracket stands at an offset, and
// calls visit for what stands between the commas.
func (p *parser) list(at int, closer byte, visit func(at int) (int, *Error)) (int, *Error) {
	at = jsonscan.Space(p.text, at+1)
	if at < len(p.text) && p.text[at] == closer {
		return at + 1, nil
	}
	for {
		end, err := visit(at)
		if err != nil {
			return 0, err
		}
		at = jsonscan.Space(p.text, end)
		switch {
		case at < len(p.text) && p.text[at] == closer:
			return at + 1, nil
		case at >= len(p.text) || p.text[at] != ',':
			return 0, p.broken(jsonscan.Expected(p.text, at, "',' or '"+string(rune(closer))+"'"))
		}
		at = jsonscan.Space(p.text, at+1)
	}
}

// keep passes a value and returns it as a field.
func (p *parser) keep(to *[]Field, name string, at int) (int, *Error) {
	end, fault := p.skip.Skip(p.text, at)
	if fault != nil {
		e := p.broken(fault)
		e.Field = clip(name)
		return 0, e
	}
	text := p.text[at:end]
	*to = append(*to, Field{name, &text})
	return end, nil
}

// outermost visits the members of the outermost object.
func (p *parser) outermost(name string, at int) (int, *Error) {
	switch name {
	case "deployment":
		return p.wrapped(Export, name, at)
	case "checkpoint":
		if !isObject(p.text, at) {
			return p.keep(&p.top, name, at)
		}
		p.shapes = append(p.shapes, Checkpoint)
		return p.members(at, func(name string, at int) (int, *Error) {
			if name != "latest" {
				return p.keep(&p.file.wrapping, name, at)
			}
			return p.deployment(name, at)
		})
	case "latest":
		return p.wrapped(OldCheckpoint, name, at)
	case "resources":
		if at < len(p.text) && p.text[at] == '[' {
			p.shapes = append(p.shapes, Bare)
		}
		return p.member(name, at)
	case "version":
		return p.version(name, at)
	case "features":
		return p.features(name, at)
	case "manifest":
		p.hasManifest = isObject(p.text, at)
	case "secrets_providers":
		end, err := p.keep(&p.top, name, at)
		if err == nil && isObject(p.text, at) {
			err = p.provider(at)
		}
		return end, err
	}
	return p.keep(&p.top, name, at)
}

// wrapped visits the deployment in one of the shapes.
func (p *parser) wrapped(shape Shape, name string, at int) (int, *Error) {
	p.shapes = append(p.shapes, shape)
	return p.deployment(name, at)
}

// deployment passes a deployment; null is one without resources.
func (p *parser) deployment(name string, at int) (int, *Error) {
	if isObject(p.text, at) {
		return p.members(at, p.member)
	}
	end, fault := p.skip.Skip(p.text, at)
	switch {
	case fault != nil:
		return 0, p.broken(fault)
	case p.text[at:end] != "null":
		return 0, p.malformed(name, at, "object")
	}
	return end, nil
}

// member visits a member of the deployment.
func (p *parser) member(name string, at int) (int, *Error) {
	switch {
	case name == "resources":
		return p.resources(name, at)
	case name == "secrets_providers" && isObject(p.text, at):
		end, err := p.keep(&p.file.document, name, at)
		if err == nil {
			err = p.provider(at)
		}
		return end, err
	}
	return p.keep(&p.file.document, name, at)
}

// resources notes where each resource stands.
func (p *parser) resources(name string, at int) (int, *Error) {
	if at >= len(p.text) || p.text[at] != '[' {
		end, fault := p.skip.Skip(p.text, at)
		switch {
		case fault != nil:
			return 0, p.broken(fault)
		case p.text[at:end] != "null":
			return 0, p.malformed(name, at, "array")
		}
		return end, nil
	}
	// A resource is one object level around its bags. Names inside are left to
	// whoever reads it.
	skip := jsonscan.Skipper{Limit: p.skip.Limit + 3}
	return p.list(at, ']', func(at int) (int, *Error) {
		end, fault := skip.Skip(p.text, at)
		switch {
		case fault != nil && fault.Cause == jsonscan.Depth:
			return 0, p.tooDeep(at, fault)
		case fault != nil:
			return 0, p.broken(fault)
		case p.text[at] != '{':
			return 0, p.malformed("resource", at, "object")
		}
		p.file.resources = append(p.file.resources, span{at, end})
		return end, nil
	})
}

// tooDeep makes the error for a resource that is nested too deeply. Package
// codec is asked where, as it knows paths and what is not to be shown of them.
func (p *parser) tooDeep(at int, fault *jsonscan.Fault) *Error {
	e := p.broken(fault)
	if _, err := codec.DecodeJSONText(p.text[at:], p.file.opts); err != nil {
		e.adopt(err, at)
	}
	return e
}

func (p *parser) malformed(name string, at int, want string) *Error {
	return &Error{
		Offset: int64(at), Resources: len(p.file.resources), Field: clip(name),
		Want: want, Found: kindAt(p.text, at), err: ErrField,
	}
}
