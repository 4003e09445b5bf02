package check_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// machine returns the inputs of a virtual machine, and its state, which also has a url.
func machine(name string, size float64) (inputs, state value.Value) {
	inputs = value.Object(value.Field("name", value.String(name)), value.Field("size", value.Number(size)))
	state, _ = inputs.WithField("url", value.String("https://"+name))
	return inputs, state
}

// Pulumi's guide to refresh: the tag a became b. The engine passes what it read as
// old and the program's inputs as new, and turns the answer around.
func ExampleRead() {
	tag := func(name string) value.Value {
		return value.Object(value.Member{Key: "tags", Value: value.Object(value.Member{Key: "tagName", Value: value.String(name)})})
	}
	sides := provider.Sides{OldInputs: tag("b"), OldState: tag("b"), News: tag("a")}
	answer := provider.Differ{}.Compare(sides).Response()
	fmt.Println(answer.Changes, answer.Diffs, answer.Detailed[0].Key)
	fmt.Print(render.Text(check.ReadResponse(answer, sides).Diff.Invert(), render.Options{}))
	// Output:
	// DIFF_SOME [tags] tags.tagName
	// ~ tags: {
	//     ~ tagName: "a" => "b"
	//   }
}

func ExampleReading() {
	old, state := machine("web", 1)
	news, _ := machine("web", 2)
	theirs := provider.Response{Changes: rpc.DiffSome, HasDetailed: true, Detailed: []provider.Entry{
		{Key: "size", Kind: rpc.PropertyDiffUpdate}, {Key: "name", Kind: rpc.PropertyDiffUpdate}, {Key: `tags["`, Kind: rpc.PropertyDiffAdd},
	}}
	reading := check.ReadResponse(theirs, provider.Sides{OldInputs: old, OldState: state, News: news})
	fmt.Print(render.Text(reading.Diff, render.Options{}))
	for _, o := range reading.Omitted {
		fmt.Println(theirs.Detailed[o.Entry].Key, "-", o.Why)
	}
	// Output:
	// ~ size: 1 => 2
	// name - no difference
	// tags[" - unreadable key
}

func ExampleOmitted() {
	theirs := provider.Response{Changes: rpc.DiffSome, HasDetailed: true, Detailed: []provider.Entry{{Key: "__meta", Kind: rpc.PropertyDiffUpdateReplace}}}
	fmt.Println(check.ReadResponse(theirs, provider.Sides{}).Omitted[0])
	// Output:
	// {0 not a property}
}

func ExampleOmission() {
	fmt.Println(check.OmittedCovered)
	// Output:
	// inside another entry
}

func ExampleValidate() {
	old, state := machine("web", 1)
	news, _ := machine("web", 2)
	theirs := provider.Response{Changes: rpc.DiffSome, Diffs: []string{"size", "url"}, HasDetailed: true, Detailed: []provider.Entry{
		{Key: "size", Kind: rpc.PropertyDiffAdd, InputDiff: true}, {Key: "url", Kind: rpc.PropertyDiffUpdate},
	}}
	for _, f := range check.Validate(theirs, provider.Sides{OldInputs: old, OldState: state, News: news}, provider.Differ{}) {
		fmt.Println(f)
	}
	// Output:
	// error: size: add-present: something was there before; answer UPDATE when it differs, else leave the entry out
	// note: url: output-only: only the old state has this property, which is computed; leave it out, new inputs never name it
}

func ExampleFinding() {
	for _, f := range check.Validate(provider.Response{Changes: rpc.DiffNone, Diffs: []string{"size"}}, provider.Sides{}, provider.Differ{}) {
		fmt.Println(f.Code, f.Severity, f.Entry)
	}
	// Output:
	// none-with-changes error -1
}

// The zero Response says that the provider does not know, and so cannot be wrong.
func ExampleSeverity() {
	found := check.Validate(provider.Response{Changes: rpc.DiffSome}, provider.Sides{}, provider.Differ{})
	fmt.Println(found[0].Severity, found[0].Severity < check.SeverityError)
	// Output:
	// note true
}

func ExampleLog() {
	log := strings.NewReader(`{"method":"/pulumirpc.ResourceProvider/Create",` +
		`"request":{"type":"aws:s3/bucket:Bucket"},"response":{"properties":{}},"progress":"response_completed"}`)
	for c, err := range check.Log(log, check.LogOptions{}) {
		for _, f := range c.Findings {
			fmt.Printf("line %d: %s: %v %v\n", c.Call.Line, c.Subject, f, err)
		}
	}
	// Output:
	// line 1: aws:s3/bucket:Bucket: error: response.id: id-missing: ID missing (a created resource has one, and engines fail without it); return the ID of what was created <nil>
}
