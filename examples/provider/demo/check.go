package demo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// recordShape is what the inputs of a Record may look like.
func recordShape() shape {
	text := shape{kind: value.KindString}
	number := shape{kind: value.KindNumber}
	numbers := shape{kind: value.KindObject, each: &number}
	texts := shape{kind: value.KindArray, each: &text}
	rule := shape{kind: value.KindObject, needs: []string{"name", "port"}, fields: map[string]shape{
		"name": text, "port": {kind: value.KindNumber, rule: within(1, 65535)}, "cidrs": texts,
	}}
	return shape{kind: value.KindObject, fields: map[string]shape{
		"name":    {kind: value.KindString, rule: named},
		"zone":    {kind: value.KindString, rule: shown},
		"title":   text,
		"size":    {kind: value.KindNumber, rule: within(0, math.MaxInt32)},
		"enabled": {kind: value.KindBool},
		"labels":  {kind: value.KindObject, each: &text},
		"settings": {kind: value.KindObject, fields: map[string]shape{
			"retention": number, "engine": text,
			"owner": {kind: value.KindObject, fields: map[string]shape{"name": text, "mail": text}},
		}},
		"rules":    {kind: value.KindArray, each: &rule},
		"members":  {kind: value.KindArray, each: &text, rule: noDuplicates},
		"limits":   {kind: value.KindObject, each: &numbers},
		"extra":    {},
		"password": text,
		"document": {kind: value.KindAsset},
		"bundle":   {kind: value.KindArchive},
	}}
}

// Check turns what the program wrote into the inputs that the engine keeps and
// hands to Diff, Create and Update. Unknown values pass: they are checked when they
// are known.
func (*Provider) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	u, err := recordURN(r)
	if err != nil {
		return nil, err
	}
	failures := recordShape().check(r.News)
	defaults := map[string]value.Value{"size": value.Number(1), "zone": value.String("a")}
	if r.News.Field("name").IsNull() {
		name := autoname(r, u)
		if name == "" {
			failures = append(failures, rpc.CheckFailure{Property: "name", Reason: "is required: no names are given here"})
		}
		defaults["name"] = value.String(name)
	}
	if len(failures) > 0 {
		return &rpc.CheckResponse{Inputs: r.News, Failures: failures}, nil
	}
	inputs := maps.Collect(r.News.Members())
	for name, v := range defaults {
		if inputs[name].IsNull() {
			inputs[name] = v
		}
	}
	// A password is a secret, also of a program that did not say so.
	return &rpc.CheckResponse{Inputs: value.MarkSecret(value.ObjectFromMap(inputs), patterns("password"))}, nil
}

// autoname makes a name for a resource that has none, or returns "" if that is not
// wanted. A resource that has a name keeps it. The seed is the same for each call in
// one run of the engine and differs between runs, so that the replacement of a
// resource has another name than the resource.
func autoname(r *rpc.CheckRequest, u urn.URN) string {
	if old, ok := r.Olds.Field("name").AsString(); ok {
		return old
	}
	if a := r.Autonaming; a != nil && (a.Mode == rpc.AutonamingDisable || a.ProposedName != "") {
		return a.ProposedName
	}
	sum := sha256.Sum256(slices.Concat(r.RandomSeed, []byte(r.URN)))
	return fmt.Sprintf("%s-%x", u.Name(), sum)[:len(u.Name())+8]
}

// isAutomatic says whether autoname made a name: the next one will be another.
func isAutomatic(name string, u urn.URN) bool {
	ok, err := regexp.MatchString("^"+regexp.QuoteMeta(u.Name())+"-[0-9a-f]{7}$", name)
	return err == nil && ok
}
