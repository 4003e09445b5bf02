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
//
// # Checking
//
// A null counts as a missing property, unless null has the type. An unknown has every
// type, and marks do not matter. Some properties are not checked: those whose names begin
// with "__", where engines and providers keep notes; id, which many providers put into
// the state; and version, which engines add to the inputs of the provider itself. In
// place of a reference to a resource, its ID or its URN is accepted, since engines send
// one of these to providers that do not accept references.
//
// A value has the type of a union if one of the alternatives fits. If the value has the
// discriminator, that selects the alternative; otherwise, if only one alternative has
// values of the value's kind, that alternative is selected. The problems are then those
// with the selected alternative. If there are several of that kind and none fits, the
// problem gives a reason for each. The type that a union may have next to its
// alternatives, for SDKs without unions, counts only if no alternative has values of the
// value's kind.
package schema
