package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

var (
	// errVersion says that a version cannot be the next one.
	errVersion = errors.New("cannot be the next version")
	// errTree says that the checkout is not ready for a release.
	errTree = errors.New("not ready for a release")
)

// repository is the folder of a git checkout.
type repository string

// release commits the go.mod files of a version on top of HEAD, tags the commit for each
// published module, and moves the branch to it. It returns the tags. If it fails there is
// no tag, and HEAD is where it was.
func (r repository) release(version string) ([]string, error) {
	tags := tagsOf(version)
	if err := r.checkVersion(version, tags); err != nil {
		return nil, err
	}
	if err := r.checkTree(version); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()

	tree := filepath.Join(scratch, "tree")
	if _, err := git(string(r), "worktree", "add", "--quiet", "--detach", tree, "HEAD"); err != nil {
		return nil, err
	}
	defer func() { _, _ = git(string(r), "worktree", "remove", "--force", tree) }()
	commit, err := commitVersion(tree, version)
	if err != nil {
		return nil, err
	}

	for i, tag := range tags {
		if _, err := git(string(r), "tag", "-a", "-m", tag, tag, commit); err != nil {
			return nil, errors.Join(err, r.untag(tags[:i]))
		}
	}
	if _, err := git(string(r), "merge", "--quiet", "--ff-only", commit); err != nil {
		return nil, errors.Join(err, r.untag(tags))
	}
	return tags, nil
}

// untag takes back tags that were just made.
func (r repository) untag(tags []string) error {
	if len(tags) == 0 {
		return nil
	}
	_, err := git(string(r), append([]string{"tag", "-d"}, tags...)...)
	return err
}

// tagsOf returns the tags of a version: that of a nested module has its folder in front.
func tagsOf(version string) []string {
	var tags []string
	for _, folder := range published() {
		tags = append(tags, path.Join(folder, version))
	}
	return tags
}

// checkVersion refuses what go does not take for a version of these modules, and what is
// not above every version of before.
func (r repository) checkVersion(version string, tags []string) error {
	major := semver.Major(version)
	if semver.Canonical(version) != version || (major != "v0" && major != "v1") {
		return fmt.Errorf("%s: %w: wanted v0.X.Y or v1.X.Y; from v2 on, module paths have to change", version, errVersion)
	}
	text, err := git(string(r), "tag", "--list")
	if err != nil {
		return err
	}

	for tag := range strings.FieldsSeq(text) {
		if slices.Contains(tags, tag) || semver.Compare(tag, version) >= 0 {
			return fmt.Errorf("%s: %w: there is the tag %s", version, errVersion, tag)
		}
	}
	return nil
}

// checkTree refuses a checkout with changes, and a version that CHANGELOG.md does not have.
func (r repository) checkTree(version string) error {
	changed, err := git(string(r), "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("%w: commit or remove first:\n%s", errTree, changed)
	}

	log, err := os.ReadFile(filepath.Join(string(r), "CHANGELOG.md"))
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(log), "\n## "+version+"\n")
	if notes, _, _ := strings.Cut(rest, "\n## "); strings.TrimSpace(notes) == "" {
		return fmt.Errorf("%w: CHANGELOG.md says nothing below a line \"## %s\"", errTree, version)
	}
	return nil
}

// commitVersion writes a version into the go.mod files of a tree, and commits them.
func commitVersion(tree, version string) (commit string, err error) {
	text, err := git(tree, "ls-files", "go.mod", "*/go.mod", ":!**/testdata/**")
	if err != nil {
		return "", err
	}

	names := strings.Fields(text)
	modules, err := readModules(tree, names)
	if err != nil {
		return "", err
	}

	for i, m := range modules {
		text, err := m.setVersion(version)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(tree, names[i]), text, 0o600); err != nil {
			return "", err
		}
	}
	if _, err := git(tree, "commit", "--quiet", "--allow-empty", "--all", "--message", "go.mod: require "+version); err != nil {
		return "", err
	}
	commit, err = git(tree, "rev-parse", "HEAD")
	return strings.TrimSpace(commit), err
}
