package codec_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// A message of more than half a megabyte keeps only its texts, equal keys once;
// what it means is the same.
func TestLargeMessage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	texts := []string{"", "x", "über", strings.Repeat("long ", 2_000), strings.Repeat("€", 5_000), strings.Repeat("y", 80_000), "\x7f", "plain text of some length"}
	var members []value.Member
	for i := range 3_000 {
		var tags []value.Value
		for range rng.IntN(5) {
			tags = append(tags, str(texts[rng.IntN(3)]), num(rng.NormFloat64()))
		}
		members = append(members, member(fmt.Sprint("key", rng.IntN(9), "é"[:2*(i%2)], i), object(
			member("name", str(texts[rng.IntN(len(texts))/(1+i%3)])), member("tags", value.Array(tags...)),
			member(fmt.Sprint("k", i%700), value.Secret(str(fmt.Sprint("s", i)))), member("", num(float64(i))))))
	}
	want := object(members...)
	data, err := codec.AppendStruct(nil, want, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 1<<20 {
		t.Fatalf("only %d bytes", len(data))
	}
	got, ok := codec.DecodeFast(data, codec.Options{})
	if !ok || !got.Identical(want) {
		t.Fatal("the fast way finds something else")
	}
	clear(data) // nothing is shared with it
	if !got.Identical(want) {
		t.Fatal("the value shares memory with the bytes")
	}
	runtime.KeepAlive(data)
}

// One text that is not UTF-8, wherever it stands, is found: beside others that are
// ASCII or not, in a small message and in a large one.
func TestOneBadText(t *testing.T) {
	const bad = "b\xffd"
	for _, size := range []int{0, 100, 1 << 20} {
		for _, around := range []string{"", "ascii ascii ascii ascii ascii ascii", "größer", "\x01"} {
			filler := entryOf("filler", textOf(strings.Repeat("z", size)))
			other := entryOf("o"+around, textOf(around))
			for _, c := range []struct {
				data string
				ok   bool
			}{
				{filler + other + entryOf("k"+around, textOf("good")) + other, true},
				{filler + other + entryOf("k"+around, textOf(around+bad)) + other, false},
				{other + entryOf("k"+around, textOf(bad+around)) + filler, false},
				{filler + other + entryOf(bad+around, textOf(around)), false},
				{filler + other + entryOf("k", "\x11\xff\xff\xff\xff\xff\xff\xef\x3f") + entryOf("l", textOf(bad)), false},
				{filler + other + entryOf("k", listOf(elemOf(textOf(around)), elemOf(textOf(around+"\xc3")))), false},
			} {
				v, err := codec.DecodeStruct([]byte(c.data), codec.Options{})
				w, slow := codec.DecodeMerging([]byte(c.data), codec.Options{})
				if (err == nil) != c.ok || (slow == nil) != c.ok || c.ok && !v.Identical(w) {
					t.Errorf("%d bytes around, %q: %v, and %v the slow way", size, around, err, slow)
				}
				if _, fast := codec.DecodeFast([]byte(c.data), codec.Options{}); fast && !c.ok {
					t.Errorf("%d bytes around, %q: the fast way takes it", size, around)
				}
			}
		}
	}
}
