package state_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// vault encrypts and decrypts, and counts what it is asked. Its ciphertexts are
// numbers, so that no two are alike.
type vault struct {
	plain    []string
	known    map[string]string
	decrypts [][]string // the calls
	encrypts [][]string
}

// knowing makes a vault that knows pairs of ciphertext and plaintext.
func knowing(pairs ...string) *vault {
	v := &vault{known: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		v.known[pairs[i]] = pairs[i+1]
	}
	return v
}

func (v *vault) Encrypt(plaintexts []string) ([]string, error) {
	v.encrypts = append(v.encrypts, plaintexts)
	var ciphers []string
	for _, p := range plaintexts {
		v.plain = append(v.plain, p)
		ciphers = append(ciphers, "v1:"+strconv.Itoa(len(v.plain)-1))
	}
	return ciphers, nil
}

var errUnknown = errors.New("message authentication failed\nby a second line")

func (v *vault) Decrypt(ciphertexts []string) ([]string, error) {
	v.decrypts = append(v.decrypts, ciphertexts)
	var plain []string
	for _, c := range ciphertexts {
		if p, ok := v.known[c]; ok {
			plain = append(plain, p)
			continue
		}
		i, err := strconv.Atoi(strings.TrimPrefix(c, "v1:"))
		if err != nil || i >= len(v.plain) {
			return nil, errUnknown
		}
		plain = append(plain, v.plain[i])
	}
	return plain, nil
}

// odd is a decrypter and encrypter that returns what it has.
type odd struct {
	texts []string
	err   error
}

func (o odd) Decrypt([]string) ([]string, error) { return o.texts, o.err }
func (o odd) Encrypt([]string) ([]string, error) { return o.texts, o.err }

// cipher is a secret as ciphertext.
func cipher(c string) string { return `{` + asSecret + `,"ciphertext":` + strconv.Quote(c) + `}` }

// withInputs is a resource.
func withInputs(bag string) string { return `{"urn":"` + urnA + `","inputs":` + bag + `}` }

// quoted is a text in quotes; the fuzzer's texts that have none are left out.
func quoted(t testing.TB, text string) string {
	t.Helper()
	out, err := codec.AppendJSONValue(nil, value.String(text), codec.Options{ByteStrings: codec.Reject})
	if err != nil {
		t.Skip("no JSON string")
	}
	return string(out)
}

// layer is a decrypter that knows one text.
type layer struct{ plain string }

func (l layer) Decrypt(cs []string) ([]string, error) {
	if len(cs) != 1 || cs[0] != "sealed" {
		return nil, errLayer
	}
	return []string{l.plain}, nil
}

var errLayer = errors.New("ciphertext inside")

// openOnce opens a bag of which the only ciphertext is "sealed"; asking for another
// is an error that wraps errLayer.
func openOnce(bag value.Value, plain string, o codec.Options) (value.Value, error) {
	opened, err := state.DecryptBags([]value.Value{bag}, layer{plain}, o)
	if err != nil {
		return value.Value{}, err
	}
	return opened[0], nil
}

func open(t testing.TB, text string, d state.Decrypter) *state.File {
	t.Helper()
	f, err := parse(t, text).Decrypt(d)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
