package bench

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// errRead reports that bytes were read which are to be refused.
var errRead = errors.New("read what is not well formed")

// wild returns bytes that encoders do not write but peers may send: an object of n members
// with a field that Structs do not have, so that the careful reader takes it; n
// containers, in one another; and as many around a text that is not UTF-8.
func wild(nodes int) []Kernel {
	name := func(work string) string { return fmt.Sprintf("%s %d", work, nodes) }

	one := func(once func() ([]byte, error)) func() ([][]byte, error) {
		return func() ([][]byte, error) {
			data, err := once()
			return [][]byte{data}, err
		}
	}
	deep := func(leaf string) func() ([]byte, error) {
		return func() ([]byte, error) {
			data, err := codec.Append(nil, towers(nodes), codec.Options{Depth: math.MaxInt32})
			return append(data[:len(data)-len(leaf)], leaf...), err
		}
	}
	return []Kernel{
		over(name("decode-careful"), one(func() ([]byte, error) { return entries(nodes), nil }), func(data []byte) error {
			v, err := codec.Decode(data, codec.Options{})
			return errors.Join(err, Must(v.Len() == nodes))
		}),
		over(name("decode-deep"), one(deep("leaf")), func(data []byte) error {
			_, err := codec.Decode(data, codec.Options{Depth: math.MaxInt32})
			return err
		}),
		over(name("refuse-deep"), one(deep("\xffeaf")), func(data []byte) error {
			if _, err := codec.Decode(data, codec.Options{Depth: math.MaxInt32}); err == nil {
				return errRead
			}

			return nil
		}),
	}
}

// towers is a bag with so many containers, in one another as far as that goes.
func towers(nodes int) value.Value {
	const most = 5_000
	leaf := value.String("leaf")
	if nodes <= most {
		return tower(nodes, leaf)
	}

	var members []value.Member
	for i := range nodes / most {
		members = append(members, value.Field(fmt.Sprintf("%03d", i), tower(most, leaf)))
	}
	return value.Object(members...)
}

// tower is a bag with so many containers around a leaf, arrays and objects in turn.
func tower(levels int, leaf value.Value) value.Value {
	v := leaf
	for i := range levels {
		if i%2 == 0 {
			v = value.Array(v)
		} else {
			v = value.Object(value.Member{Key: "k", Value: v})
		}
	}
	return value.Object(value.Member{Key: "k", Value: v})
}

// entries are the bytes of a Struct of n nulls with names in no order, behind a
// field that no Struct has.
func entries(n int) []byte {
	const null = "\x12\x02\x08\x00" // the Value of an entry

	data := []byte("\x10\x00") // field 2, a number
	for i := range n {
		name := strconv.Itoa(i * 7919 % n)
		data = append(data, 0x0a, byte(2+len(name)+len(null)), 0x0a, byte(len(name)))
		data = append(append(data, name...), null...)
	}
	return data
}
