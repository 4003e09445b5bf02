package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Sizes of bags, in nodes, that rows and kernels name.
const (
	Small = 21
	Large = 406
	Huge  = 66_247
)

// Sizes of [Bags]: the median and the largest, in nodes, and how the logarithm of
// the size spreads, which puts one bag in a hundred above 73 nodes.
const (
	medianNodes = 9
	mostNodes   = 644
	spread      = 0.9
)

// traits are what some bags hold, one place each.
type traits struct{ secret, unknown, reference, asset bool }

type maker struct{ rng *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 7))} }

// Bag returns an object shaped like the properties of a resource, with the given number of
// nodes, itself included. A number below 1 counts as 1. Equal arguments give equal objects
// that share no memory.
func Bag(nodes int) value.Value { return newMaker(uint64(nodes)).object(max(nodes, 1)) }

// Bags returns n property bags with the sizes and marks that real bags have; the package
// documentation has the figures. Each call returns equal bags.
func Bags(n int) []value.Value {
	m := newMaker(1)
	bags := make([]value.Value, n)
	for i := range bags {
		nodes := int(math.Round(medianNodes * math.Exp(spread*m.rng.NormFloat64())))
		bags[i] = m.with(m.object(min(max(nodes, 2), mostNodes)), traits{
			secret: m.rng.IntN(1000) < 40, unknown: m.rng.IntN(1000) < 100,
			reference: m.rng.IntN(1000) < 25, asset: m.rng.IntN(1000) < 2,
		})
	}

	return bags
}

// object makes an object of exactly so many nodes. Depth grows with the logarithm
// of the size.
func (m maker) object(nodes int) value.Value {
	var members []value.Member
	for left := nodes - 1; left > 0; {
		inner := m.share(left)
		members = append(members, value.Member{Key: m.name(len(members)), Value: m.child(inner)})
		left -= inner
	}
	return value.Object(members...)
}

func (m maker) array(nodes int) value.Value {
	var elems []value.Value
	for left := nodes - 1; left > 0; {
		inner := m.share(left)
		elems = append(elems, m.child(inner))
		left -= inner
	}
	return value.Array(elems...)
}

// share is how many of the nodes that are left the next child takes: mostly one,
// and a quarter where there are many.
func (m maker) share(left int) int {
	if left < 4 || (left < 100 && m.rng.IntN(4) > 0) || m.rng.IntN(3) > 0 {
		return 1
	}
	return 2 + m.rng.IntN(max(left/4, 2))
}

func (m maker) child(nodes int) value.Value {
	switch {
	case nodes == 1:
		return m.leaf()
	case m.rng.IntN(3) == 0:
		return m.array(nodes)

	default:
		return m.object(nodes)
	}
}

func (m maker) leaf() value.Value {
	n := m.rng.IntN(20)
	switch {
	case n == 0: // a description, a policy, a script
		return value.String(m.word(80 + m.rng.IntN(400)))
	case n < 11:
		return value.String(m.word(6 + m.rng.IntN(20)))
	case n < 13:
		return value.String("arn:aws:iam::123456789012:role/" + m.word(12))
	case n < 16:
		return value.Number(float64(m.rng.IntN(70_000)))
	case n < 19:
		return value.Bool(n == 16)

	default:
		return value.Null()
	}
}

// name is the key of member i of an object, which no other member has: a name as
// properties have them, of 10 bytes on average, as in real bags. Where an object is
// larger than the list of nouns, they are numbered.
func (m maker) name(i int) string {
	nouns := [...]string{
		"name", "tags", "cidrBlock", "subnetId", "description", "instanceType", "policy", "region", "encryption",
		"retentionDays", "endpoint", "zone", "port", "protocol", "enabled", "version", "size", "role", "timeout",
		"vpcId", "status", "rules",
	}
	adjectives := [...]string{"default", "source", "target", "max", "primary", "log"}

	noun := nouns[i%len(nouns)]
	if n := m.rng.IntN(2 * len(adjectives)); n < len(adjectives) {
		noun = adjectives[n] + strings.ToUpper(noun[:1]) + noun[1:]
	}
	if i >= len(nouns) {
		noun += strconv.Itoa(i / len(nouns))
	}
	return noun
}

func (m maker) word(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[m.rng.IntN(len(letters))]
	}
	return string(text)
}

// with puts what a bag's traits say into it, in addition to its contents.
func (m maker) with(bag value.Value, t traits) value.Value {
	members := make([]value.Member, 0, bag.Len()+4)
	for key, v := range bag.Members() {
		members = append(members, value.Member{Key: key, Value: v})
	}
	add := func(when bool, key string, v value.Value) {
		if when {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}
	urn := "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::" + m.word(8)

	add(t.secret, "password", value.Secret(value.String(m.word(16))))
	add(t.unknown, "arn", value.Unknown())
	add(t.reference, "bucket", value.ResourceReference{URN: urn, ID: value.KnownID(m.word(10))}.Value())
	add(t.asset, "source", value.FileAsset("./"+m.word(9)).WithHash(m.word(64)))
	return value.Object(members...)
}

// Deep returns a string in depth objects, nested in one another, each with the one key
// "next".
func Deep(depth int) value.Value {
	v := value.String("inside")
	for range depth {
		v = value.Object(value.Member{Key: "next", Value: v})
	}
	return v
}

// Wide returns an object with the given number of strings.
func Wide(members int) value.Value {
	m := newMaker(3)
	all := make([]value.Member, members)
	for i := range all {
		all[i] = value.Member{Key: m.name(i), Value: m.leaf()}
	}
	return value.Object(all...)
}

// Rules returns an array with an object of 7 nodes for each number, as security groups
// have lists of rules. Equal numbers give equal objects.
func Rules(numbers []int) value.Value {
	elems := make([]value.Value, len(numbers))
	for i, n := range numbers {
		elems[i] = value.Object(
			value.Member{Key: "fromPort", Value: value.Number(float64(n % 65536))},
			value.Member{Key: "name", Value: value.String("rule " + strconv.Itoa(n))},
			value.Member{Key: "protocol", Value: value.String("tcp")},
			value.Member{Key: "tags", Value: value.Object(
				value.Member{Key: "team", Value: value.String("shop")},
				value.Member{Key: "zone", Value: value.String(fmt.Sprintf("zone-%d", n%7))},
			)},
		)
	}

	return value.Array(elems...)
}

// Numbers returns 0, 1 … n-1, for [Rules].
func Numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Edits returns a copy of numbers after the given number of random edits: each inserts,
// deletes or replaces one number. Equal arguments give equal results.
func Edits(numbers []int, edits int) []int {
	m := newMaker(5)

	now := append([]int(nil), numbers...)
	for i := range edits {
		at, fresh := m.rng.IntN(len(now)), -1-i
		switch m.rng.IntN(3) {
		case 0:
			now = append(now[:at], append([]int{fresh}, now[at:]...)...)
		case 1:
			now = append(now[:at], now[at+1:]...)
		default:
			now[at] = fresh
		}
	}
	return now
}

// Secrets returns a [Bag] of the given number of nodes in which every third member is
// secret.
func Secrets(nodes int) value.Value {
	var members []value.Member
	for key, v := range Bag(nodes).Members() {
		if len(members)%3 == 0 {
			v = value.Secret(v)
		}
		members = append(members, value.Member{Key: key, Value: v})
	}
	return value.Object(members...)
}

// Edited returns each bag with one to three of its leaves replaced, and now and
// then one member more: what an update of a resource usually is.
func Edited(bags []value.Value) []value.Value {
	m := newMaker(9)
	edited := make([]value.Value, len(bags))
	for i, bag := range bags {
		for range 1 + m.rng.IntN(3) {
			bag = m.edit(bag)
		}
		edited[i] = bag
	}

	return edited
}

func (m maker) edit(bag value.Value) value.Value {
	var leaves []path.Path
	for c := range bag.Walk() {
		if v := c.Value(); c.Depth() > 0 && !v.Kind().IsContainer() {
			leaves = append(leaves, c.Path())
		}
	}

	at := path.Of(path.Key("added"))
	if len(leaves) > 0 && m.rng.IntN(8) > 0 {
		at = leaves[m.rng.IntN(len(leaves))]
	}
	if changed, err := bag.Put(at, value.String(m.word(10))); err == nil {
		return changed
	}
	return bag
}

// Nodes returns the number of values in a value, itself included.
func Nodes(v value.Value) int {
	n := 0
	for range v.Walk() {
		n++
	}
	return n
}

// EditedEvery returns a value in which every n-th number is larger by one.
func EditedEvery(v value.Value, n int) value.Value {
	seen := 0
	edited, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		leaf := c.Value()
		number, ok := leaf.AsNumber()
		if !ok {
			return leaf, nil
		}
		if seen++; seen%n != 1 {
			return leaf, nil
		}
		return value.Number(number + 1), nil
	})
	if err != nil {
		panic(err) // numbers become numbers
	}
	return edited
}
