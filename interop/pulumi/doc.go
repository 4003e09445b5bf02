// Package pulumi moves property values and paths between this library and the
// classic model of Pulumi's Go SDK (sdk/v3/go/common/resource).
//
//	props, err := pulumi.ToPropertyMap(bag)   // to call a function of the SDK
//	if err != nil {
//		return err // what the SDK cannot hold, with its path
//	}
//	bag, err = pulumi.FromPropertyMap(props)  // and back: Identical to what it was
//
// # Lossless or loud
//
// [FromPropertyValue] of what [ToPropertyValue] made is Identical to the value
// that was given. What the SDK has no room for is an error with its path:
//   - [ErrSealed]: a secret that was not decrypted
//   - [ErrSource]: an asset or archive whose path, URI or (with a hash) text is
//     empty, since the SDK tells sources apart by which text is not empty
//   - [ErrMarks]: a bag that is secret or has dependencies as a whole, or a bag
//     handed out of a secret container
//   - [ErrDepth]: more than [MaxDepth] containers in one another
//
// The other way round the SDK can say one thing in several ways, and here it has
// one form: a secret in a secret is one secret; an output in an output is one
// output with the dependencies of both; an output that is known, not secret and
// depends on nothing is what is in it, and one that is not known and depends on
// nothing is an unknown; dependencies are sorted, each there once; an ID that is
// there and empty is not known; a text asset without a hash is hashed. What
// fits nowhere is an error: two sources in one asset ([ErrSource]), an archive
// entry that is no asset ([ErrKind]), an ID that is no string ([ErrKind]), Go
// types that the SDK does not allow, nil pointers among them ([ErrKind]).
//
// # Paths
//
// In a resource.PropertyPath the key "*" stands for both the wildcard and a
// member of that name. As a path ([FromPath], [ToPath]) it is the member; as a
// pattern ([FromPathPattern], [ToPathPattern]) the wildcard, and a pattern with
// the key "*" is an error that wraps [ErrStar]. Indexes below 0 or above
// path.MaxIndex are errors that wrap [ErrRange].
//
// # Differences
//
// What this library and the SDK make of the same bytes is compared by the tests
// of this package; where they differ on purpose, docs/differences.md says so.
package pulumi
