package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
)

// TestCounterparts: what two stacks made up for the same is equal, and counted; everything
// else is compared as it is.
func TestCounterparts(t *testing.T) {
	// stack returns one with a bucket, and a user that has properties.
	stack := func(name, bucket, id, outputs, inputs string) string {
		urn := "urn:pulumi:" + name + "::p::a:b:"
		echo := `{}`
		if strings.Contains(inputs, "daily") || strings.Contains(inputs, "none") {
			echo = inputs
		}
		image := map[string]string{"dev": "ami-0a1b2c3d4e", "prod": "ami-5f6a7b8c9d"}[name]
		peer := map[string]string{"dev": "logs-1a2b3c4", "prod": "logs-7777777"}[name] // IDs say something else
		return exportWith("",
			fmt.Sprintf(`{"urn":%q,"type":"a:b:Component","outputs":{"image":%q}}`, urn+"Component::c", image),
			fmt.Sprintf(`{"urn":%q,"type":"a:b:Bucket","custom":true,"id":%q,"inputs":{"name":%q},"outputs":%s}`, urn+"Bucket::"+bucket, id, id, outputs),
			fmt.Sprintf(`{"urn":%q,"type":"a:b:User","custom":true,"id":"user","inputs":%s,"outputs":{"peer":%q,"copy":%s}}`, urn+"User::user", inputs, peer, echo))
	}
	const (
		old = `{"arn":"arn:aws:s3:eu:111122223333:logs-1a2b3c4","zone":"ZONE77A1B","state":"up","sizes":["n-0a0a0a1"]}`
		now = `{"arn":"arn:aws:s3:eu:444455556666:logs-9f8e7d6","zone":"ZONE90C2D","state":"up","sizes":["n-0b0b0b2"]}`
	)
	for name, row := range map[string]struct {
		old, now      string
		want, leftOut int
	}{
		"the ID":                         {`"logs-1a2b3c4"`, `"logs-9f8e7d6"`, 0, 1},
		"the suffix in another text":     {`"s3://logs-1a2b3c4/x"`, `"s3://logs-9f8e7d6/x"`, 0, 1},
		"the account in another ARN":     {`"arn:aws:iam::111122223333:role/r"`, `"arn:aws:iam::444455556666:role/r"`, 0, 1},
		"an output":                      {`"ZONE77A1B"`, `"ZONE90C2D"`, 0, 1},
		"of an array":                    {`"n-0a0a0a1"`, `"n-0b0b0b2"`, 0, 1},
		"a key":                          {`{"k/logs-1a2b3c4":1}`, `{"k/logs-9f8e7d6":1}`, 0, 1},
		"in an array, in another order":  {`["logs-1a2b3c4","a"]`, `["a","logs-9f8e7d6"]`, 2, 1},
		"the name of the stack":          {`"app-dev"`, `"app-prod"`, 0, 1},
		"and alone":                      {`"dev"`, `"prod"`, 0, 1},
		"in a longer word":               {`"device"`, `"prodice"`, 1, 0},
		"in a secret":                    {secretWith(`"logs-1a2b3c4"`), secretWith(`"logs-9f8e7d6"`), 0, 1},
		"that became secret":             {`"logs-1a2b3c4"`, secretWith(`"logs-9f8e7d6"`), 1, 1},
		"the same in both":               {`"dev x"`, `"dev x"`, 0, 0},
		"what is of the old stack":       {`"logs-1a2b3c4"`, `"logs-1a2b3c4"`, 1, 0},
		"in a longer text":               {`"s3://logs-1a2b3c4/x"`, `"s3://logs-1a2b3c4/x"`, 1, 0},
		"both":                           {`["logs-1a2b3c4","logs-9f8e7d6"]`, `["logs-1a2b3c4","logs-9f8e7d6"]`, 0, 0},
		"chosen, and an output as well":  {`"daily-35d00a1"`, `"none-0d00b2f"`, 1, 0},
		"the old one in the new":         {`"logs-9f8e7d6"`, `"logs-1a2b3c4"`, 1, 0},
		"another bucket":                 {`"logs-1a2b3c4"`, `"logs-0000000"`, 1, 0},
		"a text that differs in more":    {`"logs-1a2b3c4/x"`, `"logs-9f8e7d6/y"`, 1, 0},
		"a short number":                 {`"8080"`, `"9090"`, 1, 0},
		"an output of a component alone": {`"ami-0a1b2c3d4e"`, `"ami-5f6a7b8c9d"`, 1, 0},
	} {
		for _, isAll := range []bool{false, true} {
			c, err := state.Compare(
				strings.NewReader(stack("dev", "logs-dev", "logs-1a2b3c4", old, `{"v":`+row.old+`}`)),
				strings.NewReader(stack("prod", "logs-prod", "logs-9f8e7d6", now, `{"v":`+row.now+`}`)),
				state.CompareOptions{AcrossStacks: true, Times: isAll})
			if err != nil {
				t.Fatal(err)
			}
			for d, err := range c.Resources() {
				switch {
				case err != nil || d.Old == nil || d.New == nil:
					t.Errorf("%s: %+v, %v", name, d, err)
				case isAll && d.LeftOut != 0:
					t.Errorf("%s: %d left out of all", name, d.LeftOut)
				case isAll:
				case strings.HasSuffix(d.New.URN, "::user") && (d.Inputs.Diff.Len() != row.want || d.LeftOut != row.leftOut):
					t.Errorf("%s: %v, %d left out", name, d.Inputs.Diff, d.LeftOut)
				case strings.HasSuffix(d.New.URN, "::logs-prod") && (d.Outcome != state.Unchanged || d.LeftOut != 5):
					t.Errorf("%s: the bucket: %v, %v, %d left out", name, d.Inputs.Diff, d.Outputs.Diff, d.LeftOut)
				}
			}
		}
	}
}

func secretWith(of string) string {
	return `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":` + of + `}`
}

// TestOrderOfDependencies: engines sort dependencies before they compare them.
func TestOrderOfDependencies(t *testing.T) {
	of := func(all ...string) *state.Resource {
		return &state.Resource{Dependencies: all, PropertyDependencies: map[string][]string{"p": all}}
	}
	for _, row := range []struct {
		old, now *state.Resource
		want     int
	}{
		{of("a", "b", "c"), of("c", "a", "b"), 0},
		{of("a", "b"), of("c", "b", "a"), 2}, // one in each list
		{of("a", "a", "b"), of("b", "a"), 2},
		{of("x", "b", "a"), of("a", "b"), 2},
		{of(), of("a"), 2},
		{&state.Resource{Dependencies: []string{"a", "b"}}, &state.Resource{Dependencies: []string{"b", "a"}}, 0},
	} {
		before := fmt.Sprint(row.old.Dependencies, row.old.PropertyDependencies)
		d := state.ComparePair(row.old, row.now, state.CompareOptions{Diff: diff.Options{Arrays: diff.Auto()}})
		if d.Metadata.Diff.Len() != row.want || fmt.Sprint(row.old.Dependencies, row.old.PropertyDependencies) != before {
			t.Errorf("%s, %v: %v", before, row.now.Dependencies, d.Metadata.Diff)
		}
	}
}
