package provider

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
)

// Kind is the kind of an entry of a detailed diff.
type Kind = rpc.PropertyDiffKind

// The kinds.
const (
	Add           = rpc.PropertyDiffAdd           // the property was added
	AddReplace    = rpc.PropertyDiffAddReplace    // the property was added, which requires a replacement
	Delete        = rpc.PropertyDiffDelete        // the property was deleted
	DeleteReplace = rpc.PropertyDiffDeleteReplace // the property was deleted, which requires a replacement
	Update        = rpc.PropertyDiffUpdate        // the property was updated
	UpdateReplace = rpc.PropertyDiffUpdateReplace // the property was updated, which requires a replacement
)

// Changes is what an answer says of the whole resource.
type Changes = rpc.DiffChanges

// The values of Changes.
const (
	Unknown = rpc.DiffUnknown // the provider does not know; the engine then compares inputs
	None    = rpc.DiffNone    // nothing changed
	Some    = rpc.DiffSome    // something changed, or may have
)

// Entry is one entry of a detailed diff. It holds no values.
type Entry struct {
	Key       string // the path as text, in the Pulumi dialect; Respond writes no empty one
	Kind      Kind
	InputDiff bool // the old value is in the old inputs, else in the old state
}

// Path returns the path that Key spells, or the zero Path if Key does not parse. Paths of
// entries that [Differ.Respond] returns do not lead into secrets. Each call parses Key again.
func (e Entry) Path() path.Path {
	p, err := path.ParsePulumi(e.Key)
	if err != nil {
		return path.Path{}
	}
	return p
}

// Replace reports whether the entry requires a replacement.
func (e Entry) Replace() bool { return protocol.IsReplace(e.Kind) }

// kindOf returns the kind of the entry of a change, or of a container with changes
// inside.
func kindOf(n *difftree.Node) Kind {
	switch {
	case n.Op == difftree.OpAdd, n.Op == difftree.OpInsert, n.Op == difftree.OpUpdate && protocol.Nothing(n.Old) && !protocol.Nothing(n.New):
		return Add
	case n.Removed(), n.Op == difftree.OpUpdate && protocol.Nothing(n.New) && !protocol.Nothing(n.Old):
		return Delete
	}
	return Update
}
