package asset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/propalg/propalg/value"
)

// List reads an archive and returns an object with the SHA-256 of each entry, in
// lower-case hex, by its name. The object is a secret if v is. The error is an [*Error],
// which wraps [ErrKind] if v is not an archive, and [ErrLimit] beyond the Limits. With an
// error, the value is null.
func (c Contents) List(ctx context.Context, v value.Value) (value.Value, error) {
	s := c.session(ctx, "list", v)
	defer s.close()

	a, err := s.archive(v)
	if err != nil {
		return value.Null(), err
	}
	var members []value.Member
	buffer := make([]byte, bufferSize)
	err = s.eachItem(a, func(it *item) error {
		sum := sha256.New()
		if err := s.copyItem(sum, it, buffer); err != nil {
			return err
		}
		members = append(members, value.Field(it.name, value.String(hex.EncodeToString(sum.Sum(nil)))))
		return nil
	})
	if err != nil {
		return value.Null(), err
	}

	if s.secret {
		return value.Secret(value.Object(members...)), nil
	}
	return value.Object(members...), nil
}
