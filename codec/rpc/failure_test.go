package rpc_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// The engine prints the input that a failure names. A password that is refused
// must not be named.
func ExampleCheckFailureAt() {
	inputs := value.Object(
		value.Member{Key: "size", Value: value.Number(-1)},
		value.Member{Key: "password", Value: value.Secret(value.String("short"))},
	)
	fmt.Printf("%+v\n", rpc.CheckFailureAt(inputs, path.MustParse("size"), "is negative"))
	fmt.Printf("%+v\n", rpc.CheckFailureAt(inputs, path.MustParse("password"), "is too short"))
	// Output:
	// {Property:size Reason:is negative Extra:{Unrecognized:}}
	// {Property: Reason:password: is too short Extra:{Unrecognized:}}
}

func ExampleCheckFailuresOf() {
	inputs := value.Object(value.Field("size", value.String("big")), value.Field("password", value.Secret(value.Bool(true))))

	var args struct {
		Name     string `pulumi:"name"`
		Size     int    `pulumi:"size"`
		Password string `pulumi:"password"`
	}

	_, err := bind.Decode(inputs, &args, bind.Options{})

	for _, f := range rpc.CheckFailuresOf(inputs, err) {
		fmt.Printf("%q %s\n", f.Property, f.Reason)
	}
	// Output:
	// "name" expected a member of this name, found none
	// "" password: expected string, found bool
	// "size" expected number, found string
}

func TestCheckFailuresOf(t *testing.T) {
	if got := rpc.CheckFailuresOf(value.Null(), nil); got != nil {
		t.Error(got)
	}

	got := rpc.CheckFailuresOf(value.Null(), errors.New("no disk"))
	if len(got) != 1 || got[0].Property != "" || got[0].Reason != "no disk" {
		t.Error(got)
	}
}

func TestCheckFailureAt(t *testing.T) {
	secret := value.Secret(value.String("hunter2"))
	inputs := object(
		value.Member{Key: "plain", Value: one("x", value.Number(1))},
		value.Member{Key: "pin", Value: secret},
		value.Member{Key: "tags", Value: one("token", secret)},
		value.Member{Key: "tags.token", Value: secret},
		value.Member{Key: "vault", Value: value.Secret(one("alice", value.Array(value.Number(1))))},
		value.Member{Key: "list", Value: value.Array(secret, value.Number(1))},
		value.Member{Key: "later", Value: value.Secret(value.Unknown())},
	)
	for _, row := range []struct {
		place
		inputs           value.Value
		at               path.Path
		property, reason string
	}{
		{here(), inputs, path.Path{}, "", "bad"},
		{here(), inputs, path.MustParse("plain"), "plain", "bad"},
		{here(), inputs, path.MustParse("plain.x"), "plain.x", "bad"},
		{here(), inputs, path.MustParse("missing"), "missing", "bad"},
		{here(), inputs, path.MustParse("pin"), "", "pin: bad"},
		{here(), inputs, path.MustParse("pin.deeper"), "", "pin: bad"},
		{here(), inputs, path.MustParse("tags"), "", "tags: bad"},
		// The engine looks for an input of this name, and here is one.
		{here(), inputs, path.MustParse("tags.token"), "", "tags.token: bad"},
		{here(), inputs, path.MustParse("tags.other"), "tags.other", "bad"},
		// The keys of a secret are secret.
		{here(), inputs, path.MustParse("vault.alice[0]"), "", "vault: bad"},
		{here(), inputs, path.MustParse("list[0]"), "list[0]", "bad"},
		{here(), inputs, path.MustParse("list[0].deeper"), "list[0]", "bad"},
		{here(), inputs, path.MustParse("list[1]"), "list[1]", "bad"},
		{here(), inputs, path.MustParse("later"), "", "later: bad"},
		{here(), inputs, path.Of(path.Key("later"), path.Key("deeper")), "", "later: bad"},
		{here(), value.Secret(inputs), path.MustParse("plain.x"), "", "bad"},
		{here(), value.Null(), path.MustParse("a.b"), "a.b", "bad"},
		{here(), value.Array(secret), path.MustParse("[0]"), "[0]", "bad"},
		// Keys that the Pulumi dialect has no text for.
		{here(), inputs, path.Of(path.Key("a.\\")), "", `["a.\\"]: bad`},
		{here(), inputs, path.Of(path.Key("plain"), path.Key("\xff")), "", `"plain[\"\xff\"]": bad`},
	} {
		got := rpc.CheckFailureAt(row.inputs, row.at, "bad")
		if got.Property != row.property || got.Reason != row.reason {
			t.Errorf("%s: %q, %q; want %q, %q", row.place, got.Property, got.Reason, row.property, row.reason)
		}
	}
}

// TestCheckFailureShowsNoSecret: whatever the inputs are and wherever the failure
// is, the input that an engine would print holds no secret, and what the failure
// says of the place has no key from inside one.
func TestCheckFailureShowsNoSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs := draw.Object(t, 3)
		var all []path.Path
		for c := range inputs.Walk() {
			all = append(all, c.Path())
		}
		at := rapid.SampledFrom(all).Draw(t, "at")
		f := rpc.CheckFailureAt(inputs, at, "bad")
		if v, ok := inputs.Lookup(f.Property); ok && f.Property != "" && v.ContainsSecret() {
			t.Fatalf("an engine shows the secret in %q for a failure at %v", f.Property, at)
		}
		if !strings.HasSuffix(f.Reason, "bad") {
			t.Fatalf("reason %q", f.Reason)
		}
		if _, err := rpc.Append(nil, &rpc.CheckResponse{Failures: []rpc.CheckFailure{f}}, rpc.Options{}); err != nil {
			t.Fatal(err)
		}
		if p, err := path.ParsePulumi(f.Property); err != nil || (f.Property != "" && !at.HasPrefix(p)) {
			t.Fatalf("%q is read as %v, %v; the failure is at %v", f.Property, p, err, at)
		}
	})
}
