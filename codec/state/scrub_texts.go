package state

import (
	"encoding/base64"
	"encoding/json"
	"math/bits"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/urn"
)

// NOTE: Of the texts of secrets only lengths and digests are kept. A text is searched in one
// pass for all of them: the first leastPart bytes at an offset lead to the lengths that texts
// beginning so have, and the digest of so many bytes says whether it is one of them. Digests
// are polynomials, of which those of a prefix are noted every few bytes: that of any part is
// found in the same time, however long it is.

// The text of a secret is looked for where it is all of a text if it has leastWhole bytes:
// codes of four digits are secrets, and what is shorter is there by chance. It is looked for
// in longer texts if it has leastPart bytes, of which passwords have no fewer; ports, names of
// environments and such would be found in every other text.
const (
	leastWhole = 4
	leastPart  = leastSecret
)

// sought are the texts of secrets.
type sought struct {
	base   uint64
	whole  map[string]bool    // those that are only looked for as all of a text
	begins map[uint64]*begins // by the first leastPart bytes
	maybe  [1 << 10]uint64    // a bit for each hash of those; else a lookup at each offset takes most of the time
}

// begins are texts with the same first bytes.
type begins struct {
	lengths []int // from the longest on
	texts   map[part]found
}

type part struct {
	length int
	digest uint64
}

// found says what a text is, apart from that of a secret.
type found uint8

const (
	isLetters found = 1 << iota // not looked for in names, which have words by chance
	isBase64                    // all that is encoded around it is replaced with it
)

func (s *sought) isEmpty() bool { return len(s.whole) == 0 && len(s.begins) == 0 }

func newSought() *sought {
	return &sought{
		base: rand.Uint64N(mersenne-1<<32) + 1<<32, whole: map[string]bool{}, begins: map[uint64]*begins{},
	}
}

// add adds the text of a secret, or of a part of one. What it says as JSON are parts.
func (s *sought) add(text string, isPart bool) {
	if isPlaceholder(text) || strings.HasPrefix(text, urn.Prefix) { // of a resource of the file
		return
	}
	if trimmed := strings.TrimSpace(text); trimmed != "" {
		switch trimmed[0] {
		case '"':
			if end, plain, fault := jsonscan.String(trimmed, 0); fault == nil && end == len(trimmed) {
				s.add(jsonscan.Text(trimmed, 0, end, plain), isPart)
				return
			}
		case '{', '[':
			s.json(trimmed)
		}
	}
	switch {
	case isPart && (len(text) < leastPart || isWord(text)): // one secret is made for the sake of one member
		return
	case len(text) < leastWhole:
		return
	case len(text) < leastPart:
		s.whole[strings.Clone(text)] = true
		return
	}
	for _, spelled := range spellings(text) {
		s.put(spelled, isWord(text), false)
	}
	for _, encoding := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			s.put(inBase64(encoding, text, shift), false, true)
		}
	}
}

// json adds the texts and numbers in a JSON text, up to where it is none.
func (s *sought) json(text string) {
	d := jsonscan.Decoder{Text: text}
	name := ""
	for {
		t, fault := d.Next()
		if fault != nil || t.Kind == jsonscan.KindEnd {
			return
		}
		switch t.Kind {
		case jsonscan.KindName:
			name = d.Unquoted(t)
			continue
		case jsonscan.KindString:
			switch text := d.Unquoted(t); name {
			case codec.SignatureKey, "ciphertext":
			case "plaintext":
				s.plaintext(text)
			default:
				s.add(text, true)
			}
		case jsonscan.KindNumber:
			s.add(text[t.From:t.To], true)
		case jsonscan.KindObject, jsonscan.KindArray, jsonscan.KindLiteral, jsonscan.KindEnd:
		}
		if t.Kind == '}' || t.Kind == ']' {
			name = ""
		}
	}
}

// plaintext adds what a secret holds, which is JSON.
func (s *sought) plaintext(text string) {
	switch text {
	case "true", "false", "null":
		return
	}
	end, _, fault := jsonscan.Number(text, 0)
	s.add(text, fault == nil && end == len(text))
}

// spellings returns a text as it is, without space around it, in JSON and in URLs.
func spellings(text string) []string {
	trimmed := strings.TrimSpace(text)
	all := append(make([]string, 0, 8), text, trimmed, url.QueryEscape(text), url.PathEscape(text))
	plain, escaped := trimmed, trimmed
	for range 2 { // JSON in JSON
		inner, _ := json.Marshal(escaped) // which is no error
		plain, escaped = quotedInner(quotedKey(plain)), quotedInner(string(inner))
		all = append(all, plain, escaped)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func quotedInner(quoted string) string { return quoted[1 : len(quoted)-1] }

// inBase64 returns what is always in the encoding of data that has the text after so many
// bytes, or after three more, or six.
func inBase64(e *base64.Encoding, text string, shift int) string {
	all := e.EncodeToString(append(make([]byte, shift), text...))
	return all[(shift*8+5)/6 : (shift+len(text))*8/6]
}

func (s *sought) put(text string, letters, encoded bool) {
	if len(text) < leastPart {
		return
	}
	key := keyAt(text, 0)
	of := s.begins[key]
	if of == nil {
		of = &begins{texts: map[part]found{}}
		s.begins[key] = of
		bit := hashed(key)
		s.maybe[bit/64] |= 1 << (bit % 64)
	}
	if i, isThere := slices.BinarySearchFunc(of.lengths, len(text), func(a, b int) int { return b - a }); !isThere {
		of.lengths = slices.Insert(of.lengths, i, len(text))
	}

	what := found(0)
	if letters {
		what |= isLetters
	}
	if encoded {
		what |= isBase64
	}
	h := hashing{text: text, base: s.base}
	p := part{len(text), h.digest(0, len(text))}
	if old, isThere := of.texts[p]; isThere {
		what = (what & old & isLetters) | ((what | old) & isBase64)
	}
	of.texts[p] = what
}

func keyAt(text string, i int) (key uint64) {
	for k := range leastPart {
		key |= uint64(text[i+k]) << (8 * k)
	}
	return key
}

func hashed(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> 48 }

// cut is a part of a text between two offsets.
type cut struct{ from, to int }

// find returns where a text has texts of secrets. Of names it is, in which words are not
// looked for.
func (s *sought) find(text string, isName bool) (all []cut) {
	if len(text) < leastPart {
		if s.whole[text] && !isName {
			all = []cut{{0, len(text)}}
		}
		return all
	}
	if len(s.begins) == 0 {
		return nil
	}

	h := hashing{text: text, base: s.base}
	key := keyAt(text, 0) << 8
	for i := 0; i+leastPart <= len(text); i++ {
		key = key>>8 | uint64(text[i+leastPart-1])<<56
		if bit := hashed(key); s.maybe[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		of := s.begins[key]
		if of == nil {
			continue
		}
		at, last := cut{i, i}, len(all)-1
		for _, n := range of.lengths {
			if n > len(text)-i {
				continue
			}
			what, isThere := of.texts[part{n, h.digest(i, i+n)}]
			if !isThere || (isName && what&isLetters != 0) {
				continue
			}
			at.to = i + n
			if what&isBase64 != 0 && (last < 0 || all[last].to < at.to) {
				at = encodedAround(text, at)
			}
			break
		}
		for ; last >= 0 && all[last].to >= at.from; last-- {
			at.from, at.to = min(all[last].from, at.from), max(all[last].to, at.to)
			all = all[:last]
		}
		if at.to > at.from {
			all = append(all, at)
		}
	}
	return all
}

// encodedAround returns all of the base64 of which a part is there.
func encodedAround(text string, at cut) cut {
	isOne := func(c byte) bool {
		return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("+/-_=", c) >= 0
	}
	for at.from > 0 && isOne(text[at.from-1]) {
		at.from--
	}
	for at.to < len(text) && isOne(text[at.to]) {
		at.to++
	}
	return at
}

// mersenne is the prime with which digests are computed, and every how many bytes one is
// noted is a balance of memory, an eighth of the text, and of time.
const (
	mersenne = 1<<61 - 1
	every    = 64
)

// hashing computes digests of parts of a text.
type hashing struct {
	text string
	base uint64
	sums []uint64 // of the first so many times 64 bytes; nil: not yet
}

func (h *hashing) digest(from, to int) uint64 {
	if from == 0 && to == len(h.text) && h.sums == nil {
		return h.on(0, 0, to)
	}
	if h.sums == nil {
		h.sums = make([]uint64, 1, len(h.text)/every+1)
		for i := every; i <= len(h.text); i += every {
			h.sums = append(h.sums, h.on(h.sums[len(h.sums)-1], i-every, i))
		}
	}
	power, square := uint64(1), h.base
	for n := to - from; n > 0; n >>= 1 {
		if n&1 != 0 {
			power = times(power, square)
		}
		square = times(square, square)
	}
	return (h.before(to) + mersenne - times(h.before(from), power)) % mersenne
}

// before returns the digest of the bytes before an offset.
func (h *hashing) before(i int) uint64 { return h.on(h.sums[i/every], i/every*every, i) }

// on continues a digest with a part of the text.
func (h *hashing) on(sum uint64, from, to int) uint64 {
	for i := from; i < to; i++ {
		sum = (times(sum, h.base) + uint64(h.text[i]) + 1) % mersenne
	}
	return sum
}

// times multiplies two numbers below mersenne.
func times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	sum := low&mersenne + (low>>61 | high<<3)
	return sum % mersenne
}
