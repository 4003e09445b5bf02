package laws

import (
	"strings"

	"github.com/propalg/propalg/internal/sample"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// wire is the JSON text of a value with all plaintext in it, with what cannot be
// written left out; "null" when nothing helps.
func wire(v value.Value) string {
	for _, o := range []codec.Options{
		{Form: codec.FormSealed},
		{Form: codec.FormSealed, Outputs: codec.Lower, Assets: codec.Lower, References: codec.Lower},
	} {
		if text, err := codec.EncodeJSON(v, o); err == nil {
			return string(text)
		}
	}

	return "null"
}

// wired is the text of the old value; bared that of what is in it, if it is a
// secret.
func (s *scene) wired() string {
	if s.wiredText == "" {
		s.wiredText = wire(s.v)
	}

	return s.wiredText
}

func (s *scene) bared() string {
	if s.baredText == "" {
		s.baredText = wire(s.v.DropSecret())
	}

	return s.baredText
}

// damaged returns a text and what is left of it after accidents: cut, bytes that
// do not belong there, numbers that nothing holds. A long text has few.
func damaged(text string) []string {
	const long, accidents = 1 << 14, 6

	all := []string{text, text + "x", text + text, text[:len(text)/2], `{"a":` + text}
	if len(text) > long {
		return all
	}

	for i := range accidents {
		at := outsideSignature(text, len(text)*i/accidents)
		all = append(all, text[:at], text[:at]+"\xff"+text[at:], text[:at]+`\q`+text[at:], text[:at]+`"`+text[at:], text[:at]+"}"+text[at:])
	}

	at := strings.LastIndex(text, `":"`) + len(`":"`)

	for _, number := range []string{"9007199254740993", "1e999", "01"} {
		all = append(all, text[:at-1]+number+","+text[at-1:], strings.ReplaceAll(text, `:1`, ":"+number), strings.ReplaceAll(text, "null", number))
	}

	return append(all, strings.ReplaceAll(text, sample.SignatureSecret, sample.SignatureAsset), strings.ReplaceAll(text, sample.SignatureAsset, sample.SignatureReference),
		strings.ReplaceAll(text, `"value"`, `"plaintext"`), strings.ReplaceAll(text, `"text"`, `"assets"`), strings.ReplaceAll(text, `"urn"`, `"id"`))
}

// outsideSignature is at, or the place behind the quotes of the signature key that
// it is inside of: an object with another key is not a secret any more, and what it
// shows is not a leak.
func outsideSignature(text string, at int) int {
	from := max(0, at-len(sample.SignatureKey))
	if i := strings.Index(text[from:min(len(text), at+len(sample.SignatureKey))], sample.SignatureKey); i >= 0 {
		return min(len(text), from+i+len(sample.SignatureKey)+len(`"`))
	}

	return at
}

// texts are what decoders are given: the wire form of the value, secrets as state
// files have them, and the scene's own text; all of them damaged too.
func (s *scene) texts() []string {
	if s.big {
		good := s.wired()

		return []string{good, good[:len(good)/2], s.text}
	}

	plain := s.bared()
	quotes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	stored := `{"p":{"` + sample.SignatureKey + `":"` + sample.SignatureSecret + `","plaintext":"` + quotes.Replace(plain) + `"}}`

	all := append(damaged(s.wired()), damaged(stored)...)

	return append(all, s.text, `"`+s.text, `{"`+s.text+`":1,"`+s.text+`":1}`)
}

// encodings are options for writing, the masked form among them.
func (s *scene) encodings() []codec.Options {
	const reject = codec.Reject

	if s.big {
		return []codec.Options{{}, {Form: codec.FormMasked, Nulls: codec.Lower}}
	}

	return []codec.Options{
		{},
		{Form: codec.FormSealed},
		{Form: codec.FormMasked},
		{Form: codec.FormState, Outputs: codec.Lower},
		{Form: codec.Form(200)},
		{Depth: 1},
		{Depth: s.index},
		{ByteStrings: reject},
		{Unknowns: reject},
		{Secrets: reject},
		{Outputs: reject},
		{Assets: reject},
		{References: reject},
		{Nulls: reject},
		{Internal: reject},
		{Secrets: codec.Lower, Unknowns: codec.Lower},
		{Assets: codec.Lower},
		{Form: codec.FormMasked, Assets: codec.Lower, Outputs: codec.Lower},
		{Nulls: codec.Policy(200)},
		codec.Features(0xff).Options(), codec.Features(0).Options(),
	}
}

func codecProbes() []probe {
	decode := func(read func(text string, o codec.Options) (value.Value, error)) func(s *scene) {
		return func(s *scene) {
			for _, text := range s.texts() {
				report := &codec.Report{}
				v, err := read(text, codec.Options{})
				s.sayDecoded(v, err)

				v, err = read(text, codec.Options{RoundNumbers: true, Report: report, Secrets: codec.Reject})
				s.sayDecoded(v, err)

				if len(report.Rounded) > 0 {
					s.say(report, *report)
				}
			}
		}
	}

	return []probe{
		{"codec.DecodeJSON", "", both(
			decode(func(text string, o codec.Options) (value.Value, error) { return codec.DecodeJSON([]byte(text), o) }),
			decode(codec.DecodeJSON),
		)},
		{"codec.DecodeJSONBag", "", both(
			decode(func(text string, o codec.Options) (value.Value, error) { return codec.DecodeJSONBag([]byte(text), o) }),
			decode(codec.DecodeJSONBag),
		)},
		{"codec.EncodeJSON", "", func(s *scene) { s.encode(codec.EncodeJSON) }},
		{"codec.ApplyPolicies", "", func(s *scene) {
			for _, o := range s.encodings() {
				v, err := codec.ApplyPolicies(s.v, o)
				s.say(err)

				if o.Secrets == codec.Keep { // lowered, they are not secrets any more
					s.say(v)
				}
			}
		}},
		{"codec.AppendJSON", "", func(s *scene) {
			s.encode(func(v value.Value, o codec.Options) ([]byte, error) { return codec.AppendJSON([]byte("x"), v, o) })
		}},
		{"codec.Error.Error", "", func(s *scene) {
			s.say((&codec.Error{}).Error(), (&codec.Error{Op: "x", At: path.Show(s.p, 0), Offset: s.index}).Error())
		}},
		{"codec.Error.Unwrap", "", func(s *scene) { s.say((&codec.Error{}).Unwrap()) }},
		{"codec.Features.Options", "", func(s *scene) { s.say(codec.Features(s.index & 0xff).Options()) }}, //nolint:gosec // a byte
		{"codec.Form.String", "", func(s *scene) { s.say(codec.Form(200).String()) }},
		{"codec.Policy.String", "", func(s *scene) { s.say(codec.Policy(200).String(), codec.Reject.String()) }},
		{"codec.Rounded.RevealText", "its name says so", func(s *scene) { s.eachRounded(func(r codec.Rounded) { s.say(r.RevealText()) }) }},
	}
}

// sayDecoded says errors in full. A value may have come out of a text that was
// damaged just so that it is secret no more; then there is nothing to say of it.
func (s *scene) sayDecoded(v value.Value, err error) {
	s.say(err)

	if err != nil {
		s.say(v)
	}
}

// encode writes both values in many ways. What is written is said when it is
// masked; errors are said always.
func (s *scene) encode(write func(v value.Value, o codec.Options) ([]byte, error)) {
	for _, o := range s.encodings() {
		for _, v := range []value.Value{s.v, s.w} {
			text, err := write(v, o)
			s.say(err)

			if err != nil || o.Form == codec.FormMasked {
				s.say(string(text))
			}
		}
	}
}

func (s *scene) eachRounded(f func(r codec.Rounded)) {
	f(codec.Rounded{})

	for _, text := range s.texts() {
		report := &codec.Report{}
		_, _ = codec.DecodeJSON(text, codec.Options{RoundNumbers: true, Report: report})

		for i, r := range report.Rounded {
			if i < s.most(partsSeen) {
				f(r)
			}
		}
	}
}

// both probes a function that takes texts of two types.
func both(first, second func(s *scene)) func(s *scene) {
	return func(s *scene) {
		first(s)
		second(s)
	}
}
