package codec_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

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
		if _, err := codec.DecodeJSONValue([]byte(text), codec.Options{RoundNumbers: true, Report: &report}); err != nil {
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

// TestReportOfMessages: a number in the plaintext of a secret has its place in a message
// of package structpb too, which is read without places at first.
func TestReportOfMessages(t *testing.T) {
	m, err := structpb.NewStruct(map[string]any{"list": []any{"x", map[string]any{
		codec.SignatureKey: "1b47061264138c4ac30d75fd1eb44270", "plaintext": `{"k":[9007199254740993]}`,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var report codec.Report
	if _, err = codec.FromMessage(m, codec.Options{RoundNumbers: true, Report: &report}); err != nil || len(report.Rounded) != 1 {
		t.Fatalf("%v, %d rounded", err, len(report.Rounded))
	}
	if at := report.Rounded[0].At; at.String() != "list[1][secret]" || at.RevealPath() != path.MustParse("list[1].k[0]") {
		t.Errorf("%v, %v", at, at.RevealPath())
	}
}
