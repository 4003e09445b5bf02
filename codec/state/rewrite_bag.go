package state

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
)

// The signatures of values in which Rewrite looks for URNs.
const (
	secretSignature    = "1b47061264138c4ac30d75fd1eb44270"
	referenceSignature = "5cf8f73096256a8f31e491e813e4eb8e"
)

// bags notes the splices in the properties of a resource, and makes its edits there.
func (x *rewriter) bags(r *reading, properties []int) error {
	missing := map[string]bool{"inputs": true, "outputs": true}
	for _, m := range r.members {
		name := r.name(m)
		if name != "inputs" && name != "outputs" && name != trigger {
			continue
		}
		delete(missing, name)
		in := r.span().sub(m.At, m.End)
		text, err := x.properties(r, name, in.text, properties)
		if err != nil {
			return err
		}
		now := span{in.base, text}
		found, err := x.inside(now, 0)
		if err != nil {
			return err
		}
		if text != in.text {
			found = []splice{in.with(now.spliced(found))}
		}
		x.splices = append(x.splices, found...)
	}

	if len(properties) == 0 {
		return nil
	}

	last := r.members[len(r.members)-1].End
	end := r.span().sub(last, last)
	for _, name := range []string{"inputs", "outputs"} {
		if !missing[name] {
			continue
		}
		text, err := x.properties(r, name, "null", properties)
		if err != nil {
			return err
		}
		if text == "null" {
			continue
		}
		now := span{text: text}
		found, err := x.inside(now, 0)
		if err != nil {
			return err
		}
		x.splices = append(x.splices, end.with(`,"`+name+`":`+now.spliced(found)))
	}

	return nil
}

// At most mostPlaintexts secrets inside one another are read.
const mostPlaintexts = 8

// container is an open object or array of a property.
type container struct {
	from, used int // where in the text it begins, and the messages around it
	before     int // splices before it
	name       string
	signature  string
	plaintext  jsonscan.Token // of a secret, maybe
	urn        jsonscan.Token // of a resource reference, maybe
}

// inside returns the splices in a property that is not edited itself: of URNs that
// changed, and of what is nested too deep. It makes one pass with the memory of a
// container a level.
func (x *rewriter) inside(in span, layer int) ([]splice, error) {
	if !x.concerned(in.text) && (x.edits.Depth <= 0 || layer > 0) {
		return nil, nil
	}

	p := insider{x: x, in: in, layer: layer, d: jsonscan.Decoder{Text: in.text}, open: []container{{}}}
	if layer == 0 {
		p.d.Limit = x.edits.Depth
	}
	err := p.walk()
	return p.out, err
}

// concerned reports whether a URN in the text of a property may have to change.
func (x *rewriter) concerned(text string) bool {
	switch {
	case !x.moves:
		return false
	case strings.Contains(text, `\u`): // with which all can be written otherwise
		return true
	}
	return strings.Contains(text, "urn:pulumi:") && (x.edits.InProperties || strings.Contains(text, referenceSignature))
}

// insider walks through a property.
type insider struct {
	x     *rewriter
	in    span
	layer int // plaintexts around it
	d     jsonscan.Decoder
	open  []container // the first is around the value
	out   []splice
}

func (p *insider) walk() error {
	for {
		t, fault := p.d.Next()
		if fault != nil && errors.Is(fault.Err, jsonscan.ErrDepth) {
			p.d.Limit = 0
			var end int
			if t.From, end, fault = p.d.SkipValue(); fault == nil {
				p.drop(t.From, end)
			}
			p.d.Limit = p.x.edits.Depth
			continue
		}
		if fault != nil { // of a plaintext, in which nothing is replaced then
			p.out = nil
		}
		if t.Kind == jsonscan.KindEnd {
			return nil
		}

		top := &p.open[len(p.open)-1]
		var err error
		switch t.Kind {
		case jsonscan.KindObject, jsonscan.KindArray:
			used := p.d.Used - jsonscan.Cost(t.Kind == jsonscan.KindObject)
			p.open = append(p.open, container{from: t.From, used: used, before: len(p.out)})
		case '}', ']':
			p.open = p.open[:len(p.open)-1]
			err = p.closed(top, t.To)
		case jsonscan.KindName:
			top.name = p.d.Unquoted(t)
		case jsonscan.KindString:
			err = p.text(top, t)
		case jsonscan.KindNumber, jsonscan.KindLiteral, jsonscan.KindEnd:
		}
		if err != nil {
			return err
		}
	}
}

func (p *insider) drop(from, to int) {
	p.out = append(p.out, p.in.sub(from, to).with("null"))
}

func (p *insider) text(in *container, t jsonscan.Token) error {
	switch in.name {
	case codec.SignatureKey:
		in.signature = p.d.Unquoted(t)
	case "plaintext":
		in.plaintext = t
	case "urn":
		in.urn = t
	default:
		if p.x.edits.InProperties {
			return p.rename(t)
		}
	}

	return nil
}

// closed visits a container that ends, of which the signature is known by now.
func (p *insider) closed(c *container, end int) error {
	isSecret := c.signature == secretSignature && c.plaintext.To > 0
	if isSecret && p.d.Limit > 0 && tooDeep(p.d.Text[c.plaintext.From:c.plaintext.To], p.d.Limit-c.used) {
		p.out = p.out[:c.before]
		p.drop(c.from, end)
		return nil
	}

	var err error
	switch {
	case isSecret && p.layer < mostPlaintexts:
		err = p.secret(c.plaintext)
	case c.plaintext.To > 0 && p.x.edits.InProperties:
		err = p.rename(c.plaintext)
	}
	if err == nil && c.urn.To > 0 && (c.signature == referenceSignature || p.x.edits.InProperties) {
		err = p.rename(c.urn)
	}
	return err
}

// rename replaces a string that is a URN.
func (p *insider) rename(t jsonscan.Token) error {
	old := p.d.Unquoted(t)
	return p.x.respell(&p.out, p.in.sub(t.From, t.To), old, p.x.current(old))
}

// secret replaces URNs in a plaintext, which is JSON.
func (p *insider) secret(t jsonscan.Token) error {
	old := span{text: p.d.Unquoted(t)}
	found, err := p.x.inside(old, p.layer+1)
	if err != nil || len(found) == 0 {
		return err
	}
	return p.x.respell(&p.out, p.in.sub(t.From, t.To), old.text, old.spliced(found))
}

// tooDeep reports whether a secret with a plaintext is nested too deep. What else is in
// its object does not matter: a Decoder with the same limit has passed it.
func tooDeep(plaintext string, limit int) bool {
	if limit <= 0 {
		return true
	}
	secret := `{"` + codec.SignatureKey + `":"` + secretSignature + `","plaintext":` + plaintext + `}`
	_, err := codec.DecodeJSONValue(secret, codec.Options{Form: codec.FormState, Depth: limit, RoundNumbers: true})
	return errors.Is(err, codec.ErrDepth)
}

// properties makes the edits of one bag of a resource, all in one tree of its text.
func (x *rewriter) properties(r *reading, name, text string, which []int) (string, error) {
	which = slices.DeleteFunc(slices.Clone(which), func(i int) bool { return x.edits.Properties[i].Bag != name })
	if len(which) == 0 {
		return text, nil
	}
	if text == "null" {
		text = "{}"
	}
	o := codec.Options{Form: codec.FormState, RoundNumbers: true, Depth: math.MaxInt32}
	if _, err := codec.DecodeJSON(text, o); err != nil {
		failed := r.failure(name, 0, nil)
		failed.adopt(err, failed.Offset)
		return "", failed
	}

	bag := &node{text: text}
	for _, i := range which {
		if err := bag.edit(&x.edits.Properties[i], string(x.values[i])); err != nil {
			return "", r.failure(name, 0, &outside{ErrEdit, err})
		}
	}
	text = bag.String()
	if _, err := codec.DecodeJSON(text, o); err != nil {
		return "", r.failure(name, 0, &outside{ErrEdit, err})
	}
	return text, nil
}

// children returns the members of an object, or the elements of an array; nil for others,
// and where there are none.
func children(text string) []jsonscan.Member {
	switch text[0] {
	case '{':
		s := jsonscan.Skipper{Top: true}
		if _, fault := s.Skip(text, 0); fault != nil {
			return nil
		}
		return s.Members
	case '[':
		var all []jsonscan.Member
		var s jsonscan.Skipper
		for i := jsonscan.Space(text, 1); i < len(text) && text[i] != ']'; {
			end, fault := s.Skip(text, i)
			if fault != nil {
				return nil
			}
			all = append(all, jsonscan.Member{Name: i, NameEnd: i, At: i, End: end})
			if i = jsonscan.Space(text, end); i < len(text) && text[i] == ',' {
				i = jsonscan.Space(text, i+1)
			}
		}
		return all
	}

	return nil
}
