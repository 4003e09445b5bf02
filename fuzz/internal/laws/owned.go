package laws

import (
	"bytes"

	"github.com/propalg/propalg/fuzz"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// failer is a test, of package testing or rapid.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Owned is the part of laws 13 and 15 that is about [codec.Options.OwnBytes]: a reader
// that is given the bytes returns the same value, or the same error, as one that copies
// them; it writes nothing into them, unless it is built to overwrite them; and the error
// holds nothing of them.
func Owned(t failer, data []byte, o codec.Options, read func([]byte, codec.Options) (value.Value, error)) {
	t.Helper()
	want, wantErr := read(data, o)
	given := bytes.Clone(data)
	o.OwnBytes = true
	v, err := read(given, o)
	if !v.Identical(want) {
		t.Fatalf("%q: with OwnBytes %s, without %s", data, fuzz.GoSource(v), fuzz.GoSource(want))
	}
	if isOverwritten := len(bytes.Trim(given, "\xa5")) == 0; !isOverwritten && !bytes.Equal(given, data) {
		t.Fatalf("%q was changed to %q", data, given)
	}

	clear(given)
	if !sameFailure(err, wantErr) || (err != nil && err.Error() != wantErr.Error()) {
		t.Fatalf("%q: with OwnBytes, after a change of the bytes: %v; without: %v", data, err, wantErr)
	}
}
