package main

import (
	"cmp"
	"errors"
)

// The numbers of arguments that git passes to an external diff: path, and file, hash and
// mode of both sides; and of a file with a new name, that name and how similar it is.
const (
	gitChanged = 7
	gitRenamed = 9
)

// fromGit takes the two files from the arguments of an external diff.
func (f *diffFlags) fromGit(inv *invocation) error {
	args := inv.args
	switch len(args) {
	case 1, 2:
		return nil
	case gitChanged, gitRenamed:
	default:
		return inv.wrongNumber()
	}

	newPath := args[0]
	if len(args) == gitRenamed {
		newPath = args[gitChanged]
	}
	f.gitPath = newPath
	f.labels = labels{cmp.Or(f.labels.old, "a/"+args[0]), cmp.Or(f.labels.now, "b/"+newPath)}
	inv.args = []string{args[1], args[4]}
	return nil
}

// forGit returns what a run of git is to get: it takes other codes than 0 for errors, and
// stops there. An error about a file is reported, so that git goes on with the others.
func (inv *invocation) forGit(f *diffFlags, err error) (int, error) {
	var usage usageError
	if err == nil || errors.As(err, &usage) || inv.outFile != nil {
		return exitSame, err
	}
	inv.say("%s: %w", f.gitPath, err)
	return exitSame, nil
}
