// Package bind decodes property values into Go structs, and encodes structs as values.
//
// Fields are named by tags, as in Pulumi's Go SDK:
//
//	type bucketArgs struct {
//		Name     string             `pulumi:"name"`
//		Size     int                `pulumi:"size,optional"`
//		Tags     map[string]string  `pulumi:"tags,optional"`
//		Password string             `pulumi:"password,secret"`
//		Role     bind.Output[string] `pulumi:"role"`
//	}
//
// [Decode] reads inputs, and lists everything that is wrong with them in one error. The
// [Info] that it returns knows which of them were secret, and [Info.Encode] makes a value
// of the changed struct in which they still are:
//
//	var args bucketArgs
//	info, err := bind.Decode(inputs, &args, bind.Options{})
//	if err != nil {
//		return err // rpc.CheckFailuresOf turns it into failures for Check to return
//	}
//	args.Size++
//	outputs, err := info.Encode(args)
//
// # Details
//
// Types and values correspond as follows.
//
//	bool, string, and types made of them    bool, string
//	integers and floats                     number, exactly
//	slices of bytes                         string of these bytes
//	other slices, arrays                    array; an array has its length
//	maps whose keys are strings             object
//	structs                                 object
//	pointers                                null if nil, else what they point to
//	value.Value                             any value, with its marks
//	value.Asset, value.Archive              asset, archive
//	value.ResourceReference                 resource reference
//	time.Duration                           string such as "1h30m"
//	encoding.TextMarshaler that is also     string
//	an encoding.TextUnmarshaler
//	Output                                  what its type is, or unknown; with marks
//
// A nil slice or map is null. If a member is null or missing, [Decode] leaves an optional
// field unchanged; [Encode] omits an optional field that is zero, except for one with the
// tag default, since a missing member means the default. If the elements of a map cannot
// hold a null, a null member is omitted, which means the same. In a list of such elements a
// null is an error, since omitting it would change the indexes of the others. Fields of an
// embedded struct count as fields of the outer one. A field with the tag "-" is ignored.
//
// All other types are errors, as are structs whose fields are all unexported, two fields
// with one name, an exported field without a tag (but see [Options].LowerCamel), and an
// embedded pointer.
//
// A field of a plain type cannot hold an unknown, a secret mark or dependencies. A secret
// in such a field is plain data; the [Info] that [Decode] returns records which places
// were secret and what they depended on, and [Info.Encode] restores that. An unknown is
// an error, unless [Options].AllowUnknown is set. A field of type [Output] holds all
// three.
package bind
