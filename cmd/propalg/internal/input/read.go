// Package input reads the files that commands get: property bags, stacks and the steps of
// updates, which it recognises by their shape. Inputs may have any length, and may have no end.
package input

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/value"
)

const (
	// leastBegin is the number of bytes by which most stacks are recognised.
	leastBegin = 64 << 10
	// mostBegin is the number of bytes by which a larger file is recognised, and
	// checked before the rest is read.
	mostBegin = 8 << 20
	// mostWhole is the number of bytes that a file may have that is read as a whole.
	mostWhole = 512 << 20
	// longestCut is longer than what the end of a text may cut in the middle: a pair
	// of escapes.
	longestCut = 16
)

// ErrEmpty is the error for an empty file.
var ErrEmpty = errors.New("the file is empty")

// ErrCutOff is the error for a file that ends too early.
var ErrCutOff = errors.New("the file is cut off")

// File is a property bag or a stack, read as a whole.
type File struct {
	Name   string       // as the user gave it, "stdin" for "-"
	Size   int          // of the text, in bytes
	Stack  *state.File  // nil for a bag
	Bag    value.Value  // if it is a bag
	Report codec.Report // the numbers in the bag that were rounded
}

// options are those for bags and for the bags of stacks.
func options(report *codec.Report) codec.Options {
	return codec.Options{RoundNumbers: true, Report: report}
}

// Load reads a file, or standard input for "-".
func Load(name string, stdin io.Reader) (*File, error) {
	f := &File{Name: shown(name)}
	if err := f.load(name, stdin); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return f, nil
}

func shown(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

func (f *File) load(name string, stdin io.Reader) error {
	text, err := read(name, stdin)
	switch {
	case err != nil:
		return err
	case text == "" && name == os.DevNull:
		f.Bag = value.Object()
		return nil
	}

	f.Size = len(text)
	if steps.FormatOf(text) != "" {
		return explain(text, errNoStack)
	}
	if state.IsState(text) {
		f.Stack, err = state.Parse(text, state.Options{Codec: options(nil)})
		return atPlace(text, err)
	}
	f.Bag, err = decodeBag(text, &f.Report)
	return err
}

func decodeBag(text string, report *codec.Report) (value.Value, error) {
	if strings.Trim(text, " \t\r\n") == "" {
		return value.Value{}, ErrEmpty
	}

	v, err := codec.DecodeJSON(text, options(report))
	if err != nil {
		return v, explain(text, err)
	}
	return v, nil
}

// ReadAll returns the whole text of a file, or of standard input for "-", and the
// name of the file in messages.
func ReadAll(name string, stdin io.Reader) (text, shownName string, err error) {
	text, err = read(name, stdin)
	if err != nil {
		return "", shown(name), fmt.Errorf("%s: %w", shown(name), err)
	}
	return text, shown(name), nil
}

// opened is an input without compression by gzip, and without a byte order mark.
type opened struct {
	io.Reader
	regular  io.ReaderAt // the same, if it is a regular file that is not compressed; else nil
	size     int64       // of that
	isPacked bool        // it was compressed by gzip
	close    func()
}

func openPlain(name string, stdin io.Reader) (*opened, error) {
	in := &opened{Reader: stdin, close: func() {}}
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, Reason(err)
		}
		in.Reader, in.close = f, func() { _ = f.Close() } // only read

		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.regular, in.size = f, info.Size()
		}
	}

	text, skipped, err := plain(in.Reader)
	switch {
	case err != nil:
		in.close()
		return nil, err
	case skipped < 0:
		in.isPacked, in.regular, in.size = true, nil, 0
	case skipped > 0 && in.regular != nil:
		in.size -= skipped
		in.regular = io.NewSectionReader(in.regular, skipped, in.size)
	}
	in.Reader = text
	return in, nil
}

// read returns the whole text of a file, which is in memory once.
func read(name string, stdin io.Reader) (string, error) {
	in, err := openPlain(name, stdin)
	if err != nil {
		return "", err
	}
	defer in.close()

	var text strings.Builder
	text.Grow(int(min(in.size, 1<<30)))
	more, err := readBegin(&text, in, mostBegin)
	if err == nil && more {
		err = checkBegin(text.String())
	}
	if err == nil && more {
		err = readRest(&text, in, in.size)
	}
	return text.String(), err
}

// Plain returns an input without compression by gzip, and without a byte order mark.
func Plain(from io.Reader) (io.Reader, error) {
	text, _, err := plain(from)
	return text, err
}

// plain returns an input without compression by gzip, and without a byte order mark. It
// returns how many bytes of the input are not in it, or -1 if it was compressed.
func plain(from io.Reader) (text io.Reader, skipped int64, err error) {
	in := bufio.NewReader(from)
	begin, _ := in.Peek(6) // reading on returns the error again
	for _, other := range [][2]string{{"\xfd7zXZ\x00", "xz"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"BZh", "bzip2"}} {
		if strings.HasPrefix(string(begin), other[0]) {
			return nil, 0, fmt.Errorf("the file is compressed by %s; only gzip is read", other[1])
		}
	}

	if len(begin) >= 2 && begin[0] == 0x1f && begin[1] == 0x8b {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, 0, fmt.Errorf("gzip: %w", Reason(err))
		}

		in = bufio.NewReader(unpacked)
		begin, _ = in.Peek(len(mark))
		skipped = -1
	}
	if strings.HasPrefix(string(begin), mark) {
		_, _ = in.Discard(len(mark)) // which are there
		if skipped == 0 {
			skipped = int64(len(mark))
		}
	}
	return in, skipped, nil
}

// Some programs write the byte order mark at the beginning of UTF-8.
const mark = "\xef\xbb\xbf"

// readBegin reads so much more of the beginning of an input, and reports whether there may be
// more, without an end.
func readBegin(to *strings.Builder, from io.Reader, size int64) (more bool, err error) {
	_, err = io.CopyN(to, from, size)
	if other := CheckEncoding(to.String()); other != nil {
		return false, other
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return false, Reason(err)
	}
	return err == nil, nil
}

// readRest reads the rest of an input that was begun. Its size, if it is known, may be
// wrong. The rest of an input of unknown size is put on the disk first, so that the text
// is in memory once: of what grows there the old and the new are at the same time.
func readRest(to *strings.Builder, from io.Reader, size int64) error {
	left := int64(mostWhole - to.Len())
	if size -= int64(to.Len()); size <= 0 {
		if disk, end, err := whole.Spool(); err == nil {
			defer end()
			if size, err = io.Copy(disk, io.LimitReader(from, left+1)); err != nil {
				return Reason(err)
			}
			if _, err = disk.Seek(0, io.SeekStart); err != nil {
				return Reason(err)
			}
			from = disk
		}
	}
	if size > left {
		return tooLong()
	}

	to.Grow(int(max(size, 0)))
	n, err := io.CopyN(to, from, left+1)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil && n > left:
		return tooLong()
	}

	return Reason(err)
}

func tooLong() error {
	return fmt.Errorf("the file is longer than %d MiB, which is too much to be read as a whole", mostWhole>>20)
}

// Reason returns what the system said, without the name of the file, which messages
// begin with.
func Reason(err error) error {
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCutOff
	}

	return err
}
