package stack_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/secrets"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
)

// crypter encrypts for both sides, and notes what it is asked to decrypt that it did
// not encrypt.
type crypter struct {
	calls   int      // of Decrypt
	strange []string // ciphertexts that are none
	all     bool     // opens what others encrypted, to a text that says so
}

const cipherPrefix = "v1:"

var errStrange = errors.New("no ciphertext")

func (c *crypter) encrypt(plaintext string) string {
	return cipherPrefix + base64.StdEncoding.EncodeToString([]byte(plaintext))
}

func (c *crypter) decrypt(ciphertext string) (string, error) {
	if c.all {
		text, err := json.Marshal("opened " + ciphertext)
		return string(text), err
	}
	text, found := strings.CutPrefix(ciphertext, cipherPrefix)
	plain, err := base64.StdEncoding.DecodeString(text)
	if !found || err != nil {
		c.strange = append(c.strange, ciphertext)
		return "", errStrange
	}
	return string(plain), nil
}

// Encrypt is that of a state.Encrypter.
func (c *crypter) Encrypt(plaintexts []string) ([]string, error) {
	ciphertexts := make([]string, len(plaintexts))
	for i, text := range plaintexts {
		ciphertexts[i] = c.encrypt(text)
	}
	return ciphertexts, nil
}

// Decrypt is that of a state.Decrypter.
func (c *crypter) Decrypt(ciphertexts []string) ([]string, error) {
	c.calls++
	plaintexts := make([]string, len(ciphertexts))
	for i, text := range ciphertexts {
		var err error
		if plaintexts[i], err = c.decrypt(text); err != nil {
			return nil, err
		}
	}
	return plaintexts, nil
}

// engineCrypter is the crypter as the engine wants it, and its secrets manager and
// the provider of that.
type engineCrypter struct{ *crypter }

func (c engineCrypter) EncryptValue(_ context.Context, plaintext string) (string, error) {
	return c.encrypt(plaintext), nil
}

func (c engineCrypter) BatchEncrypt(_ context.Context, plaintexts []string) ([]string, error) {
	return c.Encrypt(plaintexts)
}

func (c engineCrypter) DecryptValue(_ context.Context, ciphertext string) (string, error) {
	return c.decrypt(ciphertext)
}

func (c engineCrypter) BatchDecrypt(_ context.Context, ciphertexts []string) ([]string, error) {
	return c.Decrypt(ciphertexts)
}

func (c engineCrypter) OfType(context.Context, string, json.RawMessage) (secrets.Manager, error) {
	return c, nil
}
func (c engineCrypter) Type() string                { return "passphrase" }
func (c engineCrypter) State() json.RawMessage      { return json.RawMessage(`{"salt":"v1:x"}`) }
func (c engineCrypter) Encrypter() config.Encrypter { return c }
func (c engineCrypter) Decrypter() config.Decrypter { return c }
