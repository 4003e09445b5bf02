package patch

import (
	"encoding/hex"

	"github.com/propalg/propalg/value"
)

// fingerprintLength is the length of a SHA-256 in hex.
const fingerprintLength = 64

// Fingerprint returns a hash of a value that discloses nothing of its secrets: the
// [value.Value.Digest], in hex, of v with the contents of every secret replaced by the
// same placeholder. Values that differ only in the contents of secrets, or in whether
// these are plain, sealed or unknown, have the same fingerprint. It takes linear time.
func Fingerprint(v value.Value) string {
	digest := blank(v).Digest()
	return hex.EncodeToString(digest[:])
}

func blank(v value.Value) value.Value {
	blanked, err := value.Transformer{Before: func(c *value.Cursor) (value.Value, error) {
		v := c.Value()
		switch {
		case v.IsSecret():
			c.SkipBelow()
			return value.Null(), nil // with the marks of v
		case !v.ContainsSecret():
			c.SkipBelow()
		}
		return v, nil
	}}.Apply(v)
	if err != nil {
		return value.Secret(value.Null()) // cannot be
	}

	return blanked
}
