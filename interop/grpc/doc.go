// Package grpc serves and calls Pulumi's provider protocol with grpc-go and the
// messages of codec/rpc, without generated code and without the Pulumi SDK.
//
//	type resources struct{ grpc.Unimplemented }
//
//	func (resources) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
//		return provider.Differ{}.Answer(r)
//	}
//
//	func main() {
//		err := grpc.Serve(context.Background(), resources{}, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)})
//		if err != nil {
//			fmt.Fprintln(os.Stderr, err)
//			os.Exit(1)
//		}
//	}
//
// The program is a plugin: an engine starts it, reads the port from the first line of
// its output, and calls it.
//
// # What the server does for a provider
//
//   - It writes responses according to what the engine accepts, as reported by
//     Handshake and Configure: secrets, references, outputs and byte strings are
//     lowered or refused by [codec.Features]. Responses to Construct and Call keep
//     outputs if the request accepts them.
//   - It refuses a request that cannot be decoded with the code InvalidArgument, and
//     names the message, the field and the path in its properties. It uses the same code
//     if the provider returns the error of a method that parses a text in the request,
//     such as ParseURN.
//   - It records what an engine accepts separately for each connection, so that another
//     engine attached to the same provider does not affect the responses. Until an engine
//     has reported what it accepts, the server sends everything but outputs.
//   - If a method panics or ends its goroutine, it returns an Internal error, without the
//     value of the panic.
//   - On Cancel it cancels the contexts of the calls in progress on that connection, then
//     calls the provider's Cancel. Later calls are served as before, since an engine
//     sends Cancel at the end of each run, and an attached engine may run again.
//   - It sends errors of the provider as described at [Error].
//
// # The other side
//
// [Client] calls a provider and [Launch] starts one. A Client is a [Provider] itself,
// so a provider can pass calls on to another. [Monitor] is for components: it registers
// their resources with the engine. [Engine] sends messages to the user, and
// [ResourceStatus] tells the engine of the views of a resource.
//
// # Limits
//
// A message may have up to 400 MiB ([DefaultMaxMessage]), as in engines. Nothing is
// registered with grpc or protobuf, so a program may link Pulumi's SDK as well.
// Connections are local and not encrypted, as the protocol requires.
//
// Zero values are empty: their calls fail, and their options are the defaults. Functions
// panic at once if a context, or the provider to serve, is nil.
package grpc
