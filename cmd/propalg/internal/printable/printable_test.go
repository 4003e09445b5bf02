package printable_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "urn:pulumi:s::p::a:b:C::n ü": "urn:pulumi:s::p::a:b:C::n ü", "a\nb": `"a\nb"`, "\u202ea": `"\u202ea"`, "\xff": `"\xff"`,
	} {
		if got := printable.Text(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got := printable.Line("a\nb\x1b[m\u009bc ü"); got != "a b [m c ü" {
		t.Errorf("%q", got)
	}
}

func TestWriteJSON(t *testing.T) {
	var b strings.Builder
	if err := printable.WriteJSON(&b, map[string]string{"<a>": "\u202e\u009b\x7f\U000e0001 ü\n"}); err != nil {
		t.Fatal(err)
	}

	if err := printable.WriteData(&b, []byte(`"ü"`)); err != nil {
		t.Fatal(err)
	}

	if want := `{"<a>":"\u202e\u009b\u007f\udb40\udc01 ü\n"}` + "\n\"ü\"\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestThousands pins the separators.
func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 10000: "10,000", 1234567: "1,234,567", -100: "-100", -1000: "-1,000"} {
		if got := printable.Thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteFails(t *testing.T) {
	if err := printable.WriteData(full{}, []byte("1")); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
}
