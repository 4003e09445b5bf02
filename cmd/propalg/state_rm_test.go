package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestStateRmDependents: all that depends on a resource is listed, and removed with it on
// demand; so is what flags choose.
func TestStateRmDependents(t *testing.T) {
	const (
		stack    = "urn:pulumi:dev::shop::"
		provider = stack + "pulumi:providers:a::p"
		by       = " (dependencies, propertyDependencies, provider)\n"
	)
	text := `{"version":3,"deployment":{"resources":[{"urn":"` + provider + `","custom":true,"id":"1","type":"pulumi:providers:a"},` +
		`{"urn":"` + bucketURN + `","type":"aws:s3/bucketV2:BucketV2","protect":true,"parent":"` + stack + `a:b:C::n11"}`
	for i := range 12 {
		text += fmt.Sprintf(`,{"urn":"urn:pulumi:dev::shop::a:b:C::n%d","type":"a:b:C","custom":true,"id":"i","provider":%q,"propertyDependencies":{"a":[%q]},"dependencies":[%q]}`, i, provider+"::1", provider, provider)
	}
	text += `],"pending_operations":[{"type":"creating","resource":{"urn":"` + stack + `a:b:C::n1","type":"a:b:C"}}]}}`
	every, others := "", "" // lines for what depends on the provider
	for i := range 12 {
		if i > 1 {
			others += fmt.Sprint("- ", stack, "a:b:C::n", i, by)
		}
		every += fmt.Sprint("propalg state rm: ", stack, "a:b:C::n", i, " depends on it", by)
	}
	bucket := "propalg state rm: " + bucketURN + " depends on it (parent)\n"

	for args, want := range map[string]struct{ out, err string }{
		"p":                         {"", bucket + every + "propalg state rm: stack.json: cannot remove " + provider + ": 13 resources depend on it; --dependents removes those too\n"},
		"p n0":                      {"", "cannot remove " + provider + " and 1 more: 12 resources depend on it; --dep"},
		"assets":                    {"", "is protected; --protected removes it all the same\n"},
		"n11 --dependents":          {"", "is protected; --protected removes it all the same\n"},
		"n1 --type a:*":             {"", "names and flags that choose resources cannot be combined"},
		"--name none":               {"", "stack.json: no resource is what the flags say\n"},
		"--name n1*":                {"", bucket + "propalg state rm: stack.json: cannot remove"},
		"--name n1":                 {"", "cannot remove " + stack + "a:b:C::n1#1: a pending operation refers to it; --pending removes those\n"},
		"--name n10":                {"- " + stack + "a:b:C::n10\nstack.json: 1 resource removed\n", ""},
		"n2 --pending":              {"stack.json: 1 resource and 1 pending operation removed\n", ""},
		"--pending":                 {"stack.json: 1 pending operation removed\n", ""},
		"--pending --deeper 500":    {"stack.json: 1 place changed\n", ""},
		"--dependents --dry-run n2": {"stack.json: 1 resource would be removed\n", ""},
		"--dependents --protected n11": {
			"- " + bucketURN + " (parent)\nstack.json: 2 resources removed\n", "",
		},
		"--pending --dependents --protected --type pulumi:providers:* --type a:b:C": {
			"- " + provider + "\n" + strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(every, "propalg state rm:", "-"), " depends on it", ""), by, "\n") +
				"- " + bucketURN + " (parent)\nstack.json: 14 resources and 1 pending operation removed\n", "",
		},
		"--dependents --pending --protected p n0 n1": {
			"- " + bucketURN + " (parent)\n" + others + "stack.json: 14 resources and 1 pending operation removed\n", "",
		},
	} {
		dir := writeFiles(t, map[string]string{"stack.json": text})
		got := propalg(t, dir, "", strings.Fields("state rm stack.json "+args)...)
		if (got.code != 0) != (want.err != "") || !strings.Contains(got.stderr, want.err) || got.stdout != want.out {
			t.Errorf("%s: exit %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
		isChanged := readFile(t, dir, "stack.json") != text
		if isChanged != (got.code == 0 && !strings.Contains(args, "--dry-run")) {
			t.Errorf("%s: changed: %v", args, isChanged)
		}
	}
}
