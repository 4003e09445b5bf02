package codec_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// A length that is a byte above 0x7f goes on in the next byte, also where the number
// that it would be alone fits.
func TestLengthsGoOn(t *testing.T) {
	for n := range 300 {
		for _, text := range []string{strings.Repeat("a", n), strings.Repeat("\x01", n), strings.Repeat("\x00", n)} {
			broken := "\x1a" + string([]byte{byte(n)}) + text
			for _, data := range []string{listEntry(broken), entryOf("k", broken), entryOf(strings.Repeat("k", 200), broken)} {
				slow, err := mergeProto([]byte(data), true, codec.Options{})
				fast, ok := readProto([]byte(data), true, &codec.Options{})
				if (n < 0x80 && !ok) || (ok && (err != nil || !fast.Identical(slow))) {
					t.Fatalf("length %d: the fast way takes it: %v; the slow one says %v", n, ok, err)
				}
			}
		}
	}
}

// A Value that holds nothing, at the end of the message, whose length says so in two
// bytes: neither way takes it.
func TestNothingAtTheEnd(t *testing.T) {
	for _, data := range []string{"\x0a\x85\x00\x0a\x00\x12\x80\x00", "\x0a\x05\x0a\x00\x12\x80\x00", listEntry("") + "\x0a\x86\x00\x0a\x01a\x12\x80\x00"} {
		if _, ok := readProto([]byte(data), true, &codec.Options{}); ok {
			t.Errorf("%q: the fast way takes it", data)
		}
		if _, err := codec.Decode([]byte(data), codec.Options{}); !errors.Is(err, codec.ErrKind) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func listEntry(elem string) string { return entryOf("l", listOf(elemOf(elem))) }

// Keys in any order, some twice, that begin alike or are short: the value is the one
// that the careful reader makes.
func TestSurveyedKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	begin := []string{"", "a", "é", "common", "kubernetes.io/", "abcdefgh", "abcdefg\x00", "\x7f", "\x00\x00\x00\x00\x00\x00\x00\x00\x00"}
	for round := range 3_000 {
		n := rng.IntN(40)
		if round%100 == 0 {
			n = rng.IntN(500)
		}
		first := rng.IntN(len(begin))
		var all strings.Builder
		for range n {
			key := begin[first]
			if round%2 == 0 && rng.IntN(4) == 0 { // else all begin alike
				key = begin[rng.IntN(len(begin))]
			}
			if rng.IntN(5) > 0 {
				key += fmt.Sprint(rng.IntN(2 * n))
			}
			inner := textOf(key)
			if rng.IntN(3) == 0 {
				inner = listOf(elemOf(textOf("x")), elemOf(structOf(entryOf(key, textOf("y")))))
			}
			all.WriteString(entryOf(key, inner))
		}
		data := []byte(all.String())
		slow, err := mergeProto(data, true, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if fast, ok := readProto(data, true, &codec.Options{}); !ok || !fast.Identical(slow) {
			t.Fatalf("%q: the fast way: %v, %v; want %v", data, ok, fast, slow)
		}
	}
}

// The builder gets members in the order of their keys, so that it has nothing to sort;
// those with one key as they stand.
func TestKeyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	begin := []string{"", "a", "common", "a longer beginning", "abcdefg\x00", strings.Repeat("\x00", 9)}
	for round := range 3_000 {
		keys, first := make([]string, rng.IntN(60)), begin[rng.IntN(len(begin))]
		for i := range keys {
			if keys[i] = first; round%2 == 0 && rng.IntN(3) == 0 {
				keys[i] = begin[rng.IntN(len(begin))]
			}
			if round%3 == 0 || rng.IntN(5) > 0 {
				keys[i] += fmt.Sprint(rng.IntN(1_000_000) >> rng.IntN(20))
			}
		}
		want := make([]int, len(keys))
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(i, j int) int { return strings.Compare(keys[i], keys[j]) })
		if got := keyOrder(keys); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", keys, got, want)
		}
	}
}

// Nothing of a message stays in the memory that is kept: no value, no part of a key; nor
// where the reader gave up.
func TestSurveyIsWiped(t *testing.T) {
	var members []value.Member
	for i := range 200 {
		members = append(members, member(fmt.Sprint("secretkey", i), object(member("inner", str("secret")))))
	}
	good, err := codec.Append(nil, object(members...), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	small := []byte(entryOf("b", structOf(entryOf("k", textOf("t")))) + entryOf("a", textOf("t")))
	for i, data := range [][]byte{good, small, append(good[:len(good):len(good)], entryOf("zz", textOf("\xff"))...), good, small} {
		_, err := codec.Decode(data, codec.Options{})
		if (err == nil) != (i != 2) {
			t.Fatal(err)
		}
		if leftInSurvey() {
			t.Fatalf("message %d is still in memory", i)
		}
	}
}

// After a message of very many children, no more memory is kept than for a large one;
// nor where the reader gave up at the last of them.
func TestSurveyOfManyIsLetGo(t *testing.T) {
	const n = 300_000
	for _, row := range []struct{ elem, end string }{
		{elemOf("\x08\x00"), ""},
		{elemOf("\x32\x00"), ""},
		{elemOf("\x32\x00"), "\xff"},
		{elemOf(listOf(elemOf("\x2a\x00"))), elemOf("\x32\x05")},
	} {
		data := entryOf("l", listOf(strings.Repeat(row.elem, n), row.end))
		if _, err := codec.Decode([]byte(data), codec.Options{}); (err == nil) != (row.end == "") {
			t.Fatal(err)
		}
		if room := roomOfSurvey(); room > 1<<18 || leftInSurvey() {
			t.Errorf("many times %q, then %q: room for %d is kept", row.elem, row.end, room)
		}
	}
}

// Containers that take next to no bytes, and are many, cost memory in proportion.
func TestTinyContainers(t *testing.T) {
	if race.Enabled {
		t.Skip("counts bytes")
	}

	for _, elem := range []string{elemOf("\x32\x00"), elemOf("\x2a\x00")} {
		data := []byte(entryOf("l", listOf(strings.Repeat(elem, 1<<19))))
		var v value.Value
		var ok bool
		got := kit.Allocated(func() { v, ok = readProto(data, true, &codec.Options{}) })
		slow, err := mergeProto(data, true, codec.Options{})
		if err != nil || !ok || !v.Identical(slow) || got > uint64(80*len(data)) {
			t.Errorf("%q: %v, %v; %d bytes for %d", elem, ok, err, got, len(data))
		}
	}
}
