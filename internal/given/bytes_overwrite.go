//go:build propalg_overwrite

package given

import "bytes"

// Bytes returns a copy of data, which a caller has given away, and overwrites data.
func Bytes(data []byte) []byte {
	kept := bytes.Clone(data)
	for i := range data {
		data[i] = 0xA5
	}
	return kept
}
