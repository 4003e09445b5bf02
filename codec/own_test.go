package codec_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// decoders are the functions that read bytes.
var decoders = map[string]func([]byte, codec.Options) (value.Value, error){
	"Decode":          codec.Decode,
	"DecodeValue":     codec.DecodeValue,
	"DecodeJSONValue": codec.DecodeJSONValue[[]byte],
	"DecodeJSON":      codec.DecodeJSON[[]byte],
	"a named type": func(data []byte, o codec.Options) (value.Value, error) {
		type text []byte
		return codec.DecodeJSONValue(text(data), o)
	},
	"a string": func(data []byte, o codec.Options) (value.Value, error) {
		return codec.DecodeJSONValue(string(data), o)
	},
}

// writtenFor returns bytes for a decoder.
func writtenFor(name string, v value.Value) ([]byte, error) {
	switch name {
	case "Decode":
		return codec.Append(nil, v, codec.Options{})
	case "DecodeValue":
		return codec.AppendValue(nil, v, codec.Options{})
	}
	return codec.AppendJSONValue(nil, v, codec.Options{})
}

// notes are all that an error and a report say.
func notes(err error, r *codec.Report) string {
	text := fmt.Sprint(err, r.More)
	for _, n := range r.Rounded {
		text += fmt.Sprint(" ", n.At, n.At.RevealPath(), n.RevealText())
	}
	var e *codec.Error
	if errors.As(err, &e) {
		text += fmt.Sprintf(" %v %v %v %q %q", e.At, e.At.RevealPath(), e.Offset, e.Want, e.Found)
	}
	return text
}

// TestOwnBytes reads whole and damaged documents with and without OwnBytes. The results
// are the same. Without it they do not change when the bytes do; with it, errors and reports
// do not.
func TestOwnBytes(t *testing.T) {
	failed := 0
	rapid.Check(t, func(t *rapid.T) {
		v, _ := draw.Object(t, 3).WithField("text", value.String(rapid.String().Draw(t, "text")))
		for _, name := range slices.Sorted(maps.Keys(decoders)) {
			decode := decoders[name]
			data, err := writtenFor(name, v)
			if err != nil {
				continue
			}
			for round := range 4 {
				if round > 0 && len(data) > 0 {
					data[rapid.IntRange(0, len(data)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
				}
				for _, round := range []bool{false, true} {
					var plainReport, ownReport codec.Report
					plainBytes, ownBytes := bytes.Clone(data), bytes.Clone(data)
					plain, plainErr := decode(plainBytes, codec.Options{Report: &plainReport, RoundNumbers: round})
					own, ownErr := decode(ownBytes, codec.Options{Report: &ownReport, RoundNumbers: round, OwnBytes: true})
					want, read := notes(plainErr, &plainReport), plain.Compact()
					if got := notes(ownErr, &ownReport); got != want || !own.Identical(plain) {
						t.Fatalf("%s: with OwnBytes: %s %s\nwithout: %s %s", name, got, kit.Dump(own), want, kit.Dump(plain))
					}
					if ownErr != nil {
						failed++
					}
					overwrite(plainBytes)
					overwrite(ownBytes)
					if !plain.Identical(read) {
						t.Fatalf("%s: after the bytes were overwritten: %s\nbefore: %s", name, kit.Dump(plain), kit.Dump(read))
					}
					if plain, own := notes(plainErr, &plainReport), notes(ownErr, &ownReport); plain != want || own != want {
						t.Fatalf("%s: after the bytes were overwritten: %s\nwith OwnBytes: %s\nbefore: %s", name, plain, own, want)
					}
				}
			}
		}
	})
	if failed == 0 {
		t.Error("no document was damaged")
	}
}

func overwrite(data []byte) {
	for i := range data {
		data[i] = 'x'
	}
}

// message returns a bag with n members of 1,000 bytes, as bytes.
func message(t *testing.T, n int, encode func([]byte, value.Value, codec.Options) ([]byte, error)) []byte {
	t.Helper()
	var members []value.Member
	for i := range n {
		members = append(members, value.Field(fmt.Sprintf("key%06d", i), value.String(fmt.Sprintf("%06d", i)+strings.Repeat("v", 994))))
	}
	data, err := encode(nil, value.Object(members...), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestOwnBytesCopiesNothing checks that the texts of a value are those of the bytes.
func TestOwnBytesCopiesNothing(t *testing.T) {
	for _, n := range []int{10, 5_000} { // a small message, and one whose texts are copied one by one
		for name, row := range map[string]struct {
			encode func([]byte, value.Value, codec.Options) ([]byte, error)
			decode func([]byte, codec.Options) (value.Value, error)
		}{
			"bytes": {codec.Append, codec.Decode},
			"JSON":  {codec.AppendJSONValue, codec.DecodeJSON[[]byte]},
		} {
			data := message(t, n, row.encode)
			v, err := row.decode(data, codec.Options{OwnBytes: true})
			if err != nil {
				t.Fatal(err)
			}
			if overwrites {
				if bytes.ContainsFunc(data, func(r rune) bool { return r == 'v' }) {
					t.Errorf("%s: the bytes that were given away are still there", name)
				}
				continue
			}
			overwrite(data)
			for key, member := range v.Members() {
				if s, _ := member.AsString(); key != "xxxxxxxxx" || s != strings.Repeat("x", 1000) {
					t.Fatalf("%s: %q: %q has a copy", name, key, s)
				}
			}
		}
	}
}

// TestOwnBytesKeptMemory checks how much memory one text of a message of 10 MB keeps:
// all of it with OwnBytes, and little if the text is made compact, or without.
func TestOwnBytesKeptMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector has memory of its own")
	}
	kept := func(o codec.Options, compact bool) (bytes int) {
		v, err := codec.Decode(message(t, 10_000, codec.Append), o)
		if err != nil {
			t.Fatal(err)
		}
		if v = v.Field("key005000"); compact {
			v = v.Compact()
		}
		leaf, _ := v.AsString()
		with := heapInUse()
		if !strings.HasPrefix(leaf, "005000v") || strings.Trim(leaf[6:], "v") != "" {
			t.Errorf("the text is %q", leaf)
		}
		return with - heapInUse()
	}
	if got := kept(codec.Options{OwnBytes: true}, false); got < 10_000_000 || got > 11_000_000 {
		t.Errorf("with OwnBytes one text keeps %d bytes", got)
	}
	for _, got := range []int{kept(codec.Options{OwnBytes: true}, true), kept(codec.Options{}, false)} {
		if got > 100_000 {
			t.Errorf("one text that is compact, or was copied, keeps %d bytes", got)
		}
	}
}

func heapInUse() int {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestOwnBytesTogether reads messages and the values of others at the same time. The race
// detector finds a reader that writes to bytes it was given, or to texts.
func TestOwnBytesTogether(t *testing.T) {
	data := message(t, 50, codec.Append)
	want, err := codec.Decode(data, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	shared := make(chan value.Value, 100)
	for range 4 {
		all.Go(func() {
			for range 25 {
				v, err := codec.Decode(bytes.Clone(data), codec.Options{OwnBytes: true})
				if err != nil {
					t.Error(err)
				}
				shared <- v
				if v = <-shared; !v.Equal(want) {
					t.Errorf("got %v", v)
				}
				if text, err := codec.Append(nil, v, codec.Options{}); err != nil || !bytes.Equal(text, data) {
					t.Error("written, it is something else")
				}
			}
		})
	}
	all.Wait()
}
