package laws

import (
	"bytes"
	"errors"
	"slices"

	"github.com/propalg/propalg/fuzz"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Law13LosslessBytes is the law that what is written as protobuf bytes, or as a
// structpb message, reads back to an Identical value, from either; that both are
// one message to protobuf-go; and that they are refused for the causes that
// AppendJSONValue has, but for NaN and infinities, which bytes can hold.
func Law13LosslessBytes(t *rapid.T) {
	v := drawValue(t, rapid.OneOf(fuzz.Values(fuzz.Options{}), fuzz.Values(fuzz.Options{Style: fuzz.Hostile})), "v")
	causes := slices.DeleteFunc(unwritable(v), func(cause error) bool { return errors.Is(cause, codec.ErrNumber) })
	var o codec.Options
	out, err := codec.AppendValue([]byte("kept"), v, o)
	m, messageErr := codec.ToMessageValue(v, o)
	if err != nil {
		if !slices.ContainsFunc(causes, func(cause error) bool { return errors.Is(err, cause) }) {
			t.Fatalf("%v; what is wrong is %v", err, causes)
		}
		if string(out) != "kept" || m != nil || !sameFailure(err, messageErr) {
			t.Fatalf("%v, and left %q; as a message %v, %v", err, out, m, messageErr)
		}
		return
	}

	out = out[len("kept"):]
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	switch {
	case len(causes) > 0:
		t.Fatalf("written as %x, although %v", out, causes)
	case messageErr != nil:
		t.Fatalf("written as %d bytes; as a message: %v", len(out), messageErr)
	case err != nil || !bytes.Equal(out, want):
		t.Fatalf("written as %x; protobuf-go writes %x, %v", out, want, err)
	}

	if back, err := codec.DecodeValue(out, o); err != nil || !back.Identical(v) {
		t.Fatalf("written as %x, and read back as %s, %v", out, fuzz.GoSource(back), err)
	}
	Owned(t, out, o, codec.DecodeValue)
	if back, err := codec.FromMessageValue(m, o); err != nil || !back.Identical(v) {
		t.Fatalf("read back from its message as %s, %v", fuzz.GoSource(back), err)
	}
	losslessBag(t, v)
}

// losslessBag does the same to a bag, as which a value travels.
func losslessBag(t *rapid.T, v value.Value) {
	bag := value.Object(value.Member{Key: "bag", Value: v})
	out, err := codec.Append(nil, bag, codec.Options{})
	if err != nil {
		t.Fatalf("can be written, but not in a bag: %v", err)
	}

	m, err := codec.ToMessage(bag, codec.Options{})
	if err != nil {
		t.Fatalf("can be written in a bag, but not as a message: %v", err)
	}
	fromBytes, err := codec.Decode(out, codec.Options{})
	fromMessage, messageErr := codec.FromMessage(m, codec.Options{})
	if err != nil || messageErr != nil || !fromBytes.Identical(bag) || !fromMessage.Identical(bag) {
		t.Fatalf("a bag of it reads back as %s, %v; from its message as %s, %v", fuzz.GoSource(fromBytes), err, fuzz.GoSource(fromMessage), messageErr)
	}
}

// sameFailure says whether two errors of package codec, or none, give the same
// cause and place, whatever was read or written.
func sameFailure(a, b error) bool {
	var e, f *codec.Error
	if !errors.As(a, &e) || !errors.As(b, &f) {
		return a == nil && b == nil
	}
	return errors.Is(f, errors.Unwrap(e)) && e.At.Equal(f.At) && e.Want == f.Want && e.Found == f.Found
}
