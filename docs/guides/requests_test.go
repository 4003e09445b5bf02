package guides_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func requestBags() (old, now value.Value) {
	old = value.Object(
		value.Field("diskSize", value.Number(10)),
		value.Field("labels", value.Object(value.Field("env", value.String("dev")), value.Field("team", value.String("web")))),
		value.Field("password", value.Secret(value.String("one"))),
	)
	now = value.Object(
		value.Field("diskSize", value.Number(20)),
		value.Field("labels", value.Object(value.Field("env", value.String("prod")))),
		value.Field("password", value.Secret(value.String("two"))),
	)

	return old, now
}

func Example_requestsMergePatch() {
	old, now := requestBags()

	_, err := patch.MergePatch(old, now, patch.Options{})
	fmt.Println(err)

	body, err := patch.MergePatch(old, now, patch.Options{Secrets: value.RevealSecrets})
	fmt.Println(string(body), err)
	// Output:
	// patch: write merge patch: password: rejected by policy
	// {"diskSize":20,"labels":{"env":"prod","team":null},"password":"two"} <nil>
}

func Example_requestsJSONPatch() {
	old, now := requestBags()
	old, _ = old.Without(path.MustParse("password"))
	now, _ = now.Without(path.MustParse("password"))

	body, err := patch.JSONPatch(diff.Between(old, now, diff.Options{Relation: value.Engine}), patch.Options{Tests: true})
	fmt.Println(string(body), err)
	// Output:
	// [{"op":"test","path":"/diskSize","value":10},{"op":"replace","path":"/diskSize","value":20},{"op":"test","path":"/labels/env","value":"dev"},{"op":"replace","path":"/labels/env","value":"prod"},{"op":"test","path":"/labels/team","value":"web"},{"op":"remove","path":"/labels/team"}] <nil>
}

func Example_requestsFieldMask() {
	old, now := requestBags()

	mask, err := patch.FieldMask(diff.Between(old, now, diff.Options{Relation: value.Engine}), patch.MaskOptions{
		Maps:      path.MustSet("labels"),
		SnakeCase: true,
	})
	fmt.Println(mask, err)
	// Output:
	// [disk_size labels password] <nil>
}

func Example_requestsCalls() {
	old, now := requestBags()

	for c := range diff.Between(old, now, diff.Options{Relation: value.Engine}).Changes() {
		fmt.Println(c.Op(), c.Path())
	}
	// Output:
	// update diskSize
	// update labels.env
	// delete labels.team
	// update password
}

func Example_requestsSend() {
	old, now := requestBags()

	text, err := patch.Marshal(diff.Between(old, now, diff.Options{}), patch.Options{Secrets: value.RevealSecrets, Base: patch.Fingerprint(old)})
	if err != nil {
		panic(err)
	}

	received, err := patch.Unmarshal(text, patch.Options{})
	if err != nil {
		panic(err)
	}
	again, err := received.Apply(old)
	fmt.Println(again.Equal(now), err)

	_, err = received.Apply(now)
	fmt.Println(err)
	// Output:
	// true <nil>
	// patch: apply: value does not match the fingerprint of the patch
}
