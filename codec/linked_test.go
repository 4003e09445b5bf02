package codec_test

import (
	"bytes"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// What follows is linked to: with a test file in package codec, all that the tests import
// would be compiled once more.

// readProto is Decode or DecodeValue for bytes as every encoder writes them.
//
//go:linkname readProto github.com/propalg/propalg/codec.readProto
func readProto(data []byte, isStruct bool, o *codec.Options) (v value.Value, ok bool)

// mergeProto is the same for any bytes.
//
//go:linkname mergeProto github.com/propalg/propalg/codec.mergeProto
func mergeProto(data []byte, isStruct bool, o codec.Options) (value.Value, error)

//go:linkname copyText github.com/propalg/propalg/codec.copyText
func copyText(dst []byte, s string) (all uint64)

//go:linkname highBytes github.com/propalg/propalg/codec.highBytes
func highBytes(data []byte) (n int)

//go:linkname inKeyOrder github.com/propalg/propalg/codec.inKeyOrder
func inKeyOrder(data []byte, fields []field, words []uint64) (low uint64, distinct bool)

type field struct{ key, keyEnd, _, _ uint32 }

//go:linkname scratches github.com/propalg/propalg/codec.scratches
var scratches sync.Pool

// scratch is what waits there for the next message, as scratch.go lays it out.
type scratch struct {
	tape       jsonscan.Skipper
	wire       []byte
	fields     []field
	containers []struct {
		from, to, used uint32
		object         bool
	}
	members, high int
	held          []value.Value
	words         []uint64
}

func inScratch(use func(own *scratch)) {
	own := scratches.Get()
	defer scratches.Put(own)
	if reflect.TypeOf(own).Elem().Size() != unsafe.Sizeof(scratch{}) {
		panic("the layout is not that of the memory that is kept")
	}
	use((*scratch)(reflect.ValueOf(own).UnsafePointer()))
}

// leftInRoom reports whether the memory that messages are written into holds anything.
func leftInRoom() (left bool) {
	inScratch(func(own *scratch) { left = len(bytes.Trim(own.wire, "\x00")) > 0 })
	return left
}

// leftInSurvey reports whether what is kept for the next message holds anything of the last.
func leftInSurvey() (left bool) {
	inScratch(func(own *scratch) {
		left = slices.ContainsFunc(own.held, func(v value.Value) bool { return !v.Identical(value.Null()) }) ||
			slices.ContainsFunc(own.words, func(w uint64) bool { return w != 0 })
	})
	return left
}

// roomOfSurvey returns for how many children and containers memory is kept for the next
// message.
func roomOfSurvey() (room int) {
	inScratch(func(own *scratch) {
		room = max(cap(own.fields), cap(own.containers), len(own.held)/2, len(own.words)/2)
	})
	return room
}

// keyOrder returns the order in which members are made, by place.
func keyOrder(keys []string) (order []int) {
	var data []byte
	fields := make([]field, len(keys))
	for i, key := range keys {
		fields[i].key = uint32(len(data))
		data = append(data, key...)
		fields[i].keyEnd = uint32(len(data))
	}
	words := make([]uint64, len(keys))
	low, _ := inKeyOrder(data, fields, words)
	for _, w := range words {
		order = append(order, int(w&low))
	}
	return order
}
