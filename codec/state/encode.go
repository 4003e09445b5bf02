package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Encrypter encrypts secrets: the other direction of [Decrypter], on the same
// terms. It gets the plaintexts of many secrets in one call, doubles included,
// and returns as many ciphertexts in the same order.
type Encrypter interface {
	Encrypt(plaintexts []string) (ciphertexts []string, err error)
}

// EncodeBags writes values as state files hold them, each as one JSON text: as
// [codec.EncodeJSON] does, but for secrets. A sealed one goes as the ciphertext
// that it is. The others are encrypted, all those of all values in one call; with
// a nil [Encrypter] they go as `plaintext`, readable by anyone. The outermost
// secret is what is encrypted: secrets inside it are part of its contents, as
// `plaintext`, so that one call of a [Decrypter] opens all of it.
//
// What is read from the texts, and opened, is Identical to the values when the
// options keep everything (law 13); [codec.Options.Form] is not used. The causes
// of errors are those of package codec; beyond them there are only what the
// Encrypter says, and a wrong number of its results. No text is returned with an
// error, which is an [*Error].
func EncodeBags(bags []value.Value, e Encrypter, o codec.Options) ([][]byte, error) {
	if err := (&Options{Codec: o}).check(); err != nil {
		return nil, err
	}
	o.Form = codec.FormSealed
	sealed := make([]sealing, len(bags))
	for i, bag := range bags {
		if err := sealed[i].seal(bag, o); err != nil {
			return nil, unwritable(err, i)
		}
	}
	if e != nil {
		if err := encrypt(sealed, e); err != nil {
			return nil, err
		}
	}
	texts := make([][]byte, len(bags))
	for i := range sealed {
		text, err := sealed[i].write()
		if err != nil {
			return nil, unwritable(err, i)
		}
		texts[i] = text
	}
	return texts, nil
}

// unwritable makes the error for bag i.
func unwritable(err error, i int) *Error {
	e := &Error{Field: "bag " + strconv.Itoa(i)}
	e.adopt(err, 0)
	e.Offset = -1
	return e
}

// encrypt has all secrets encrypted that are not yet.
func encrypt(all []sealing, e Encrypter) error {
	var plain []string
	for i := range all {
		for _, s := range all[i].secrets {
			if s.field == plaintext {
				plain = append(plain, s.text)
			}
		}
	}
	if len(plain) == 0 {
		return nil
	}
	texts, err := e.Encrypt(slices.Clone(plain))
	if err != nil {
		return &Error{Offset: -1, err: &outside{ErrEncrypt, err}}
	}
	if len(texts) != len(plain) {
		return wrongNumber(ErrEncrypt, len(plain), len(texts))
	}
	for i := range all {
		for j := range all[i].secrets {
			if s := &all[i].secrets[j]; s.field == plaintext {
				s.field, s.text = ciphertext, texts[0]
				texts = texts[1:]
			}
		}
	}
	return nil
}

// field is where the text of a secret goes.
type field string

const (
	plaintext  field = "plaintext"
	ciphertext field = "ciphertext"
)

// secret is the text of one.
type secret struct {
	field field
	text  string
}

// mostLayers bounds the plaintexts inside plaintexts: each layer doubles the
// backslashes. Further secrets inside are written with a `value`, which our
// readers take there.
const mostLayers = 4

// sealing is one value that is being written. Package codec writes it with a
// placeholder for each secret, a sealed one whose ciphertext is its number, and
// these are replaced then.
type sealing struct {
	rebuild
	opts    codec.Options
	layer   int    // how many plaintexts are around this value
	shape   string // with placeholders
	secrets []secret
}

// seal writes a value with placeholders for its secrets.
func (s *sealing) seal(v value.Value, o codec.Options) (err error) {
	s.opts = o
	if v.ContainsSecret() && o.Secrets == codec.Keep {
		s.visit = s.secret
		if v, err = s.run(v); err != nil {
			return err
		}
	}
	shape, err := codec.EncodeJSON(v, o)
	s.shape = string(shape)
	return err
}

func (s *sealing) secret(v value.Value, used int) (visited, error) {
	k := v.Kind()
	switch {
	case k == value.KindSealed:
		c, _ := v.AsSealed()
		return visited{v: s.placeholder(v, secret{ciphertext, c.Ciphertext})}, s.check(c)
	case v.OwnSecret() && k == value.KindUnknown && s.opts.Unknowns == codec.Lower:
		return visited{v: v}, nil // which codec drops
	case v.OwnSecret():
		// Marked as an output too, the secret is in an object of its own.
		text, err := s.contents(v, used+wrapping(v.DropSecret())+3)
		return visited{v: s.placeholder(v, secret{plaintext, text})}, err
	}
	container := k == value.KindArray || k == value.KindObject
	return visited{v, used, container && v.ContainsSecret(), false}, nil
}

// placeholder notes a secret, and returns what stands for it.
func (s *sealing) placeholder(v value.Value, text secret) value.Value {
	s.secrets = append(s.secrets, text)
	return remark(value.Sealed{Ciphertext: strconv.Itoa(len(s.secrets) - 1)}.Value(), v)
}

// check finds out whether package codec would write a sealed secret.
func (s *sealing) check(c value.Sealed) error {
	if _, err := codec.EncodeJSON(c.Value(), codec.Options{Form: codec.FormSealed}); err != nil {
		return s.hidden(err)
	}
	return nil
}

// contents writes what is in a secret, with so many messages around it.
func (s *sealing) contents(v value.Value, used int) (string, error) {
	v = v.DropSecret().DropDependencies()
	o := s.opts
	o.Internal = codec.Keep // these are members of the outermost object only
	left := limit(s.opts) - used
	o.Depth = max(1, left)
	var text []byte
	var err error
	if s.layer < mostLayers {
		inner := sealing{layer: s.layer + 1}
		if err = inner.seal(v, o); err == nil {
			text, err = inner.write()
		}
	} else {
		text, err = codec.EncodeJSON(v, o)
	}
	if err == nil && left <= 0 && nests(string(text)) {
		_, err = codec.EncodeJSON(value.Array(value.Array(v)), o)
	}
	if err != nil {
		return "", s.hidden(err)
	}
	return string(text), nil
}

// write writes the value with its secrets in their places.
func (s *sealing) write() ([]byte, error) {
	const begin = `{"` + codec.SignatureKey + `":"1b47061264138c4ac30d75fd1eb44270","`
	const placeholder = begin + `ciphertext":"`
	// No string can look like a placeholder: its quotes would be escaped. No
	// object can: the signature key is refused there.
	var out []byte
	rest := s.shape
	for {
		before, after, found := strings.Cut(rest, placeholder)
		out = append(out, before...)
		if !found {
			return out, nil
		}
		number, after, _ := strings.Cut(after, `"`)
		i, err := strconv.Atoi(number)
		if err != nil || i >= len(s.secrets) {
			return nil, ErrEncrypt // cannot be
		}
		out = append(out, begin...)
		out = append(append(out, s.secrets[i].field...), `":`...)
		if out, err = s.quote(out, s.secrets[i]); err != nil {
			return nil, err
		}
		rest = after
	}
}

// quote appends the text of a secret in quotes. What an [Encrypter] returned may
// be anything.
func (s *sealing) quote(out []byte, text secret) ([]byte, error) {
	return codec.AppendJSON(out, value.String(text.text), codec.Options{ByteStrings: codec.Reject})
}
