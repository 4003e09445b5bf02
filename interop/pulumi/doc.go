// Package pulumi converts values, paths, URNs and object diffs between this library
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
// and urn.URN. Package answer converts what a provider answers to Diff.
//
// # Nothing is lost silently
//
// Converting a value with To and back with From yields a value that is Identical to it.
// What the SDK cannot represent is an error with its path:
//   - [ErrSealed]: a secret that was not decrypted
//   - [ErrSource]: an asset or archive whose path, URI or (with a hash) text is empty,
//     since the SDK recognises a source by its text not being empty
//   - [ErrMarks]: a bag that is secret or has dependencies as a whole, or a bag returned
//     from a secret container
//   - [ErrHint]: in the new model, an unknown of which another kind than a string is
//     expected, except with [DropHints]
//   - [ErrDepth]: more than [MaxDepth] nested containers
//   - [ErrLong]: in paths of the new model, a key of 16384 bytes or more
//   - [ErrStar]: in patterns of the classic model, the key "*"
//   - [ErrOrder]: in object diffs, arrays that are not matched index by index
//
// Where the classic model has several forms for the same thing, From reduces them to one:
// a secret in a secret is one secret; an output in an output is one output with the
// dependencies of both; an output that is known, not secret and without dependencies is
// its content, and one that is not known and without dependencies is an unknown;
// dependencies are a sorted set; an empty ID is unknown; a text asset without a hash is
// hashed. Of these, only the last two concern the new model. These are errors: two
// sources in one asset ([ErrSource]), an archive entry that is not an asset ([ErrKind]),
// an ID that is not a string ([ErrKind]) or has marks ([ErrMarks]), Go types that the SDK
// does not allow, nil pointers among them ([ErrKind]), a text that is not a URN
// ([ErrURN]), indexes below 0 or above path.MaxIndex ([ErrRange]), and an object diff
// that contradicts itself ([ErrClash]).
//
// The SDK converts between its own two models, but some of its conversions lose data; see
// docs/differences.md. To convert without loss, convert to a value.Value or a path.Path
// first, and from that to the other model.
//
// # Paths
//
// In a resource.PropertyPath the key "*" may mean the wildcard or a member of that name.
// [FromPropertyPath] and [ToPropertyPath] treat it as the member.
// [FromPropertyPathPattern] and [ToPropertyPathPattern] treat it as the wildcard; a
// pattern with the key "*" is an error that wraps [ErrStar]. The new model distinguishes
// the two.
//
// # Cost
//
// Time and memory are linear in the size of the input, except that the SDK builds a path
// of its new model in time quadratic in its length, which is therefore limited
// ([ToPath]). The classic model is mutable: a result shares no memory that can be written
// to with its input, except an object diff, which shares the values of its two sides, as
// the SDK's own do.
//
// # Differences
//
// The tests of this package give the same bytes, values, paths, URNs and pairs to this
// library and to the SDK, and compare the results; docs/differences.md lists where they
// differ on purpose.
package pulumi
