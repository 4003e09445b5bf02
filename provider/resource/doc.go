// Package resource makes a provider of Go structs and functions.
//
// A resource has a token, a struct for its arguments and one for its state, and the
// functions that make, read, change and delete it:
//
//	type fileArgs struct {
//		Path string `pulumi:"path" provider:"replaceOnChanges"`
//		Text string `pulumi:"text"`
//	}
//
//	type file struct {
//		fileArgs
//		Size int `pulumi:"size"`
//	}
//
//	var files = resource.Of[fileArgs, file]{
//		Token:  "notes:index:File",
//		Create: func(ctx context.Context, args fileArgs) (id string, state file, err error) { … },
//		Read:   func(ctx context.Context, id string, old file) (file, error) { … },
//		Update: func(ctx context.Context, id string, old file, args fileArgs) (file, error) { … },
//		Delete: func(ctx context.Context, id string, old file) error { … },
//	}
//
// [New] returns a provider with all methods of the protocol, which package interop/grpc
// serves. There are [Func] and [Component] beside [Of]. What the provider does besides calling
// your functions:
//
//   - It finds the resource of a request, and decodes its properties into structs.
//   - Check fills in defaults and names, and reports what is wrong by its place.
//   - Diff follows from the schema and the tags; see [provider.Differ].
//   - In a preview your functions are not called. What the inputs say is known, what only the
//     state has is unknown; see Of.Predict. Where the service writes texts its own way, they are
//     as it wrote them.
//   - What was secret in the inputs is so in the state, and a text in the state that contains a
//     secret text is secret too.
//   - Read's inputs are those of [provider.Differ.ReadInputs].
//   - An error does not show the secrets of the call, and a panic becomes an error.
//   - The context of a call ends at its timeout, and when the engine cancels.
//
// # Tags
//
// Fields are those of package value/bind: the tag pulumi has the name, and whether the
// property is optional. A field whose name is "-" is no property, such as the ID in the answer
// of a service, which a program has anyway. The tag provider has further words:
//
//	secret            the value is secret
//	replaceOnChanges  another value replaces the resource
//	shown             the value is shown, for example in the ID, and cannot be a secret
//	writeOnly         the service does not return it: a zero one stands for that of the inputs or the old state
//	computed          the service fills in what the program leaves out: the value if there is none, and
//	                  more in a map, an object or a list; in a preview that is unknown
//	stable            an output that updates do not change
//	set               a list whose order does not matter
//	fold              texts are equal whatever the case of their letters
//	json              texts hold JSON: white space and the order of members do not matter
//
// [New] refuses others, and shown, writeOnly, computed and stable at the fields of a property.
//
// The tag default has a value as text, and the tag env names environment variables that come
// before it. A property with a default need not be given.
//
// # Schema
//
// The schema of a package follows from its types; [Package.Document] returns it. To add
// descriptions and the values of enums, which only the source has, write it to a file with
// package provider/resource/resourcetest, and embed the file as Package.Schema. A schema that
// was written by hand works as well. The provider checks inputs by it, takes defaults and
// secrets from it, and what forces a replacement.
//
// # Plain methods
//
// Everything can be replaced: Of.Plain has methods of the protocol for one resource, and a
// type that embeds *[Provider] may have its own for all.
package resource
