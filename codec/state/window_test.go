package state_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// endless is a text, and then another one again and again.
type endless struct {
	begin, text string
	at          int64
	left        int // bytes, after which it fails
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, errors.New("nobody stopped reading")
	}
	for i := range p {
		if e.at < int64(len(e.begin)) {
			p[i] = e.begin[e.at]
		} else {
			p[i] = e.text[(e.at-int64(len(e.begin)))%int64(len(e.text))]
		}
		e.at++
	}
	return len(p), nil
}

// seekable is one that can go back.
type seekable struct{ *endless }

func (s seekable) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		s.at = offset
	case io.SeekCurrent:
		s.at += offset
	default:
		return 0, errors.New("it has no end")
	}
	return s.at, nil
}

// TestReaderEndless: a value without an end is an error, at a limit.
func TestReaderEndless(t *testing.T) {
	const limit = 1 << 18
	const begin = `{"version":3,"deployment":{"resources":[` + resource
	for _, row := range []struct{ at, begin, text string }{
		{here(), begin + `,{"urn":"`, "x"},
		{here(), begin + `,{"urn":"u","inputs":{`, `"a":[],`},
		{here(), begin + `,{"urn":"u","inputs":{"a":[0`, `,0`},
		{here(), begin + `,{"urn":"u"`, " "},
		{here(), begin + `,{"urn":`, "1"},
		{here(), begin + `],"metadata":"`, "x"},
		{here(), begin + `],"`, "x"},
		{here(), begin + `],"metadata":`, "1"},
	} {
		e := &endless{begin: row.begin, text: row.text, left: 4 * limit}
		for name, in := range map[string]io.Reader{"stream": e, "file": seekable{&endless{begin: row.begin, text: row.text, left: 4 * limit}}} {
			for _, window := range []int{1 << 10, 1 << 16} {
				if s, ok := in.(seekable); ok {
					s.at, s.left = 0, 4*limit
				}
				e.at, e.left = 0, 4*limit
				r := state.NewReader(in, state.Options{})
				state.SetWindow(r, window)
				state.SetLongest(r, limit)
				n := 0
				var last error
				for _, err := range r.Resources() {
					if last = err; err == nil {
						n++
					}
				}
				if n != 1 || !errors.Is(last, state.ErrRead) || !strings.Contains(last.Error(), "longer than") || !strings.Contains(last.Error(), "after 1 resource") {
					t.Errorf("%s, %s, window %d: %d resources, %v", row.at, name, window, n, last)
				}
			}
		}
	}
}
