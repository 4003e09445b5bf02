// Package rpc holds the messages of Pulumi's provider protocol as plain Go structs,
// with property values in place of google.protobuf.Struct. It has all messages of
// ResourceProvider, and those of ResourceMonitor that a component provider needs.
//
//	var req rpc.DiffRequest
//	if err := rpc.Unmarshal(data, &req, rpc.Options{}); err != nil {
//		return err // names message, field, path and offset; holds no payload
//	}
//	u, err := req.ParseURN()
//	…
//	data, err = rpc.Marshal(&rpc.DiffResponse{
//		Changes:      rpc.DiffSome,
//		DetailedDiff: map[string]rpc.PropertyDiff{"size": {Kind: rpc.PropertyDiffUpdate}},
//	}, rpc.Options{})
//
// A server or client of grpc-go uses [Codec]: grpc.ForceServerCodec(rpc.Codec{}).
// Nothing is registered with protobuf, so a program may link Pulumi's SDK as well.
//
// # The structs
//
// They are generated from a table of the protocol. A field is absent if it is zero.
// Where the protocol distinguishes absent from zero the field is a pointer: optional
// fields, members of a oneof, messages, and google.protobuf.Value, of which null is
// a value. Properties need no pointer: Null is absent, an empty object is present
// and empty. Empty lists and maps are absent. Enums keep numbers that have no name.
// URNs, paths and patterns are the strings that were sent; the methods named Parse…
// parse them.
//
// At most one field of a oneof may be set: writing two is an error that wraps
// [ErrOneof].
//
// # Bytes
//
// The same message always gives the same bytes, those of protobuf-go's deterministic
// marshalling. Reading accepts and refuses what protobuf-go does, with the same meaning:
// of repeated scalar fields the last one wins, messages and properties are merged. Both
// are among the [laws] of the module. Fields that a struct does not have are kept in
// Unrecognized and written again, after the others. Properties are read and written
// by package codec, with its errors: a message that holds an unknown signature is
// refused.
//
// Depth is counted as protobuf-go counts it, from the outermost message.
//
// # JSON
//
// [AppendJSON] and [DecodeJSON] use protobuf's JSON form, in which engines log their
// calls. Both spellings of names are read. A name that the message does not have is
// an error, as in protojson, unless [Options] say otherwise; duplicate names are
// errors, in either spelling. The form cannot hold Unrecognized. Numbers in
// properties follow codec.Options.RoundNumbers. [ReadLog] reads such a log from a stream,
// call by call.
//
// # Secrets
//
// Bytes and the JSON form hold secrets in full. What fmt, slog and encoding/json print of
// a message does not: properties are masked as values are, configuration and tokens are
// "[secret]", and of bytes only the length is shown. Masking is done by methods, which
// fmt does not call for an unexported field of a caller's struct, nor for %p or %w, which
// go vet reports. Printers made for tests, such as go-cmp and testify, do not call them
// either. Such a printer shows the texts of the message's own fields, including
// configuration and tokens, but no secret in properties.
//
// encoding/json writes the masked text and cannot read a message: UnmarshalJSON returns
// an error that names [DecodeJSON]. As usual in Go, methods that need the fields of a
// message panic if the pointer to it is nil. Those of a nil [*Error] do not.
//
// # Limits
//
// Streams (List) are left to the owner of the connection: [NewCall] does not support
// them. ResourceMonitor is limited to registering and reading resources, their outputs,
// Invoke and SupportsFeature; Call, RegisterPackage, RegisterResourceHook,
// RegisterErrorHook and GetDeploymentInfo are missing. Only [ReadLog] does I/O, on the
// reader it is given.
//
// Reading a message allocates at most 100 bytes for each of its bytes, in either
// form (the worst measured are 82, for empty views). Package codec documents what
// properties take.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package rpc
