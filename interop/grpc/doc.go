// Package grpc serves and calls Pulumi's provider protocol with grpc-go and the
// messages of codec/rpc, without generated code and without the Pulumi SDK.
//
//	type provider struct{ grpc.Unimplemented }
//
//	func (provider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
//		return rpc.Answer(r, rpc.AnswerOptions{})
//	}
//
//	func main() {
//		err := grpc.Serve(context.Background(), provider{}, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)})
//		if err != nil {
//			fmt.Fprintln(os.Stderr, err)
//			os.Exit(1)
//		}
//	}
//
// The program is a plugin: an engine starts it, reads the port from the first line
// it prints, and calls.
//
// # What the server does for a provider
//
//   - What it answers is written for what the engine said that it accepts, in
//     Handshake and Configure: secrets, references, outputs and byte strings are
//     lowered or refused by [codec.Features]. Outputs are kept in answers to
//     Construct and Call that ask for them.
//   - A request that cannot be read is InvalidArgument, with the message, the field
//     and the path in its properties.
//   - What an engine accepts is kept by connection, so another one that is attached
//     to the same provider changes nothing in its answers. A connection that has
//     said nothing is taken to accept all but outputs.
//   - A method that panics, or ends its goroutine, is Internal, without what it
//     panicked with.
//   - Cancel cancels the contexts of the calls under way on its connection, then
//     calls the provider's. Calls that come after it run: an engine sends Cancel at
//     the end of each run, and one that is attached comes again.
//   - An error of the provider travels as [Error] says.
//
// # The other side
//
// [Client] calls a provider and [Launch] starts one; a Client is a [Provider], so
// one may stand before another. [Monitor] is how a component registers what it is
// made of.
//
// # Limits
//
// Messages up to 400 MiB ([DefaultMaxMessage]), as engines have it. Nothing is
// registered with grpc or protobuf, so a program may link Pulumi's SDK beside this
// package. Connections are local and not encrypted: that is the protocol.
package grpc
