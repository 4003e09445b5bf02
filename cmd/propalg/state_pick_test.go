package main_test

import (
	"strings"
	"testing"
)

// TestShowsLive: of several resources with one URN show takes the live one, wherever it
// stands, and an ID or a position names another.
func TestShowsLive(t *testing.T) {
	const urn = "urn:pulumi:dev::shop::a:b:C::n"
	one := func(id, more string) string {
		return `{"urn":"` + urn + `","type":"a:b:C","custom":true,"id":"` + id + `"` + more + `}`
	}
	dir := writeFiles(t, map[string]string{"s.json": `{"version":3,"deployment":{"resources":[` + one("i0", `,"delete":true`) + "," + one("i1", "") + "," + one("i2", `,"delete":true`) + `]}}`})
	for name, want := range map[string]string{
		urn: "i1", "n": "i1", "C::n": "i1", urn + "::i2": "i2", "i0": "i0", urn + "#1": "i0", "n#3": "i2", "n#2": "i1",
	} {
		if got := propalg(t, dir, "", "state", "show", "s.json", name); got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, `id "`+want+`"`) {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
}
