package main_test

import (
	"strings"
	"testing"
)

// TestDiffInDigits: bags and resources that differ only in digits that doubles cannot hold are
// not equal in any form, and are for engines.
func TestDiffInDigits(t *testing.T) {
	const old, now = `{"n":9007199254740993}`, `{"n":9007199254740992}`
	bags := writeFiles(t, map[string]string{"old.json": old, "new.json": now})
	stacks := twoBags(t, old, now, `{}`, `{}`)
	const differ = "umbers in the two property bags differ in digits that a double cannot hold"
	for _, row := range []struct {
		dir, args, want string
		code            int
	}{
		{bags, "-o text", "", 1},
		{bags, "-o markdown", differ, 1},
		{bags, "-o html", differ, 1},
		{bags, "--detailed", "DIFF_NONE", 0},
		{stacks, "-o text", "(numbers differ in digits that a double cannot hold)", 1},
		{stacks, "-o json", `"note":"numbers differ in digits`, 1},
		{stacks, "-o markdown", "numbers differ in digits", 1},
	} {
		got := propalg(t, row.dir, "", append(append([]string{"diff"}, strings.Fields(row.args)...), "old.json", "new.json")...)
		if got.code != row.code || !strings.Contains(got.stdout, row.want) || !strings.Contains(got.stderr, "the numbers differ in digits") {
			t.Errorf("%s: exit %d\n%.300s%s", row.args, got.code, got.stdout, got.stderr)
		}
	}
}
