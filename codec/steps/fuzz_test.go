package steps_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
)

// FuzzReader reads any text through any window: the same steps, and the same error, whose
// place is in the text. A text that is cut off has the steps that its beginning has.
func FuzzReader(f *testing.F) {
	for _, text := range samples() {
		f.Add(text, uint8(7), uint16(100))
		f.Add(text+text, uint8(1), uint16(len(text)))
	}
	f.Add(`{"steps":[{"op":"create","newState":{"urn":"u","inputs":{"a":[[[[]]]]}}}]}`, uint8(3), uint16(9))
	o := state.Options{Codec: codec.Options{Depth: 50}}
	f.Fuzz(func(t *testing.T, text string, window uint8, cut uint16) {
		whole := steps.NewReader(strings.NewReader(text), o)
		parts := steps.NewReader(strings.NewReader(text), o)
		steps.SetWindow(parts, 1+int(window))
		if want, got := showAll(whole), showAll(parts); got != want {
			t.Fatalf("window %d:\n%s\nwant\n%s", window, got, want)
		}
		for op, n := range whole.Run().Counts {
			if op == "" || n <= 0 {
				t.Errorf("%d of %q", n, op)
			}
		}

		_, err := drain(steps.NewReader(strings.NewReader(text), o))
		var e *steps.Error
		switch {
		case err == nil:
		case !errors.As(err, &e) || e.Unwrap() == nil:
			t.Fatalf("%#v", err)
		case e.Offset < 0 || e.Offset > int64(len(text)) || e.Line != 1+strings.Count(text[:e.Offset], "\n"):
			t.Fatalf("%v: line %d, offset %d of %q", e, e.Line, e.Offset, text)
		}

		if format := steps.FormatOf(text); format != "" && err == nil && whole.Run().Format != format {
			t.Errorf("%q: read as %q", format, whole.Run().Format)
		}
		begin := text[:min(int(cut), len(text))]
		all, _ := drain(steps.NewReader(strings.NewReader(text), o))
		if some, _ := drain(steps.NewReader(strings.NewReader(begin), o)); whole.Run().Format != "event log" && len(some) > len(all) {
			t.Errorf("%d steps in a part of %d", len(some), len(all))
		}
	})
}
