// Package schema reads Pulumi package schemas, and checks values by them.
//
// A schema is the document in which a provider describes its resources, functions and
// configuration to code generators: which properties there are, of what type, and which
// of them are required, secret, or force a replacement. A provider that checks its inputs
// by its schema does not need the same facts in code:
//
//	pkg, err := schema.Read(document, schema.Options{})
//	…
//	bucket, _ := pkg.Resource("demo:index:Bucket")
//	err = bucket.Inputs().Check(inputs)
//
// # Reading
//
// [Read] accepts what pulumi schema check accepts and refuses what it refuses, and lists
// everything that is wrong, with JSON pointers. Members that are not in the metaschema are
// ignored, and kept in [Package.Document]. The differences:
//
//   - The text is read as package codec reads JSON: member names have one spelling and are
//     there once, strings are UTF-8, and nesting has the limit of [codec.Options.Depth].
//     Go's encoding/json, which Pulumi uses, reads NAME as name, merges an object that is
//     there twice, and replaces what is not UTF-8.
//   - Values of Pulumi's wire format keep their meaning: a description whose text is that
//     of an unknown is not a string, and a document with a secret is refused.
//   - Types and resources of other packages are not looked up: any value has such a type,
//     any constant may be its default, and a reference fits such a resource if it has the
//     token.
//   - References in descriptions are not followed.
//   - Members that Pulumi decodes but does not check are checked: the properties of enums
//     and of results, members of results that belong to another form of type, plain if it
//     is not a boolean, the name of an extended provider, and parameters and their
//     versions. (Pulumi takes a missing version for 0.0.0, and reads parameters from
//     lists of numbers too.)
//   - A dangling reference has the primitive type next to it. Pulumi uses the one next to
//     the first reference with the same token.
package schema
