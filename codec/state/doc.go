// Package state reads state files: what `pulumi stack export` writes and the
// checkpoints that backends store.
//
// # Shapes
//
//	{"version": 3, "deployment": {…}}              stack export
//	{"version": 3, "checkpoint": {"latest": {…}}}  checkpoint
//	{"target": …, "latest": {…}}                   checkpoint from before there were versions
//	{"manifest": …, "resources": […]}              bare deployment
//
// Versions 3 and 4 have one shape. [Looks] tells such a document from a property
// bag.
//
//	file, err := state.Parse(data, state.Options{})
//	if err != nil {
//		return err // one line, with an offset and how many resources there were
//	}
//	for r, err := range file.Resources() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(r.URN, r.Inputs.Len())
//	}
//
// Resources come one at a time, in the order of the file, with inputs and
// outputs as values, and with every field that Pulumi's engine writes. Of the
// deployment there are [File.Manifest], [File.PendingOperations] and
// [File.IntegrityError], which are read when they are asked for, as inputs and
// outputs are. Everything that this package does not know is kept as it stands:
// other members of a resource in [Resource.Extra], those of the deployment in
// [File.Fields], those around it in [File.Wrapping].
//
// # Secrets
//
// Secrets that are ciphertext come as [value.Sealed]. A [Decrypter] gets all
// ciphertexts of a document in one call ([File.Open]), or of a batch of resources
// ([Reader.Open]) or values ([OpenBags]); a failure is an error, never a null
// (law 16). What it returns is read as if it had stood there as `plaintext`: it
// is secret, the limit on depth counts on, and errors have the path of the
// secret and nothing of its contents. Engines encrypt the outermost secret only:
// a secret inside another has its JSON text in clear, and no [Decrypter] gets it.
//
// In the other direction [EncodeBags] writes values as Pulumi's engine does and
// reads them, encrypted in one call of an [Encrypter] or as plaintext. State files
// have no place for dependencies and for the hints of unknowns.
//
// # Streams
//
// A [File] holds the whole text in memory, once, and what comes out of it shares
// that memory ([value.Value.Compact] makes a copy that does not). Reading it takes
// two passes over its text: one that validates and frames it, and one over each
// resource when its turn comes. A [Reader] reads a file of any size with one
// window and one resource in memory. Both read the same, with the same errors;
// but a Reader yields resources before it has seen the rest, so that an error may
// come after some. It has to see all of a resource to yield it, and fills its
// window first: it is for files, not for waiting on what is written slowly.
//
// For an index of a large file, [Reader.Entries] passes over the resources and
// says who each is, where it stands, and a digest of its text: of two files only
// what differs has to be read ([Entry.Resource], [Entry.Reread]).
//
// # What is refused
//
// Text that is no JSON, or cut off: with the byte offset, and how many whole
// resources stand before it. Other versions. Names that stand twice in one
// object. A resource that is no object or has no URN, and members of the wrong
// kind; null is as good as missing. A document with two deployments, and what
// engines write that is no stack: plans, previews, logs; a deployment is known by
// a manifest or resources, or by having nothing else in it than engines write. And all
// that package codec refuses in inputs and outputs. Inputs or outputs that are a
// ciphertext as a whole are no object, and refused: engines encrypt members.
package state
