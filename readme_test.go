package propalg_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// TestReadme holds the page to code that is compiled and run: the tour is Example,
// its output is Example's, and every other fragment is part of a test in this folder.
// (The provider is built and called by a test in e2e, the first command by .ci/readme.)
func TestReadme(t *testing.T) {
	page := readText(t, "README.md")
	tests := readText(t, "example_test.go") + readText(t, "readme_test.go")

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

	if found != 4 {
		t.Errorf("%d blocks of Go seen, not 4", found)
	}
}

// bucket is what the README does to the inputs of a bucket.
func bucket(inputs value.Value) (value.Value, error) {
	type bucketArgs struct {
		Name string `pulumi:"name"`
		Size int    `pulumi:"size,optional"`
		Key  string `pulumi:"key,secret"`
	}

	var args bucketArgs
	info, err := bind.Decode(inputs, &args, bind.Options{})
	if err != nil {
		return value.Value{}, err
	}

	args.Size++ // whatever Create does

	return info.Encode(args)
}

func TestReadmeStruct(t *testing.T) {
	inputs := value.Object(value.Field("name", value.Secret(value.String("logs"))), value.Field("key", value.String("k")))
	if v, err := bucket(inputs); err != nil || v.String() != "{key: [secret], name: [secret], size: 1}" {
		t.Error(v, err)
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

// TestBucketDiff is the README's test of a provider; answer is one to be tested.
func TestBucketDiff(t *testing.T) {
	fuzz.Provider{Diff: answer}.Run(t)
}

func answer(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Answer(r, provider.Options{})
}
