// Package jsonscan frames and validates JSON text (RFC 8259) without building
// anything. It is what package codec and codec/state read with.
//
// It works on a string and offsets, so that whoever reads keeps substrings and
// copies nothing. It is stricter than the grammar in two places: a \u escape
// that is half of a surrogate pair, and bytes that are not UTF-8, are faults.
// Nothing recurses; [Skipper] bounds the depth. Time is linear in the bytes
// passed, the memory of a [Skipper] in the depth (and, where it looks for
// doubled names, in the names of open objects).
package jsonscan
