package walk

import "github.com/propalg/propalg/internal/difftree"

// Sink receives what differs between two values, in the order of the tree of a diff. What
// the pointers refer to is valid during the call.
type Sink interface {
	// Enter reports a container with differences inside. The node is its place in the
	// container above, with its own change if it has one; the branch describes it,
	// without nodes. All that is inside is reported before Leave.
	Enter(n *difftree.Node, b *difftree.Branch)
	// Change reports a difference with nothing inside: a change, or an element that
	// moved in an array whose order is a fact of the array.
	Change(n *difftree.Node)
	// Leave ends the container that was entered last.
	Leave()
}

// Tree reports what is in the tree of a diff, as the walk that made it did.
func Tree(n *difftree.Node, sink Sink) {
	if n.Below == nil {
		sink.Change(n)
		return
	}

	sink.Enter(n, n.Below)
	for i := range n.Below.Nodes {
		Tree(&n.Below.Nodes[i], sink)
	}
	sink.Leave()
}
