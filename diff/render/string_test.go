package render_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
)

// Texts that differ only in characters that do not show say so.
func TestTextsThatLookAlike(t *testing.T) {
	for _, c := range []struct {
		x, y string
		note bool
	}{{"x", "x\ufe0f", true}, {"admin", "ad\u034fmin", true}, {"x", "y", false}, {"", "\u3164", true}, {"a", "", false}, {"\xff", "\xfe", false}} {
		text := render.Text(diff.Between(str(c.x), str(c.y), diff.Options{}), render.Options{})
		if strings.Contains(text, "differ in what is not shown") != c.note {
			t.Errorf("%q and %q: %s", c.x, c.y, text)
		}
	}
}
