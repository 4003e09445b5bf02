package markdown_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/markdown"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// partOf returns the lines of the diff of two objects.
func partOf(name string, old, now value.Value, o render.Options) changed.Part {
	p := changed.Part{Name: name}
	for l := range render.Lines(diff.Between(old, now, diff.Options{}), o) {
		p.Lines = append(p.Lines, l)
	}

	return p
}

func object(pairs ...string) value.Value {
	members := make([]value.Member, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, value.Field(pairs[i], value.String(pairs[i+1])))
	}

	return value.Object(members...)
}

func write(t interface{ Fatal(args ...any) }, d *markdown.Document) string {
	var b strings.Builder
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}

	return b.String()
}

// fences returns the contents of the fences, as CommonMark reads them: a fence ends
// with a line of as many backticks, indented by at most 3 spaces, or at the end.
func fences(text string) (all []string) {
	open := regexp.MustCompile("^ {0,3}(`{3,})[^`]*$")
	ticks, body := "", ""

	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		found := open.FindStringSubmatch(line)

		switch {
		case ticks == "" && found != nil:
			ticks, body = found[1], ""
		case ticks != "" && found != nil && len(found[1]) >= len(ticks) && strings.Trim(line, " `") == "":
			all = append(all, body)
			ticks = ""
		case ticks != "":
			body += line + "\n"
		}
	}

	if ticks != "" {
		all = append(all, body+"(not closed)")
	}

	return all
}

// TestMarks: marks are in the first column, those of updates are "!", and what only
// contains changes has none.
func TestMarks(t *testing.T) {
	old := value.Object(
		value.Field("a", value.String("x")), value.Field("gone", value.Array(value.Number(1))),
		value.Field("in", object("k", "1", "same", "s")), value.Field("long", value.String(strings.Repeat("o", 60))),
		value.Field("list", value.Array(value.Number(1), value.Number(2))), value.Field("why", value.Number(1)),
	)
	now := value.Object(
		value.Field("a", value.String("y")), value.Field("added", object("k", "v")),
		value.Field("in", object("k", "2", "same", "s")), value.Field("long", value.String(strings.Repeat("n", 60))),
		value.Field("list", value.Array(value.Number(1))), value.Field("why", value.Number(2)),
	)

	d := markdown.Document{Old: "o", New: "n"}
	d.Add(changed.Resource{Op: ops.Replace, Name: "x", Parts: []changed.Part{
		partOf("inputs", old, now, render.Options{Indent: 2, ReplaceOn: nil}),
	}})

	want := `@@ inputs @@
! a    : "x" => "y"
+ added: {
+   k: "v"
+ }
- gone : [1]
  in   : {
!   k: "1" => "2"
  }
  list : [
-   [1]: 2
  ]
- long : "` + strings.Repeat("o", 60) + `"
+ long : "` + strings.Repeat("n", 60) + `"
! why  : 1 => 2
`
	if got := fences(write(t, &d)); len(got) != 1 || got[0] != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestOrder: what may hurt is first, in the table and below it, and default providers are last.
// The deployment, which no number counts, is before all.
func TestOrder(t *testing.T) {
	d := markdown.Document{Old: "o", New: "n", Lead: "Lead."}
	d.Add(changed.Resource{Op: ops.Delete, Type: "pulumi:providers:aws", Name: "default_6_0_0", URN: "urn"})
	for i, op := range []ops.Op{"extend", ops.Same, ops.Update, ops.Create, ops.Replace, ops.Delete, ops.Failed} {
		d.Add(changed.Resource{Op: op, Type: "a:b:C", Name: strconv.Itoa(i), URN: "urn", Parts: []changed.Part{{Changes: 1234}}})
	}
	d.Add(changed.Resource{Op: ops.Update, Name: "deployment"})

	text := write(t, &d)
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| (.*) \\| .*`([a-z0-9_]+)`.* \\|").FindAllStringSubmatch(text, -1) {
		rows = append(rows, row[1]+" "+row[2])
	}
	if got, want := strings.Join(rows, ", "), "`~` deployment, 🟥\u00a0`!` 6, 🟥\u00a0`-` 5, 🟪\u00a0`+-` 4, `+` 3, `~` 2,  1, `?` 0, 🟥\u00a0`-` default_6_0_0"; got != want {
		t.Errorf("the table\n got %s\nwant %s", got, want)
	}

	rows = nil
	for _, row := range regexp.MustCompile("<summary>(.*?) .*<b><code>([a-z0-9_]+)").FindAllStringSubmatch(text, -1) {
		rows = append(rows, row[1]+" "+row[2])
	}
	if got, want := strings.Join(rows, ", "), "<code>~</code> deployment, 🟥\u00a0<code>!</code> 6, 🟥\u00a0<code>-</code> 5, 🟪\u00a0<code>+-</code> 4, <code>+</code> 3, <code>~</code> 2,  1, <code>?</code> 0, 🟥\u00a0<code>-</code> default_6_0_0"; got != want {
		t.Errorf("the details\n got %s\nwant %s", got, want)
	}

	if !strings.Contains(text, "updated, 1,234 changes</summary>") || strings.Contains(text, "Left out") {
		t.Error(text)
	}
}

// TestLimit: however many resources and however long their diffs are, the document is
// below the limit, and every resource and line is shown or counted.
func TestLimit(t *testing.T) {
	for _, row := range []struct{ resources, lines int }{{1, 1}, {1, 5_000}, {200, 10}, {3_000, 1}, {20_000, 3}, {30, 900}, {5, 200}} {
		d := markdown.Document{Old: strings.Repeat("é", 500), New: "n", Lead: "Lead."}
		total := [4]int{}

		var pairs []string
		for i := range row.lines {
			pairs = append(pairs, fmt.Sprintf("key%d", i), "value")
		}

		part := partOf("inputs", value.Object(), object(pairs...), render.Options{})

		for i := range row.resources {
			kind := i % 4
			total[kind]++
			d.Add(changed.Resource{
				Op:   []ops.Op{ops.Delete, ops.Replace, ops.Create, ops.Update}[kind],
				Type: "a:b:C", Name: fmt.Sprint("resource", i), URN: fmt.Sprint("urn", i), Parts: []changed.Part{part},
			})
		}

		text := write(t, &d)
		if n := utf8.RuneCountInString(text); n > 60_000 || len(text) > markdown.Limit {
			t.Errorf("%+v: %d characters, %d bytes", row, n, len(text))
		}

		names := []string{"deleted", "replaced", "created", "updated"}
		shown, rows := [4]int{}, [4]int{}

		for i, name := range names {
			shown[i] = len(regexp.MustCompile(`(?m)^<details>.* · `+name).FindAllString(text, -1))
			rows[i] = len(regexp.MustCompile(`(?m)^\| .*\| `+name+`[ :]`).FindAllString(text, -1))
		}

		_, rest, _ := strings.Cut(text, "| | … | and ")
		moreRows, _, _ := strings.Cut(rest, " |")
		check(t, fmt.Sprint(row, " rows"), names, total, rows, moreRows)

		_, rest, _ = strings.Cut(text, "\nLeft out, for a comment has a limit: ")
		moreDetails, after, _ := strings.Cut(rest, ")")
		check(t, fmt.Sprint(row, " details"), names, total, shown, moreDetails)

		// Lines of the details that are there.
		want := (shown[0] + shown[1] + shown[2] + shown[3]) * (row.lines + 1)
		got := 0

		for _, body := range fences(text) {
			got += strings.Count(body, "\n")
		}

		if left := regexp.MustCompile(`([0-9,]+) lines?\.`).FindStringSubmatch(moreDetails + after); left != nil {
			got += number(left[1])
		}

		if got != want {
			t.Errorf("%+v: %d lines are shown or counted, want %d", row, got, want)
		}

		if row.resources == 1 && row.lines == 1 && strings.Contains(text, "Left out") {
			t.Error("nothing had to be left out")
		}
	}
}

// check checks that what is shown and what is counted in a text make all.
func check(t *testing.T, what string, names []string, total, shown [4]int, counted string) {
	t.Helper()

	for i, name := range names {
		left := 0
		if m := regexp.MustCompile(`([0-9,]+) ` + name).FindStringSubmatch(counted); m != nil {
			left = number(m[1])
		}

		if shown[i]+left != total[i] {
			t.Errorf("%s: %d %s are shown and %d counted, want %d", what, shown[i], name, left, total[i])
		}
	}
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))

	return n
}

// TestInert: nothing in names, types, labels, keys and values ends a fence or a cell,
// or is markup.
func TestInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.RuneFrom([]rune("`~|\\<>&*_[]()#!@:/ \"'-=$"))),
			rapid.SampledFrom([]string{"```", "``````", "~~~", "</details>", "<img src=x>", "a|b", `a\|b`, "`", "<!--", "]]>", "&lt;", "- x", "# x", "one\n```\n</details>\n", "", " ", "@me www.a.b http://c ~~d~~ __e__ [f](g)"}),
		).Draw(t, "text")
		old := value.Object(value.Field(text, value.String("a\n"+text+"\nb")), value.Field("v", value.String(text)))
		now := value.Object(value.Field(text, value.String("a\n"+text+text+"\nb")), value.Field("v", value.String("x"+text)))

		plain := strings.ReplaceAll(text, "\n", " ")
		d := markdown.Document{Old: plain, New: plain, Lead: "Lead.", More: plain, Failure: []string{plain}}
		part := partOf("inputs", old, now, render.Options{})
		part.Lines = append(part.Lines, render.Line{Spans: []render.Span{{Text: plain}}}) // which a key or a text never is
		d.Add(changed.Resource{Op: ops.Update, Type: plain, Name: plain, URN: plain, Note: plain, Parts: []changed.Part{part}})
		got := write(t, &d)

		if all := fences(got); len(all) != 1 || !strings.HasPrefix(all[0], "@@ inputs @@\n") || strings.Contains(all[0], "details>\n\n") {
			t.Fatalf("fences %q in\n%s", all, got)
		}

		for line := range strings.Lines(fences(got)[0]) {
			if !strings.ContainsRune("+-! @", rune(line[0])) {
				t.Fatalf("%q has no mark in the first column", line)
			}
		}

		outside := strings.ReplaceAll(got, fences(got)[0], "")
		outside = regexp.MustCompile("`[^`\n]*`").ReplaceAllString(outside, "CODE") // code spans
		ours := []string{"<details>", "<summary>", "</summary>", "</details>", "<b>", "</b>", "<code>", "</code>"}
		for _, tag := range regexp.MustCompile("<[^>]*>?").FindAllString(outside, -1) {
			if !slices.Contains(ours, tag) {
				t.Fatalf("the tag %q in\n%s", tag, got)
			}
		}

		outside = regexp.MustCompile("<code>.*?</code>").ReplaceAllString(outside, "CODE")
		for _, bad := range []string{"@", "www.", "://", "](", "__", "~~"} { // mentions, links, styles
			if strings.Contains(outside, bad) {
				t.Fatalf("%q in\n%s", bad, outside)
			}
		}

		for line := range strings.Lines(got) { // pipes divide cells in code spans too
			if strings.HasPrefix(line, "| ") && strings.Count(line, "|") != 4 {
				t.Fatalf("the row %q has other cells", line)
			}
		}
	})
}

// TestWhat: the table names properties of all parts, those of inputs first, and nothing is
// empty where there is no type.
func TestWhat(t *testing.T) {
	part := func(name, key string) changed.Part {
		return partOf(name, object(key, "x"), object(key, "y"), render.Options{})
	}
	added := partOf("inputs", object(), object("a", "x", "b", "x"), render.Options{})
	gone := partOf("inputs", object("a", "x", "b", "x"), object(), render.Options{})
	secret := func(in string) value.Value {
		return value.Object(value.Field("s", value.Secret(object("key", in))))
	}
	for want, r := range map[string]changed.Resource{
		"updated: outputs `etag`":                    {Parts: []changed.Part{part("outputs", "etag")}},
		"updated: `a`, `b`; state `protect`, 1 more": {Parts: []changed.Part{part("state", "protect"), partOf("inputs:  # x by name", object("a", "x", "b", "x"), object("a", "y", "b", "y"), render.Options{}), part("outputs: 1 change as inputs", "etag")}},
		"updated":            {Parts: []changed.Part{{Name: "outputs: as inputs"}}},
		"updated: `version`": {Name: "deployment", Parts: []changed.Part{part("", "version")}},
		"updated: `a`, `b`":  {Parts: []changed.Part{added}},
		"created":            {Op: ops.Create, Whole: true, Parts: []changed.Part{part("inputs", "a")}},
		"imported":           {Op: ops.Import, Whole: true, Parts: []changed.Part{added}},
		"imported: `a`":      {Op: ops.Import, Parts: []changed.Part{part("inputs", "a")}},
		"imported: `a`, `b`; outputs `a`, 1 more":         {Op: ops.Import, Parts: []changed.Part{added, {Name: "outputs", Lines: gone.Lines}}},
		"read: `a`; outputs `a`, `b`":                     {Op: ops.Read, Parts: []changed.Part{part("inputs", "a"), {Name: "outputs", Lines: added.Lines}}},
		"refreshed: `a`, `__defaults`":                    {Op: ops.Refresh, Parts: []changed.Part{partOf("inputs", object("__defaults", "x", "a", "x"), object("__defaults", "y", "a", "y"), render.Options{})}},
		"discarded":                                       {Op: ops.Discard, Whole: true, Parts: []changed.Part{gone}},
		"create failed: `s`":                              {Op: ops.Failed, Note: "create failed", Parts: []changed.Part{partOf("inputs", secret("1"), secret("2"), render.Options{})}},
		"the same, renamed: `a`":                          {Op: ops.Same, Note: "renamed", Parts: []changed.Part{part("inputs", "a")}},
		"extend?: state `taint`":                          {Op: "extend|", Parts: []changed.Part{part("state", "taint")}},
		"the same: `a" + strings.Repeat("y", 38) + "…`":   {Op: ops.Same, Parts: []changed.Part{part("inputs", "a"+strings.Repeat("y", 50))}},
		"replaced: `a` forces replacement; state `alive`": {Op: ops.Replace, Parts: []changed.Part{part("state", "alive"), partOf("inputs", object("a", "x"), object("a", "y"), render.Options{ReplaceOn: path.NewSet(path.MustParsePattern("a"))})}},
	} {
		r.Op = cmp.Or(r.Op, ops.Update)
		if r.Name == "" {
			r.Name, r.Type = "n", "t"
		}
		d := markdown.Document{Old: "o", New: "n"}
		d.Add(r)
		if text := write(t, &d); (!strings.Contains(text, "** | "+want+" |\n") && !strings.Contains(text, "`deployment` | "+want+" |\n")) || strings.Contains(text, "<code></code>") {
			t.Errorf("%s: %s", want, text)
		}
	}
}

// TestFailureIsShort: errors leave room for the resources, and end no block but their own.
func TestFailureIsShort(t *testing.T) {
	long := strings.Repeat("🙂", 1_000)
	d := markdown.Document{Old: "a", New: "b", Failure: append([]string{"The preview failed", "```"}, slices.Repeat([]string{long}, 14)...)}
	for i := range 5_000 {
		d.Add(changed.Resource{Type: "t:i:R", Name: strings.Repeat("n", 40) + strconv.Itoa(i)})
	}
	var out strings.Builder
	if err := d.Write(&out); err != nil || out.Len() > markdown.Limit || !utf8.ValidString(out.String()) || !strings.Contains(out.String(), "\n````text\n```\n") {
		t.Errorf("%v, %d bytes: %.200s", err, out.Len(), out.String())
	}
}
