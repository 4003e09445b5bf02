// Package terminal finds out what a terminal can show: its width, and whether it may
// have colours.
package terminal

import (
	"os"
	"strconv"
)

// Columns returns the width of a terminal, 0 if it is not known: COLUMNS, if it is
// exported, or else what the system says.
func Columns(f *os.File, env func(string) string) int {
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return columns(f)
}

// Colours reports whether text has colours without a flag: on terminals, unless
// NO_COLOR is set (no-color.org), CLICOLOR is 0 or TERM is dumb, and elsewhere if
// CLICOLOR_FORCE is set (bixense.com/clicolors).
func Colours(isTerminal bool, env func(string) string) bool {
	forced := env("CLICOLOR_FORCE")
	switch {
	case env("NO_COLOR") != "":
		return false
	case forced != "" && forced != "0":
		return true
	}

	return isTerminal && env("CLICOLOR") != "0" && env("TERM") != "dumb"
}
