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
//   - Member names are read in exactly one spelling, and once: Go's encoding/json, which
//     Pulumi uses, reads NAME as name, and merges an object that is there twice.
//   - Types and resources of other packages are not looked up: any value passes for a
//     type, and a reference to any resource with the token for a resource.
//   - References in descriptions are not followed.
//
// A default that is an object of Pulumi's wire format, such as a secret, is refused, as
// any object is.
package schema
