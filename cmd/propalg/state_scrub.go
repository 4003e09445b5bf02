package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
)

func runStateScrub(inv *invocation) (int, error) {
	how := inv.editing()
	inv.flags.Lookup("out").Usage = "write the `file`, which has to be named, and leave the one that is read, unless it is that; compressed by gzip if its name ends in .gz"
	inv.flags.Lookup("dry-run").Usage = "say what would be replaced, and write nothing"
	if err := inv.parse(1, 1); err != nil {
		return 0, err
	}
	if how.out == "" && !how.isDry {
		return 0, usageError{"name the file to write with --out"}
	}

	replaced, left, sealed := 0, 0, 0
	_, err := inv.edit(how, func(in *input.Source, write func(func(io.Writer) error) error) (bool, error) {
		return true, write(func(to io.Writer) error {
			var failed error
			err := state.Scrub(in.Reader(), to, func(s state.Scrubbed) {
				switch {
				case s.Left:
					left++
				case s.Sealed:
					sealed++
					replaced++
				default:
					replaced++
				}
				if failed == nil {
					_, failed = fmt.Fprintln(inv.out, printable.Text(s.String()))
				}
			})
			return cmp.Or(err, failed)
		})
	})
	if err != nil {
		return 0, err
	}

	text, code := "%s: %s replaced", exitSame
	if how.isDry {
		text = "%s: not written: %s to replace"
	}
	text = fmt.Sprintf(text, printable.Text(how.to(inv)), printable.Counted(replaced, "place"))
	if left > 0 {
		text += fmt.Sprintf("; %s left with the text of a secret, in the lines with !", printable.Counted(left, "place"))
		code = exitDifferent
	}
	if sealed > 0 {
		inv.say("the texts of %s are not looked for elsewhere; 'pulumi stack export --show-secrets' has them", printable.Counted(sealed, "encrypted secret"))
	}
	_, err = fmt.Fprintln(inv.out, text)
	return code, err
}
