// Package codec reads and writes property values in the forms in which they
// travel and rest.
//
// # Forms
//
// On the wire a bag of properties is a google.protobuf.Struct, and in files the
// JSON text of one. Kinds that JSON lacks are objects with the member
// [SignatureKey]: secrets, assets, archives, resource references, outputs
// (values with dependencies) and byte strings; unknowns are seven reserved
// strings, the sentinels. Secrets in state files come as ciphertext, which gives
// a [value.Sealed], or as plaintext, a JSON text in a string, which is read as
// if it stood there itself; within that nothing is encrypted, so that a ciphertext
// is a plaintext too. Texts may hold two more things that only state files have:
// NaN and the infinities by their bits, and the ID of a reference in an object.
// [FormState] is how all of that is written. One set of rules, of [Options] and one [Error] serve
// three forms:
//   - the bytes of a google.protobuf.Struct or Value: [DecodeStruct], [AppendStruct]
//     and their like, with no message in between, which is by far the fastest
//   - such messages in memory, for code that has them: [FromStruct], [ToStruct]
//   - the JSON text: [DecodeJSON], [AppendJSON]
//
// A bag is read, changed and written:
//
//	bag, err := codec.DecodeJSONBag(text, codec.Options{})
//	if err != nil {
//		return err // one line, with path and offset, without a payload
//	}
//	bag, err = bag.With(path.Of(path.Key("size")), value.Number(3))
//	…
//	text, err = codec.EncodeJSON(bag, codec.Options{})
//
// # Guarantees
//
// Lossless or loud (law 13): when the options keep everything, reading what was
// written gives a value that is Identical to the one that was written. Writing
// fails, and then nothing was written, for these causes only:
//   - [ErrUTF8]: a string that is no UTF-8 where byte strings are not accepted; a
//     name, asset text, path, URI, hash, URN or ciphertext that is no UTF-8
//   - [ErrSentinel]: such a text, or an ID, that equals a sentinel (a string that
//     does goes as a byte string where these are accepted)
//   - [ErrSignature]: an object or archive with a member named [SignatureKey]
//   - [ErrSealed]: a sealed secret where ciphertext cannot go, or one to be lowered
//   - [ErrNumber]: NaN and the infinities, in text that is not in state form
//   - [ErrDepth]: nesting beyond [Options.Depth]; in state form, more than eight
//     secrets inside one another, each of which doubles the backslashes
//   - [ErrPolicy], [ErrOptions]: what the options reject, and options that mean nothing;
//     in state form, dependencies
//
// Same text and bytes every time (law 17): members are sorted by name; in text
// there is no white space and numbers are the shortest decimals; bytes are those
// of protobuf-go when it is told to be deterministic.
//
// Any bytes (law 15): those that protobuf-go takes for a Struct are taken, with the
// same meaning, and those that it refuses are refused. Unknown fields and groups
// are passed over; parts of one message are merged; of entries with one key, and of
// several kinds in one Value, the last counts; and what does not count is not
// looked into, but has to be well formed. The one exception is a Value that holds
// nothing, which is an error that wraps [ErrKind].
//
// Numbers do not change silently (law 14): a number is held when the shortest
// decimal of its double has the value of the text, so 0.1 and 1e23 are and
// 9007199254740993 is not. Others are errors, or rounded and listed, as
// [Options.Numbers] says. Zero keeps its sign.
//
// Total (law 9): any text gives a value or an error, in time and memory linear
// in its length; there is no recursion over nesting, but over the plaintexts inside
// one another, of which eight are read.
//
// # What is refused
//
// Beyond the grammar of JSON: names that stand twice in one object, halves of
// surrogate pairs, bytes that are no UTF-8, nesting beyond the limit, numbers
// that cannot be held, signatures that are unknown or malformed, secrets that
// were masked. Fields beside the known ones in an object with a signature are
// ignored, though what is in them has to be well formed. An asset or archive of
// which several sources are there, but one not empty, has that one; with two it
// is malformed; where an empty source is the only one it is kept as empty.
//
// Reading shares memory with the text, or with the one copy of the bytes: a small
// value out of a large text keeps all of it in memory, which [value.Value.Compact]
// undoes.
package codec
