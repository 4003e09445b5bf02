// Package urn reads, checks, changes and builds Pulumi resource names (URNs).
//
//	urn            = "urn:pulumi:" stack "::" project "::" qualified type "::" name
//	qualified type = type { "$" type }          the outermost parent first, the resource's own type last
//	type           = package ":" [ module ":" ] type name
//
// A [URN] is made by [Parse] from text, or by [Build] from its [Parts]. It is an immutable value that can be compared with == and be a map key.
// Its parts are slices of its text: reading one allocates nothing, and neither does parsing.
//
//	u, err := urn.Parse("urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets")
//	if err != nil {
//		return err // errors.Is(err, urn.ErrSyntax); *urn.Error says where and what was wanted
//	}
//	u.Stack()                    // "dev"
//	u.QualifiedType()            // "my:index:Web$aws:s3/bucketV2:BucketV2"
//	u.Type()                     // "aws:s3/bucketV2:BucketV2"
//	u.Module()                   // "s3/bucketV2"
//	u, err = u.WithStack("prod") // the same resource in another stack
//
// # Two grammars
//
// The lax grammar is what exists in the world, and what [Parse] reads: the prefix, then at least three "::". Stack, project and qualified type
// each end at the first "::" from where they begin; the name is everything after the third one, byte for byte. So
//
//   - every part may be empty, and hold control characters or bytes that are not UTF-8;
//   - the name may contain "::" (a provider reference is the provider's URN, "::" and its ID: the ID reads as part of the name), "$", "/", newlines, anything;
//   - of three colons in a row, the first two separate and the third begins the next part;
//   - a type may be a single word, and its module may contain anything but "::" and "$".
//
// The spec grammar is the published EBNF, in which a type has one parent type at most: [URN.CheckSpec] holds a URN against it, and
// [URN.CheckSpecNested] against the same with any number of parent types. There, stack, project and name are valid UTF-8 without "::" (and may be empty, as the EBNF lets them); package, module and type name are identifiers: a Unicode
// letter, then letters, decimal digits and "_". Most real URNs of bridged providers are outside it, since their modules contain "/". Where three
// colons in a row give the EBNF two readings (the first of them may end the part before), either will do.
//
// # Types
//
// The package is what stands before the first ":" of a type, the type name what stands after the last, the module what stands between the two:
//
//	aws:s3/bucketV2:BucketV2    "aws"     "s3/bucketV2"   "BucketV2"
//	pulumi:providers:aws        "pulumi"  "providers"     "aws"
//	pkg:Thing                   "pkg"     ""              "Thing"
//	Component                   ""        ""              "Component"
//	awsx:x:ecs:FargateService   "awsx"    "x:ecs"         "FargateService"
//
// A qualified type is cut at every "$", the empty pieces included: "$T" has one parent type, the empty one.
//
// # Building
//
// [Build], and the methods that change one part, fail with [ErrPart] unless parsing the result gives the same parts back: no "::" in stack, project or
// types, no "$" in a type, no ":" at the end of stack, project or the resource's own type. (A parent type may end in ":", since "$" follows it.) Empty parts are
// no error, since the lax grammar reads them. One exception: the type of the root stack, [RootStackType], is dropped where it is the only parent,
// for Pulumi does not write it there; a text that has it is still parsed as it is, and keeps it when another part is changed.
//
// # Differences from Pulumi's Go SDK
//
//   - The SDK asks for three "::" anywhere in the text, the last colon of the prefix among them, so that it takes urn:pulumi::a::b::c, with the stack
//     ":a", the project "b", the type "c", and for want of a third "::" the whole ":a::b::c" as name. Parse refuses that, and whatever else has only two
//     "::" behind the prefix. What Parse takes, the SDK takes too, with the same parts.
//   - The SDK's token for a module includes the package ("aws:s3/bucketV2"); [URN.Module] is the part between the colons only.
//   - The SDK builds from anything, and from the parents' types as one string, which it drops when all of it is the root stack's type. [Build] refuses what
//     would read back differently; [Parts] has a list, whose elements hold no "$".
//
// # Limits
//
// Text of any length is parsed, in time that grows with what stands before the name, however long that is. Stack, project and qualified type must end within
// the first 2 GiB. The text that was parsed is kept, not copied: a URN sliced out of a big document keeps that document in memory (strings.Clone helps).
// encoding/json replaces bytes that are not UTF-8 in what MarshalText gives it, so such a URN does not survive JSON.
package urn
