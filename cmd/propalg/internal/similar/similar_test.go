package similar_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/similar"
)

func TestTo(t *testing.T) {
	commands := []string{"diff", "apply", "merge", "ignore", "lint", "state", "path", "urn", "version", "show-secrets", "arrays", "array"}
	for word, want := range map[string]string{
		"dif": "diff", "DIFF": "diff", "diff": "diff", "idff": "diff", "difff": "diff", "aply": "apply", "mrege": "merge", "ver": "version",
		"show-secret": "show-secrets", "arrys": "arrays", "x": "", "": "", "frobnicate": "", "li": "", "stats": "state",
		strings.Repeat("x", 1<<20): "",
	} {
		if got := similar.To(word, commands); got != want {
			t.Errorf("%.20q: %q, want %q", word, got, want)
		}
	}

	if got := similar.To("diff", nil); got != "" {
		t.Errorf("of none: %q", got)
	}
}
