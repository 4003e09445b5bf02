package codec

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// treeReader makes a value of messages that have nothing wrong with them. Whatever
// else it meets it gives up without a word, and [messageReader] begins again: only
// that one reads maps in order, and so finds the same error each time.
//
// Reading a map costs more than all else, so each is read once, into nodes, and is
// never held open. The nodes of one container are neighbours:
//
//	nodes    a b c d | e f | g h i        the outermost, then what is in b, then in f
//	groups   0: a-d    1: e-f, which is b    2: g-i, which is f
//
// A group comes after the one that it is a node of, so that the groups are made into
// values from the last one on, all of whose parts are values by then. How many
// members and elements there are is known before the first one is made. What is
// spread next is what was found last, so that messages in a circle, or one in many
// places, cost no more than going down costs.
type treeReader struct {
	limit int // on messages
	merge int // see mergeable
	build value.Builder

	provider    string // see Options
	byteStrings Policy
}

// group are the children of one container.
type group struct {
	inside
	from, n int // its nodes
	slot    int // the node that it is itself, -1: none
	used    int // messages around it, and itself
	todo    int // the group to be spread after this one, -1: none
	signed  bool
}

// inside is the message of a container: one of the two.
type inside struct {
	fields *structpb.Struct
	values *structpb.ListValue
}

// Places for nodes and groups that need no allocation.
const (
	nodesOnStack  = 48
	groupsOnStack = 12
)

func newTreeReader(o *Options) treeReader {
	return treeReader{limit: o.depth(), merge: mergeableMessage, provider: o.Provider, byteStrings: o.ByteStrings}
}

// document makes the value of the outermost container, which takes so many
// messages.
func (r *treeReader) document(in inside, used int) (v value.Value, ok bool) {
	var nodeRoom [nodesOnStack]value.Member
	var groupRoom [groupsOnStack]group
	nodes, groups := nodeRoom[:0], append(groupRoom[:0], group{inside: in, used: used, slot: -1, todo: -1})
	elems := 0
	for next := 0; next >= 0; {
		g := groups[next]
		var todo int
		g.from = len(nodes)
		if g.fields != nil {
			_, g.signed = g.fields.GetFields()[SignatureKey]
			nodes, groups, todo = r.members(nodes, groups, &g)
		} else {
			nodes, groups, todo = r.elements(nodes, groups, &g)
			elems += len(nodes) - g.from
		}
		if todo == givenUp {
			return v, false
		}
		g.n = len(nodes) - g.from
		groups[next], next = g, todo
	}
	r.build.Reserve(len(nodes)-elems, elems)
	for i := len(groups) - 1; i >= 0; i-- {
		if v, ok = r.close(nodes, &groups[i]); !ok {
			return v, false
		}
		if slot := groups[i].slot; slot >= 0 {
			nodes[slot].Value = v
		}
	}
	return v, true
}

// givenUp is no group.
const givenUp = -2

// members adds the nodes of a Struct, and a group for each that is a container. It
// returns the group that is to be spread next.
func (r *treeReader) members(nodes []value.Member, groups []group, g *group) ([]value.Member, []group, int) {
	todo, used := g.todo, g.used+jsonscan.Cost(true)-1
	for key, m := range g.fields.GetFields() {
		v, in, ok := read(m)
		if !ok || used > r.limit || !isUTF8(key) {
			return nodes, groups, givenUp
		}
		if in != (inside{}) {
			groups = append(groups, group{inside: in, slot: len(nodes), used: used + 1, todo: todo})
			todo = len(groups) - 1
		}
		nodes = append(nodes, value.Member{Key: key, Value: v})
	}
	return nodes, groups, todo
}

// elements is what members is for a ListValue.
func (r *treeReader) elements(nodes []value.Member, groups []group, g *group) ([]value.Member, []group, int) {
	todo, used := g.todo, g.used+jsonscan.Cost(false)-1
	for _, m := range g.values.GetValues() {
		v, in, ok := read(m)
		if !ok || used > r.limit {
			return nodes, groups, givenUp
		}
		if in != (inside{}) {
			groups = append(groups, group{inside: in, slot: len(nodes), used: used + 1, todo: todo})
			todo = len(groups) - 1
		}
		nodes = append(nodes, value.Member{Value: v})
	}
	return nodes, groups, todo
}

// read reads a Value: it is a scalar, or a container that is still to be read.
func read(m *structpb.Value) (v value.Value, in inside, ok bool) {
	switch k := m.GetKind().(type) {
	case *structpb.Value_StringValue:
		if k == nil || !isUTF8(k.StringValue) {
			return v, in, false
		}
		if len(k.StringValue) == sentinelLength {
			return textOrUnknown(k.StringValue), in, true
		}
		return value.String(k.StringValue), in, true
	case *structpb.Value_StructValue:
		if k != nil {
			in.fields = k.StructValue
		}
		return v, in, in.fields != nil
	case *structpb.Value_BoolValue:
		if k != nil {
			return value.Bool(k.BoolValue), in, true
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			return value.Number(k.NumberValue), in, true
		}
	case *structpb.Value_ListValue:
		if k != nil {
			in.values = k.ListValue
		}
		return v, in, in.values != nil
	case *structpb.Value_NullValue:
		return v, in, k != nil
	}
	return v, in, false
}

// close makes the value of a group, and of it what its signature says.
func (r *treeReader) close(nodes []value.Member, g *group) (v value.Value, ok bool) {
	if g.used > r.limit {
		return v, false
	}
	own := nodes[g.from : g.from+g.n]
	if g.fields == nil {
		for i := range own {
			r.build.Push(own[i].Value)
		}
		return r.build.Array(g.n), true
	}
	for i := range own {
		r.build.PushMember(own[i].Key, own[i].Value)
	}
	if v, _, _ = r.build.Object(g.n); !g.signed {
		return v, true
	}
	s := signature{provider: r.provider, byteStrings: r.byteStrings, object: v}
	v, trouble := s.open()
	r.merge -= s.merged
	return v, trouble == nil && !s.hasPlaintext && r.merge >= 0
}
