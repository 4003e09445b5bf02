// Package state reads and edits state files: stack exports (`pulumi stack export`) and the
// checkpoints that backends store.
//
// Resources are read one at a time, in the order of the file, with every field that
// Pulumi's engine writes:
//
//	file, err := state.Parse(data, state.Options{})
//	if err != nil {
//		return err // one line, with an offset and the number of resources before it
//	}
//	for r, err := range file.Resources() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(r.URN, r.Inputs.Len())
//	}
//
// [Parse] holds the file in memory, and a [Reader] reads one of any size. [Compare] compares
// the resources of two stacks, and [Rewrite] renames, deletes and changes resources in a
// file and leaves every other byte as it is. The error of all of them is an [*Error], which
// says where in the file, and never contains a property value.
//
// # Shapes
//
//	{"version": 3, "deployment": {…}}              stack export
//	{"version": 3, "checkpoint": {"latest": {…}}}  checkpoint
//	{"target": …, "latest": {…}}                   checkpoint without a version, of old backends
//	{"manifest": …, "resources": […]}              bare deployment
//
// Versions 1 to 4 have the same shape. What has an older version than 3, or is a checkpoint
// without one, is read as engines migrate it: members that its version does not have are
// kept as they are, and each input depends on all that the resource depends on. [IsState]
// distinguishes such a document from a property bag.
//
// # Fields
//
// [File.Manifest], [File.PendingOperations] and [File.IntegrityError] read and return other
// parts of the deployment when they are called. Members that this package does not know are
// kept unchanged: those of a resource in [Resource.Extra], those of the deployment in
// [File.Fields], and those of the objects that enclose the deployment in [File.Envelope].
//
// # Comparing
//
// [Compare] pairs the resources of two stacks and compares them, in little memory even if
// the files are large. [CompareResources] does so for resources that the caller has, and
// [ComparePair] compares two of them. Engines encrypt every secret again each time they save a stack, so
// resources in which only ciphertexts differ are reported as [Resealed]. To find out which
// secrets changed, compare files with decrypted secrets, as `pulumi stack export
// --show-secrets` writes them. A replacement in between shows as [Updated], with another
// `id` in the metadata; while the old resource waits for its deletion, as the new one and
// one that is pending deletion.
//
// # Editing
//
// [Rewrite] copies a file with [Edits]: it renames a stack, a project or resources
// wherever something refers to them, deletes resources, changes properties and other
// members, clears pending operations. Every other byte stays as it is. An edit that would leave a
// reference to a resource that it deletes is an error, which names both resources; nothing
// is written in that case. What was broken before does not matter, and stays so. [Numbers]
// says which resources names stand for. [Repair] mends a file that engines refuse, and says
// what it changes before it writes anything. [Move] takes resources from one file to another.
// A file with [File.UnknownFeatures] is edited only if
// [Edits.UnknownFeatures] permits it.
//
// # Checking
//
// [Check] finds what is wrong with a file: what engines refuse to load, such as a reference
// to what is not there or comes later, and what makes trouble later. A record is named by its
// URN or, if others before it have the same one, by URN#2.
//
// # Secrets
//
// Encrypted secrets are read as [value.Sealed]. A [Decrypter] gets all ciphertexts of a
// document in one call ([File.Decrypt]), or those of a batch of resources
// ([Reader.Decrypt]) or values ([DecryptBags]). It is one of the module's [laws] that a
// failure to decrypt is an error and never yields a null. A decrypted text is read as if
// the file had it as `plaintext`: the value is secret, its depth is added to that of its
// place, and errors have the path of the secret but no part of its contents. Engines
// encrypt the outermost secret only: a secret inside another is JSON in clear, and no
// [Decrypter] gets it.
//
// In the other direction [EncodeBags] writes values as Pulumi's engine does, encrypted
// in one call of an [Encrypter] or as plaintext. State files cannot hold dependencies
// and hints of unknowns.
//
// # Streams
//
// A [File] holds the whole text in memory, once, and its values share that memory
// ([value.Value.Compact] copies one). Reading takes two passes: one validates the text
// and finds the resources, one reads each resource on demand. A [Reader] reads a file of
// any size, with one window and one resource in memory. Both return the same resources
// and errors, but a Reader yields resources before it has read the rest of the file, so
// an error may come after some of them. A Reader fills its window, and reads a resource
// to its end, before it yields the resource. It is therefore unsuitable for input that
// arrives slowly.
//
// To index a large file, use [Reader.Entries], which yields the names, offsets and
// hashes of the resources without their properties.
//
// # What is refused
//
//   - text that is not JSON or is cut off, with the byte offset and the number of whole
//     resources before it; and duplicate member names
//   - other versions, documents with two deployments, and other files that engines write,
//     such as plans, previews and logs. To count as a deployment, an object must have a
//     manifest or resources, or no members but those that engines write
//   - resources that are not objects or have no URN, and members of the wrong kind; null
//     counts as missing
//   - inputs and outputs that package codec refuses, or that are encrypted as a whole:
//     engines encrypt members
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package state
