package equality

import "github.com/propalg/propalg/path"

// internalNames are the names of [Internal].
func internalNames() []string {
	return []string{
		"__defaults", "__meta", "__pulumi_raw_state_delta", // of the Terraform bridge
		"__inputs", "__initialApiVersion", "__fieldManager", // of pulumi-kubernetes; the first also of others
		"__internal", // of the engine
	}
}

// Internal returns rules that ignore, at any depth, the members in which engines and providers
// keep notes for themselves:
//
//	__defaults                 names that the Terraform bridge filled in
//	__meta                     what Terraform keeps of a resource, such as the version of its schema
//	__pulumi_raw_state_delta   how Terraform's state differs from the bridge's
//	__inputs                   the inputs that an output was made of, in Kubernetes' and other providers
//	__initialApiVersion        the version of Kubernetes' API with which an object was made
//	__fieldManager             the owner of an object's fields, by Kubernetes' server-side apply
//	__internal                 what the engine adds to the inputs of a provider
//
// Other names that begin with two underscores are not ignored, since they may be all that there
// is to compare: __provider is the program of a dynamic provider. A provider that keeps notes
// should ignore them in its answers; its program cannot set them.
func Internal() []Rule {
	names := internalNames()
	all := make([]Rule, len(names))
	for i, name := range names {
		all[i] = Rule{Pattern: path.PatternOf(path.AnyDepth(), path.Key(name)), Ignored: true}
	}
	return all
}
