package state

import (
	"bytes"
	"hash/maphash"
	"io"
	"slices"

	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/jsonscan"
)

// twins finds the resources of a file whose texts another one has, by its index. Most resources
// of two files are the same ones in the same order. So when the second file is read, what
// comes next in the first is compared with it, byte by byte, and no text that is equal is
// scanned or hashed again. Where they differ, the URN says where the first goes on.
type twins struct {
	of    *index
	next  int            // the number of the resource that comes next, if all is equal
	urns  map[string]int // the first resource with each URN; nil: not needed yet
	found int            // the number of the twin of the resource at hand, or -1
	texts ahead
}

// known returns the entry of the resource that a window is at, if it is the next one.
func (t *twins) known(w *jsonscan.Window) *Entry {
	t.found = -1
	if t.next >= len(t.of.entries) {
		return nil
	}
	e := &t.of.entries[t.next]
	if e.Length > jsonscan.WindowSize {
		return nil
	}
	text, err := t.texts.read(t.of.file, e)
	if err != nil || !w.Begins(given.Alias(text)) || maphash.Bytes(seed, text) != e.Hash {
		return nil
	}
	t.found = t.next
	return e
}

// after returns the number of the twin of a resource that was passed, or -1.
func (t *twins) after(e Entry) int {
	if t.found >= 0 {
		t.next++
		return t.found
	}
	if t.urns == nil {
		t.urns = make(map[string]int, len(t.of.entries))
		for i := len(t.of.entries) - 1; i >= 0; i-- {
			t.urns[t.of.entries[i].URN] = i
		}
	}
	if i, ok := t.urns[e.URN]; ok {
		t.next = i + 1
	}
	return -1
}

// findTwin compares the texts of two resources, if they may be equal and nothing is known of
// that. What has changed meanwhile is found when it is read.
func (x *index) findTwin(i int, other *index, j int) {
	e, of := &x.entries[i], &other.entries[j]
	if x.twins[i] == j || e.Hash != of.Hash || e.Length != of.Length {
		return
	}
	var one, two ahead
	text, err := one.read(x.file, e)
	same, failed := two.read(other.file, of)
	if err == nil && failed == nil && bytes.Equal(text, same) {
		x.twins[i] = j
	}
}

// ahead reads the texts of entries. Where they follow each other, it reads more and more of
// them at a time.
type ahead struct {
	window []byte
	at     int64 // of the window
	size   int64 // to read at a time
}

func (a *ahead) read(file io.ReaderAt, e *Entry) ([]byte, error) {
	from, end := e.Offset-a.at, int64(len(a.window))
	if from < 0 || from+e.Length > end {
		if a.size = min(2*a.size, jsonscan.WindowSize); from < 0 || from > end+a.size {
			a.size = 0
		}
		a.size = max(a.size, e.Length)
		a.window = slices.Grow(a.window[:0], int(a.size))[:a.size]
		n, err := file.ReadAt(a.window, e.Offset)
		a.window, a.at, from = a.window[:n], e.Offset, 0
		if int64(n) < e.Length {
			return nil, err
		}
	}
	return a.window[from : from+e.Length], nil
}
