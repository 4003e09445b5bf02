// Package rpc holds the messages of Pulumi's provider protocol as plain Go structs,
// with property values in place of google.protobuf.Struct. It has all messages of
// ResourceProvider, and those that a provider needs of the services of its engine.
//
//	var req rpc.DiffRequest
//	if err := rpc.Decode(data, &req, rpc.Options{}); err != nil {
//		return err // names message, field, path and offset; holds no payload
//	}
//	u, err := urn.Parse(req.URN)
//	…
//	data, err = rpc.Append(nil, &rpc.DiffResponse{
//		Changes:      rpc.DiffSome,
//		DetailedDiff: map[string]rpc.PropertyDiff{"size": {Kind: rpc.PropertyDiffUpdate}},
//	}, rpc.Options{})
//
// A server or client of grpc-go uses [Codec]: grpc.ForceServerCodec(rpc.Codec{}).
// Nothing is registered with protobuf, so a program may link Pulumi's SDK as well.
//
// # The structs
//
// The structs are generated from a table of the protocol. A field that is zero counts as
// absent. Where the protocol distinguishes zero from absent, the field is a pointer:
// optional fields, members of a oneof, messages, and google.protobuf.Value, for which
// null is a value. Properties are not pointers: a null means that they are absent, an
// empty object that they are present and empty. Empty lists and maps are absent. Enums
// keep numbers that have no name. URNs, paths and patterns are the strings that were
// sent: [urn.Parse] and the functions of package path parse them.
//
// At most one field of a oneof may be set. Writing a message with two of them returns an
// error that wraps [ErrOneof].
//
// # Bytes
//
// The same message always gives the same bytes, those of protobuf-go's deterministic
// marshalling. Unmarshal accepts and refuses what protobuf-go does, and gives it the same
// meaning: if a scalar field occurs several times, the last one wins, whereas messages
// and properties are merged. Both promises are among the [laws] of the module. Fields
// that a struct does not have are kept in [Extra] and written again, after the
// others. Properties are read and written by package codec, with its errors: a message
// that holds an unknown signature is refused.
//
// Depth is counted as protobuf-go counts it, from the outermost message.
//
// # JSON
//
// [AppendJSON] and [DecodeJSON] use protobuf's JSON form, in which engines log their
// calls. DecodeJSON accepts both spellings of names. As in protojson, a name that the
// message does not have is an error, unless [Options] say otherwise, and so is a name
// that occurs twice, even in different spellings. The JSON form has no place for
// Unrecognized. Numbers in properties follow codec.Options.RoundNumbers. [ReadLog] reads
// such a log from a stream, call by call.
//
// # Secrets
//
// The bytes and the JSON form of a message contain secrets in full. What fmt, slog and
// encoding/json print of a struct, or go-cmp, testify and other printers for tests, does
// not: what may be secret hides itself. Properties are masked as values are, and
// configuration, tokens, opaque bytes and Unrecognized are a [Hidden] each.
//
// What encoding/json writes of a message is for logs, and not protobuf's JSON form.
// json.Unmarshal of a message returns an error that names [DecodeJSON]. As usual in Go, a
// method that needs the fields of a message panics if the pointer to the message is nil.
// The methods of [*Error] do not.
//
// # Limits
//
// [NewCall] does not support streams (List), which are left to the owner of the
// connection. Of ResourceMonitor, the methods that register or read resources, register
// outputs and packages, invoke functions, call methods and ask for features are supported;
// RegisterResourceHook, RegisterErrorHook and GetDeploymentInfo are not. Of Engine, Log is
// supported, and all of ResourceStatus. Only [ReadLog]
// does I/O, on the reader that it is given.
//
// Reading a message allocates at most 100 bytes for each of its bytes, in either
// form (the worst measured are 91, for empty steps of views). Package codec documents what
// properties take.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package rpc
