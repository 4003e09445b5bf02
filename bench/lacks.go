package bench

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the readers and writers of other libraries do not do, and ours do, is a column of
// the table in docs/bench.md. It is written from testdata/lacks.txt, and the functions of
// this file compare that file with what the libraries do.
const (
	lacksUTF8       = "check UTF-8"          // what is not UTF-8 is in the result
	lacksRefusal    = "refuse invalid UTF-8" // something else is, without an error
	lacksOrder      = "sort keys"
	lacksDuplicates = "refuse duplicate keys"
	lacksRounding   = "notice rounding"
	lacksInfinity   = "refuse 1e400"
	lacksSyntax     = "refuse broken syntax"
)

// DecoderLacks returns what a reader of google.protobuf.Struct does not do. Function read
// returns the keys of the outermost object in the order in which the result yields them.
func DecoderLacks(read func(data []byte) (keys []string, err error)) []string {
	accepts := func(data []byte) bool {
		_, err := read(data)
		return err == nil
	}
	var descending, ascending []byte
	for _, key := range oddKeys() {
		ascending = append(ascending, key...)
		descending = append(field(nil, tagEntry, entry(key, "text")), descending...)
	}

	found, err := read(descending)
	return lacks(
		lack{lacksUTF8, accepts(field(nil, tagEntry, entry("key", "\xff"))) || accepts(field(nil, tagEntry, entry("\xff", "text")))},
		lack{lacksOrder, err == nil && strings.Join(found, "") != string(ascending)},
	)
}

// EncoderLacks returns what a writer does not do. Functions write an object of the given
// keys, each with the same text.
func EncoderLacks(write func(keys []string, text string) ([]byte, error)) []string {
	odd, err := write([]string{"key"}, "\xff")
	isWritten := err == nil && bytes.Contains(odd, []byte("\xff"))
	var first []byte

	isStable := true
	for range 5 {
		data, failed := write(oddKeys(), "text")
		if first == nil {
			first = data
		}
		isStable = isStable && failed == nil && slices.Equal(data, first)
	}
	return lacks(lack{lacksUTF8, isWritten}, lack{lacksOrder, !isStable})
}

// JSONLacks returns what a reader of JSON does not do.
func JSONLacks(read func(text []byte) (keys []string, err error)) []string {
	accepts := func(text string) bool {
		_, err := read([]byte(text))
		return err == nil
	}
	odd, err := read([]byte("{\"\xff\":1}"))
	isKept := slices.Equal(odd, []string{"\xff"})
	isReplaced := err == nil && !isKept

	keys := oddKeys()
	found, err := read([]byte(`{"` + strings.Join(reversed(keys), `":1,"`) + `":1}`))
	return lacks(
		lack{lacksUTF8, isKept},
		lack{lacksRefusal, isReplaced},
		lack{lacksOrder, err == nil && !slices.Equal(found, keys)},
		lack{lacksDuplicates, accepts(`{"key":1,"key":2}`)},
		lack{lacksRounding, accepts(`{"key":9007199254740993}`)},
		lack{lacksInfinity, accepts(`{"key":1e400}`)},
		lack{lacksSyntax, accepts(`{"key":1,}`) || accepts(`{"key":1`)},
	)
}

type lack struct {
	what string
	is   bool
}

func lacks(all ...lack) []string {
	var found []string
	for _, l := range all {
		if l.is {
			found = append(found, l.what)
		}
	}
	return found
}

// oddKeys are so many keys, sorted, that a map does not yield them so by chance.
func oddKeys() []string {
	keys := make([]string, 20)
	for i := range keys {
		keys[i] = "key" + strconv.Itoa(10+i)
	}
	return keys
}

func reversed(keys []string) []string {
	keys = slices.Clone(keys)
	slices.Reverse(keys)
	return keys
}

func entry(key, text string) []byte {
	const tagString = 3<<3 | 2
	return field(field(nil, tagKey, []byte(key)), tagValue, field(nil, tagString, []byte(text)))
}

// CheckLacks fails the test unless file, the text of testdata/lacks.txt, has a line for the
// peer name that lists exactly what found has. For a name without a line, such as our own
// side, found must be empty.
func CheckLacks(t *testing.T, file, name string, found []string) {
	t.Helper()
	_, rest, _ := strings.Cut("\n"+file, "\n"+name+": ")
	if held, _, _ := strings.Cut(rest, "\n"); held != strings.Join(found, ", ") {
		t.Errorf("bench/testdata/lacks.txt has not the line\n%s: %s", name, strings.Join(found, ", "))
	}
}
