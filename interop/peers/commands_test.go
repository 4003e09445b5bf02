package peers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/value"
)

// commandResources are as many as make a file of some 10 MB.
const commandResources = 5000

// commandsRow compares two state files as a user of a shell does, by each command that
// is there: the figure is the processor time of its processes. One resource in a hundred
// has an edit. Files are indented, as the engine writes them.
func commandsRow(b *testing.B) {
	b.Helper()
	bags := bench.Bags(1000)
	edited := bench.Edited(bags)
	for i := range edited {
		if i%100 > 0 {
			edited[i] = bags[i]
		}
	}
	folder := b.TempDir()
	old, now := filepath.Join(folder, "old.json"), filepath.Join(folder, "new.json")
	writeIndented(b, old, bags)
	writeIndented(b, now, edited)

	for _, side := range []struct {
		name     string
		commands [][]string
	}{
		{bench.Ours, [][]string{{"propalg", "diff", old, now}}},
		{"git", [][]string{{"git", "diff", "--no-index", old, now}}},
		{"jq", [][]string{{"jq", "-S", ".", old}, {"jq", "-S", ".", now}}}, // and no comparison of the two
		{"jd", [][]string{{"jd", old, now}}},
		{"dyff", [][]string{{"dyff", "between", "--set-exit-code", old, now}}},
	} {
		b.Run(side.name, func(b *testing.B) {
			var spent time.Duration
			for b.Loop() {
				for _, command := range side.commands {
					spent += compared(b, command)
				}
			}
			b.ReportMetric(float64(spent)/float64(b.N), "ns/op")
		})
	}
}

// compared runs a command that finds differences, and returns its processor time.
func compared(b *testing.B, command []string) time.Duration {
	b.Helper()
	if _, err := exec.LookPath(command[0]); err != nil {
		b.Skip(err)
	}
	process := exec.CommandContext(b.Context(), command[0], command[1:]...)
	var found, complaint bytes.Buffer
	process.Stdout, process.Stderr = &found, &complaint

	err := process.Run()
	// All but jq exit with 1 where files differ.
	if differs := new(exec.ExitError); errors.As(err, &differs) && differs.ExitCode() == 1 && command[0] != "jq" {
		err = nil
	}
	if err != nil || found.Len() == 0 {
		b.Fatalf("%s: %v, %d bytes; %s", command[0], err, found.Len(), complaint.String())
	}
	return process.ProcessState.UserTime() + process.ProcessState.SystemTime()
}

func writeIndented(b *testing.B, name string, bags []value.Value) {
	b.Helper()
	var text, indented bytes.Buffer
	if err := bench.WriteStack(&text, commandResources, bags); err != nil {
		b.Fatal(err)
	}
	if err := json.Indent(&indented, text.Bytes(), "", "    "); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(name, indented.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
}
