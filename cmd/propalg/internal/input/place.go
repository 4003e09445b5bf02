package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

func offsetOf(err error) int64 {
	if e := (*state.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}
	if e := (*codec.Error)(nil); errors.As(err, &e) {
		return int64(e.Offset)
	}

	return -1
}

func atPlace(text string, err error) error { return AtPlace(strings.NewReader(text), err) }

// AtPlace adds the line and the column of an error in a file, which says its offset in
// bytes. Columns are counted in bytes.
func AtPlace(file io.ReaderAt, err error) error {
	offset := offsetOf(err)
	if offset < 0 {
		return err
	}

	line, column, left := 1, 1, offset
	buffer := make([]byte, min(offset, 1<<20))
	for left > 0 {
		n, readErr := file.ReadAt(buffer[:min(left, int64(len(buffer)))], offset-left)
		read := buffer[:n]
		if i := bytes.LastIndexByte(read, '\n'); i >= 0 {
			line += bytes.Count(read, []byte{'\n'})
			column = 1
			read = read[i+1:]
		}
		column += len(read)

		if left -= int64(n); readErr != nil || n == 0 {
			break
		}
	}
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// jsonError returns an error of encoding/json as one that has an offset. Its text may
// quote what it read.
func jsonError(err error) error {
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		return &state.Error{Offset: e.Offset, Want: "JSON"}
	}
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return &state.Error{Offset: e.Offset, Field: e.Field, Want: e.Type.Kind().String()}
	}

	return err
}
