package value_test

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

func Example() {
	tags := value.Object(value.Field("env", value.String("prod")))
	props := value.Object(
		value.Field("tags", tags),
		value.Field("password", value.Secret(value.String("hunter2"))),
	)
	env, ok := props.At(path.MustParse("tags.env"))
	fmt.Println(env, ok)
	more, err := props.Put(path.MustParse("rules[0].port"), value.Number(443))
	fmt.Println(more, err)
	fmt.Println(props.Equal(more), more.Field("password"))
	// Output:
	// "prod" true
	// {password: [secret], rules: [{port: 443}], tags: {env: "prod"}} <nil>
	// false [secret]
}

func ExampleValue() {
	port, err := value.Int(8080)
	if err != nil {
		fmt.Println(err)
	}
	props := value.ObjectFromMap(map[string]value.Value{
		"name":  value.String("web"),
		"port":  port,
		"zones": value.Array(value.String("a"), value.String("b")),
		"arn":   value.Unknown(),
	})
	if n, ok := props.Field("port").AsNumber(); ok {
		fmt.Println("listens on", n)
	}
	for i, zone := range props.Field("zones").Elems() {
		fmt.Println(i, zone)
	}
	fmt.Println(props.ContainsUnknown(), props.Field("arn").IsUnknown())
	// Output:
	// listens on 8080
	// 0 "a"
	// 1 "b"
	// true true
}

func ExampleValue_IsSecret() {
	login := value.Secret(value.Object(value.Field("user", value.String("admin"))))
	user := login.Field("user")
	fmt.Println(user, user.IsSecret(), user.OwnSecret()) // a part of a secret is secret

	text, _ := user.AsString() // the way to the plaintext
	fmt.Println(len(text))
	// Output:
	// [secret] true false
	// 5
}

func ExampleValue_With() {
	props := value.Object(value.Field("ports", value.Array(value.Number(80))))
	appended, err := props.With(path.MustParse("ports[1]"), value.Number(443))
	fmt.Println(appended, err)
	_, err = props.With(path.MustParse("ports[7]"), value.Number(443))
	fmt.Println(err)
	shorter, err := appended.Without(path.MustParse("ports[0]"))
	fmt.Println(shorter, err)
	fmt.Println(props) // no edit changes a value
	// Output:
	// {ports: [80, 443]} <nil>
	// value: with: ports[7]: index out of range: expected at most 1
	// {ports: [443]} <nil>
	// {ports: [80]}
}

func ExampleValue_DependenciesAt() {
	subnets := value.Array(
		value.String("subnet-1").WithDependencies("urn:pulumi:dev::net::aws:ec2/subnet:Subnet::one"),
	).WithDependencies("urn:pulumi:dev::net::aws:ec2/vpc:Vpc::main")
	for urn := range subnets.DependenciesAt(path.MustParse("[0]")) {
		fmt.Println(urn)
	}
	// Output:
	// urn:pulumi:dev::net::aws:ec2/subnet:Subnet::one
	// urn:pulumi:dev::net::aws:ec2/vpc:Vpc::main
}

func ExampleRelation_Hash() {
	seed := maphash.MakeSeed()
	seen := map[uint64][]value.Value{} // a hash table of values
	for _, v := range []value.Value{value.Number(0), value.String("0"), value.Number(math.Copysign(0, -1))} {
		h := value.Strict.Hash(seed, v)
		known := false
		for _, w := range seen[h] {
			known = known || v.Equal(w)
		}
		if !known {
			seen[h] = append(seen[h], v)
		}
	}
	fmt.Println(len(seen))
	// Output: 2
}

func ExampleValue_Compact() {
	state := value.Object(value.Field("id", value.String("i-123"))) // imagine a large one
	id := state.Field("id").Compact()                               // and let go of state
	fmt.Println(id)
	// Output: "i-123"
}

func ExampleMember() {
	var members []value.Member
	for _, name := range []string{"b", "a"} {
		members = append(members, value.Field(name, value.String(name+"!")))
	}
	fmt.Println(value.Object(members...)) // members are sorted by key
	// Output: {a: "a!", b: "b!"}
}

func ExampleRelation() {
	old := value.Object(value.Field("name", value.String("web")))
	now := value.Object(
		value.Field("name", value.String("web")),
		value.Field("comment", value.Null()),
	)
	fmt.Println(old.Equal(now), value.Strict)
	fmt.Println(value.Engine.Equal(old, now), value.Engine)
	// Output:
	// false strict
	// true null as missing|ignore reference details
}

func ExampleVerdict() {
	one := value.Number(1)
	for _, v := range []value.Value{one, value.Unknown(), value.Number(2)} {
		switch value.Strict.Compatible(one, v) {
		case value.Same:
			fmt.Println("no change")
		case value.Maybe:
			fmt.Println("known after the update")
		case value.Changed:
			fmt.Println("update")
		}
	}
	// Output:
	// no change
	// known after the update
	// update
}

func ExampleKind() {
	for _, v := range []value.Value{value.Null(), value.Secret(value.Bool(true)), value.Unknown()} {
		fmt.Println(v.Kind(), v.IsSecret())
	}
	// Output:
	// null false
	// bool true
	// unknown false
}

func ExampleAsset() {
	props := value.Object(value.Field("source", value.TextAsset("hello")))
	if a, ok := props.Field("source").AsAsset(); ok {
		hash, _ := a.Hash()
		fmt.Println(a, hash[:7])
	}
	fmt.Println(value.FileAsset("./index.html"))
	// Output:
	// asset(text:2cf24db) 2cf24db
	// asset(file)
}

func ExampleArchive() {
	code, err := value.LiteralArchive(
		value.Field("index.js", value.TextAsset("exports.run = 1")),
		value.Field("lib", value.FileArchive("./lib.zip")),
	)
	if err != nil {
		fmt.Println(err)
	}

	a, _ := code.AsArchive()
	for name, entry := range a.Entries() {
		fmt.Println(name, entry.Kind())
	}
	// Output:
	// index.js asset
	// lib archive
}

func ExampleSource() {
	logo := value.URIAsset("https://example.com/logo.png")
	a, _ := logo.AsAsset()
	switch a.Source() {
	case value.SourceURI:
		uri, _ := a.URI()
		fmt.Println("fetch", uri)
	case value.SourceText, value.SourceFile, value.SourceLiteral, value.SourceElided:
		fmt.Println("no need to fetch")
	}
	// Output: fetch https://example.com/logo.png
}

func ExampleResourceReference() {
	r := value.ResourceReference{
		URN: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::images",
		ID:  value.KnownID("images-4f2a"),
	}
	props := value.Object(value.Field("bucket", r.Value()))
	if got, ok := props.Field("bucket").AsResourceReference(); ok {
		u, err := urn.Parse(got.URN)
		fmt.Println(u.Name(), err)
		fmt.Println(got.Lower()) // for code that cannot resolve references
	}
	// Output:
	// images <nil>
	// "images-4f2a"
}

func ExampleID() {
	for _, id := range []value.ID{{}, value.KnownID("i-123"), value.UnknownID()} {
		text, known := id.Known()
		fmt.Printf("%q known=%v absent=%v unknown=%v\n", text, known, id == (value.ID{}), id.IsUnknown())
	}
	// Output:
	// "" known=false absent=true unknown=false
	// "i-123" known=true absent=false unknown=false
	// "" known=false absent=false unknown=true
}

func ExampleSealed() {
	s := value.Sealed{Ciphertext: "v1:abc=", Provider: "passphrase"}.Value()
	fmt.Println(s, s.IsSecret(), s.DropSecret().IsSecret())
	fmt.Println(value.Strict.Compatible(s, value.Secret(value.String("guess")))) // nobody knows
	// Output:
	// [secret] true true
	// maybe
}

func ExampleBuilder() {
	var b value.Builder // as a decoder uses it: children first, then their container
	b.Push(value.Number(80))
	b.Push(value.Number(443))
	b.PushMember("ports", b.Array(2))
	b.PushMember("name", value.String("web"))
	v, _, double := b.Object(2)
	fmt.Println(v, double)
	// Output: {name: "web", ports: [80, 443]} false
}

func ExampleChildren() {
	v := value.Object(value.Field("port", value.Number(80)), value.Field("host", value.String("a")))
	children := v.Children()
	for i := range children.Len() {
		key, child := children.At(i)
		fmt.Println(key, child)
	}
	// Output:
	// host "a"
	// port 80
}

func ExampleCursor() {
	props := value.Object(
		value.Field("login", value.Secret(value.Object(value.Field("user", value.String("admin"))))),
		value.Field("ports", value.Array(value.Number(80))),
	)
	for c := range props.Walk() {
		fmt.Printf("%d %q %v\n", c.Depth(), c.Shown(), c.Value()) // keys below a secret are not shown
		if c.Value().IsSecret() {
			c.SkipBelow()
		}
	}
	// Output:
	// 0 "" {login: [secret], ports: [80]}
	// 1 "login" [secret]
	// 1 "ports" [80]
	// 2 "ports[0]" 80
}

func ExampleError() {
	props := value.Object(value.Field("arn", value.Unknown()))
	_, err := props.Put(path.MustParse("arn.region"), value.String("eu"))
	var e *value.Error
	if errors.As(err, &e) {
		fmt.Println(e.Op, e.At, errors.Is(err, value.ErrUnknown))
	}
	fmt.Println(err)
	// Output:
	// put arn true
	// value: put: arn: value not known yet
}

func ExampleValue_MarkSecret() {
	pattern, err := path.ParsePulumiPattern("users[*].password")
	if err != nil {
		fmt.Println(err)
	}
	props := value.Object(value.Field("users", value.Array(
		value.Object(value.Field("name", value.String("ann")), value.Field("password", value.String("hunter2"))),
		value.Object(value.Field("name", value.String("bob"))),
	)))
	marked := props.MarkSecret(path.NewSet(pattern))
	fmt.Println(marked)
	for p := range marked.SecretPaths() {
		fmt.Println(p)
	}
	// Output:
	// {users: [{name: "ann", password: [secret]}, {name: "bob"}]}
	// users[0].password
}

// A state without dependencies is compared with inputs that have some.
func ExampleValue_DropDependencies() {
	state := value.Object(value.Field("zones", value.Array(value.Secret(value.String("a")))))
	news := value.Object(value.Field("zones", value.Array(value.Secret(value.String("a")).WithDependencies("urn:pulumi:dev::app::a:b:C::a"))))
	fmt.Println(value.Engine.Equal(state, news))

	bare, err := news.Transform(func(c *value.Cursor) (value.Value, error) {
		c.DropMarks() // those that the replacement does not have
		return c.Value().DropDependencies(), nil
	})
	fmt.Println(value.Engine.Equal(state, bare), err)
	// Output:
	// false
	// true <nil>
}
