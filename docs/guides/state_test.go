package guides_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

const stateBefore = `{"version": 3, "deployment": {"resources": [
	{"urn": "urn:pulumi:dev::shop::demo:index:Disk::data", "type": "demo:index:Disk", "custom": true, "id": "d-1",
	 "inputs": {"size": 10, "tags": {"env": "dev"}},
	 "outputs": {"size": 10, "tags": {"env": "dev"}, "serial": "x7"}}]}}`

func Example_state() {
	file, err := state.Parse(stateBefore, state.Options{})
	if err != nil {
		panic(err)
	}
	for r, err := range file.Resources() {
		if err != nil {
			panic(err)
		}
		fmt.Println(r.URN, r.ID, r.Inputs, r.Outputs)
	}
	// Output:
	// urn:pulumi:dev::shop::demo:index:Disk::data d-1 {size: 10, tags: {env: "dev"}} {serial: "x7", size: 10, tags: {env: "dev"}}
}

func Example_stateCompare() {
	after := strings.Replace(stateBefore, `"outputs": {"size": 10`, `"outputs": {"size": 20`, 1)

	c, err := state.Compare(strings.NewReader(stateBefore), strings.NewReader(after), state.CompareOptions{Diff: diff.Options{Relation: value.Engine}})
	if err != nil {
		panic(err)
	}
	for d, err := range c.Resources() {
		if err != nil {
			panic(err)
		}
		fmt.Println(d.Outcome, d.New.ID, d.Outputs.Diff)
	}
	// Output:
	// updated d-1 ~ size: 10 => 20
}

func Example_stateDrift() {
	file, err := state.Parse(strings.Replace(stateBefore, `"outputs": {"size": 10`, `"outputs": {"size": 20`, 1), state.Options{})
	if err != nil {
		panic(err)
	}
	disk, _, err := file.Find("urn:pulumi:dev::shop::demo:index:Disk::data")
	if err != nil {
		panic(err)
	}

	sides := provider.Sides{OldInputs: disk.Inputs, OldState: disk.Outputs, News: disk.Inputs}
	c := provider.Differ{Drift: true}.Compare(sides)
	fmt.Println(c.Inputs().Empty(), c.Drift())
	// Output:
	// true ~ size: 20 => 10
}
