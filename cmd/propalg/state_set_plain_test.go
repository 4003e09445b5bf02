package main_test

import (
	"strings"
	"testing"
)

// TestStateSetPlain: the mark goes, and it is said that the file has the secret in clear.
func TestStateSetPlain(t *testing.T) {
	const text = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::a:b:C::n","type":"a:b:C","inputs":{"s":%}}]}}`
	secret := `{` + signature + `,"plaintext":"\"canary\""}`
	dir := writeFiles(t, map[string]string{"stack.json": strings.Replace(text, "%", secret, 1)})
	got := propalg(t, dir, "", "state", "set", "stack.json", "urn:pulumi:dev::shop::a:b:C::n", "s", "--plain")
	if got.code != 0 || got.stdout != "stack.json: 1 place changed\n" || !strings.Contains(got.stderr, "inputs.s is no secret any more") || strings.Contains(got.stderr, "canary") {
		t.Errorf("%+v", got)
	}
	if now := readFile(t, dir, "stack.json"); now != strings.Replace(text, "%", `"canary"`, 1) {
		t.Error(now)
	}
}
