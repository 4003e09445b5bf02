package codec

// NOTE: Bytes as encoders write them are read here. All others, and all errors, are those of
// their message: mergeProto has protobuf-go read it, and structpb_read.go decides.

import (
	"cmp"
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/keysort"
	"github.com/propalg/propalg/value"
)

const opDecodeProto = "decode protobuf"

// Decode reads a property bag from the bytes of a google.protobuf.Struct. It
// accepts the bytes that protobuf-go accepts, with the same meaning, except a Value
// without a kind; see the package comment. If the value is not an object (with marks or
// without), the error wraps [ErrKind]. The value shares no memory with data, unless
// [Options.OwnBytes] is set. The error is an [*Error].
func Decode(data []byte, o Options) (value.Value, error) {
	v, err := decodeProto(data, true, o)
	return bag(opDecodeProto, 0, v, err)
}

// DecodeValue reads a value of any kind from the bytes of a google.protobuf.Value, as
// [Decode] reads a bag.
func DecodeValue(data []byte, o Options) (value.Value, error) {
	return decodeProto(data, false, o)
}

func decodeProto(data []byte, isStruct bool, o Options) (value.Value, error) {
	if err := o.check(opDecodeProto); err != nil {
		return value.Value{}, err
	}
	if o.OwnBytes {
		data = given.Bytes(data)
	}

	v, ok := readProto(data, isStruct, &o)
	if !ok {
		var err error
		if v, err = mergeProto(data, isStruct, o); err != nil {
			return value.Value{}, err
		}
	}
	return lower(opDecodeProto, v, &o)
}

func readProto(data []byte, isStruct bool, o *Options) (v value.Value, ok bool) {
	var r protoReader
	r.begin(data, o)
	return r.document(isStruct)
}

// mergeProto reads any bytes by way of protobuf-go's messages, and returns the errors. Those
// of bytes that are no message have an offset.
func mergeProto(data []byte, isStruct bool, o Options) (value.Value, error) {
	kind, m := messageValue, &structpb.Value{}
	into := proto.Message(m)
	if isStruct {
		kind, m = messageStruct, structpb.NewStructValue(&structpb.Struct{})
		into = m.GetStructValue()
	}
	options := proto.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: o.depth()}
	if options.Unmarshal(data, into) != nil {
		f := cmp.Or(kind.flaw(data, 0, o.depth()), &flaw{err: ErrSyntax, at: -1})
		return value.Value{}, &Error{Op: opDecodeProto, At: f.shown(), Offset: f.at, Found: f.found, err: f.err}
	}
	return readMessage(opDecodeProto, m, isStruct, mergeable(len(data)), &o)
}

// protoReader reads bytes that are written as every encoder writes them. It fails for
// all others, unusual or malformed, which [mergeProto] reads: it knows the meaning of a
// message whose parts are repeated, and makes errors. protoReader moves the rows
// wire-decode-* of the benchmarks to a fifth.
//
// It makes the containers of a [layout] from the last one to the first, so that those
// inside a container are ready before it is, and each member is written once, to its
// final place.
type protoReader struct {
	data  []byte
	limit int // on messages
	merge int // see mergeable
	texts texts

	members []value.Member // for the containers that are still to be made
	elems   []value.Value  // the same
	high    int            // bytes above 0x7f, without those known to be outside texts

	provider    string // see Options
	byteStrings Policy
}

func (r *protoReader) begin(data []byte, o *Options) {
	r.data, r.limit, r.merge = data, o.depth(), mergeable(len(data))
	r.provider, r.byteStrings = o.Provider, o.ByteStrings
	r.texts.given = o.OwnBytes
}

// document reads a Struct, or a Value, that is the whole of data.
func (r *protoReader) document(isStruct bool) (v value.Value, ok bool) {
	if uint64(len(r.data)) > largestLayout {
		return v, false
	}
	if isStruct {
		return r.container(0, 0, true)
	}
	if len(r.data) == 0 {
		return v, false
	}

	switch r.data[0] {
	case tagStruct, tagList:
		n, pos := length(r.data, 1)
		if n != len(r.data)-pos {
			return v, false
		}
		return r.container(pos, 1, r.data[0] == tagStruct)
	}
	r.texts.begin(r.data)
	if v, ok = r.scalar(0, len(r.data)); ok {
		s, _ := v.AsString()
		ok = isUTF8(s)
	}
	return v, ok
}

// container reads the container that takes all that data has from pos on, with so many
// messages around it.
func (r *protoReader) container(pos, used int, object bool) (v value.Value, ok bool) {
	own, _ := scratches.Get().(*scratch)
	s := &own.layout
	high := highBytes(r.data[pos:])
	if ok = s.run(r.data, pos, used+jsonscan.Cost(object), r.limit, object); ok {
		r.texts.begin(r.data)
		r.members, r.elems = make([]value.Member, s.members), make([]value.Value, len(s.fields)-s.members)
		r.high = high - s.high
		if v, ok = r.containers(s, own); ok && r.high != 0 {
			ok = s.textsAreUTF8(r.data)
		}
		own.leave()
	}

	if max(cap(s.fields), cap(s.containers)) > 2*keptFields { // where scanning failed, fields were dropped
		own.layout, own.held, own.words = layout{}, nil, nil
	}
	scratches.Put(own)
	return v, ok
}

// Memory is allocated at once for keptFields fields; memory for twice as many may be kept for
// the next message.
const keptFields = 1 << 17

// containers makes all containers, and returns the outermost. It stores them, and words
// with parts of keys, in own.
func (r *protoReader) containers(s *layout, own *scratch) (v value.Value, ok bool) {
	if n := len(s.containers); n > len(own.held) {
		own.held = make([]value.Value, max(n, 2*len(own.held), 16))
	}
	held := own.held
	for i := len(s.containers) - 1; i >= 0; i-- {
		g := s.containers[i]
		fields := s.fields[g.from:g.to]
		if !g.object {
			v, ok = r.array(fields, held)
		} else {
			if n := len(fields); n > len(own.words) {
				own.words = make([]uint64, max(n, 2*len(own.words), 32))
			}
			v, ok = r.object(fields, held, own.words[:len(fields)])
		}
		if !ok {
			return v, false
		}

		held[i] = v
	}
	return v, true
}

func (own *scratch) leave() {
	clear(own.held[:min(len(own.held), len(own.layout.containers))])
	clear(own.words[:min(len(own.words), len(own.layout.fields))])
}

// array makes an array; held has the containers in it.
func (r *protoReader) array(fields []field, held []value.Value) (v value.Value, ok bool) {
	elems := r.elems[:len(fields):len(fields)]
	r.elems = r.elems[len(fields):]
	for i, c := range fields {
		if c.end == 0 {
			elems[i] = held[c.from]
		} else if elems[i], ok = r.scalar(int(c.from), int(c.end)); !ok {
			return v, false
		}
	}

	return value.Internal.ArrayOf(given.Away(elems)), true
}

// object makes an object, or the value that its signature makes of it; held has the
// containers in it.
func (r *protoReader) object(fields []field, held []value.Value, words []uint64) (v value.Value, ok bool) {
	data, whole, isSig := r.data, r.texts.whole, false
	low, distinct := inKeyOrder(data, fields, words)
	members := r.members[:len(words):len(words)]
	r.members = r.members[len(words):]

	for i, w := range words {
		c, m := &fields[w&low], &members[i]
		if whole != "" {
			m.Key = whole[c.key:c.keyEnd]
		} else {
			m.Key = r.texts.once(data[c.key:c.keyEnd])
		}
		if len(m.Key) == len(SignatureKey) && m.Key == SignatureKey {
			isSig = true
		}
		if from, end := int(c.from), int(c.end); end == 0 {
			m.Value = held[from]
		} else if s := from + 2; data[from] == tagString && s <= end && end-s < 0x80 && int(data[s-1]) == end-s && end-s != sentinelLength {
			if whole != "" {
				m.Value = value.String(whole[s:end])
			} else {
				m.Value = value.String(r.texts.copied(data[s:end]))
			}
		} else if m.Value, ok = r.scalar(from, end); !ok {
			return v, false
		}
	}

	if v = value.Internal.ObjectOf(given.Away(members)); !distinct {
		v = value.Object(members...) // the last of each key
	}
	if isSig {
		return r.open(v)
	}
	return v, true
}

// inKeyOrder makes words of which the bits of low are the fields in the order of their
// keys; those with one key in their order in the message, and then distinct is false.
func inKeyOrder(data []byte, fields []field, words []uint64) (low uint64, distinct bool) {
	words = words[:len(fields)]
	if len(words) < 2 {
		clear(words)
		return 0, true
	}

	low = keysort.Low(len(fields))
	for i := range fields {
		var p uint64
		if key, end := int(fields[i].key), int(fields[i].keyEnd); key+8 > len(data) {
			p = keysort.Prefix(data[key:end])
		} else { // mostly there are eight bytes
			p = binary.BigEndian.Uint64(data[key:key+8]) & (math.MaxUint64 << uint(64-8*min(end-key, 8))) //nolint:gosec // not negative
		}
		words[i] = p&^low | uint64(i) //nolint:gosec // a place
	}
	keysort.Sort(words)
	double := keysort.Ties(words, low, func(i int) []byte { return data[fields[i].key:fields[i].keyEnd] })
	return low, double < 0
}

// scalar reads a Value that is neither Struct nor ListValue. Whether a text is UTF-8 is
// left to others.
func (r *protoReader) scalar(from, end int) (v value.Value, ok bool) {
	pos := from + 1
	switch r.data[from] {
	case tagString:
		n, pos := length(r.data, pos)
		if n != end-pos {
			return v, false
		}

		r.high -= end - n - 2 - from
		s := r.texts.own(r.data, pos, end)
		if len(s) == sentinelLength {
			if hint, is := sentinelHint(s); is {
				return value.UnknownOf(hint), true
			}
		}
		return value.String(s), true
	case tagNumber:
		if end-pos != 8 {
			return v, false
		}
		bits := binary.LittleEndian.Uint64(r.data[pos:end])
		r.high -= highOf(bits)
		return value.Number(math.Float64frombits(bits)), true
	case tagBool:
		if end-pos != 1 || r.data[pos] > 1 {
			return v, false
		}
		return value.Bool(r.data[pos] == 1), true
	case tagNull:
		return v, end-pos == 1 && r.data[pos] < 0x80
	}

	return v, false
}

// open returns the value that an object with the signature key encodes.
func (r *protoReader) open(object value.Value) (v value.Value, ok bool) {
	s := signature{provider: r.provider, byteStrings: r.byteStrings, object: object}
	v, trouble := s.open()
	r.merge -= s.merged
	return v, trouble == nil && !s.hasPlaintext && r.merge >= 0
}
