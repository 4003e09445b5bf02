package codec

import (
	"encoding/base64"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/value"
)

// messageWriter makes messages of a value that [measurer] has passed, from above.
// It does not recurse: containers stand on a stack.
type messageWriter struct{ open []messageBranch }

// messageBranch is a container of which messages are being made.
type messageBranch struct {
	branch
	next   int // child that comes next
	fields map[string]*structpb.Value
	values []*structpb.Value
}

func toMessage(v value.Value) *structpb.Value {
	var w messageWriter
	m := w.value(v, v.IsSecret())
	for len(w.open) > 0 {
		top := &w.open[len(w.open)-1]
		if top.next == top.len() {
			w.open = w.open[:len(w.open)-1]
			continue
		}
		key, child := top.child(top.next)
		i := top.next
		top.next++
		fields, values := top.fields, top.values // top moves when one more is opened
		if one := w.value(child, child.OwnSecret()); fields != nil {
			fields[key] = one
		} else {
			values[i] = one
		}
	}
	return m
}

// value makes the message of a value, of which the children are still to come.
func (w *messageWriter) value(v value.Value, isSecret bool) *structpb.Value {
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
			fields["value"] = w.bare(v)
		}
		return fromFields(fields)
	case isSecret && v.Kind() != value.KindSealed:
		fields := signedFields(sigSecret)
		fields["value"] = w.bare(v)
		return fromFields(fields)
	}
	return w.bare(v)
}

// bare makes the message of a value without its marks.
func (w *messageWriter) bare(v value.Value) *structpb.Value {
	if isBranch(v) {
		return w.enter(branchOf(v, false))
	}
	switch v.Kind() {
	case value.KindBool:
		b, _ := v.AsBool()
		return structpb.NewBoolValue(b)
	case value.KindNumber:
		f, _ := v.AsNumber()
		return structpb.NewNumberValue(f)
	case value.KindString:
		s, _ := v.AsString()
		if !goesAsBytes(s) {
			return structpb.NewStringValue(s)
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
	return structpb.NewNullValue()
}

// enter makes the message of a container, which is still empty.
func (w *messageWriter) enter(b branch) *structpb.Value {
	open := messageBranch{branch: b}
	if !b.named() {
		open.values = slices.Grow([]*structpb.Value(nil), b.len())[:b.len()]
		w.open = append(w.open, open)
		return structpb.NewListValue(&structpb.ListValue{Values: open.values})
	}
	open.fields = make(map[string]*structpb.Value, b.len())
	w.open = append(w.open, open)
	m := fromFields(open.fields)
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
