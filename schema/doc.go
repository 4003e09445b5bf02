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
//   - Objects of Pulumi's wire format are what they are in values: a description that is the
//     text of an unknown is not a string, and a document that has a secret is refused.
//   - Types and resources of other packages are not looked up: any value passes for a
//     type, any constant may be its default, and a reference to any resource with the token
//     passes for a resource.
//   - References in descriptions are not followed.
//   - Members that Pulumi decodes without looking at them are checked: properties of enums,
//     members of results that only types of another form have, results whose properties
//     cannot be read, plain where it is not a boolean, names of the provider that is extended,
//     versions of parameters, which Pulumi makes 0.0.0 where they are missing, and
//     parameters, which it reads from lists of numbers too.
//   - Each dangling reference has the primitive type that is next to it. Pulumi takes that of
//     the first reference with the token.
package schema
