package state

import (
	"errors"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// Encrypter encrypts secrets, as a [Decrypter] decrypts them. It gets the plaintexts of
// many secrets in one call, duplicates included, and returns as many ciphertexts in
// the same order, none of them empty.
type Encrypter interface {
	Encrypt(plaintexts []string) (ciphertexts []string, err error)
}

// EncodeBags encodes values as in state files, each as one JSON text in
// [codec.FormState], which Pulumi's engine reads. A sealed secret is written as its
// ciphertext. The secrets of all values are encrypted in one call; with a nil
// [Encrypter] they are written as `plaintext`, readable by anyone. Only the outermost
// secret is encrypted. Secrets inside it are part of its contents; a sealed one there
// is an error that wraps [codec.ErrSealed].
//
// Values that are decoded and decrypted again are Identical when the options keep
// everything, except for the hints of unknowns, which state files cannot
// hold. They cannot hold dependencies either: a value with dependencies is an error,
// unless the options lower outputs. [codec.Options.Form] is not used.
//
// The error is an [*Error]. It wraps an error of package codec, or [ErrEncrypt] if the
// Encrypter failed or returned a wrong number of results. No text is returned with it.
func EncodeBags(bags []value.Value, e Encrypter, o codec.Options) ([][]byte, error) {
	if err := (&Options{Codec: o}).check(); err != nil {
		return nil, err
	}
	o.Form = codec.FormState
	texts := make([][]byte, len(bags))
	for i, bag := range bags {
		text, err := codec.AppendJSONValue(nil, bag, o)
		if err != nil {
			return nil, inBag(err, i)
		}
		texts[i] = text
	}

	if e == nil {
		return texts, nil
	}
	return encrypt(texts, e)
}

func inBag(err error, i int) *Error {
	e := &Error{Field: "bag " + strconv.Itoa(i)}
	e.adopt(err, 0)
	e.Offset = -1
	return e
}

// clearSecret begins a secret in clear in what package codec writes, in front of the
// quoted plaintext. Nothing else can: in a string the quotes would be escaped, and
// an object that has the signature key is refused.
const (
	secretBegin = `{"` + codec.SignatureKey + `":"1b47061264138c4ac30d75fd1eb44270",`
	clearSecret = secretBegin + `"plaintext":`
)

// encrypt puts ciphertexts in the places of the plaintexts in texts.
func encrypt(texts [][]byte, e Encrypter) ([][]byte, error) {
	var plain []string
	for _, text := range texts {
		eachClear(string(text), func(_, quoted string) {
			plain = append(plain, unquote(quoted))
		})
	}
	if len(plain) == 0 {
		return texts, nil
	}
	ciphers, err := e.Encrypt(plain)
	if err != nil {
		return nil, &Error{Offset: -1, err: &outside{ErrEncrypt, err}}
	}
	if len(ciphers) != len(plain) {
		return nil, wrongNumber(ErrEncrypt, len(plain), len(ciphers))
	}

	for i, text := range texts {
		var out []byte
		rest := eachClear(string(text), func(before, _ string) {
			if err == nil {
				out = append(append(out, before...), secretBegin+`"ciphertext":`...)
				out, err = appendCipher(out, ciphers[0])
			}
			ciphers = ciphers[1:]
		})
		if err != nil {
			return nil, inBag(err, i)
		}
		texts[i] = append(out, rest...)
	}

	return texts, nil
}

// eachClear visits the outermost secrets in clear of a text that package codec wrote:
// the text between the one before and this one, and the quoted plaintext. It
// returns the rest of the text.
func eachClear(text string, visit func(before, quoted string)) (rest string) {
	for {
		before, after, found := strings.Cut(text, clearSecret)
		if !found {
			return text
		}

		end, _, _ := jsonscan.String(after, 0)
		visit(before, after[:end])
		text = after[end:]
	}
}

// errEmpty is why a ciphertext is refused: engines do not read an empty one.
var errEmpty = errors.New("empty ciphertext")

// appendCipher appends a ciphertext in quotes. What an [Encrypter] returned may be
// anything.
func appendCipher(out []byte, text string) ([]byte, error) {
	if text == "" {
		return nil, &outside{ErrEncrypt, errEmpty}
	}
	return codec.AppendJSONValue(out, value.String(text), codec.Options{Form: codec.FormState, ByteStrings: codec.Reject})
}
