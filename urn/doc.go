// Package urn parses, checks, changes and builds the URNs of Pulumi resources.
//
//	urn            = "urn:pulumi:" stack "::" project "::" qualified type "::" name
//	qualified type = type { "$" type }          the outermost parent first, the resource's own type last
//	type           = package ":" [ module ":" ] type name
//
// A [URN] is made by [Parse] from a text, or by [Build] from its [Parts]. It is an
// immutable value that can be compared with == and used as a map key. Its parts are
// slices of its text, so neither parsing nor reading a part allocates.
//
//	u, err := urn.Parse("urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets")
//	if err != nil {
//		return err // errors.Is(err, urn.ErrSyntax); *urn.Error has the offset and what was expected
//	}
//	u.Stack()         // "dev"
//	u.QualifiedType() // "my:index:Web$aws:s3/bucketV2:BucketV2"
//	u.Type()          // "aws:s3/bucketV2:BucketV2"
//	u.Module()        // "s3/bucketV2"
//
//	parts := u.Parts()
//	parts.Stack = "prod"
//	u, err = urn.Build(parts) // the same resource in another stack
//
// # Two grammars
//
// The lax grammar covers the URNs that exist, and is what [Parse] accepts: the prefix,
// then at least three "::". Stack, project and qualified type each end at the first "::"
// after their beginning; the name is everything after the third one, byte for byte. So
//
//   - every part may be empty, and may hold control characters or bytes that are not
//     UTF-8;
//   - the name may contain "::" (a provider reference is the provider's URN, "::" and its
//     ID: the ID is parsed as part of the name), "$", "/", newlines, anything;
//   - of three colons in a row, the first two separate and the third begins the next part;
//   - a type may be a single word, and its module may contain anything but "::" and "$".
//
// The spec grammar is the published EBNF, in which a type has at most one parent type:
// [URN.CheckSpec] checks a URN against it, and [URN.CheckSpecNested] against the same
// with any number of parent types. In it stack, project and name are valid UTF-8 without
// "::" and may be empty; package, module and type name are identifiers: a Unicode letter,
// then letters, decimal digits and "_". Most URNs of bridged providers do not follow it,
// since their modules contain "/". Three colons in a row may be read in two ways; a URN
// is accepted if one of them follows the EBNF.
//
// # Types
//
// The package is the text before the first ":" of a type, the type name the text after
// the last, and the module the text between the two:
//
//	aws:s3/bucketV2:BucketV2    "aws"     "s3/bucketV2"   "BucketV2"
//	pulumi:providers:aws        "pulumi"  "providers"     "aws"
//	pkg:Thing                   "pkg"     ""              "Thing"
//	Component                   ""        ""              "Component"
//	awsx:x:ecs:FargateService   "awsx"    "x:ecs"         "FargateService"
//
// A qualified type is cut at every "$", empty pieces included: "$T" has one parent type,
// the empty one.
//
// # Building
//
// [Build] fails with [ErrPart] unless parsing the result returns the same parts: "::" is
// refused in stack, project and types, "$" in a type, and ":" at the end of the stack, the
// project or the resource's own type. (A parent type may
// end in ":", since "$" follows it.) Empty parts are accepted, as in the lax grammar. One
// exception: the type of the root stack, [RootStackType], is dropped if it is the only
// parent, since Pulumi does not write it there; a text that has it is parsed as it is.
//
// # Differences from Pulumi's Go SDK
//
//   - The SDK requires three "::" anywhere in the text and counts the last colon of the
//     prefix, so it accepts urn:pulumi::a::b::c, with the stack ":a", the project "b", the
//     type "c", and, without a third "::", the whole ":a::b::c" as name. Parse refuses
//     texts with only two "::" after the prefix. Every text that Parse accepts is accepted
//     by the SDK too, with the same parts.
//   - The SDK's token for a module includes the package ("aws:s3/bucketV2"); [URN.Module]
//     is only the text between the colons.
//   - The SDK builds from anything, and takes the parents' types as one string, which it
//     drops if all of it is the root stack's type. [Build] refuses parts that would be
//     parsed differently; [Parts] has a list, whose elements hold no "$".
//
// # Limits
//
// Texts of any length are parsed, in time that grows with the part before the name. Stack,
// project and qualified type must end within the first 2 GiB. The parsed text is kept, not
// copied: a URN sliced from a large document keeps that document in memory (use
// strings.Clone). encoding/json replaces bytes that are not UTF-8 in the result of
// MarshalText, so such a URN does not survive JSON.
package urn
