package rpc

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// The type URLs of the two messages that travel as details of an error.
const (
	MissingKeysURL = typeURLs + "pulumirpc.ConfigureErrorMissingKeys"
	InitFailedURL  = typeURLs + "pulumirpc.ErrorResourceInitFailed"
)

const typeURLs = "type.googleapis.com/"

// The fields of google.rpc.Status and google.protobuf.Any.
const (
	statusCode    protowire.Number = 1
	statusMessage protowire.Number = 2
	statusDetails protowire.Number = 3
	anyTypeURL    protowire.Number = 1
	anyValue      protowire.Number = 2
)

// MarshalStatus returns the bytes of a google.rpc.Status: a code of grpc, a text,
// and messages as details, mostly one [ConfigureErrorMissingKeys] or
// [ErrorResourceInitFailed]. It is what grpc sends for an error, in the header
// grpc-status-details-bin.
func MarshalStatus(code int32, text string, details ...Message) ([]byte, error) {
	return Wire{}.AppendStatus(nil, code, text, details...)
}

// AppendStatus is [MarshalStatus] by the options of w, to the end of dst. On an
// error dst comes back as it was.
func (w Wire) AppendStatus(dst []byte, code int32, message string, details ...Message) ([]byte, error) {
	const op = "encode status"
	out := dst
	var err error
	c, first := call{}, integer32(code)
	if first.isSet() {
		if out, err = first.appendProto(out, statusCode, c); err != nil {
			return dst, finish(inField(err, "code"), op, nil)
		}
	}
	if second := text(message); second.isSet() {
		if out, err = second.appendProto(out, statusMessage, c); err != nil {
			return dst, finish(inField(err, "message"), op, nil)
		}
	}
	for i, m := range details {
		if !present(m) {
			return dst, finish(inField(inField(fail(ErrMessage, -1), element(i)), "details"), op, nil)
		}
		out = append(protowire.AppendTag(out, statusDetails, protowire.BytesType), 0)
		begin := len(out)
		out = protowire.AppendTag(out, anyTypeURL, protowire.BytesType)
		out = protowire.AppendString(out, typeURLs+m.MessageName())
		out = append(protowire.AppendTag(out, anyValue, protowire.BytesType), 0)
		inner := len(out)
		if out, err = w.Append(out, m); err != nil {
			return dst, err
		}
		out = closeDelimited(closeDelimited(out, inner), begin)
	}
	return out, nil
}

// FindDetail looks for a message of m's type among the details of a
// google.rpc.Status, and reads the first one into m. It reports whether there is
// one; if not, m is as it was. The error is an [*Error].
func FindDetail(status []byte, m Message) (found bool, err error) {
	return Wire{}.FindDetail(status, m)
}

// FindDetail is the function of this name by the options of w.
func (w Wire) FindDetail(status []byte, m Message) (found bool, err error) {
	const op = "decode status"
	if !present(m) {
		return false, finish(fail(ErrMessage, -1), op, nil)
	}
	var detail []byte
	err = eachField(status, 0, func(n protowire.Number, o occurrence) error {
		if n == statusMessage {
			return new(text).takeProto(o, call{})
		}
		if n != statusDetails {
			return nil
		}
		name, contents, err := readAny(o)
		if !found && name == m.MessageName() {
			found, detail = true, contents
		}
		return err
	})
	if err != nil {
		return false, finish(err, op, nil)
	}
	if !found {
		return false, nil
	}
	return true, w.Unmarshal(detail, m)
}

// readAny reads a google.protobuf.Any: the name behind the last slash of the type
// URL, and the contents.
func readAny(o occurrence) (name string, contents []byte, err error) {
	var url text
	err = eachField(o.data, o.at, func(n protowire.Number, part occurrence) error {
		if n == anyTypeURL {
			return url.takeProto(part, call{})
		}
		if n == anyValue {
			contents = part.data
		}
		return nil
	})
	name = string(url)
	return name[strings.LastIndexByte(name, '/')+1:], contents, err
}

// eachField calls a function for each field of a message that has a length in
// front, and passes over the others.
func eachField(data []byte, base int, each func(protowire.Number, occurrence) error) error {
	for at := 0; at < len(data); {
		number, typ, n := consumeTag(data[at:])
		if n < 0 {
			return malformed(base+at, "a field")
		}
		at += n
		if n = protowire.ConsumeFieldValue(number, typ, data[at:]); n < 0 {
			return malformed(base+at, "the contents of a field")
		}
		at += n
		if typ != protowire.BytesType {
			continue
		}
		contents, _ := protowire.ConsumeBytes(data[at-n : at])
		if err := each(number, occurrence{data: contents, at: base + at - len(contents)}); err != nil {
			return err
		}
	}
	return nil
}
