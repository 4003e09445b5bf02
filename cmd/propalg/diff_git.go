package main

import "cmp"

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
