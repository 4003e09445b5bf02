package bench_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// A library that does nothing lacks everything, one that refuses everything nothing, and
// ours nothing.
func TestLacks(t *testing.T) {
	errRefused := errors.New("refused")
	accept := func([]byte) ([]string, error) { return []string{"\xff"}, nil }
	replace := func([]byte) ([]string, error) { return []string{"\uFFFD"}, nil }
	refuse := func([]byte) ([]string, error) { return nil, errRefused }
	ours := func(data []byte) ([]string, error) {
		v, err := codec.Decode(data, codec.Options{})
		return keys(v), err
	}
	oursJSON := func(text []byte) ([]string, error) {
		v, err := codec.DecodeJSONValue(text, codec.Options{})
		return keys(v), err
	}
	oursEncoded := func(keys []string, text string) ([]byte, error) {
		members := make([]value.Member, len(keys))
		for i, key := range keys {
			members[i] = value.Member{Key: key, Value: value.String(text)}
		}
		return codec.Append(nil, value.Object(members...), codec.Options{})
	}
	turn := byte(0)
	for _, c := range []struct {
		name  string
		found []string
		want  string
	}{
		{"decoder that accepts", bench.DecoderLacks(accept), "check UTF-8, sort keys"},
		{"decoder that refuses", bench.DecoderLacks(refuse), ""},
		{"our reader", bench.JSONLacks(oursJSON), ""},
		{"our encoder", bench.EncoderLacks(oursEncoded), ""},
		{
			"encoder of any order", bench.EncoderLacks(func(_ []string, text string) ([]byte, error) {
				turn++
				return append([]byte{turn}, text...), nil
			}), "check UTF-8, sort keys",
		},
		{
			"encoder of one order", bench.EncoderLacks(func(_ []string, text string) ([]byte, error) {
				return bytes.ToValidUTF8([]byte(text), nil), nil
			}), "",
		},
		{
			"reader that accepts", bench.JSONLacks(accept),
			"check UTF-8, sort keys, refuse duplicate keys, notice rounding, refuse 1e400, refuse broken syntax",
		},
		{
			"reader that replaces", bench.JSONLacks(replace),
			"refuse invalid UTF-8, sort keys, refuse duplicate keys, notice rounding, refuse 1e400, refuse broken syntax",
		},
		{"reader that refuses", bench.JSONLacks(refuse), ""},
	} {
		if got := strings.Join(c.found, ", "); got != c.want {
			t.Errorf("%s lacks %q, wanted %q", c.name, got, c.want)
		}
	}
	bench.CheckLacks(t, "", "decode "+bench.Ours, bench.DecoderLacks(ours))
	bench.CheckLacks(t, "# decode x: a\ndecode x: b, c\n", "decode x", []string{"b", "c"})
}

func keys(v value.Value) []string {
	var all []string
	for key := range v.Members() {
		all = append(all, key)
	}
	return all
}

// Spread takes some of many, in their order and from everywhere.
func TestSpread(t *testing.T) {
	all := bench.Numbers(10)
	for _, c := range []struct {
		n    int
		want []int
	}{{0, nil}, {1, []int{0}}, {5, []int{0, 2, 4, 6, 8}}, {4, []int{0, 2, 5, 7}}, {10, all}, {11, all}} {
		if got := bench.Spread(all, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d of 10 are %v, wanted %v", c.n, got, c.want)
		}
	}
}
