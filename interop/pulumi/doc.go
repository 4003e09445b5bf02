// Package pulumi moves values, paths, URNs and object diffs between this library
// and Pulumi's Go SDK, in both of its models: the classic one (package resource
// of sdk/v3/go/common) and the new one (package property of sdk/v3/go).
//
//	props, err := pulumi.ToPropertyMap(bag)   // to call a function of the SDK
//	if err != nil {
//		return err // what the SDK cannot hold, with its path
//	}
//	bag, err = pulumi.FromPropertyMap(props)  // and back: Identical to what it was
//
// A function is named after the SDK's type that it makes or takes:
//
//	classic model                     new model
//	resource.PropertyValue            property.Value
//	resource.PropertyMap              property.Map, property.Array
//	resource.PropertyPath, as a path  property.Path, property.PathSegment
//	resource.PropertyPath, as a       property.Glob, property.GlobSegment
//	  pattern (PropertyPathPattern)
//	resource.ObjectDiff               property.ObjectDiff
//	  (ResourceObjectDiff)
//
// and urn.URN. What a provider answers to Diff is moved by package answer.
//
// # Lossless or loud
//
// From of what To made is Identical to the value that was given. What the SDK has
// no room for is an error with its path:
//   - [ErrSealed]: a secret that was not decrypted
//   - [ErrSource]: an asset or archive whose path, URI or (with a hash) text is
//     empty, since the SDK tells sources apart by which text is not empty
//   - [ErrMarks]: a bag that is secret or has dependencies as a whole, or a bag
//     handed out of a secret container
//   - [ErrHint]: in the new model, an unknown of which another kind than a string
//     is expected, unless told to drop that ([DropHints])
//   - [ErrDepth]: more than [MaxDepth] containers in one another
//   - [ErrLong]: in paths of the new model, a key of 16384 bytes or more
//   - [ErrStar]: in patterns of the classic model, the key "*"
//   - [ErrOrder]: in object diffs, arrays that are not matched index by index
//
// The other way round the classic model can say one thing in several ways, and
// here it has one form: a secret in a secret is one secret; an output in an output
// is one output with the dependencies of both; an output that is known, not secret
// and depends on nothing is what is in it, and one that is not known and depends
// on nothing is an unknown; dependencies are sorted, each there once; an ID that
// is there and empty is not known; a text asset without a hash is hashed. In the
// new model the last two are all. What fits nowhere is an error: two sources in
// one asset ([ErrSource]), an archive entry that is no asset ([ErrKind]), an ID
// that is no string ([ErrKind]) or has marks ([ErrMarks]), Go types that the SDK
// does not allow, nil pointers among them ([ErrKind]), a text that is no URN
// ([ErrURN]), indexes below 0 or above path.MaxIndex ([ErrRange]), and an object
// diff that says two things of one place ([ErrClash]).
//
// The SDK converts between its own models and paths, but loses some: see
// docs/differences.md. To get from one to the other whole, go through a
// value.Value or a path.Path.
//
// # Paths
//
// In a resource.PropertyPath the key "*" stands for both the wildcard and a
// member of that name. As a path ([FromPropertyPath], [ToPropertyPath]) it is the
// member; as a pattern ([FromPropertyPathPattern], [ToPropertyPathPattern]) the
// wildcard, and a pattern with the key "*" is an error that wraps [ErrStar]. The
// new model knows both.
//
// # Cost
//
// Time and memory are linear in the size of what is converted, but that the SDK
// builds a path of its new model in time quadratic in its length, which is why
// that has limits ([ToPath]). The classic model is mutable: what is made shares
// nothing that can be written to with what was given, but an object diff, whose
// parts are those of its two sides, as the SDK's own are.
//
// # Differences
//
// What this library and the SDK make of the same bytes, values, paths, URNs and
// pairs is compared by the tests of this package; where they differ on purpose,
// docs/differences.md says so.
package pulumi
