package provider

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
)

// Entry is one entry of a detailed diff. It holds no values.
type Entry struct {
	Key       string               // the path as text, in the Pulumi dialect; Respond writes no empty one
	Kind      rpc.PropertyDiffKind // rpc.PropertyDiffAdd and so on; with Replace, it requires a replacement
	InputDiff bool                 // the old value is in the old inputs, else in the old state
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
func kindOf(n *difftree.Node) rpc.PropertyDiffKind {
	switch {
	case n.Op == difftree.OpAdd, n.Op == difftree.OpInsert, n.Op == difftree.OpUpdate && protocol.Nothing(n.Old) && !protocol.Nothing(n.New):
		return rpc.PropertyDiffAdd
	case n.Removed(), n.Op == difftree.OpUpdate && protocol.Nothing(n.New) && !protocol.Nothing(n.Old):
		return rpc.PropertyDiffDelete
	}
	return rpc.PropertyDiffUpdate
}
