package provider_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// machine returns the inputs of a virtual machine, and its state, which also has a url.
func machine(name string, size float64) (inputs, state value.Value) {
	inputs = value.Object(value.Field("name", value.String(name)), value.Field("size", value.Number(size)))
	state, _ = inputs.WithField("url", value.String("https://"+name))
	return inputs, state
}

// machineDiff is the Diff of a provider of virtual machines. (With messages it is
// [provider.Differ.Answer].)
func machineDiff(sides provider.Sides) provider.Response {
	o := provider.Differ{InputNames: []string{"name", "size", "tags"}, ReplaceOn: path.MustSet("name"), Stables: []string{"url"}}
	return o.Compare(sides).Response()
}

// show prints an answer, a line for each entry.
func show(r provider.Response) {
	fmt.Println(r.Changes, r.Diffs, r.Replaces, r.Stables)
	for _, e := range r.Detailed {
		fmt.Println(" ", e.Key, e.Kind, e.InputDiff)
	}
}

func ExampleDiffer_Compare() {
	oldInputs, oldState := machine("web", 1)
	news, _ := machine("www", 2)

	// The url is in the state only, and no change.
	show(machineDiff(provider.Sides{OldInputs: oldInputs, OldState: oldState, News: news}))

	// An older engine sends no old inputs.
	show(machineDiff(provider.Sides{OldState: oldState, News: news}))

	// Nothing changed.
	show(machineDiff(provider.Sides{OldInputs: oldInputs, OldState: oldState, News: oldInputs}))
	// Output:
	// DIFF_SOME [name size] [name] [url]
	//   name UPDATE_REPLACE true
	//   size UPDATE true
	// DIFF_SOME [name size] [name] [url]
	//   name UPDATE_REPLACE false
	//   size UPDATE false
	// DIFF_NONE [] [] [url]
}

func ExampleDiffer_inputNames() {
	inputs, _ := machine("web", 1)
	_, drifted := machine("web", 4)
	o := provider.Differ{Drift: true}
	show(o.Compare(provider.Sides{OldInputs: inputs, OldState: drifted, News: inputs}).Response())
	// Output:
	// DIFF_SOME [size] [] []
	//   size UPDATE false
}

func ExampleComparison() {
	inputs, _ := machine("web", 1)
	news, _ := machine("www", 1)
	_, drifted := machine("web", 4)
	c := provider.Differ{Drift: true}.Compare(provider.Sides{OldInputs: inputs, OldState: drifted, News: news})
	fmt.Print("inputs:\n", render.Text(c.Inputs(), render.Options{}))
	fmt.Print("state:\n", render.Text(c.Drift(), render.Options{}))
	// Output:
	// inputs:
	// ~ name: "web" => "www"
	// state:
	// ~ name: "web" => "www"
	// ~ size: 4 => 1
}

func ExampleSides() {
	// No old inputs, and old inputs that are empty, are not the same.
	state, news := value.Object(value.Member{Key: "a", Value: value.Number(1)}), value.Object(value.Member{Key: "a", Value: value.Number(1)})
	none := provider.Sides{OldState: state, News: news}
	empty := provider.Sides{OldInputs: value.Object(), OldState: state, News: news}
	fmt.Println(provider.Differ{}.Compare(none).Empty(), provider.Differ{}.Compare(empty).Empty())
	// Output:
	// true false
}

// A state that drifted is a change only if it is asked for.
func ExampleDiffer_drift() {
	inputs, _ := machine("web", 1)
	_, drifted := machine("web", 4)
	sides := provider.Sides{OldInputs: inputs, OldState: drifted, News: inputs}
	for _, drift := range []bool{false, true} {
		fmt.Println(provider.Differ{Drift: drift}.Compare(sides).Empty())
	}
	// Output:
	// true
	// false
}

func ExampleDiffer_answerUnknown() {
	old, state := machine("web", 1)
	news, _ := machine("www", 1)
	d := provider.Differ{ReplaceOn: path.MustSet("name"), AnswerUnknown: true}
	show(d.Compare(provider.Sides{OldInputs: old, OldState: state, News: news}).Response())
	// Output:
	// DIFF_UNKNOWN [] [name] []
}

// bucket returns a small property bag.
func bucket(name, env string, versions value.Value) value.Value {
	return value.Object(
		value.Member{Key: "name", Value: value.String(name)},
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String(env)})},
		value.Member{Key: "versions", Value: versions},
	)
}

func ExampleDiffer_Respond() {
	old := bucket("logs", "dev", value.Array(value.Number(1)))
	now := bucket("archive", "prod", value.Array())
	d := diff.Between(old, now, diff.Options{Relation: value.Engine})

	answer := provider.Differ{ReplaceOn: path.MustSet("name")}.RespondInputs(d)
	fmt.Println(answer.Changes, answer.Diffs, answer.Replaces)
	for _, e := range answer.Detailed {
		fmt.Println(e.Key, e.Kind, e.InputDiff)
	}
	// Output:
	// DIFF_SOME [name tags versions] [name]
	// name UPDATE_REPLACE true
	// tags.env UPDATE true
	// versions[0] DELETE true
}

func ExampleResponse() {
	same := provider.Differ{}.Respond(diff.Between(value.Object(), value.Object(), diff.Options{}))
	fmt.Println(same.Changes, same.Replace(), same.HasDetailed, len(same.Detailed))
	// Output:
	// DIFF_NONE false true 0
}

func ExampleDiffer() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})
	answer := provider.Differ{Stables: []string{"arn", "name", "tags"}, DeleteBeforeReplace: true}.Respond(d)
	fmt.Println(answer.Stables, answer.DeleteBeforeReplace)
	// Output:
	// [arn name] true
}

func ExampleEntry() {
	old := value.Object(value.Member{Key: "labels", Value: value.Object()})
	now := value.Object(value.Member{Key: "labels", Value: value.Object(value.Member{Key: "app/name", Value: value.String("x")})})
	for _, e := range (provider.Differ{}).Respond(diff.Between(old, now, diff.Options{})).Detailed {
		fmt.Println(e.Key, e.Kind)
	}
	// Output:
	// labels["app/name"] ADD
}

func ExampleKind() {
	e := provider.Entry{Key: "name", Kind: rpc.PropertyDiffUpdateReplace}
	fmt.Println(e.Kind, e.Replace(), int(e.Kind))
	// Output:
	// UPDATE_REPLACE true 5
}

func ExampleDiffer_RespondInputs() {
	d := diff.Between(value.Object(), value.Object(value.Member{Key: "a", Value: value.Bool(true)}), diff.Options{})
	fmt.Println(provider.Differ{}.Respond(d).Detailed[0].InputDiff)
	fmt.Println(provider.Differ{}.RespondInputs(d).Detailed[0].InputDiff)
	// Output:
	// false
	// true
}

// An added object that holds a property that forces a replacement.
func ExampleDirection() {
	old := value.Object()
	now := value.Object(value.Member{Key: "disk", Value: value.Object(value.Member{Key: "size", Value: value.Number(8)})})
	d := diff.Between(old, now, diff.Options{})
	sizes := path.NewSet(path.MustParsePattern("disk.size"))
	for _, way := range []provider.Direction{provider.TwoWay, provider.EngineOneWay} {
		fmt.Println(provider.Differ{ReplaceOn: sizes, Direction: way}.Respond(d).Detailed[0].Kind)
	}
	// Output:
	// ADD_REPLACE
	// ADD
}

func ExampleResponse_changes() {
	d := diff.Between(value.Number(1), value.Unknown(), diff.Options{})
	fmt.Println(d.Verdict(), provider.Differ{}.Respond(d).Changes, int(rpc.DiffSome))
	// Output:
	// maybe DIFF_SOME 2
}

// Rules of equality say which differences mean nothing to the provider.
func ExampleDiffer_equality() {
	same := equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("policy"), Form: equality.JSONText},
		equality.Rule{Pattern: path.MustParsePattern("port"), Default: value.Number(443)},
	)
	old := value.Object(value.Field("policy", value.String(`{"allow": true}`)), value.Field("size", value.Number(1)))
	news := value.Object(value.Field("policy", value.String(`{"allow":true}`)), value.Field("port", value.Number(443)), value.Field("size", value.Number(2)))

	c := provider.Differ{Equality: same}.Compare(provider.Sides{OldInputs: old, News: news})
	fmt.Println(c.Response().Diffs)
	for hidden := range c.Suppressed().Changes() {
		fmt.Println("hidden:", hidden)
	}
	// Output:
	// [size]
	// hidden: ~ policy: "{\"allow\": true}" => "{\"allow\":true}"
	// hidden: + port: 443
}

// Read returns the inputs as the program wrote them, wherever what is found means the
// same: otherwise the next preview shows changes that nobody made.
func Example_read() {
	same := equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("port"), Default: value.Number(443)},
	)
	read := func(r *rpc.ReadRequest, found value.Value) *rpc.ReadResponse {
		inputs := found.WithSecretsOf(r.Inputs) // before the spelling: a secret stays one
		inputs = same.Respell(r.Inputs, inputs, diff.Options{Relation: value.Engine})

		return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: found.WithSecretsOf(r.Properties)}
	}

	// The API writes names in lower case and fills in the port. The size was changed.
	written := value.Object(value.Field("name", value.Secret(value.String("Web"))), value.Field("size", value.Number(1)))
	found := value.Object(
		value.Field("name", value.String("web")), value.Field("port", value.Number(443)), value.Field("size", value.Number(2)),
	)

	refreshed := read(&rpc.ReadRequest{ID: "web", Inputs: written, Properties: written}, found)
	fmt.Println(refreshed.Inputs)

	preview := provider.Differ{}.Compare(provider.Sides{OldInputs: refreshed.Inputs, OldState: refreshed.Properties, News: written})
	fmt.Println(preview.Response().Diffs)

	imported := read(&rpc.ReadRequest{ID: "web"}, found)
	fmt.Println(imported.Inputs)
	// Output:
	// {name: [secret], size: 2}
	// [size]
	// {name: "web", port: 443, size: 2}
}
