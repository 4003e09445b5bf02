package main_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// movable writes resources of a stack, each of them a name and members.
func movable(stack string, rows ...string) string {
	all := []string{`{"urn":"` + ofStack(stack, "pulumi:pulumi:Stack", "shop-"+stack) + `","type":"pulumi:pulumi:Stack"}`}
	for _, row := range rows {
		name, members, _ := strings.Cut(row, " ")
		all = append(all, `{"urn":"`+ofStack(stack, "a:b:C", name)+`","type":"a:b:C"`+members+"}")
	}
	return `{"version":3,"deployment":{"resources":[` + "\n" + strings.Join(all, ",\n") + "\n]}}\n"
}

func ofStack(stack, typ, name string) string {
	return "urn:pulumi:" + stack + "::shop::" + typ + "::" + name
}

// parented is the member of a resource whose parent is the stack.
func parented(stack string) string {
	return ` ,"parent":"` + ofStack(stack, "pulumi:pulumi:Stack", "shop-"+stack) + `"`
}

// TestStateMove: both files have what they should, or are as they were, and every reason
// against a move is a line.
func TestStateMove(t *testing.T) {
	dev, prod := parented("dev"), parented("prod")
	a, b := ofStack("dev", "a:b:C", "a"), ofStack("dev", "a:b:C", "b")
	from := movable("dev", "a"+dev, "b"+dev+`,"dependencies":["`+a+`"],"inputs":{"s":"canary"}`)
	to := movable("prod", "c"+prod)
	left := movable("dev", "b"+dev+`,"dependencies":[],"inputs":{"s":"canary"}`)
	now := movable("prod", "c"+prod, "a"+prod)
	moved := "> " + a + " => " + ofStack("prod", "a:b:C", "a") + "\n- " + b + ": dependencies[0]: " + a + ", in from.json\n"
	const empty = `{"version":3,"deployment":{"manifest":{"time":"2026-01-02T03:04:05Z"}}}`
	for _, row := range []struct {
		name, args, left, now string // left: nothing, if both files stay
		code                  int
		stdout, stderr        string
	}{
		{"by URN", "from.json to.json " + a, left, now, 0, moved + "from.json to to.json: 1 resource moved, 0 providers copied, 1 reference taken out\n", ""},
		{"by name", "from.json to.json a", left, now, 0, moved + "from.json to to.json: 1 resource moved, 0 providers copied, 1 reference taken out\n", "propalg state move: a is " + a + "\n"},
		{"dry", "--dry-run from.json to.json " + a, "", "", 0, moved + "from.json to to.json: 1 resource would be moved, 0 providers copied, 1 reference taken out\n", ""},
		{
			"into an empty stack", "--stack prod --project shop from.json empty.json " + a, left, "", 0,
			"+ " + ofStack("prod", "pulumi:pulumi:Stack", "shop-prod") + "\n" + strings.ReplaceAll(moved, "to.json", "empty.json") + "from.json to empty.json: 1 resource moved, 0 providers copied, 1 reference taken out\n", "",
		},
		{"whose", "from.json empty.json " + a, "", "", 2, "", "propalg state move: from.json to empty.json: cannot edit: nothing in the destination says its stack, which has to be given\n"},
		{
			"reasons", "from.json twice.json " + a + " " + b, "", "", 2, "",
			"propalg state move: from.json to twice.json: " + a + ": urn: cannot edit: the destination has " + ofStack("prod", "a:b:C", "a") + "\n" +
				"propalg state move: from.json to twice.json: " + b + ": urn: cannot edit: the destination has " + ofStack("prod", "a:b:C", "b") + "\n",
		},
		{"one file", "from.json from.json a", "", "", 2, "", "propalg state move: from.json and from.json are one file; try 'propalg state move --help'\n"},
		{"one file by a link", "from.json link.json a", "", "", 2, "", "from.json and link.json are one file; try"},
		{"one file by a hard link", "hard.json from.json a", "", "", 2, "", "hard.json and from.json are one file; try"},
		{"standard input", "- to.json a", "", "", 2, "", "both stacks are files that are replaced, and - is standard input; try"},
		{"to standard input", "from.json - a", "", "", 2, "", "both stacks are files that are replaced, and - is standard input; try"},
		{"an open file", "/dev/stdin to.json a", "", "", 2, "", "propalg state move: /dev/stdin: not a regular file\n"},
		{"a bag", "from.json bag.json a", "", "", 2, "", "propalg state move: bag.json: neither stack export nor checkpoint\n"},
		{"no file", "from.json none.json a b", "", "", 2, "", "propalg state move: none.json: no such file or directory; TO has to be there, as 'pulumi stack export' writes it for a new stack too; 'propalg state mv' renames a resource\n"},
		{"meant to rename", "from.json a files", "", "", 2, "", "propalg state move: a: no such file or directory; TO has to be there, as 'pulumi stack export' writes it for a new stack too; 'propalg state mv'"},
		{"broken", "from.json broken.json " + a, "", "", 2, "", "propalg state move: broken.json: offset 40, after 0 resources: resource: malformed field: expected object, found number\n"},
		{"nothing is called so", "from.json to.json x", "", "", 2, "", `propalg state move: from.json: no resource has "x" in its URN; 'propalg state ls' lists them` + "\n"},
		{"too few", "from.json to.json", "", "", 2, "", "propalg state move: nothing to move: no URN, and no flag that chooses resources, such as --type; try 'propalg state move --help'\n"},
		{"chosen and named", "--type a:* from.json to.json a", "", "", 2, "", "names and flags that choose resources cannot be combined"},
		{"chosen", "--type a:* --name a from.json to.json", left, now, 0, moved + "from.json to to.json: 1 resource moved, 0 providers copied, 1 reference taken out\n", ""},
		{"nothing chosen", "--name d from.json to.json", "", "", 2, "", "propalg state move: from.json: no resource is what the flags say\n"},
	} {
		files := map[string]string{
			"from.json": from, "to.json": to, "empty.json": empty, "bag.json": `{"a":1}`, "twice.json": movable("prod", "a", "b"),
			"broken.json": `{"version":3,"deployment":{"resources":[1]}}`,
		}
		dir := writeFiles(t, files)
		if err := os.Symlink("from.json", filepath.Join(dir, "link.json")); err != nil {
			t.Skip(err)
		}
		if strings.HasPrefix(row.args, "hard.json") {
			files["hard.json"] = from
			if err := os.Link(filepath.Join(dir, "from.json"), filepath.Join(dir, "hard.json")); err != nil {
				t.Skip(err)
			}
		}
		got := propalg(t, dir, from, append([]string{"state", "move"}, strings.Fields(row.args)...)...)
		if got.code != row.code || got.stdout != row.stdout || !strings.Contains(got.stderr, row.stderr) || (row.stderr == "" && got.stderr != "") || strings.Contains(got.stdout+got.stderr, "canary") {
			t.Errorf("%s: %+v", row.name, got)
		}
		if row.left != "" {
			files["from.json"] = row.left
		}
		if row.now != "" {
			files["to.json"] = row.now
		}
		files["link.json"] = files["from.json"]
		noneLeft(t, dir, slices.Sorted(maps.Keys(files))...)
		haveTexts(t, row.name, dir, files, row.left != "")
	}
}

// haveTexts checks the texts of files. What moved into empty.json is another row's.
func haveTexts(t *testing.T, row, dir string, files map[string]string, isMoved bool) {
	t.Helper()
	for name, want := range files {
		if text := readFile(t, dir, name); text != want && (name != "empty.json" || !isMoved) {
			t.Errorf("%s: %s has\n%s\nwant\n%s", row, name, text, want)
		}
	}
}

// TestStateMoveByProvider: flags that match a provider choose what it made, and it goes along.
func TestStateMoveByProvider(t *testing.T) {
	p := ofStack("dev", "pulumi:providers:a", "p")
	from := movable("dev", `a ,"custom":true,"id":"1","provider":"`+p+`::0"`, "b")
	from = strings.Replace(from, ",\n", ",\n"+`{"urn":"`+p+`","type":"pulumi:providers:a","custom":true,"id":"0"},`+"\n", 1)
	dir := writeFiles(t, map[string]string{"from.json": from, "to.json": movable("prod")})
	got := propalg(t, dir, "", "state", "move", "--provider", "a", "from.json", "to.json")
	want := "+ " + p + " => " + ofStack("prod", "pulumi:providers:a", "p") + "\n> " + ofStack("dev", "a:b:C", "a") + " => " + ofStack("prod", "a:b:C", "a") +
		"\nfrom.json to to.json: 1 resource moved, 1 provider copied, 0 references taken out\n"
	if got.code != 0 || got.stdout != want || strings.Contains(readFile(t, dir, "from.json"), "C::a") {
		t.Errorf("%+v, want %s", got, want)
	}
}

// TestStateMoveKeeps: compression and permissions of both files stay.
func TestStateMoveKeeps(t *testing.T) {
	dir := writeFiles(t, map[string]string{"from.json": packed(t, movable("dev", "a", "b")), "to.json": movable("prod")})
	if err := os.Chmod(filepath.Join(dir, "to.json"), 0o640); err != nil {
		t.Fatal(err)
	}
	if got := propalg(t, dir, "", "state", "move", "from.json", "to.json", "a"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if text := readFile(t, dir, "from.json"); unpacked(t, text) != movable("dev", "b") {
		t.Errorf("it is %q", text)
	}
	info, err := os.Stat(filepath.Join(dir, "to.json"))
	if text := readFile(t, dir, "to.json"); err != nil || info.Mode() != 0o640 || text != movable("prod", "a"+parented("prod")) {
		t.Errorf("%v %v: %s", info.Mode(), err, text)
	}
}

// TestMovesAtOnce: processes that move between two files in both directions wait for each
// other, and each resource is in one of the files in the end.
func TestMovesAtOnce(t *testing.T) {
	const n = 8
	names := func(letter string) (all []string) {
		for i := range 500 {
			all = append(all, fmt.Sprint(letter, i))
		}
		return all
	}
	dir := writeFiles(t, map[string]string{"dev.json": movable("dev", names("d")...), "prod.json": movable("prod", names("p")...)})
	got := atOnce(t, dir, n, func(i int) []string {
		if i%2 == 0 {
			return []string{"state", "move", "dev.json", "prod.json", ofStack("dev", "a:b:C", fmt.Sprint("d", i))}
		}
		return []string{"state", "move", "prod.json", "dev.json", ofStack("prod", "a:b:C", fmt.Sprint("p", i))}
	})
	dev, prod := readFile(t, dir, "dev.json"), readFile(t, dir, "prod.json")
	for i, r := range got {
		from, to, name := dev, prod, fmt.Sprintf(`::d%d"`, i)
		if i%2 == 1 {
			from, to, name = prod, dev, fmt.Sprintf(`::p%d"`, i)
		}
		if r.code != 0 || strings.Contains(from, name) || strings.Count(to, name) != 1 {
			t.Errorf("%d: %+v", i, r)
		}
	}
	noneLeft(t, dir, "dev.json", "prod.json")
}
