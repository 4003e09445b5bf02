package peers_test

import (
	"bytes"
	"encoding/gob"
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/davecgh/go-spew/spew"
	"github.com/google/go-cmp/cmp"
	"github.com/k0kubun/pp/v3"
	"github.com/kr/pretty"
	"github.com/sanity-io/litter"
	"github.com/stretchr/testify/assert"

	"github.com/propalg/propalg/internal/test/probe"
)

// noted is a test that keeps what assertions say.
type noted struct{ strings.Builder }

func (n *noted) Errorf(format string, args ...any) { fmt.Fprintf(n, format, args...) }

func testPrinters() []probe.Printer {
	sorted, raw := spew.NewDefaultConfig(), spew.NewDefaultConfig()
	sorted.SortKeys = true // the order of maps is no leak
	raw.DisableMethods, raw.SortKeys = true, true

	colourless := pp.New()
	colourless.SetColoringEnabled(false)

	return []probe.Printer{
		{Name: "spew", Print: func(x any) string { return sorted.Sdump(x) + sorted.Sprintf("%v %+v %#v %#+v", x, x, x, x) }},
		{Name: "spew without methods", Print: func(x any) string { return raw.Sdump(x) }},
		{Name: "pretty", Print: func(x any) string { return pretty.Sprint(x) + fmt.Sprintf("%# v", pretty.Formatter(x)) }},
		{Name: "pp", Print: func(x any) string { return colourless.Sprint(x) }},
		{Name: "litter", Print: func(x any) string { return litter.Sdump(x) }},
		{Name: "pretty.Diff", Diff: func(old, now any) string { return strings.Join(pretty.Diff(old, now), "\n") }},
		{Name: "assert.Equal", Diff: func(old, now any) string {
			var n noted
			assert.Equal(&n, old, now)
			assert.ElementsMatch(&n, []any{old}, []any{now})
			assert.Contains(&n, []any{old}, now)

			return n.String()
		}},
		{Name: "assert.Empty", Print: func(x any) string {
			var n noted
			assert.Empty(&n, x)
			assert.NotEqual(&n, x, x)

			return n.String()
		}},
		{Name: "encoding/xml", Print: func(x any) string {
			text, err := xml.Marshal(x)
			return fmt.Sprint(string(text), err)
		}},
		{Name: "encoding/gob", Print: func(x any) string {
			var b bytes.Buffer
			err := gob.NewEncoder(&b).Encode(x)

			return fmt.Sprint(b.String(), err)
		}},
		{Name: "cmp.Diff", Diff: func(old, now any) string { return cmp.Diff(old, now) }},
		{Name: "cmp.Diff of all fields", Diff: func(old, now any) string {
			return cmp.Diff(old, now, cmp.Exporter(func(reflect.Type) bool { return true }))
		}},
	}
}

// TestPrintersKeepSecrets is law 6 for the printers that Go tests use: testify, spew,
// kr/pretty, pp, litter and go-cmp.
func TestPrintersKeepSecrets(t *testing.T) {
	for _, leak := range probe.Leaks(testPrinters()) {
		t.Error(leak)
	}
}

// TestPrintersPrint shows that the test above would see something: in the clear the
// printers print it.
func TestPrintersPrint(t *testing.T) {
	for _, p := range testPrinters() {
		if text, _ := p.Both([]string{"one secret"}, []string{"another"}); !strings.Contains(text, "one secret") {
			t.Errorf("%s prints %q", p.Name, text)
		}
	}
}
