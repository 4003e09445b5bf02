package main

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/value"
)

// leastMasked is how long a secret is at least that texts are searched for: shorter ones are
// in texts by chance.
const leastMasked = 4

// mostQuoted is how many times a text may be quoted: in an error, in the JSON of a document, in
// that of a call, and in that of a report.
const mostQuoted = 4

const masked = "[secret]"

// mask takes the secrets of the user out of texts: those of the configuration, of --inputs and
// of --fix. What the tests make up is no secret.
type mask struct {
	texts    []string
	replacer *strings.Replacer
}

// add adds all texts and numbers of a value.
func (m *mask) add(v value.Value) {
	for c := range v.Walk() {
		if text, ok := c.Value().AsString(); ok {
			m.addText(text)
			continue
		}
		if !c.Value().Kind().IsContainer() {
			m.addText(string(plainJSON(c.Value())))
		}
	}
}

// addSecrets adds what is marked in a value.
func (m *mask) addSecrets(v value.Value) {
	for c := range v.Walk() {
		if c.Value().OwnSecret() {
			m.add(c.Value().DropSecret())
		}
	}
}

// addText adds a text and its lines, as they are written in other texts too.
func (m *mask) addText(text string) {
	for _, each := range append(strings.Split(text, "\n"), text) {
		if each = strings.TrimSpace(each); len(each) < leastMasked || each == "true" || each == "false" || each == "null" {
			continue
		}
		m.texts = append(m.texts, url.QueryEscape(each), url.PathEscape(each),
			base64.StdEncoding.EncodeToString([]byte(each)), base64.URLEncoding.EncodeToString([]byte(each)))
		for range mostQuoted {
			m.texts = append(m.texts, each, inQuotes(strconv.QuoteToASCII(each)))
			quoted, _ := json.Marshal(each)
			each = inQuotes(string(quoted))
		}
	}
	m.replacer = nil
}

func inQuotes(text string) string { return text[1 : len(text)-1] }

// text returns a text without the secrets.
func (m *mask) text(s string) string {
	if len(m.texts) == 0 {
		return s
	}
	if m.replacer == nil {
		slices.SortFunc(m.texts, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
		m.texts = slices.Compact(m.texts)
		var pairs []string
		for _, text := range m.texts {
			pairs = append(pairs, text, masked)
		}
		m.replacer = strings.NewReplacer(pairs...)
	}
	return m.replacer.Replace(s)
}
