package state

import (
	"bufio"
	"bytes"
	"cmp"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Texts of fewer than leastSecret bytes are not looked for, nor are words: they are in clear
// by chance. Nor is what is inside an array or an object that is secret as a whole: providers
// make one secret for the sake of one member.
const leastSecret = 8

// secretPlace is where a secret is.
type secretPlace struct {
	urn    string
	record int
	at     string
}

// String returns the record and the place in it.
func (p secretPlace) String() string { return numbered(p.urn, p.record) + " " + p.at }

// collect notes the secrets of a resource, which is at a place in what is checked.
func (c *checker) collect(k checked, in path.Path) {
	for _, bag := range k.bags() {
		if !bag.value.ContainsSecret() {
			continue
		}
		for at := range bag.value.Walk() {
			if v := at.Value(); v.IsSecret() {
				at.SkipBelow()
				c.secret(k, v, path.Show(in.Join(bag.at).Join(at.Shown().Path()), -1))
			}
		}
	}
}

func (c *checker) secret(k checked, v value.Value, at path.Shown) {
	if sealed, ok := v.AsSealed(); ok {
		c.isSealed = true
		if sealed.Ciphertext == "" {
			f := k.finding(path.Path{}, "a secret without contents")
			f.At = at
			c.found("unreadable", f)
		}
		return
	}

	text, ok := v.Reveal().AsString()
	if !ok || len(text) < leastSecret || isWord(text) {
		return
	}
	digest := maphash.String(c.seed, text)
	if _, isKnown := c.secrets[digest]; !isKnown {
		c.secrets[digest] = secretPlace{k.URN, k.record, at.String()}
	}
}

// isWord reports whether a text has nothing but letters.
func isWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// bag is a property that may hold secrets.
type bag struct {
	at    path.Path
	value value.Value
}

func (k checked) bags() [3]bag {
	root := path.Path{}
	return [...]bag{
		{root.Member("inputs"), k.Inputs},
		{root.Member("outputs"), k.SecretOutputs()},
		{root.Member(trigger), k.ReplacementTrigger},
	}
}

// clear reads the records again that may have the text of a secret in clear.
func (c *checker) clear(file io.ReaderAt, document *File) error {
	in, at := bufio.NewReaderSize(io.NewSectionReader(file, 0, math.MaxInt64), jsonscan.WindowSize), int64(0)
	var text []byte
	for i, place := range c.places {
		_, err := io.CopyN(io.Discard, in, place.at-at)
		text = slices.Grow(text[:0], place.length)[:place.length]
		if err == nil {
			_, err = io.ReadFull(in, text)
		}
		if err != nil {
			return &Error{Offset: place.at, Resources: i, err: &outside{ErrRead, err}}
		}
		at = place.at + int64(place.length)
		if !c.mayHold(text) {
			continue
		}

		own := reading{file: document, source: string(text), to: Resource{Offset: place.at, Number: i}}
		r, err := own.find(new(jsonscan.Skipper))
		if err != nil {
			continue // which the first time was for
		}
		if c.compare(checked{&r, cmp.Or(c.again[i], 1)}); c.stopped {
			break
		}
	}
	return nil
}

// mayHold reports whether a string in the text of a record is that of a secret. It takes a
// fraction of the time of reading the record.
func (c *checker) mayHold(text []byte) bool {
	for {
		begin := bytes.IndexByte(text, '"')
		end := bytes.IndexByte(text[begin+1:], '"')
		if begin < 0 || end < 0 {
			return false
		}
		text = text[begin+1:]
		own := text[:end]
		if bytes.IndexByte(own, '\\') >= 0 {
			end = closing(text)
			own = []byte(jsonscan.Unquote(string(text[:end])))
		}
		text = text[min(end+1, len(text)):]
		if len(own) < leastSecret {
			continue
		}
		if _, isSecret := c.secrets[maphash.Bytes(c.seed, own)]; isSecret {
			return true
		}
	}
}

// closing returns the offset of the quote that ends a string with escapes.
func closing(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return len(text)
}

// compare looks for the texts of secrets in a record.
func (c *checker) compare(k checked) {
	for _, bag := range k.bags() {
		for at := range bag.value.Walk() {
			v := at.Value()
			if v.IsSecret() {
				at.SkipBelow()
				continue
			}
			text, ok := v.AsString()
			if !ok || len(text) < leastSecret {
				continue
			}
			if where, isSecret := c.secrets[maphash.String(c.seed, text)]; isSecret {
				c.found("secret-clear", k.finding(bag.at.Join(at.Path()), where.String()))
			}
		}
	}
}
