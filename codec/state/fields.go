package state

import (
	"errors"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/tidwall/gjson"
)

// version reads the version of the document.
func (p *parser) version(name string, at int) (int, *Error) {
	end, err := p.keep(&p.top, name, at)
	if err != nil {
		return 0, err
	}
	switch p.text[at:end] {
	case "3":
		p.file.version = 3
	case "4":
		p.file.version = 4
	default:
		found := kindAt(p.text, at)
		if n, err := strconv.ParseInt(p.text[at:end], 10, 32); err == nil {
			found = strconv.FormatInt(n, 10)
		}
		return 0, &Error{
			Offset: int64(at), Resources: len(p.file.resources), Field: name,
			Want: "3 or 4", Found: found, err: ErrVersion,
		}
	}
	p.hasVersion = true
	return end, nil
}

// features reads the features that the document needs.
func (p *parser) features(name string, at int) (int, *Error) {
	end, err := p.keep(&p.top, name, at)
	if err != nil {
		return 0, err
	}
	v := valueAt(p.text, at, end)
	if f := textList(v, &p.file.features); f != nil {
		return 0, p.malformed(name, f.Index, "array of strings")
	}
	return end, nil
}

// provider reads the type of the secrets provider from an object that was kept.
func (p *parser) provider(at int) *Error {
	_, err := p.members(at, func(name string, at int) (int, *Error) {
		end, fault := p.skip.Skip(p.text, at)
		if fault != nil {
			return 0, p.broken(fault)
		}
		if name == "type" && p.text[at] == '"' {
			p.file.provider = unquote(p.text[at:end])
		}
		return end, nil
	})
	return err
}

// valueAt is a value of the document as gjson has it, with its place.
func valueAt(text string, at, end int) gjson.Result {
	v := gjson.Parse(text[at:end])
	v.Index = at
	return v
}

// textList reads an array of strings; null is an empty one. It returns what is no
// such thing.
func textList(v gjson.Result, to *[]string) (bad *gjson.Result) {
	if v.Type == gjson.Null {
		return nil
	}
	if !v.IsArray() {
		return &v
	}
	v.ForEach(func(_, e gjson.Result) bool {
		if e.Type != gjson.String {
			bad = &e
			return false
		}
		*to = append(*to, unquote(e.Raw))
		return true
	})
	return bad
}

// unquote returns the content of a string that was validated.
func unquote(raw string) string { return jsonscan.Unquote(raw[1 : len(raw)-1]) }

func isObject(text string, at int) bool { return at < len(text) && text[at] == '{' }

// kindAt names the kind of the value that begins at an offset.
func kindAt(text string, at int) string {
	if at >= len(text) {
		return "end of input"
	}
	switch text[at] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// clip makes a name fit to stand in a line.
func clip(name string) string {
	const most = 40
	for i, r := range name {
		if i >= most || r == utf8.RuneError || !unicode.IsPrint(r) {
			return strconv.Quote(name[:i]) + "..."
		}
	}
	return name
}

// adopt makes an error of package codec, about the text from an offset on, the
// cause of e.
func (e *Error) adopt(err error, at int) {
	var inner *codec.Error
	if !errors.As(err, &inner) {
		e.err = err
		return
	}
	if inner.Offset >= 0 {
		e.Offset = int64(at + inner.Offset)
	}
	inner.Offset = -1
	e.Want, e.Found, e.err = "", "", inner
}
