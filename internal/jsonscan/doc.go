// Package jsonscan frames and validates JSON text (RFC 8259) without building
// anything. It is what package codec and codec/state read with.
//
// It works on a string and offsets, so that callers keep substrings and copy
// nothing. It is stricter than the grammar in two places: a \u escape that is half
// of a surrogate pair, and bytes that are not UTF-8, are faults. [Decoder] reads
// token by token and makes the faults; [Skipper] and [Tape] scan whole values in one
// loop, for speed. Time is linear in the bytes scanned, memory in the depth (and in
// the names of open objects, where a Skipper looks for duplicates).
package jsonscan
