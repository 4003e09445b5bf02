package codec_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
)

// TestReportIsBounded: what a secret hides of a path takes room as well. Numbers
// whose paths are too much are counted.
func TestReportIsBounded(t *testing.T) {
	const levels, digits = 40, "12345678901234567891"
	key := strings.Repeat("k", 50_000)
	text := strings.Repeat(`{"n":`+digits+`,"`+key+`":`, levels) + digits + strings.Repeat("}", levels)
	for name, text := range map[string]string{
		"plain":  text,
		"secret": `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":` + text + `}`,
	} {
		var report codec.Report
		if _, err := codec.DecodeJSON([]byte(text), codec.Options{RoundNumbers: true, Report: &report}); err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, r := range report.Rounded {
			size += r.At.RevealPath().Size()
		}
		if size > path.MaxListed+len(text) || report.More == 0 || len(report.Rounded)+report.More != levels+1 {
			t.Errorf("%s: %d MB of paths, %d listed, %d more", name, size>>20, len(report.Rounded), report.More)
		}
	}
}
