// Package schema reads the schemas of Pulumi packages, and checks values against them.
//
// A schema is the document in which a provider describes its resources, functions and
// configuration to code generators: their properties, the types of these, and which of
// them are required, are secret, or force a replacement. A provider that checks its
// inputs against its schema need not repeat those facts in code:
//
//	pkg, err := schema.Read(document, schema.Options{})
//	…
//	bucket, _ := pkg.Resource("demo:index:Bucket")
//	err = bucket.Inputs().Check(inputs)
//
// # Reading
//
// [Read] accepts and refuses the same schemas as the command pulumi schema check. It
// reports all problems, each with a JSON pointer. Members that the metaschema does not
// have are ignored, but kept in [Package.Document]. Read differs from the command as
// follows:
//
//   - The text is decoded by package codec: case matters in member names, duplicate names
//     are refused, strings are UTF-8, and [codec.Options.Depth] limits the nesting. Go's
//     encoding/json, which Pulumi uses, reads NAME as name, merges duplicate objects, and
//     replaces invalid UTF-8.
//   - Signatures of Pulumi's wire format keep their meaning: a description that consists
//     of the sentinel of an unknown is not a string, and a document with a secret is
//     refused.
//   - Types and resources of other packages are not looked up: any value fits such a
//     type, any constant may be a default for it, and a reference fits such a resource if
//     its token is the same.
//   - References in descriptions are not followed.
//   - The regular expression meta.moduleFormat has at most 64 bytes, and at most 100
//     instructions when it is compiled.
//   - Read also checks members that Pulumi decodes without checking them: the properties
//     of enums and of results, members of results that belong to another form of type,
//     the kind of plain, the name of an extended provider, and parameters and their
//     versions. (Pulumi treats a missing version as 0.0.0, and also reads parameters from
//     lists of numbers.)
//   - A dangling reference has the primitive type that is given next to it. Pulumi uses
//     the type given next to the first reference with the same token.
package schema
