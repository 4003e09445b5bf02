// Package redact removes secrets from texts that others wrote.
package redact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// least is how many bytes a secret has at least to be looked for in texts: shorter ones are
// in most texts by chance.
const least = 3

// concealed is an error whose text shows no secret.
type concealed struct {
	text string
	err  error
}

func (e *concealed) Error() string { return e.text }
func (e *concealed) Unwrap() error { return e.err }

// Error returns an error that wraps err, with a prefix. Its text is that of err without the
// texts that are secret in the values, as they are and as Go quotes them. Secrets of less
// than three bytes are not looked for.
func Error(prefix string, err error, values ...value.Value) error {
	text := err.Error()
	for _, secret := range secrets(values) {
		text = strings.ReplaceAll(text, secret, veil.SecretText)
	}
	return &concealed{prefix + ": " + text, err}
}

// secrets returns the texts of all secrets, names of members inside them included, the
// longest first.
func secrets(values []value.Value) []string {
	var texts []string
	for _, v := range values {
		for at := range value.SecretPaths(v) {
			secret, _ := v.At(at)
			for c := range secret.Walk() {
				content, _ := c.Value().AsString()
				step, _ := c.Step()
				key, _ := step.Key()
				for _, text := range []string{content, key} {
					if len(text) >= least {
						quoted := strconv.Quote(text)
						texts = append(texts, text, quoted[1:len(quoted)-1])
					}
				}
			}
		}
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return texts
}
