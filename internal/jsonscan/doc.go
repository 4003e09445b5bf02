// Package jsonscan frames and validates JSON text (RFC 8259) without building
// anything. It is what package codec and codec/state read with.
//
// It works on a string or a window of a stream, and offsets, so that callers keep substrings
// and copy nothing. It is stricter than the grammar in two places: a \u escape that is half
// of a surrogate pair, and bytes that are not UTF-8, are faults. [Skipper] passes whole values
// once, and notes on the way what their readers need; [Decoder] reads token by token, and
// makes the faults. Time is linear in the bytes scanned, memory in the depth (and in what is
// noted, and in the names of open objects that may be duplicates).
package jsonscan
