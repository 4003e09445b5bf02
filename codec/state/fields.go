package state

import (
	"errors"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/tidwall/gjson"
)

// knownVersions names the versions that [parser.version] accepts, for error texts.
const knownVersions = "1 to 4"

func (p *parser) version(name string) *Error {
	at := p.offset()
	text, err := p.keep(&p.top, name)
	if err != nil {
		return err
	}

	switch text {
	case "1", "2", "3", "4":
		p.file.version = int(text[0] - '0')
	default:
		found := kindOf(text)
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			found = strconv.FormatInt(n, 10)
		}
		return &Error{Offset: at, Resources: p.count, Field: name, Want: knownVersions, Found: found, err: ErrVersion}
	}
	if p.hasVersion = true; p.file.version < 3 && p.count > 0 && p.stream {
		return &Error{Offset: at, Resources: p.count, Field: name, Want: "a version below 3 before the resources, which are read by it", err: ErrVersion}
	}
	return nil
}

// features reads the features that the document needs.
func (p *parser) features(name string) *Error {
	at := p.offset()
	text, err := p.keep(&p.top, name)
	if err != nil {
		return err
	}
	if bad := textList(gjson.Parse(text), &p.file.features); bad != nil {
		return p.malformed(name, at+int64(bad.Index), "array of strings", bad.Raw)
	}

	return nil
}

// provider reads the type of the secrets provider, and keeps the member.
func (p *parser) provider(to *[]Field, name string) *Error {
	text, err := p.keep(to, name)
	if err != nil {
		return err
	}

	if v := gjson.Parse(text); v.IsObject() {
		v.ForEach(func(key, v gjson.Result) bool {
			if unquote(key.Raw) == "type" && v.Type == gjson.String {
				p.file.provider = unquote(v.Raw)
			}
			return true
		})
	}
	return nil
}

// textList reads an array of strings; null is an empty one. It returns the value that is
// of another kind, or nil.
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

func unquote(raw string) string { return jsonscan.Unquote(raw[1 : len(raw)-1]) }

func isObject(text string, at int) bool { return at < len(text) && text[at] == '{' }

// kindOf names the kind of a value, of which there is at least the first byte.
func kindOf(text string) string {
	if text == "" {
		return "none"
	}
	switch text[0] {
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

// adopt makes an error of package codec, about the text from an offset on, the
// cause of e.
func (e *Error) adopt(err error, at int64) {
	var inner *codec.Error
	if !errors.As(err, &inner) {
		e.err = err
		return
	}

	if inner.Offset >= 0 {
		e.Offset = at + int64(inner.Offset)
	}
	inner.Offset = -1
	e.Want, e.Found, e.err = "", "", inner
}
