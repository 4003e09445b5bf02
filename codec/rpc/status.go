package rpc

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// typeURLs precedes the name of a message that is a detail of an error.
const typeURLs = "type.googleapis.com/"

// The fields of google.rpc.Status and google.protobuf.Any.
const (
	statusCode    protowire.Number = 1
	statusMessage protowire.Number = 2
	statusDetails protowire.Number = 3
	anyTypeURL    protowire.Number = 1
	anyValue      protowire.Number = 2
)

// MarshalStatus returns the bytes of a google.rpc.Status: a gRPC code, a text, and
// messages as details, usually one [ConfigureErrorMissingKeys] or
// [ErrorResourceInitFailed]. gRPC sends them for an error in the header
// grpc-status-details-bin.
func MarshalStatus(code int32, message string, details []Message, o Options) ([]byte, error) {
	const op = "encode status"
	var out []byte
	var err error
	codeField := integer[int32]{&code}
	if codeField.isSet() {
		if out, err = codeField.appendProto(out, statusCode, call{}); err != nil {
			return nil, finish(inField(err, "code"), op, nil)
		}
	}

	textField := text(message)
	if textField.isSet() {
		if out, err = textField.appendProto(out, statusMessage, call{}); err != nil {
			return nil, finish(inField(err, "message"), op, nil)
		}
	}
	for i, m := range details {
		if !present(m) {
			return nil, finish(inField(inField(fail(ErrMessage, -1), element(i)), "details"), op, nil)
		}

		out = append(protowire.AppendTag(out, statusDetails, protowire.BytesType), 0)
		begin := len(out)
		out = protowire.AppendTag(out, anyTypeURL, protowire.BytesType)
		out = protowire.AppendString(out, typeURLs+m.name())
		out = append(protowire.AppendTag(out, anyValue, protowire.BytesType), 0)
		inner := len(out)
		if out, err = Append(out, m, o); err != nil {
			return nil, err
		}
		out = closeDelimited(closeDelimited(out, inner), begin)
	}
	return out, nil
}

// FindDetail reads the first detail of m's type in a google.rpc.Status into m. It
// reports whether there is one; otherwise m is unchanged. With [codec.Options.OwnBytes]
// m may refer to the bytes of status, which the caller must no longer change. The error
// is an [*Error].
func FindDetail(status []byte, m Message, o Options) (found bool, err error) {
	const op = "decode status"
	if !present(m) {
		return false, finish(fail(ErrMessage, -1), op, nil)
	}

	var detail []byte
	err = eachField(status, 0, func(n protowire.Number, occ occurrence) error {
		if n == statusMessage {
			return new(text).takeProto(occ, call{}) // refuses what is not UTF-8
		}
		if n != statusDetails {
			return nil
		}

		name, contents, err := readAny(occ)
		if !found && name == m.name() {
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
	return true, Decode(detail, m, o)
}

// readAny reads a google.protobuf.Any: the name after the last slash of the type
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

// eachField calls a function for each length-delimited field of a message and skips
// the others.
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
