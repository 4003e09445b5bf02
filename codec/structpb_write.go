package codec

import (
	"encoding/base64"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/value"
)

const opToStruct = "to structpb"

// ToMessage returns a property bag as a message, by the rules of [Append]. It
// returns nil for null; [FromMessage] returns null for nil. The message shares the
// strings of the value, and nothing else. Its parts are allocated in blocks of up to 32,
// so keeping one part may keep 31 others in memory.
func ToMessage(v value.Value, o Options) (*structpb.Struct, error) {
	isStruct := !v.IsNull() || v.IsSecret() || v.HasDependencies()
	m, err := toMessage(v, isStruct, &o)
	if err != nil || !isStruct {
		return nil, err
	}
	return m.GetStructValue(), nil
}

// ToMessageValue returns a value of any kind as a message, as [ToMessage] does for a bag.
func ToMessageValue(v value.Value, o Options) (*structpb.Value, error) {
	return toMessage(v, false, &o)
}

func toMessage(v value.Value, isStruct bool, o *Options) (*structpb.Value, error) {
	low, err := ready(opToStruct, v, isStruct, o)
	if err == nil {
		err = writeProto(opToStruct, low, isStruct, o, func([]byte) {}) // which checks the value
	}
	if err != nil {
		return nil, err
	}

	return new(messageWriter).value(low, low.IsSecret()), nil
}

// messageWriter makes messages of a value that [protoWriter] can write.
type messageWriter struct {
	texts block[scalarMessage[structpb.Value_StringValue]]
	nums  block[scalarMessage[structpb.Value_NumberValue]]
	bools block[scalarMessage[structpb.Value_BoolValue]]
	nulls block[scalarMessage[structpb.Value_NullValue]]
	trees block[structMessage]
	lists block[listMessage]
}

func (w *messageWriter) value(v value.Value, isSecret bool) *structpb.Value {
	switch {
	case !isSecret && !v.HasDependencies():
		return w.bare(v)
	case !v.HasDependencies():
		return signedMessage(sigSecret, map[string]*structpb.Value{"value": w.bare(v)})
	}

	var urns []*structpb.Value
	for urn := range v.Dependencies() {
		urns = append(urns, structpb.NewStringValue(urn))
	}
	fields := map[string]*structpb.Value{"dependencies": structpb.NewListValue(&structpb.ListValue{Values: urns})}
	if isSecret {
		fields["secret"] = structpb.NewBoolValue(true)
	}
	if !v.IsUnknown() {
		fields["value"] = w.bare(v)
	}
	return signedMessage(sigOutput, fields)
}

func (w *messageWriter) bare(v value.Value) *structpb.Value {
	switch v.Kind() {
	case value.KindArray:
		return w.array(v)
	case value.KindObject:
		return w.object(v)

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
		if !goesAsBytes(s) {
			m := w.texts.next()
			m.kind.StringValue = s
			m.message.Kind = &m.kind
			return &m.message
		}

		content := structpb.NewStringValue(base64.StdEncoding.EncodeToString([]byte(s)))
		return signedMessage(sigByteString, map[string]*structpb.Value{"value": content})
	case value.KindUnknown:
		hint, _ := v.Hint()
		return structpb.NewStringValue(sentinel(hint))
	case value.KindAsset, value.KindArchive, value.KindResourceReference:
		if a, ok := v.AsArchive(); ok && a.Source() == value.SourceLiteral {
			return w.literal(a)
		}
		s := signedBy(v)
		fields := make(map[string]*structpb.Value, s.n+1)
		for _, f := range s.fields[:s.n] {
			fields[f.name] = structpb.NewStringValue(f.text)
		}
		return signedMessage(s.sig, fields)

	case value.KindNull, value.KindSealed:
	}
	m := w.nulls.next()
	m.message.Kind = &m.kind
	return &m.message
}

func (w *messageWriter) array(v value.Value) *structpb.Value {
	children := v.Children()
	w.expect(children)
	m := w.lists.next()
	m.kind.ListValue, m.message.Kind = &m.list, &m.kind

	if n := children.Len(); n > 0 {
		m.list.Values = make([]*structpb.Value, n)
	}
	for i := range m.list.Values {
		_, child := children.At(i)
		m.list.Values[i] = w.value(child, child.OwnSecret())
	}
	return &m.message
}

func (w *messageWriter) object(v value.Value) *structpb.Value {
	children := v.Children()
	w.expect(children)
	m := w.trees.next()
	m.kind.StructValue, m.message.Kind = &m.fields, &m.kind
	m.fields.Fields = make(map[string]*structpb.Value, children.Len())
	for i := range children.Len() {
		key, child := children.At(i)
		m.fields.Fields[key] = w.value(child, child.OwnSecret())
	}

	return &m.message
}

func (w *messageWriter) literal(a value.Archive) *structpb.Value {
	entries := make(map[string]*structpb.Value, a.Len())
	for name, entry := range a.Entries() {
		entries[name] = w.bare(entry)
	}

	fields := map[string]*structpb.Value{"assets": structpb.NewStructValue(&structpb.Struct{Fields: entries})}
	if hash, ok := a.Hash(); ok {
		fields["hash"] = structpb.NewStringValue(hash)
	}
	return signedMessage(sigArchive, fields)
}

// signedMessage adds a signature to the fields of an object, and returns its message.
func signedMessage(sig string, fields map[string]*structpb.Value) *structpb.Value {
	fields[SignatureKey] = structpb.NewStringValue(sig)
	return structpb.NewStructValue(&structpb.Struct{Fields: fields})
}

// Messages with what they point to, in one piece of memory.
type (
	scalarMessage[Kind any] struct {
		message structpb.Value
		kind    Kind
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

// At most mostInBlock messages share memory.
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

func (w *messageWriter) expect(children value.Children) {
	for i := range children.Len() {
		switch _, child := children.At(i); child.Kind() {
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
