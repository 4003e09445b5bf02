package codec

import (
	"encoding/base64"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/value"
)

// messageWriter makes messages of a value that [measurer] has passed, from above.
// It does not recurse: containers stand on a stack.
type messageWriter struct {
	odd   bool // there may be strings that go as bytes
	texts block[textMessage]
	nums  block[numberMessage]
	bools block[boolMessage]
	nulls block[nullMessage]
	trees block[structMessage]
	lists block[listMessage]
}

// messageBranch is a container of which messages are being made.
type messageBranch struct {
	branch
	next   int // child that comes next
	len    int
	fields map[string]*structpb.Value
	values []*structpb.Value
}

func toMessage(v value.Value, odd bool) *structpb.Value {
	w := messageWriter{odd: odd}
	var room [depthOnStack]messageBranch
	open := room[:0] // the containers around top
	var top messageBranch
	m := w.value(v, v.IsSecret(), &top)
	for {
		for top.next == top.len {
			if len(open) == 0 {
				return m
			}
			top = open[len(open)-1]
			open = open[:len(open)-1]
		}
		i := top.next
		key, child := top.child(i)
		top.next++
		if !child.OwnSecret() && !child.HasDependencies() && !isBranch(child) {
			if one := w.leaf(child); top.fields != nil {
				top.fields[key] = one
			} else {
				top.values[i] = one
			}
			continue
		}
		open = append(open, top)
		outer := &open[len(open)-1]
		top.next = top.len
		if one := w.value(child, child.OwnSecret(), &top); outer.fields != nil {
			outer.fields[key] = one
		} else {
			outer.values[i] = one
		}
	}
}

// value makes the message of a value, of which the children are still to come: those
// of a container, which it puts into top.
func (w *messageWriter) value(v value.Value, isSecret bool, top *messageBranch) *structpb.Value {
	switch {
	case v.HasDependencies():
		var urns []*structpb.Value
		for urn := range v.Dependencies() {
			urns = append(urns, structpb.NewStringValue(urn))
		}
		fields := signedFields(sigOutput)
		fields["dependencies"] = structpb.NewListValue(&structpb.ListValue{Values: urns})
		if isSecret {
			fields["secret"] = structpb.NewBoolValue(true)
		}
		if !v.IsUnknown() {
			fields["value"] = w.bare(v, top)
		}
		return fromFields(fields)
	case isSecret && v.Kind() != value.KindSealed:
		fields := signedFields(sigSecret)
		fields["value"] = w.bare(v, top)
		return fromFields(fields)
	}
	return w.bare(v, top)
}

// bare makes the message of a value without its marks.
func (w *messageWriter) bare(v value.Value, top *messageBranch) *structpb.Value {
	if isBranch(v) {
		return w.enter(branchOf(v, false), top)
	}
	return w.leaf(v)
}

// leaf makes the message of what has no children, without its marks.
func (w *messageWriter) leaf(v value.Value) *structpb.Value {
	switch v.Kind() {
	case value.KindBool:
		m := w.bools.next()
		m.kind.BoolValue, _ = v.AsBool()
		m.message.Kind = &m.kind
		return &m.message
	case value.KindNumber:
		m := w.nums.next()
		m.kind.NumberValue, _ = v.AsNumber()
		m.message.Kind = &m.kind
		return &m.message
	case value.KindString:
		s, _ := v.AsString()
		if !w.odd || !goesAsBytes(s) {
			m := w.texts.next()
			m.kind.StringValue = s
			m.message.Kind = &m.kind
			return &m.message
		}
		fields := signedFields(sigByteString)
		fields["value"] = structpb.NewStringValue(base64.StdEncoding.EncodeToString([]byte(s)))
		return fromFields(fields)
	case value.KindUnknown:
		hint, _ := v.Hint()
		return structpb.NewStringValue(sentinel(hint))
	case value.KindAsset, value.KindArchive, value.KindResourceReference:
		s := signedBy(v)
		fields := signedFields(s.sig)
		for _, f := range s.fields[:s.n] {
			fields[f.name] = structpb.NewStringValue(f.text)
		}
		return fromFields(fields)
	case value.KindNull, value.KindArray, value.KindObject, value.KindSealed:
	}
	m := w.nulls.next()
	m.message.Kind = &m.kind
	return &m.message
}

// enter makes the message of a container, which is still empty.
func (w *messageWriter) enter(b branch, top *messageBranch) *structpb.Value {
	w.expect(&b)
	*top = messageBranch{branch: b, len: b.len()}
	if !b.named() {
		if top.len > 0 {
			top.values = make([]*structpb.Value, top.len)
		}
		m := w.lists.next()
		m.list.Values = top.values
		m.kind.ListValue = &m.list
		m.message.Kind = &m.kind
		return &m.message
	}
	top.fields = make(map[string]*structpb.Value, top.len)
	tree := w.trees.next()
	tree.fields.Fields = top.fields
	tree.kind.StructValue = &tree.fields
	tree.message.Kind = &tree.kind
	m := &tree.message
	if !b.isArchive() {
		return m
	}
	fields := signedFields(sigArchive)
	fields["assets"] = m
	if hash, ok := b.archive().Hash(); ok {
		fields["hash"] = structpb.NewStringValue(hash)
	}
	return fromFields(fields)
}

func signedFields(sig string) map[string]*structpb.Value {
	return map[string]*structpb.Value{SignatureKey: structpb.NewStringValue(sig)}
}

func fromFields(fields map[string]*structpb.Value) *structpb.Value {
	return structpb.NewStructValue(&structpb.Struct{Fields: fields})
}

// Messages with what they point to, in one piece of memory.
type (
	textMessage struct {
		message structpb.Value
		kind    structpb.Value_StringValue
	}
	numberMessage struct {
		message structpb.Value
		kind    structpb.Value_NumberValue
	}
	boolMessage struct {
		message structpb.Value
		kind    structpb.Value_BoolValue
	}
	nullMessage struct {
		message structpb.Value
		kind    structpb.Value_NullValue
	}
	structMessage struct {
		message structpb.Value
		kind    structpb.Value_StructValue
		fields  structpb.Struct
	}
	listMessage struct {
		message structpb.Value
		kind    structpb.Value_ListValue
		list    structpb.ListValue
	}
)

// block is memory for messages of one kind. What is left of a block is for those that
// come next; one that is kept keeps its block.
type block[T any] struct {
	free []T
	due  int // that are known to come
}

// mostInBlock is how many messages share memory.
const mostInBlock = 32

func (b *block[T]) next() *T {
	if len(b.free) == 0 {
		b.free = make([]T, max(1, min(b.due, mostInBlock)))
	}
	m := &b.free[0]
	b.free = b.free[1:]
	b.due--
	return m
}

// expect counts the children of a container, which are soon to come.
func (w *messageWriter) expect(b *branch) {
	for i := range b.children.Len() {
		switch _, child := b.children.At(i); child.Kind() {
		case value.KindString:
			w.texts.due++
		case value.KindNumber:
			w.nums.due++
		case value.KindBool:
			w.bools.due++
		case value.KindNull:
			w.nulls.due++
		case value.KindObject:
			w.trees.due++
		case value.KindArray:
			w.lists.due++
		case value.KindAsset, value.KindArchive, value.KindResourceReference, value.KindUnknown, value.KindSealed:
		}
	}
}
