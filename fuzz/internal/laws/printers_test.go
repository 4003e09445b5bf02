package laws_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/internal/test/race"
)

// TestPrintersKeepSecrets is law 6 for printers: what any function returns, held in any
// way, shows nothing of a secret, nor tells two secrets apart. Other printers that Go
// programmers use are tried in interop/peers.
func TestPrintersKeepSecrets(t *testing.T) {
	if race.Enabled {
		t.Skip("the texts are the same, and take ten times as long")
	}

	for _, leak := range probe.Leaks(probe.Usual()) {
		t.Error(leak)
	}
}

// TestPrintersPrint shows that the test above would see something.
func TestPrintersPrint(t *testing.T) {
	for _, p := range probe.Usual() {
		if text, _ := p.Both("one secret", "another"); !strings.Contains(text, "one secret") {
			t.Errorf("%s prints %q", p.Name, text)
		}
	}
}
