// Package bind reads property values into Go structs, and makes values of them.
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
// A nil slice or map is null. A member that is null or missing leaves an optional field
// as it was; an optional field that is zero is left out by [Encode]. If the elements of a
// map cannot hold a null, a null member is left out, which means the same. In a list of
// such elements a null is an error, since leaving it out would move the others. Fields of
// an embedded struct count as fields of the outer one. The tag "-" leaves a field out.
//
// All other types are errors, as are structs whose fields are all unexported, two fields
// with one name, an exported field without a tag (but see [Options].LowerCamel), and an
// embedded pointer.
//
// A field of a plain type cannot hold what values have beyond JSON. A secret in it is
// plain text to the program; the [Info] that [Decode] returns remembers the secrets and
// dependencies, and [Info.Encode] puts them back. An unknown is an error, unless
// [Options].AllowUnknown is set. A field of type [Output] holds all three.
package bind
