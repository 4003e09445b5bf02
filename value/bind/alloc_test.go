package bind_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type rule struct {
	From        int      `json:"from"                  pulumi:"from"`
	To          int      `json:"to"                    pulumi:"to"`
	Protocol    string   `json:"protocol"              pulumi:"protocol"`
	Blocks      []string `json:"blocks"                pulumi:"blocks"`
	Description *string  `json:"description,omitempty" pulumi:"description,optional"`
}

type bag struct {
	Name       string            `json:"name"       pulumi:"name"`
	Region     string            `json:"region"     pulumi:"region"`
	Size       int               `json:"size"       pulumi:"size"`
	Ratio      float64           `json:"ratio"      pulumi:"ratio"`
	Enabled    bool              `json:"enabled"    pulumi:"enabled"`
	Versioned  bool              `json:"versioned"  pulumi:"versioned"`
	Tags       map[string]string `json:"tags"       pulumi:"tags"`
	Rules      []rule            `json:"rules"      pulumi:"rules"`
	Encryption *struct {
		Key       string `json:"key"       pulumi:"key"`
		Algorithm string `json:"algorithm" pulumi:"algorithm"`
	} `json:"encryption" pulumi:"encryption"`
	Logging struct {
		Bucket string `json:"bucket" pulumi:"bucket"`
		Prefix string `json:"prefix" pulumi:"prefix"`
	} `json:"logging" pulumi:"logging"`
}

func someBag() value.Value {
	rules, tags := make([]value.Value, 5), map[string]value.Value{}
	for i := range rules {
		rules[i] = value.Object(
			value.Field("from", value.Number(float64(i))), value.Field("to", value.Number(float64(i+1))),
			value.Field("protocol", value.String("tcp")),
			value.Field("blocks", value.Array(value.String("10.0.0.0/8"), value.String("192.168.0.0/16"))),
			value.Field("description", value.String("inside")),
		)
		tags[fmt.Sprint("tag", i)] = value.String("some text")
	}

	texts := func(names ...string) value.Value {
		all := map[string]value.Value{}
		for _, name := range names {
			all[name] = value.String("a text of " + name)
		}

		return value.ObjectFromMap(all)
	}

	return value.Object(
		value.Field("name", value.String("logs")), value.Field("region", value.String("eu-central-1")),
		value.Field("size", value.Number(3)), value.Field("ratio", value.Number(0.25)),
		value.Field("enabled", value.Bool(true)), value.Field("versioned", value.Bool(false)),
		value.Field("tags", value.ObjectFromMap(tags)), value.Field("rules", value.Array(rules...)),
		value.Field("encryption", texts("key", "algorithm")), value.Field("logging", texts("bucket", "prefix")),
	)
}

// Decode makes two allocations beyond those that the struct needs.
func TestDecodeAllocations(t *testing.T) {
	v := someBag()

	like, err := bind.As[bag](v)
	if err != nil {
		t.Fatal(err)
	}

	var x bag

	needs := testing.AllocsPerRun(100, func() {
		x = like
		x.Tags = make(map[string]string, len(like.Tags))
		maps.Copy(x.Tags, like.Tags)
		x.Rules = append([]rule(nil), like.Rules...)

		for i := range x.Rules {
			x.Rules[i].Blocks = append([]string(nil), like.Rules[i].Blocks...)
			text := *like.Rules[i].Description
			x.Rules[i].Description = &text
		}

		encryption := *like.Encryption
		x.Encryption = &encryption
	})

	got := testing.AllocsPerRun(100, func() {
		if _, err := bind.Decode(v, &x, bind.Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if got > needs+2 && !race.Enabled { // which makes pools forget
		t.Errorf("%v allocations, the struct needs %v", got, needs)
	}
}
