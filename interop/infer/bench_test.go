package infer_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// The structs of encoding/json are those of the other sides with its own tags. They are
// types of their own because infer reads a field once for each of the two tags.
type (
	jsonPlace struct {
		Region string  `json:"region"`
		Zone   *string `json:"zone,omitempty"`
	}

	jsonRule struct {
		From  int      `json:"from"`
		To    *int     `json:"to,omitempty"`
		Allow bool     `json:"allow"`
		Hosts []string `json:"hosts,omitempty"`
	}

	jsonServer struct {
		jsonPlace

		Name      string              `json:"name"`
		Size      int                 `json:"size"`
		Ratio     float64             `json:"ratio"`
		On        bool                `json:"on"`
		Nickname  *string             `json:"nickname,omitempty"`
		Limit     *int                `json:"limit,omitempty"`
		Weight    *float64            `json:"weight,omitempty"`
		Protected *bool               `json:"protected,omitempty"`
		Zones     []string            `json:"zones"`
		Ports     []int               `json:"ports,omitempty"`
		Tags      map[string]string   `json:"tags"`
		Counts    map[string]int      `json:"counts,omitempty"`
		First     jsonRule            `json:"first"`
		Last      *jsonRule           `json:"last,omitempty"`
		Rules     []jsonRule          `json:"rules"`
		Others    []*jsonRule         `json:"others,omitempty"`
		Named     map[string]jsonRule `json:"named"`
		Password  string              `json:"password"`
		Key       *string             `json:"key,omitempty"`
	}
)

// serverText is the bag of the benchmarks: 41 texts, numbers and bools in 15 objects and lists.
const serverText = `{
	"region": "eu-central-1", "zone": "eu-central-1a", "name": "web-0123456789", "size": 120, "ratio": 0.75,
	"on": true, "nickname": "front", "limit": 4096, "protected": false,
	"zones": ["eu-central-1a", "eu-central-1b", "eu-central-1c"], "ports": [80, 443, 8080],
	"tags": {"environment": "production", "owner": "team-shop", "cost-centre": "4711", "Name": "web"},
	"counts": {"min": 2, "max": 9},
	"first": {"from": 22, "to": 22, "allow": false, "hosts": ["10.0.0.0/8", "192.168.0.0/16"]},
	"rules": [
		{"from": 80, "to": 80, "allow": true},
		{"from": 443, "to": 443, "allow": true, "hosts": ["0.0.0.0/0"]},
		{"from": 8000, "to": 8999, "allow": false}
	],
	"named": {"ssh": {"from": 22, "allow": true, "hosts": ["10.1.0.0/16"]}},
	"password": "correct horse battery staple", "key": "arn:aws:kms:eu-central-1:123456789012:key/1234abcd"
}`

// sides reads the bag with all sides, and checks that they find the same.
func sides(b *testing.B) (v value.Value, ours server, other jsonServer) {
	b.Helper()
	var err error
	v = readJSON(b, []byte(serverText))
	ours, err = bind.As[server](v)
	if err != nil {
		b.Fatal(err)
	}
	theirs, err := theirDecode[server](v)
	if err != nil || !cmp.Equal(theirs, ours) {
		b.Fatal(err, cmp.Diff(theirs, ours))
	}
	if err := json.Unmarshal([]byte(serverText), &other); err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(other)
	if err != nil {
		b.Fatal(err)
	}
	plain, err := bind.Encode(ours, bind.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ourText, err := codec.AppendJSONValue(nil, plain, codec.Options{Secrets: codec.Lower})
	if err != nil || !readJSON(b, ourText).Equal(readJSON(b, text)) {
		b.Fatalf("encoding/json writes %s, and bind %s, %v", text, ourText, err)
	}
	return v, ours, other
}

func readJSON(b *testing.B, text []byte) value.Value {
	b.Helper()
	v, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// A bag in memory, or a text, to a struct. Each side is given the form in which it has
// the bag when it starts:
//
//   - propalg: a value.Value; the call is bind.Decode, which also makes the Info.
//   - infer: a property.Map; the call is infer.DefaultCheck, which converts the map into
//     the SDK's older model, takes the marks off, decodes, and looks for default values.
//   - encoding-json: the text; the call is json.Unmarshal, which also parses. The text
//     has white space.
func BenchmarkDecode(b *testing.B) {
	v, _, _ := sides(b)
	props, err := toTheirs(v)
	if err != nil {
		b.Fatal(err)
	}
	ctx, text := context.Background(), []byte(serverText)
	b.Run("propalg", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var x server
			if _, err := bind.Decode(v, &x, bind.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("infer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, failures, err := infer.DefaultCheck[server](ctx, props); err != nil || failures != nil {
				b.Fatal(failures, err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var x jsonServer
			if err := json.Unmarshal(text, &x); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A struct to a bag in memory, or to a text:
//
//   - propalg: bind.Encode, to a value.Value with the secrets that the tags say.
//   - infer: a function of a provider that returns the struct, which is the only way to
//     the encoder. The call also decodes arguments that have no members, marks what the
//     tags say to be secret, and converts the SDK's older model into a property.Map.
//   - encoding-json: json.Marshal, to text without white space or secrets.
func BenchmarkEncode(b *testing.B) {
	_, ours, other := sides(b)
	ctx, give := context.Background(), infer.Function(giver[server]{ours})
	b.Run("propalg", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := bind.Encode(ours, bind.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("infer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := give.Invoke(ctx, provider.InvokeRequest{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(other); err != nil {
				b.Fatal(err)
			}
		}
	})
}
