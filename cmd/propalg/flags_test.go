package main_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFlagsOfPage compares the tables of flags in docs/cli.md with the flags of the
// commands, both ways: the table of diff has a row for each of its flags, that of the
// other commands a row for each command.
func TestFlagsOfPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := listedFlags(string(page))
	for _, c := range allCommands(t) {
		slices.Sort(c.flags)
		if got := listed[c.name]; !slices.Equal(got, c.flags) {
			t.Errorf("%s: docs/cli.md lists the flags %q, the command has %q", c.name, got, c.flags)
		}
		delete(listed, c.name)
	}
	for name := range maps.Keys(listed) {
		t.Errorf("docs/cli.md lists flags of %q, which is not a command", name)
	}
}

// listedFlags returns the flags by command, sorted, that the tables of the page list.
func listedFlags(page string) map[string][]string {
	listed := map[string][]string{}
	flag := regexp.MustCompile("`--?([a-z-]+)")
	add := func(command, text string) {
		for _, f := range flag.FindAllStringSubmatch(text, -1) {
			listed[command] = append(listed[command], f[1])
		}
		slices.Sort(listed[command])
	}
	section := ""
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		switch {
		case strings.HasPrefix(line, "## "):
			section = strings.TrimSpace(line[3:])
		case len(cells) < 4 || !strings.Contains(line, "`"):
		case section == "Flags":
			add(strings.Trim(cells[1], " `"), cells[2])
		case section == "diff OLD NEW":
			add("diff", cells[1])
		}
	}
	return listed
}
