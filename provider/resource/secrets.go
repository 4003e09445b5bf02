package resource

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// secrets are the texts in the values of a call: those in secrets, and those in clear. They are
// collected when they are first needed, which is seldom.
type secrets struct {
	mark         func(value.Value) value.Value // marks what the schema calls secret
	mu           sync.Mutex
	values       []value.Value
	texts, clear []string
}

const (
	// leastShown is how long a secret text is at least that is looked for in other texts:
	// shorter ones are there by chance.
	leastShown = 3
	// window is how much of a longer secret is looked for, since texts may show a part.
	window = 8
)

// add adds values.
func (s *secrets) add(all ...value.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = append(s.values, all...)
}

// collect adds the texts of a value.
func (s *secrets) collect(v value.Value) {
	for c := range v.Walk() {
		x := c.Value()
		text, ok := textOf(x)
		switch {
		case !x.IsSecret():
			if ok && len(text) >= leastShown {
				s.clear = append(s.clear, lower(text))
			}
		case ok && len(text) >= leastShown:
			s.texts = append(s.texts, text)
		case x.Kind() == value.KindObject:
			for key := range x.Keys() {
				if len(key) >= window { // shorter ones are words
					s.texts = append(s.texts, key)
				}
			}
		}
	}
}

func textOf(v value.Value) (string, bool) {
	switch v.Kind() { //nolint:exhaustive // the others have no text
	case value.KindString:
		return v.AsString()
	case value.KindNumber:
		n, _ := v.AsNumber()
		return strconv.FormatFloat(n, 'f', -1, 64), true
	case value.KindAsset:
		a, _ := v.AsAsset()
		return source(a)
	case value.KindArchive:
		a, _ := v.AsArchive()
		return source(a)
	}
	return "", false
}

// located is an asset or an archive.
type located interface {
	Path() (string, bool)
	URI() (string, bool)
}

// source returns where an asset or an archive is, or the text that it is.
func source(a located) (string, bool) {
	if asset, ok := a.(value.Asset); ok {
		if text, ok := asset.Text(); ok {
			return text, true
		}
	}
	if at, ok := a.Path(); ok {
		return at, true
	}
	return a.URI()
}

// mask returns a text with [secret] for each part that shows a secret: as it is, or as it is in
// URLs, JSON, Go, base64 and hexadecimal, in any case, of longer ones also a part. What is in
// clear in the call, too, stays.
func (s *secrets) mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		s.collect(s.mark(v))
	}
	if s.values = nil; len(s.texts) == 0 || text == "" {
		return text
	}

	low := lower(text)
	there := map[string]bool{}
	for i := 0; i+window <= len(low); i++ {
		there[low[i:i+window]] = true
	}
	var hidden [window + 1]map[string]bool // what shows a secret, by its length
	for _, secret := range s.texts {
		for _, form := range forms(secret) {
			form = lower(form)
			if n := len(form); leastShown <= n && n < window {
				set(&hidden[n], form)
			}
			for i := 0; i+window <= len(form); i++ {
				if part := form[i : i+window]; there[part] {
					set(&hidden[window], part)
				}
			}
		}
	}

	for _, plain := range s.clear {
		eachPart(&hidden, plain, func(from, to int) { delete(hidden[to-from], plain[from:to]) })
	}
	shown := make([]bool, len(text))
	eachPart(&hidden, low, func(from, to int) {
		for i := from; i < to; i++ {
			shown[i] = true
		}
	})
	return replaced(text, shown)
}

func set(parts *map[string]bool, part string) {
	if *parts == nil {
		*parts = map[string]bool{}
	}
	(*parts)[part] = true
}

// eachPart calls f for each part of a text that is in one of the sets, of which each has parts of
// one length.
func eachPart(sets *[window + 1]map[string]bool, text string, f func(from, to int)) {
	for length, set := range sets {
		for i := 0; len(set) > 0 && i+length <= len(text); i++ {
			if set[text[i:i+length]] {
				f(i, i+length)
			}
		}
	}
}

func replaced(text string, shown []bool) string {
	var b strings.Builder
	for i := range len(text) {
		if !shown[i] {
			b.WriteByte(text[i])
		} else if i == 0 || !shown[i-1] {
			b.WriteString(veil.SecretText)
		}
	}
	return b.String()
}

// lower returns a text with its ASCII letters in lower case, as long as it was.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// forms returns a secret as texts may have it.
func forms(secret string) []string {
	quoted := strconv.Quote(secret)
	made := []string{
		secret, quoted[1 : len(quoted)-1], url.QueryEscape(secret), url.PathEscape(secret),
		hex.EncodeToString([]byte(secret)),
	}
	if text, err := json.Marshal(secret); err == nil {
		made = append(made, string(text[1:len(text)-1]))
	}
	for before := range 3 { // bytes in the group of three in which it begins
		padded := append(make([]byte, before), secret...)
		whole := len(padded) / 3 * 3
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString(padded[:whole])
			if from := (before*8 + 5) / 6; from < len(text) {
				made = append(made, text[from:])
			}
		}
	}
	return made
}

// leastDerived is how long a secret text is at least for a text that contains it to be
// secret, too.
const leastDerived = 4

// derivable returns the secret texts of inputs that no text in clear may contain. A text that
// the inputs have in clear, too, does not count.
func derivable(inputs value.Value) []string {
	if !inputs.ContainsSecret() {
		return nil
	}
	isClear := func(text string) bool {
		for c := range inputs.Walk() {
			if s, ok := c.Value().AsString(); ok && !c.Value().IsSecret() && strings.Contains(s, text) {
				return true
			}
		}
		return false
	}
	var all []string
	for c := range inputs.Walk() {
		if x := c.Value(); !x.ContainsSecret() {
			c.SkipBelow()
		} else if text, ok := x.AsString(); ok && x.IsSecret() && len(text) >= leastDerived && !isClear(text) {
			all = append(all, text)
		}
	}
	return all
}

// containsAny reports whether a text contains one of others.
func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// markDerived returns a state in which texts are secret that contain a secret text of the
// inputs, such as an address with a password in it.
func markDerived(state, inputs value.Value) value.Value {
	hidden := derivable(inputs)
	if len(hidden) == 0 {
		return state
	}

	marked, err := state.Transform(func(c *value.Cursor) (value.Value, error) {
		v := c.Value()
		if text, ok := v.AsString(); ok && !v.IsSecret() && containsAny(text, hidden) {
			return value.Secret(v), nil
		}
		return v, nil
	})
	if err != nil {
		return value.Secret(state)
	}
	return marked
}
