package house_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme holds the page to code that is compiled and run: the tour is Example,
// its output is Example's, and every other fragment is part of a test in this file.
// (The provider is built and called by a test in e2e, the first command by .ci/promises.)
func TestReadme(t *testing.T) {
	page := readText(t, "README.md")
	tests := readText(t, "example_test.go") + readText(t, "internal/house/readme_test.go")

	tour, output := exampleOf(t, tests)
	found := 0

	for i, block := range blocks(page) {
		code, isGo := strings.CutPrefix(block, "go\n")

		switch {
		case !isGo || strings.Contains(code, "grpc.Serve("):
			continue
		case strings.HasPrefix(code, "package main\n"):
			found++

			_, body, _ := strings.Cut(code, "\nfunc main() {\n")
			if body != tour+"}\n" {
				t.Errorf("the tour is not Example, but\n%s", body)
			}

			if printed := blocks(page)[i+1]; printed != "\n"+output {
				t.Errorf("the tour does not print\n%s", printed)
			}
		default:
			found++

			if !strings.Contains(dedent(tests), dedent(code)) {
				t.Errorf("no test has\n%s", code)
			}
		}
	}

	if found == 0 {
		t.Error("no block of Go seen")
	}
}

// TestReadmeFigures holds the README's figures to the table that the benchmarks
// write; .ci/bench brings them up to date.
func TestReadmeFigures(t *testing.T) {
	_, page, _ := strings.Cut(readText(t, "README.md"), "<!-- bench:begin -->")
	page, _, _ = strings.Cut(page, "<!-- bench:end -->")

	all := map[string]bool{}
	for _, row := range tableRows(readText(t, "docs/bench.md")) {
		all[figuresOf(row)] = true
	}

	rows := tableRows(page)
	for _, row := range rows {
		if !all[figuresOf(row)] {
			t.Errorf("docs/bench.md has no row %s", figuresOf(row))
		}
	}

	if len(rows) < 10 {
		t.Errorf("%d rows of figures seen", len(rows))
	}
}

// figuresOf is what a row of the table in docs/bench.md has in common with its copy in
// the README.
func figuresOf(row map[string]string) string {
	return fmt.Sprintf("%q", []string{row["work"], row["ours"], row["peer"], row["theirs"], row["factor"], row["allocations, ours : theirs"]})
}

// tableRows returns the rows of tables that begin with a column "work", by the names of the
// columns. The work stands in the first row that is about it.
func tableRows(page string) []map[string]string {
	var rows []map[string]string
	var columns []string
	var above map[string]string

	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}

		switch {
		case cells[0] == "work":
			columns, above = cells, nil
		case !strings.HasPrefix(line, "|"):
			columns = nil
		case len(cells) == len(columns) && !strings.HasPrefix(cells[0], "-"):
			row := map[string]string{}
			for i, column := range columns {
				row[column] = cells[i]
			}

			for _, column := range []string{"work", "ours"} {
				if row[column] == "" {
					row[column] = above[column]
				}
			}

			rows, above = append(rows, row), row
		}
	}

	return rows
}

// TestGuides holds the guides to files that tests compile and run. The blocks of Go on a
// page are, one after another, the first file of Go that it links to, and so for JSON. Its
// transcripts are run, and so show every command of the tool that its workflows have.
func TestGuides(t *testing.T) {
	t.Parallel()

	pages, err := filepath.Glob("docs/guides/*.md")
	if err != nil {
		t.Fatal(err)
	}

	index := readText(t, "docs/guides/README.md")
	seen := 0

	for _, name := range pages {
		base := filepath.Base(name)
		if base == "README.md" {
			continue
		}

		if seen++; !strings.Contains(index, "]("+base+")") {
			t.Errorf("docs/guides/README.md does not list %s", base)
		}

		checkGuide(t, name, readText(t, name))
	}

	if seen < 13 {
		t.Errorf("%d guides seen, not 13", seen)
	}
}

func checkGuide(t *testing.T, name, page string) {
	t.Helper()

	for _, language := range []string{"go", "json"} {
		code := strings.Join(blocksOf(page, language), "\n")
		linked := regexp.MustCompile(`\]\(([^)]+\.` + language + `)\)`).FindStringSubmatch(page)

		switch {
		case code == "":
		case linked == nil:
			t.Errorf("%s links to no file with its blocks of %s", name, language)
		default:
			file := filepath.Join(filepath.Dir(name), linked[1])
			if text := readText(t, file); text != code {
				t.Errorf("the blocks of %s are not %s; the first line that differs is %q", name, file, firstOther(code, text))
			}
		}

		if strings.Count(code, "\nfunc Example") != strings.Count(code, "\t// Output:\n") {
			t.Errorf("%s has an example without output, which is not run", name)
		}
	}

	for _, workflow := range blocksOf(page, "yaml") {
		for _, command := range regexp.MustCompile(`(?m)\bpropalg (diff|lint) .*$`).FindAllString(workflow, -1) {
			if !strings.Contains(page, "$ "+command) {
				t.Errorf("%s shows no run of %q", name, command)
			}
		}
	}
}

// firstOther is the first line of a page's code that a file does not have at its place.
func firstOther(code, file string) string {
	lines := strings.Split(file, "\n")
	for i, line := range strings.Split(code, "\n") {
		if i >= len(lines) || lines[i] != line {
			return line
		}
	}

	return ""
}

// TestTranscripts runs the commands of the guides' transcripts, those of a page in one
// folder, and compares what they print.
func TestTranscripts(t *testing.T) {
	t.Parallel()

	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}

	tool := filepath.Join(t.TempDir(), "propalg")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", tool, "./cmd/propalg").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	pages, err := filepath.Glob("docs/guides/*.md")
	if err != nil {
		t.Fatal(err)
	}

	commands := 0

	for _, page := range pages {
		folder := t.TempDir()

		for _, block := range blocksOf(readText(t, page), "console") {
			for step := range strings.SplitSeq("\n"+block, "\n$ ") {
				command, want := commandOf(step)
				if command == "" {
					continue
				}

				commands++

				c := exec.Command(shell, "-c", command)
				c.Dir = folder
				c.Env = append(os.Environ(), "COLUMNS=", "GITHUB_STEP_SUMMARY=summary.md", "PATH="+filepath.Dir(tool)+string(filepath.ListSeparator)+os.Getenv("PATH"))

				// A command may fail, as diff does where there are differences.
				if got, _ := c.CombinedOutput(); strings.TrimSpace(string(got)) != strings.TrimSpace(want) {
					t.Errorf("%s: %s prints\n%s\nnot\n%s", page, command, got, want)
				}
			}
		}
	}

	if commands < 10 {
		t.Errorf("%d commands seen", commands)
	}
}

// commandOf splits a step of a transcript into the command, which goes on in lines that
// begin with "> ", and what it prints.
func commandOf(step string) (command, printed string) {
	command, printed, _ = strings.Cut(step, "\n")

	for strings.HasPrefix(printed, "> ") {
		line, rest, _ := strings.Cut(printed[len("> "):], "\n")
		command, printed = command+"\n"+line, rest
	}

	return command, printed
}

func readText(t *testing.T, name string) string {
	t.Helper()

	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// blocks are the blocks of code of a page, each with the language in front.
func blocks(page string) []string {
	var all []string

	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 {
			all = append(all, part)
		}
	}

	return all
}

// blocksOf are the blocks of code of a page that are in one language.
func blocksOf(page, language string) []string {
	var all []string

	for _, block := range blocks(page) {
		if code, is := strings.CutPrefix(block, language+"\n"); is {
			all = append(all, code)
		}
	}

	return all
}

// exampleOf is the body of func Example and what it prints.
func exampleOf(t *testing.T, text string) (body, output string) {
	t.Helper()

	_, text, begins := strings.Cut(text, "\nfunc Example() {\n")
	text, _, ends := strings.Cut(text, "\n}\n")
	body, output, prints := strings.Cut(text, "\t// Output:\n")

	if !begins || !ends || !prints {
		t.Fatal("no func Example with an output")
	}

	return body, strings.ReplaceAll(output+"\n", "\t// ", "")
}

// dedent takes all indentation off the lines of a text.
func dedent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}

	return b.String()
}
