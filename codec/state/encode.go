package state

import (
	"errors"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// Encrypter encrypts secrets: the other direction of [Decrypter], on the same
// terms. It gets the plaintexts of many secrets in one call, doubles included,
// and returns as many ciphertexts in the same order, none of them empty.
type Encrypter interface {
	Encrypt(plaintexts []string) (ciphertexts []string, err error)
}

// EncodeBags writes values as state files hold them, each as one JSON text in
// [codec.FormState], so that Pulumi's engine reads them. A sealed secret goes as
// the ciphertext that it is. The others are encrypted, all those of all values in
// one call; with a nil [Encrypter] they go as `plaintext`, readable by anyone. The
// outermost secret is what is encrypted: secrets inside it are part of its
// contents, where nothing is encrypted once more, so that a sealed one there is an
// error that wraps [codec.ErrSealed].
//
// What is read from the texts, and opened, is Identical to the values when the
// options keep everything (law 13), but for the hints of unknowns, which state
// files do not hold. Nor do they hold dependencies: a value that has some is an
// error, unless the options lower outputs. [codec.Options.Form] is not used. The
// causes of errors are those of package codec; beyond them there are only what the
// Encrypter says, and a wrong number of its results. No text is returned with an
// error, which is an [*Error].
func EncodeBags(bags []value.Value, e Encrypter, o codec.Options) ([][]byte, error) {
	if err := (&Options{Codec: o}).check(); err != nil {
		return nil, err
	}
	o.Form = codec.FormState
	texts := make([][]byte, len(bags))
	for i, bag := range bags {
		text, err := codec.EncodeJSON(bag, o)
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

// inBag makes an error of package codec one about bag i.
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
var errEmpty = errors.New("an empty ciphertext")

// appendCipher appends a ciphertext in quotes. What an [Encrypter] returned may be
// anything.
func appendCipher(out []byte, text string) ([]byte, error) {
	if text == "" {
		return nil, &outside{ErrEncrypt, errEmpty}
	}
	return codec.AppendJSON(out, value.String(text), codec.Options{Form: codec.FormState, ByteStrings: codec.Reject})
}
