// Command release makes the commit and the tags of a release, and a module proxy of what
// is tagged. CONTRIBUTING.md has the procedure.
//
//	release make VERSION   commit the go.mod files of a version on top of HEAD, and tag
//	                       every published module
//	release proxy FOLDER   write all tagged versions as the files of a module proxy
//
// Both work on the repository of the current folder.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// errUsage says what commands there are.
var errUsage = errors.New("usage: release make VERSION | release proxy FOLDER")

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errUsage
	}

	top, err := git(".", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}

	r := repository(strings.TrimSpace(top))
	switch args[0] {
	case "make":
		tags, err := r.release(args[1])
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "git push --atomic origin HEAD", strings.Join(tags, " "))
		return nil
	case "proxy":
		return r.writeProxy(args[1])
	default:
		return errUsage
	}
}

// git runs git in a folder and returns what it prints. Its error holds what git said.
func git(folder string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}

	return string(out), nil
}
