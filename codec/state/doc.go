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
// outputs as values. Secrets that are ciphertext come as [value.Sealed] with the
// provider that the document names; nothing is decrypted. Everything that this
// package does not interpret is kept as it stands: other members of a resource
// in [Resource.Extra], those of the deployment in [File.Fields] (manifest,
// pending operations, metadata), those around it in [File.Wrapping].
//
// # Limits
//
// The whole text is held in memory, once, and what comes out of it shares that
// memory ([value.Value.Compact] makes a copy that does not). The iterator is
// what a reader that streams will keep. Reading a file takes two passes over its
// text: one that validates and frames it, and one over each resource when its
// turn comes.
//
// # What is refused
//
// Text that is no JSON, or cut off: with the byte offset, and how many whole
// resources stand before it. Other versions. Names that stand twice in one
// object. A resource that is no object or has no URN, and members of the wrong
// kind; null is as good as missing. A document with two deployments. And all
// that package codec refuses in inputs and outputs.
package state
