package codec

import "github.com/propalg/propalg/value"

// DecodeMerging is DecodeStruct without its fast path, policies and report.
func DecodeMerging(data []byte, o Options) (value.Value, error) {
	return mergeProto(string(data), true, o)
}

// DecodeFast is the fast path of DecodeStruct alone; false where it gives up.
func DecodeFast(data []byte, o Options) (value.Value, bool) {
	var r fastReader
	r.begin(data, &o)
	return r.document(true)
}
