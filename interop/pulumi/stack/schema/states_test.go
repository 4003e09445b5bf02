package schema_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	valuebind "github.com/propalg/propalg/value/bind"
)

// older are the properties of real state whose kind is not that of the schema at hand, since
// another version of the provider wrote them, and what has changed.
func older() map[string]string {
	const list, text = "a list of one object then", "a text then"

	return map[string]string{
		"aws:cloudwatch/logGroup:LogGroup retentionInDays":                            text,
		"aws:dynamodb/table:Table readCapacity":                                       text,
		"aws:dynamodb/table:Table writeCapacity":                                      text,
		"aws:ec2/launchTemplate:LaunchTemplate networkInterfaces.deleteOnTermination": "a text now",
		"aws:eks/nodeGroup:NodeGroup instanceTypes":                                   "a list now",
		"aws:lambda/function:Function code":                                           "the ID of an asset then",
		"aws:lambda/function:Function deadLetterConfig":                               list,
		"aws:lambda/function:Function environment":                                    list,
		"aws:lambda/function:Function memorySize":                                     text,
		"aws:lambda/function:Function timeout":                                        text,
		"aws:lambda/function:Function tracingConfig":                                  list,
		"aws:lambda/function:Function vpcConfig":                                      list,
		"aws:s3/bucket:Bucket versioning":                                             list,
		"aws:s3/bucket:Bucket website":                                                list,
		"aws:s3/bucketObject:BucketObject source":                                     "the ID of an asset then",
		"aws:sns/topicSubscription:TopicSubscription confirmationTimeoutInMinutes":    text,
	}
}

// TestStates: what is wrong with the resources of real state files is that other versions of
// the providers wrote them: these have or lack properties, and some are of other kinds.
func TestStates(t *testing.T) {
	resources := map[string]*schema.Resource{}

	for _, d := range documents(t) {
		if p, err := schema.Read(d.data, schema.Options{AllowDangling: true}); err == nil {
			for r := range p.Resources() {
				resources[r.Token()] = r
			}
		}
	}

	files, err := filepath.Glob("../../../../../shared/data/state-files/*.json")
	if err != nil || len(files) == 0 || resources["aws:s3/bucket:Bucket"] == nil {
		t.Skip("no state files here, or no schema of aws")
	}

	s := stateChecker{t: t, reasons: older(), used: map[string]bool{}}

	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}

		f, err := state.Parse(data, state.Options{})
		if err != nil {
			t.Fatal(err)
		}

		for r, err := range f.Resources() {
			if err != nil {
				t.Fatal(err)
			}

			if of := resources[r.Type]; of != nil {
				s.check(r.Type, of.Inputs(), r.Inputs)
				s.check(r.Type, of.State(), r.Outputs)
			}
		}
	}

	for _, at := range slices.Sorted(maps.Keys(s.reasons)) {
		if !s.used[at] {
			t.Errorf("%s: nothing is wrong with it", at)
		}
	}

	t.Logf("%d bags, %d with findings; %d properties of other versions, %d of other kinds", s.bags, s.wrong, s.versions, s.kinds)
}

type stateChecker struct {
	t                            *testing.T
	reasons                      map[string]string
	used                         map[string]bool
	bags, wrong, versions, kinds int
}

func (s *stateChecker) check(token string, typ *schema.Type, v value.Value) {
	if v.IsNull() {
		return
	}

	s.bags++

	var e *valuebind.Error
	if !errors.As(typ.Check(v), &e) {
		return
	}

	s.wrong++

	for _, p := range e.Problems {
		if p.Found == "none" || strings.HasPrefix(p.Found, "a property that is not") {
			s.versions++
			continue
		}

		at := token
		for step := range p.At.Path().Steps() {
			if name, ok := step.AsKey(); ok {
				at += map[bool]string{true: " ", false: "."}[at == token] + name
			}
		}

		s.kinds++

		if s.used[at] = true; s.reasons[at] == "" {
			s.t.Errorf("%s", fmt.Sprint(at, ": ", p))
		}
	}
}
