package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

type onePlaintext string

func (p onePlaintext) Decrypt(ciphertexts []string) ([]string, error) {
	plain := make([]string, len(ciphertexts))
	for i := range plain {
		plain[i] = string(p)
	}
	return plain, nil
}

// A text in the place of a signature, in what a decrypter returns, may be a secret.
func TestUnknownSignaturesInPlaintextsAreHidden(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	sealed := value.Object(value.Member{Key: "p", Value: value.Sealed{Ciphertext: "c"}.Value()})
	for _, plain := range []string{
		`{"` + codec.SignatureKey + `":"` + secret + `"}`, `{"a":[{"` + codec.SignatureKey + `":"` + secret + `"}]}`,
	} {
		_, err := state.DecryptBags([]value.Value{sealed}, onePlaintext(plain), codec.Options{})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
			t.Errorf("%s: %v", plain, err)
		}
	}
}
