package asset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/value"
)

// List is a list of an archive's entries: their names and hashes, in order. It holds no
// contents. Its String and Format mask the names and hashes of a secret archive. The zero
// List is that of an empty archive.
type List struct{ items []listed }

type listed struct {
	name value.Value // a string, secret if the archive is
	hash value.Value // as for the name
}

// List reads an archive and returns the name and SHA-256 of each entry, in the order of
// [Contents.Entries]. The error is an [*Error], which wraps [ErrKind] if v is not an archive,
// and [ErrLimit] beyond the Limits. With an error, the List is empty.
func (c Contents) List(ctx context.Context, v value.Value) (List, error) {
	s := c.session(ctx, "list", v)
	defer s.close()

	a, err := s.archive(v)
	if err != nil {
		return List{}, err
	}
	var l List
	buffer := make([]byte, bufferSize)
	err = s.eachItem(a, func(it *item) error {
		sum := sha256.New()
		if err := s.copyItem(sum, it, buffer); err != nil {
			return err
		}
		l.items = append(l.items, listed{s.nameValue(it.name), s.nameValue(hex.EncodeToString(sum.Sum(nil)))})
		return nil
	})
	if err != nil {
		return List{}, err
	}
	return l, nil
}

// Len returns the number of entries.
func (l List) Len() int { return len(l.items) }

// All returns an iterator over names and hashes, in lower-case hex, in order.
func (l List) All() iter.Seq2[string, string] {
	return func(yield func(name, hash string) bool) {
		for _, it := range l.items {
			name, _ := it.name.AsString()
			hash, _ := it.hash.AsString()
			if !yield(name, hash) {
				return
			}
		}
	}
}

// String returns one line for each entry: seven digits of the hash, and the name.
func (l List) String() string {
	text := make([]byte, 0, 32*len(l.items))
	for _, it := range l.items {
		text = append(text, shortHash(it.hash)...)
		text = append(text, ' ')
		text = append(text, shownName(it.name)...)
		text = append(text, '\n')
	}
	return string(text)
}

// Format implements [fmt.Formatter]: it writes the text of String for every verb.
func (l List) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, l.String()) }

func shortHash(hash value.Value) string {
	text, ok := hash.AsString()
	if !ok || hash.IsSecret() {
		return hash.String()
	}
	return scan.Line(text[:min(len(text), 7)])
}
