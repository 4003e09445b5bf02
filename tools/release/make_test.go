package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkout returns a repository with the files of this one as they are now, committed
// or not, with a line for version in its CHANGELOG.md.
func checkout(t *testing.T, version string) repository {
	t.Helper()

	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
		t.Setenv(name, "a@b.test")
	}

	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull) // no signing, no hooks

	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	database := "--git-dir=" + filepath.Join(dir, ".git")

	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main", dir},
		{database, "--work-tree=" + root, "add", "--all"},
		{database, "-c", "core.bare=false", "commit", "--quiet", "--message=all"},
	} {
		if _, err := git(root, args...); err != nil {
			t.Fatal(err)
		}
	}

	if _, err := git(dir, "checkout", "--quiet", "--force", "main"); err != nil {
		t.Fatal(err)
	}

	log, err := os.OpenFile(filepath.Join(dir, "CHANGELOG.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}

	_, err = log.WriteString("\n## " + version + "\n\nAs tested.\n")
	if err := errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}

	if _, err := git(dir, "commit", "--quiet", "--all", "--message=log"); err != nil {
		t.Fatal(err)
	}

	return repository(dir)
}

// head is the commit that is checked out, and all tags.
func head(t *testing.T, r repository) string {
	t.Helper()

	commit, err := git(string(r), "rev-parse", "HEAD")
	tags, errTags := git(string(r), "tag", "--list")

	if err := errors.Join(err, errTags); err != nil {
		t.Fatal(err)
	}

	return commit + tags
}

// What cannot be released changes nothing.
func TestRefused(t *testing.T) {
	const version = "v0.3.0"
	r := checkout(t, version)
	before := head(t, r)

	refuse := func(version string, want error, why string) {
		t.Helper()

		_, err := r.release(version)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", version, err)
		}

		if after := head(t, r); after != before {
			t.Errorf("%s changed %s to %s", version, before, after)
		}
	}

	for _, version := range []string{"0.3.0", "v0.3", "v2.0.0", "v0.3.0+meta", "main", ""} {
		refuse(version, errVersion, "wanted v0.X.Y")
	}

	refuse("v0.4.0", errTree, `nothing below a line "## v0.4.0"`)

	for _, tag := range []string{"v0.3.1", "interop/grpc/v0.3.0"} {
		if _, err := git(string(r), "tag", tag); err != nil {
			t.Fatal(err)
		}

		before = head(t, r)
		refuse(version, errVersion, "there is the tag "+tag)

		if _, err := git(string(r), "tag", "-d", tag); err != nil {
			t.Fatal(err)
		}
	}

	before = head(t, r)
	stray := filepath.Join(string(r), "stray")

	if err := os.WriteFile(stray, nil, 0o600); err != nil {
		t.Fatal(err)
	}

	refuse(version, errTree, "?? stray")

	// In the way of the branch that moves last: all tags are taken back.
	if err := errors.Join(os.Remove(stray), os.WriteFile(filepath.Join(string(r), ".git", "index.lock"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}

	if _, err := r.release(version); err == nil || head(t, r) != before {
		t.Error(err, head(t, r))
	}
}

// A release is one commit, which only changes go.mod files, with a tag for each module.
func TestRelease(t *testing.T) {
	const version = "v0.3.0"
	r := checkout(t, version)

	tags, err := r.release(version)
	if err != nil {
		t.Fatal(err)
	}

	if want := []string{"v0.3.0", "bench/gate/v0.3.0", "interop/grpc/v0.3.0", "interop/propalg-test/v0.3.0", "interop/pulumi/v0.3.0"}; !slices.Equal(tags, want) {
		t.Errorf("%q", tags)
	}

	changed, err := git(string(r), "diff", "--name-only", "HEAD~1", tags[3])
	if err != nil {
		t.Fatal(err)
	}

	for name := range strings.FieldsSeq(changed) {
		if filepath.Base(name) != "go.mod" {
			t.Errorf("%s changed", name)
		}
	}

	status, err := git(string(r), "status", "--porcelain")
	if err != nil || status != "" {
		t.Error(err, status)
	}

	// What still has no version would be refused here, where folders are replaced, too.
	left, err := git(string(r), "grep", rootPath+".* v0\\.0\\.0", "--", "*go.mod")
	if err == nil {
		t.Error(left)
	}
}
