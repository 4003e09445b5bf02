//go:build propalg_overwrite

package codec_test

// overwrites is whether readers overwrite the bytes that they are given by OwnBytes.
const overwrites = true
