package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// store makes a folder for what exists, and returns what does.
func store(t *testing.T) (exists func() []string) {
	t.Helper()
	folder := t.TempDir()
	t.Setenv(storeEnv, folder)
	return func() (names []string) {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			names = append(names, f.Name())
		}
		return names
	}
}

func journalIn(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "journal")
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// TestLive: a resource is made, read, updated and deleted, and nothing is left of it.
func TestLive(t *testing.T) {
	exists, journal := store(t), journalIn(t)
	doc := document(t, "right", "--live", "--resource", "*", "--tries", "50", "--journal", journal)
	if got := found(doc); got != nil {
		t.Errorf("findings: %q", got)
	}
	reached := strings.Join(doc.Subjects[0].Reached, "\n")
	for _, want := range []string{"Read ", "Delete ", "Update ", "imports "} {
		if !strings.Contains(reached, want) {
			t.Errorf("%q is not reached: %s", want, reached)
		}
	}
	if left := exists(); left != nil || isThere(journal) {
		t.Errorf("%q are left, and a journal: %v", left, isThere(journal))
	}

	doc = document(t, "delete-twice", "--live", "--resource", "*", "--journal", journal)
	if got := found(doc); !slices.Equal(got, []string{"Delete gone-fails"}) {
		t.Errorf("%q", got)
	}
	if doc.Subjects[0].Findings[0].Commands[len(doc.Subjects[0].Findings[0].Commands)-1] != "pulumi destroy --yes" {
		t.Errorf("%q", doc.Subjects[0].Findings[0].Commands)
	}
}

// TestLiveOnce: with --live there is one life, and it needs --resource.
func TestLiveOnce(t *testing.T) {
	journal := journalIn(t)
	if code, out, messages := tested(t, "right", "--live", "--journal", journal); code != exitBad || out != "" || !strings.Contains(messages, "needs --resource") {
		t.Errorf("%d %q %q", code, out, messages)
	}
	store(t)
	doc := document(t, "right", "--live", "--resource", "*", "--journal", journal)
	if n := strings.Join(doc.Subjects[0].Reached, "\n"); !strings.Contains(n, "previews ") || !strings.Contains(n, "Create ") {
		t.Errorf("%s", n)
	}
	if err := os.WriteFile(journal, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, messages := tested(t, "right", "--live", "--resource", "*", "--journal", journal); code != exitBad || !strings.Contains(messages, "an earlier run left it") {
		t.Errorf("%d %q", code, messages)
	}
}

// TestDies: of a Create that does not end, nobody knows what it made; that is said, and the
// journal stays.
func TestDies(t *testing.T) {
	exists, journal := store(t), journalIn(t)
	code, out, messages := tested(t, "dies", "--live", "--resource", "*", "--journal", journal)
	if code != exitFindings || !strings.Contains(out, "error Create: crash\n") || !strings.Contains(messages, "may be left: its Create did not end, and no ID is known") {
		t.Errorf("%d %s %s", code, out, messages)
	}
	if !isThere(journal) || len(exists()) != 1 {
		t.Errorf("journal %v, left %q", isThere(journal), exists())
	}
}

// TestInterrupted: what was made is deleted when the user interrupts.
func TestInterrupted(t *testing.T) {
	exists, journal := store(t), journalIn(t)
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		for len(exists()) == 0 {
			time.Sleep(time.Millisecond)
		}
		interrupt()
	}()
	code, out, messages := testedUntil(ctx, t, "hangs-in-read", "--live", "--resource", "*", "--journal", journal)
	if code != exitBad || !strings.Contains(out, "ended early: interrupted") || !strings.Contains(messages, "interrupted") {
		t.Errorf("%d %s %s", code, out, messages)
	}
	if left := exists(); left != nil || isThere(journal) {
		t.Errorf("%q are left, and a journal: %v", left, isThere(journal))
	}
}

// TestCleanup: --cleanup deletes what the journal of a run that was killed has.
func TestCleanup(t *testing.T) {
	exists, journal := store(t), journalIn(t)
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(os.Getenv(storeEnv), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := `{"event":"create","type":"x:index:Thing","name":"n","urn":"urn:pulumi:test::propalg-test::x:index:Thing::n"}
{"event":"created","type":"x:index:Thing","name":"n","urn":"urn:pulumi:test::propalg-test::x:index:Thing::n","id":"a"}
{"event":"created","type":"x:index:Thing","name":"n","urn":"urn:pulumi:test::propalg-test::x:index:Thing::n","id":"gone"}
{"event":"created","type":"x:index:Thing","name":"n","urn":"urn:pulu`
	if err := os.WriteFile(journal, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, messages := tested(t, "right", "--cleanup", journal)
	if code != exitNothing || out != "" || messages != "" {
		t.Errorf("%d %q %q", code, out, messages)
	}
	if left := exists(); !slices.Equal(left, []string{"b"}) || isThere(journal) {
		t.Errorf("%q are left, and a journal: %v", left, isThere(journal))
	}
}
