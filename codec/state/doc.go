// Package state reads and edits state files: stack exports (`pulumi stack export`) and the
// checkpoints that backends store.
//
// # Shapes
//
//	{"version": 3, "deployment": {…}}              stack export
//	{"version": 3, "checkpoint": {"latest": {…}}}  checkpoint
//	{"target": …, "latest": {…}}                   checkpoint without a version, of old backends
//	{"manifest": …, "resources": […]}              bare deployment
//
// Versions 3 and 4 have the same shape. [IsState] distinguishes such a document from a
// property bag.
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
// Resources are read one at a time, in the order of the file, with every field that
// Pulumi's engine writes. [File.Manifest], [File.PendingOperations] and
// [File.IntegrityError] return parts of the deployment, and read them on demand.
// Members that this package does not know are kept as they are: those of a resource
// in [Resource.Extra], those of the deployment in [File.Fields], those around it in
// [File.Envelope].
//
// # Comparing
//
// [Compare] pairs the resources of two stacks and compares them, with little memory
// for files of any size. Engines encrypt every secret again each time they save a
// stack: resources in which nothing else differs are reported as [Resealed].
//
// # Editing
//
// [Rewrite] copies a file with [Edits]: it renames a stack, a project or resources
// wherever something refers to them, deletes resources, changes properties, clears pending
// operations. Every other byte stays as it is. What would leave a reference to nothing is
// an error that names both ends, and nothing is written then.
//
// # Secrets
//
// Encrypted secrets are read as [value.Sealed]. A [Decrypter] gets all ciphertexts of a
// document in one call ([File.Decrypt]), or those of a batch of resources
// ([Reader.Decrypt]) or values ([DecryptBags]). A failure is an error, never a null:
// one of the module's [laws]. A plaintext is read as if it were `plaintext` in the file:
// it is secret, its depth adds to that of its place, and errors have the path of the
// secret and nothing of its contents. Engines encrypt the outermost secret only: a secret
// inside another is JSON in clear, and no [Decrypter] gets it.
//
// In the other direction [EncodeBags] writes values as Pulumi's engine does, encrypted
// in one call of an [Encrypter] or as plaintext. State files cannot hold dependencies
// and hints of unknowns.
//
// # Streams
//
// A [File] holds the whole text in memory, once, and its values share that memory
// ([value.Value.Compact] copies one). Reading takes two passes: one validates the text
// and finds the resources, one reads each resource on demand. A [Reader] reads a file
// of any size, with one window and one resource in memory. Both read the same, with
// the same errors; but a Reader yields resources before it has read the rest, so an
// error may follow some. It fills its window and reads all of a resource before it
// yields it, which makes it unsuitable for input that is written slowly.
//
// For an index of a large file, [Reader.Entries] yields the names, places and digests
// of the resources without their properties; [Entry.Resource] and [Entry.Reread] read
// those.
//
// # What is refused
//
//   - text that is not JSON or is cut off, with the byte offset and the number of whole
//     resources before it; and duplicate member names
//   - other versions, documents with two deployments, and other files that engines
//     write: plans, previews, logs. A deployment has a manifest or resources, or has
//     only members that engines write
//   - resources that are not objects or have no URN, and members of the wrong kind; null
//     counts as missing
//   - inputs and outputs that package codec refuses, or that are encrypted as a whole:
//     engines encrypt members
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package state
