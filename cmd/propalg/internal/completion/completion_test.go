package completion_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/completion"
)

// What describes things is text in the script for fish, whatever is in it; the tests of
// the tool run the scripts in their shells.
func TestScript(t *testing.T) {
	commands := []completion.Command{
		{Name: "do", About: `it's a \ "thing"`, Flags: []completion.Flag{{Name: "-o", Values: []string{"x", "y"}}, {Name: "--all", IsBool: true}, {Name: "--file"}}},
		{Name: "sub one", Words: []string{"a", "b"}},
	}
	for shell, want := range map[string][]string{
		"bash": {"complete -o default -o bashdefault -F _tool tool\n", `0\ *) list="do sub" ;;`, `"1 sub") list="one" ;;`, `-o) list="x y" ;;`, `list="-o --all --file"`, `list="a b"`},
		"zsh":  {"#compdef tool\n", `if [ "$first $second" = "sub one" ]; then`},
		"fish": {`-a do -d 'it\'s a \\ "thing"'`, "-s o -x -a 'x y'", "-l all -d", "-l file -r -d"},
	} {
		got := completion.Script(shell, "tool", commands)
		for _, each := range want {
			if !strings.Contains(got, each) {
				t.Errorf("%s: %q is not in\n%s", shell, each, got)
			}
		}
	}
}
