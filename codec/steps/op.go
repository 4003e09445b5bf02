package steps

import "slices"

// Op is an operation of the engine, as it stands in the text. Engines add operations:
// others than the constants may occur.
type Op string

// The operations. A replacement is several steps: OpReplace, which only marks it, and
// OpCreateReplacement and OpDeleteReplaced or their relatives in either order.
const (
	OpSame                 Op = "same"                   // nothing is to be done
	OpCreate               Op = "create"                 // a new resource
	OpUpdate               Op = "update"                 // an existing resource changes
	OpDelete               Op = "delete"                 // a resource is deleted
	OpReplace              Op = "replace"                // a resource is replaced: the sum of the other steps
	OpCreateReplacement    Op = "create-replacement"     // the new resource of a replacement
	OpDeleteReplaced       Op = "delete-replaced"        // the old resource of a replacement, perhaps one that an earlier run left
	OpRead                 Op = "read"                   // a resource that is not managed is read
	OpReadReplacement      Op = "read-replacement"       // likewise, in place of a managed one
	OpRefresh              Op = "refresh"                // what the provider has of a resource is read
	OpDiscard              Op = "discard"                // a resource that was read is dropped from the state
	OpDiscardReplaced      Op = "discard-replaced"       // likewise, after it was replaced
	OpRemovePendingReplace Op = "remove-pending-replace" // the record of a deleted resource, which was to be created again, is dropped
	OpImport               Op = "import"                 // an existing resource comes under management
	OpImportReplacement    Op = "import-replacement"     // likewise, in place of another one
)

// Known reports whether this package knows what the operation does. Steps of others have no
// [Step.Effect].
func (o Op) Known() bool { return o.does().isKnown }

// IsPart reports whether the operation is a part of a replacement, which OpReplace sums up.
func (o Op) IsPart() bool {
	return slices.Contains([]Op{OpCreateReplacement, OpReadReplacement, OpImportReplacement, OpDeleteReplaced, OpDiscardReplaced}, o)
}

// deed is what an operation does.
type deed struct {
	isKnown   bool
	takes     bool // the old resource is no longer what it was
	puts      bool // the new resource is in the state
	isLogical bool // the engine counts it
}

func (o Op) does() deed {
	switch o {
	case OpSame, OpUpdate, OpRead:
		return deed{isKnown: true, takes: true, puts: true, isLogical: true}
	case OpRefresh:
		return deed{isKnown: true, takes: true, puts: true}
	case OpCreate, OpImport:
		return deed{isKnown: true, puts: true, isLogical: true}
	case OpCreateReplacement, OpReadReplacement, OpImportReplacement:
		return deed{isKnown: true, puts: true}
	case OpDelete, OpDiscard:
		return deed{isKnown: true, takes: true, isLogical: true}
	case OpDeleteReplaced, OpDiscardReplaced, OpRemovePendingReplace:
		return deed{isKnown: true, takes: true}
	case OpReplace, "diff":
		return deed{isKnown: true, isLogical: true}
	case "extend-parameterize":
		return deed{isKnown: true}
	}
	return deed{isLogical: true}
}

// deletes reports whether an operation leaves no resource behind.
func (d deed) deletes() bool { return d.takes && !d.puts }
