package fuzz

import (
	"math"

	"github.com/propalg/propalg/internal/test/trees"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// Messages generates messages of the provider protocol, of every type.
//
// Half of them are calls with properties, which are limited to what the options allow and
// the wire can hold. Messages shrink to an empty CheckRequest.
func Messages(o Options) *rapid.Generator[rpc.Message] {
	return rapid.Custom(func(t *rapid.T) rpc.Message {
		w := writer{t, writable(o)}
		if rapid.Bool().Draw(t, "any type") {
			return w.message(rapid.SampledFrom(names()).Draw(t, "type"))
		}

		return w.call()
	})
}

// names are those of all messages.
func names() []string {
	var all []string
	for _, m := range rpc.All() {
		all = append(all, rpc.Name(m))
	}
	return all
}

// writable generates bags that can be written as protobuf bytes.
func writable(o Options) *rapid.Generator[value.Value] {
	o.NoSealed = true
	return rapid.Map(Objects(o), func(bag value.Value) value.Value {
		bag = trees.Bare(bag)
		if _, err := codec.Append(nil, bag, codec.Options{}); err != nil {
			return value.Object() // hostile texts are not UTF-8
		}

		return bag
	})
}

type writer struct {
	t    *rapid.T
	bags *rapid.Generator[value.Value]
}

func (w writer) bag(label string) value.Value { return w.bags.Draw(w.t, label) }

func (w writer) text(label string) string {
	return rapid.SampledFrom([]string{"", "id", "urn:pulumi:s::p::a:b:C::n", "a.b[0]", "é\n"}).Draw(w.t, label)
}

func (w writer) is(label string) bool { return rapid.Bool().Draw(w.t, label) }

// call is a message that providers see many of.
func (w writer) call() rpc.Message {
	kinds := []func() rpc.Message{
		func() rpc.Message {
			return &rpc.CheckRequest{URN: w.text("URN"), Olds: w.bag("olds"), News: w.bag("news")}
		},
		func() rpc.Message {
			return &rpc.DiffRequest{
				ID: w.text("ID"), URN: w.text("URN"), Olds: w.bag("olds"), News: w.bag("news"), OldInputs: w.bag("old inputs"),
				IgnoreChanges: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "tags.*", "[0]"}), 0, 2).Draw(w.t, "ignored"),
			}
		},
		func() rpc.Message {
			return &rpc.CreateRequest{Properties: w.bag("properties"), Preview: w.is("preview")}
		},
		func() rpc.Message {
			return &rpc.UpdateRequest{ID: w.text("ID"), Olds: w.bag("olds"), News: w.bag("news"), OldInputs: w.bag("old inputs"), Preview: w.is("preview")}
		},
		func() rpc.Message {
			return &rpc.DeleteRequest{ID: w.text("ID"), Properties: w.bag("properties"), OldInputs: w.bag("old inputs")}
		},
		func() rpc.Message {
			return &rpc.ReadRequest{ID: w.text("ID"), Properties: w.bag("properties"), Inputs: w.bag("inputs")}
		},
		func() rpc.Message {
			return &rpc.CheckResponse{Inputs: w.bag("inputs"), Failures: []rpc.CheckFailure{{Property: w.text("property"), Reason: w.text("reason")}}}
		},
		func() rpc.Message { return &rpc.CreateResponse{ID: w.text("ID"), Properties: w.bag("properties")} },
		func() rpc.Message {
			return &rpc.ReadResponse{ID: w.text("ID"), Properties: w.bag("properties"), Inputs: w.bag("inputs")}
		},
		func() rpc.Message { return &rpc.UpdateResponse{Properties: w.bag("properties")} },
		func() rpc.Message { return &rpc.InvokeRequest{Tok: w.text("function"), Args: w.bag("arguments")} },
		func() rpc.Message { return &rpc.InvokeResponse{Return: w.bag("results")} },
		func() rpc.Message { return &rpc.ConfigureRequest{Args: w.bag("arguments")} },
	}

	return kinds[rapid.IntRange(0, len(kinds)-1).Draw(w.t, "call")]()
}

// message is one of any type. Which fields it has is found by trying: what the
// message takes, and tells again, is one.
func (w writer) message(name string) rpc.Message {
	const highest = 30 // no message has many more fields

	var data []byte
	for _, number := range rapid.SliceOfNDistinct(rapid.IntRange(1, highest), 0, 8, rapid.ID).Draw(w.t, "fields") {
		field := protowire.Number(number) //nolint:gosec // up to highest
		for _, content := range w.contents(field) {
			m := rpc.New(name)
			if rpc.Decode(content, m, rpc.Options{}) != nil {
				continue
			}
			if text, err := rpc.AppendJSON(nil, m, rpc.Options{}); err == nil && len(text) > len("{}") {
				data = append(data, content...)
				break
			}
		}
	}
	m := rpc.New(name)
	if rpc.Decode(data, m, rpc.Options{}) != nil {
		return rpc.New(name) // two fields of one choice, or a number beyond the JSON form's
	}

	return m
}

// contents are what a field may hold, the drawn one first.
func (w writer) contents(n protowire.Number) [][]byte {
	text := protowire.AppendString(protowire.AppendTag(nil, n, protowire.BytesType), w.text("text"))
	flag := protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), 1)
	seconds := protowire.AppendFixed64(protowire.AppendTag(nil, n, protowire.Fixed64Type), math.Float64bits(1.5))
	inner := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "x")
	message := protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), inner)
	all := [][]byte{text, flag, seconds, message}

	bag, err := codec.Append(nil, w.bag("bag"), codec.Options{})
	if err == nil {
		all = append(all, protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), bag))
	}
	first := rapid.IntRange(0, len(all)-1).Draw(w.t, "content")
	all[0], all[first] = all[first], all[0]
	return all
}
