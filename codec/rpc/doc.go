// Package rpc has the messages of Pulumi's provider protocol as plain Go structs,
// with property values in place of google.protobuf.Struct: those of
// ResourceProvider, and of ResourceMonitor what a component provider needs.
//
//	var req rpc.DiffRequest
//	if err := req.UnmarshalProto(data); err != nil {
//		return err // message, field, path and offset; no payload
//	}
//	u, err := req.ParseURN()
//	…
//	data, err = (&rpc.DiffResponse{
//		Changes:      rpc.DiffSome,
//		DetailedDiff: map[string]rpc.PropertyDiff{"size": {Kind: rpc.PropertyDiffUpdate}},
//	}).MarshalProto()
//
// A server or client of grpc-go uses [Codec]: grpc.ForceServerCodec(rpc.Codec{}).
// Nothing is registered with protobuf, so a program may link Pulumi's SDK beside
// this package. Where the options of a codec are wanted, use [Wire].
//
// # The structs
//
// They are generated from a table of the protocol. A field is absent if it is
// zero; where the protocol tells absent and zero apart it is a pointer: optional
// fields, fields of a oneof, messages, and google.protobuf.Value, of which null is
// a value. Properties need none: Null is absent, an empty object is there and
// empty. Lists and maps that are empty are absent. Enums keep numbers that have
// no name. URNs, paths and patterns are the strings that were sent; the methods
// named Parse… read them.
//
// Of a oneof at most one field may be set: writing two is an error that wraps
// [ErrOneof].
//
// # Bytes
//
// What is written is the same every time (law 17), and byte for byte what
// protobuf-go's deterministic marshalling writes. What is read, and refused, is
// what protobuf-go reads and refuses, and means the same (law 15): of what stands
// twice the last one wins, messages and properties are merged. Fields that a
// struct has not are kept in Unrecognized and written again, behind the others.
// Properties are those of package codec, with its errors: a message with an
// unknown signature in it does not come through.
//
// Depth is counted as protobuf-go counts it, from the outermost message on.
//
// # JSON
//
// [Wire.AppendJSON] and [Wire.DecodeJSON] have protobuf's JSON form, which the
// engine's log of calls is made of. Both spellings of names are read; a name that
// a message has not is an error, as in protojson, unless [SkipNames] passes it
// over. Names that stand twice are errors, in either spelling. The form has no
// place for Unrecognized. Numbers in properties follow codec.Options.Numbers.
// [ReadLog] reads such a log from a stream, call by call.
//
// # Secrets
//
// Bytes and the JSON form hold secrets in full. What fmt, slog and encoding/json
// show of a message does not (law 6): properties as values show them, "[secret]"
// for configuration and tokens, of bytes only how many there are. A message in
// an unexported field of a caller's struct is printed by fmt without asking it, and
// so is one under %p or %w, which go vet finds; printers made for tests, such as
// go-cmp and testify, ask none: then the texts of its own fields are seen,
// configuration and tokens too. What is secret in properties is not, by any of them.
//
// encoding/json writes that text and reads nothing: UnmarshalJSON refuses, and names
// [Wire.DecodeJSON]. Methods that need the fields of a message panic if the pointer to
// it is nil, as elsewhere in Go; those of a nil [*Error] do not.
//
// # Limits
//
// Streams (List) are left to whoever has a connection; [NewCall] does not know
// them. Of ResourceMonitor there is what a component provider needs: registering
// and reading resources, their outputs, Invoke and SupportsFeature; not Call,
// RegisterPackage, RegisterResourceHook, RegisterErrorHook and GetDeploymentInfo.
// Nothing here does I/O, but for [ReadLog], which reads what it is handed.
//
// Reading a message allocates at most 100 bytes for each of its bytes, in either
// form; the worst are 82, for views that are empty. What properties take is said in
// package codec.
package rpc
