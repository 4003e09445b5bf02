// Package codec reads and writes property values in the forms in which they are
// sent and stored: protobuf bytes, protobuf messages and JSON text.
//
// A bag is read, changed and written:
//
//	bag, err := codec.DecodeJSON(text, codec.Options{})
//	if err != nil {
//		return err // one line, with path and offset, without content
//	}
//	bag, err = bag.With(path.Of(path.Key("size")), value.Number(3))
//	…
//	text, err = codec.AppendJSON(nil, bag, codec.Options{})
//
// One set of rules, of [Options] and one [Error] serve three forms:
//   - the bytes of a google.protobuf.Struct or Value: [Decode], [Append]
//     and so on, without a message in between, which is by far the fastest
//   - such messages in memory, for code that has them: [FromMessage], [ToMessage]
//   - JSON text: [DecodeJSON], [AppendJSON]
//
// These are for bags. For a value of any kind, each has a twin with Value at the end, such as
// [DecodeJSONValue].
//
// Reading what was written returns an identical value, or writing was an error: nothing is
// lost, and no number changes silently.
//
// # Details
//
// The forms, what is guaranteed, and what is refused.
//
// # Forms
//
// Providers and engines exchange a bag of properties as a google.protobuf.Struct;
// files hold the JSON text of one. Kinds that JSON lacks are objects with the member
// [SignatureKey]: secrets, assets, archives, resource references, outputs (values with
// dependencies) and byte strings. Unknowns are seven reserved strings, the sentinels.
//
// State files hold a secret as ciphertext, which is read as a [value.Sealed], or as
// plaintext: JSON text in a string, which is read in place of the string. Inside a
// plaintext nothing is encrypted, so that a ciphertext there is plaintext too. Two more
// things occur only in state files: NaN and the infinities, written by their bits, and
// references whose ID is in an object. [FormState] writes all of that.
//
// # Guarantees
//
// Those of the module's [laws] that are about this package:
//
// Lossless or loud: when the options keep everything, reading what was
// written returns a value that is Identical to the original. Writing fails, and then
// writes nothing, only for these causes:
//   - [ErrUTF8]: an invalid UTF-8 string where byte strings are not accepted; an invalid
//     name, asset text, path, URI, hash, URN or ciphertext
//   - [ErrSentinel]: such a text, or an ID, that equals a sentinel (other strings that
//     do are written as byte strings where these are accepted)
//   - [ErrSignature]: an object or archive with a member named [SignatureKey]
//   - [ErrSealed]: a sealed secret where ciphertext is not possible, or one to be lowered
//   - [ErrNumber]: NaN and the infinities, in text other than state form
//   - [ErrDepth]: nesting beyond [Options.Depth]; in state form, more than eight
//     secrets inside one another, each of which doubles the backslashes
//   - [ErrPolicy], [ErrOptions]: what the options reject, and invalid options; in state
//     form, dependencies
//
// The other way round, a value that is read and written again is the same value, but
// maybe not the same bytes: dependencies are sorted, and an output that is neither
// unknown nor secret and has no dependencies is written as its plain value.
//
// Deterministic: members are sorted by name; text has no white space, and
// its numbers are the shortest decimals; bytes are those of protobuf-go with its
// option Deterministic.
//
// Any bytes: bytes that protobuf-go accepts as a Struct are accepted, with the
// same meaning, and bytes that it refuses are refused. Unknown fields and groups are
// skipped; parts of one message are merged; of entries with the same key, and of several
// kinds in one Value, the last counts; all others only have to be well formed. The one
// exception is a Value without a kind, which is an error that wraps [ErrKind].
//
// Numbers do not change silently: a number is exact when the shortest
// decimal of its double has the value of the text, so 0.1 and 1e23 are and
// 9007199254740993 is not. Others are errors, or rounded and listed, depending on
// [Options.RoundNumbers]. Zero keeps its sign.
//
// Total: any input is read or refused, in time and memory linear in its length.
//
// # What is refused
//
// Beyond the grammar of JSON, readers refuse duplicate member names, half surrogate
// pairs, invalid UTF-8, nesting beyond the limit, numbers that are not exact, unknown or
// malformed signatures, and masked secrets. They ignore unknown fields of an object with
// a signature, which only have to be well formed. If an asset or archive has several
// sources, the one that is not empty counts; two that are not empty make it malformed. A
// single empty source is kept.
//
// A value shares memory with the text, or with the one copy of the bytes: a small value
// from a large text keeps all of it in memory, unless [value.Value.Compact] is called.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package codec
