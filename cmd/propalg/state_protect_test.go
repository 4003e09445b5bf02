package main_test

import (
	"strings"
	"testing"
)

// TestStateProtect: resources are chosen by flags, each record of a URN for itself, and with
// --dry-run nothing is written.
func TestStateProtect(t *testing.T) {
	const (
		twin     = `{"urn":"urn:pulumi:dev::shop::a:b:C::twin","type":"a:b:C","custom":true,"id":"1"`
		provider = `{"urn":"urn:pulumi:dev::shop::pulumi:providers:aws::p","custom":true,"id":"p","type":"pulumi:providers:aws","inputs":{"version":"6.1.0"}}`
		bucket   = `{"urn":"urn:pulumi:dev::shop::aws:s3:B::b","custom":true,"id":"b","type":"aws:s3:B"`
		by       = `,"provider":"urn:pulumi:dev::shop::pulumi:providers:aws::p::p"}`
		other    = `{"urn":"urn:pulumi:dev::shop::aws:s3:B::o","custom":true,"id":"o","type":"aws:s3:B","provider":"urn:pulumi:dev::shop::pulumi:providers:aws::q::q"}`
		text     = `{"version":3,"deployment":{"resources":[` + twin + `,"delete":true},` + twin + `},` + provider + "," + bucket + by + "," + other + `]}}`
		on       = `,"protect":true`
	)
	for name, row := range map[string]struct {
		args    string
		replace []string // in the text of the file
		say     string   // in what is written
	}{
		"twins":    {"protect --type a:* stack.json", []string{twin, twin + on}, "stack.json: 2 resources changed\n"},
		"a twin":   {"protect stack.json urn:pulumi:dev::shop::a:b:C::twin#2", []string{twin + "}", twin + on + "}"}, "stack.json: 1 resource changed\n"},
		"live":     {"protect --where delete=false --name t* stack.json", []string{twin + "}", twin + on + "}"}, "stack.json: 1 resource changed\n"},
		"two":      {"protect stack.json urn:pulumi:dev::shop::aws:s3:B::b twin#2", []string{bucket, bucket + on, twin + "}", twin + on + "}"}, "twin#2 is urn:pulumi:dev::shop::a:b:C::twin#2\n"},
		"version":  {"protect --type aws:* --provider aws@<7 stack.json", []string{bucket, bucket + on}, "stack.json: 1 resource changed\npropalg state protect: 1 resource left out, since the file does not say the version of the provider before them\n"},
		"dry":      {"protect --all --dry-run stack.json", nil, "stack.json: 5 resources would be changed\n"},
		"all":      {"unprotect --all stack.json", nil, "stack.json: 0 resources changed\n"},
		"none":     {"unprotect --where protect=true stack.json", nil, "propalg state unprotect: stack.json: no resource is what the flags say\n"},
		"revived":  {"set stack.json twin#1 --delete=false", nil, "propalg state set: stack.json: cannot edit: more than one resource with the URN urn:pulumi:dev::shop::a:b:C::twin would be live\n"},
		"provider": {"set stack.json p --id new", nil, "is a provider, whose ID others refer to\n"},
		"moved":    {"set stack.json o --provider urn:pulumi:dev::shop::pulumi:providers:aws::p::p", []string{`aws::q::q`, `aws::p::p`}, "stack.json: 1 place changed\n"},
	} {
		dir := writeFiles(t, map[string]string{"stack.json": text})
		got := propalg(t, dir, "", strings.Fields("state "+row.args)...)
		if !strings.Contains(got.stdout+got.stderr, row.say) || (got.code == 2) == (got.stdout != "") {
			t.Errorf("%s: %+v", name, got)
		}
		if now := readFile(t, dir, "stack.json"); now != strings.NewReplacer(row.replace...).Replace(text) {
			t.Errorf("%s: %s", name, now)
		}
	}
}
