package codec

import (
	"bytes"
	"slices"

	"github.com/propalg/propalg/value"
)

// DecodeMerging is DecodeStruct without its fast path, policies and report.
func DecodeMerging(data []byte, o Options) (value.Value, error) {
	return mergeProto(data, true, o)
}

// DecodeFast is the fast path of DecodeStruct alone; false where it gives up.
func DecodeFast(data []byte, o Options) (value.Value, bool) {
	var r protoReader
	r.begin(data, &o)
	return r.document(true)
}

// WrittenIn is the message of a value, written into so much room at first.
func WrittenIn(room int, v value.Value) (data []byte, ok bool) {
	w := protoWriter{out: make([]byte, room), pos: room, limit: new(Options).depth(), used: 1, byteStrings: true}
	ok = w.value(v, v.IsSecret())
	return w.out[w.pos:], ok
}

// LeftInRoom is whether the memory that messages are written into holds anything.
func LeftInRoom() bool {
	own, _ := scratches.Get().(*scratch)
	defer scratches.Put(own)
	return len(bytes.Trim(own.wire, "\x00")) > 0
}

// CopyText is copyText, and whether all is ASCII.
func CopyText(dst []byte, s string) bool { return copyText(dst, s)&highBits == 0 }

// LeftInSurvey is whether what is kept for the next message holds anything of the last.
func LeftInSurvey() bool {
	own, _ := scratches.Get().(*scratch)
	defer scratches.Put(own)
	for _, v := range own.held {
		if !v.Identical(value.Null()) {
			return true
		}
	}
	return slices.ContainsFunc(own.words, func(w uint64) bool { return w != 0 })
}

// RoomOfSurvey is for how many children and containers memory is kept for the next
// message.
func RoomOfSurvey() int {
	own, _ := scratches.Get().(*scratch)
	defer scratches.Put(own)
	return max(cap(own.layout.fields), cap(own.layout.containers), len(own.held)/2, len(own.words)/2)
}

// KeyOrder is the order in which members are made, by place.
func KeyOrder(keys []string) (order []int) {
	var data []byte
	fields := make([]field, len(keys))
	for i, key := range keys {
		fields[i].key = uint32(len(data)) //nolint:gosec // few
		data = append(data, key...)
		fields[i].keyEnd = uint32(len(data)) //nolint:gosec // few
	}
	words := make([]uint64, len(keys))
	low, _ := inKeyOrder(data, fields, words)
	for _, w := range words {
		order = append(order, int(w&low)) //nolint:gosec // a place
	}
	return order
}

// HighBytes is highBytes.
func HighBytes(data []byte) int { return highBytes(data) }
