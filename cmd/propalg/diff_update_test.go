package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The steps of an update are written as "op old new", such as
//
//	update a/1{"n":1} a/1{"n":2}+protect
//
// with the name, ID, inputs and flags of a resource, or "-" for none; the outputs are like the
// inputs, but for those of one that is +planned. In a log, "!" before
// the operation is a step that fails, "?" one without an end, and "refresh>delete" one that
// ends with another operation.
type updateFile []string

var resourceForm = regexp.MustCompile(`^([\w$:]+)(?:/(\w*))?(\{.*\})?((?:\+\w+)*)$`)

// resourceOf returns the JSON of a resource, null for "-".
func resourceOf(t *testing.T, text string) string {
	t.Helper()
	if text == "-" {
		return "null"
	}
	m := resourceForm.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no resource: %s", text)
	}
	urn := "urn:pulumi:s::p::t:i:R::" + m[1]
	if strings.Contains(m[1], "::") {
		urn = "urn:pulumi:s::p::" + m[1]
	}
	bag := m[3]
	if bag == "" {
		bag = "{}"
	}
	kind, _, _ := strings.Cut(strings.TrimPrefix(urn, "urn:pulumi:s::p::"), "::")
	flags, outputs := "", bag
	if strings.Contains(m[4], "planned") {
		outputs = "{}"
	}
	for _, flag := range strings.Split(m[4], "+")[1:] {
		flags += `,"` + flag + `":true`
	}
	return `{"urn":"` + urn + `","type":"` + kind + `","id":"` + m[2] + `","custom":` + fmt.Sprint(!strings.Contains(m[4], "component")) +
		`,"inputs":` + bag + `,"outputs":` + outputs + strings.NewReplacer(`,"component":true`, "", `,"planned":true`, "").Replace(flags) + "}"
}

func stackHaving(t *testing.T, resources string) string {
	t.Helper()
	var all []string
	for _, text := range strings.Fields(resources) {
		all = append(all, resourceOf(t, text))
	}
	return `{"version":3,"deployment":{"resources":[` + strings.Join(all, ",") + `]}}`
}

// metadata returns the operation, and what a step of a preview or event says.
func (f updateFile) metadata(t *testing.T, line string) (op, end, text string) {
	t.Helper()
	part := strings.Fields(line)
	op, end, isOther := strings.Cut(strings.TrimLeft(part[0], "!?"), ">")
	if !isOther {
		end = op
	}
	old, now := resourceOf(t, part[1]), resourceOf(t, part[2])
	var urn struct{ URN string }
	for _, each := range []string{old, now} {
		if err := json.Unmarshal([]byte(each), &urn); err != nil {
			t.Fatal(err)
		}
	}
	isLogical := !slices.Contains([]string{"refresh", "create-replacement", "delete-replaced", "import-replacement", "remove-pending-replace"}, op)
	return op, end, fmt.Sprintf(`"urn":%q,"logical":%t,"old":%s,"new":%s`, urn.URN, isLogical, old, now)
}

// log returns the lines as an event log with a summary.
func (f updateFile) log(t *testing.T, summary string) string {
	t.Helper()
	var out strings.Builder
	event := func(name, op, metadata string) {
		fmt.Fprintf(&out, `{"sequence":1,"timestamp":1,%q:{"metadata":{"op":%q,%s}}}`+"\n", name, op, metadata)
	}
	for _, line := range f {
		op, end, metadata := f.metadata(t, line)
		event("resourcePreEvent", op, metadata)
		switch line[0] {
		case '!':
			event("resOpFailedEvent", op, metadata)
		case '?':
		default:
			event("resOutputsEvent", end, metadata)
		}
	}
	if summary != "" {
		out.WriteString(`{"sequence":1,"timestamp":1,"summaryEvent":` + summary + "}\n")
	}
	return out.String()
}

func (f updateFile) preview(t *testing.T, more string) string {
	t.Helper()
	var all []string
	for _, line := range f {
		op, _, metadata := f.metadata(t, line)
		metadata = strings.NewReplacer(`"old":null`, `"x":0`, `"new":null`, `"y":0`, `"old":`, `"oldState":`, `"new":`, `"newState":`).Replace(metadata)
		all = append(all, fmt.Sprintf(`{"op":%q,%s}`, op, metadata))
	}
	return `{"steps":[` + strings.Join(all, ",") + `],"duration":1` + more + `}`
}

// headers returns the first lines of resources, and the last lines.
func headers(text string) string {
	var all []string
	for line := range strings.Lines(text) {
		if len(line) > 3 && line[2] != ' ' {
			all = append(all, strings.TrimRight(line, "\n"))
		}
	}
	return strings.NewReplacer("Resources: ", "", "0 created, ", "", "0 deleted, ", "", "0 updated, ", "").Replace(strings.Join(all, "; "))
}

type updateRow struct {
	before string
	steps  updateFile
	alone  string
	onTop  string // if it differs
}

// updateRows are cases that users met.
func updateRows() map[string]updateRow {
	return map[string]updateRow{
		"refreshed away and created again": {
			`a/1{"n":1} b/2`,
			updateFile{`refresh>delete a/1{"n":1} -`, `create - a/3{"n":1}`},
			`- t:i:R "a" (found by a refresh); + t:i:R "a"; 1 created, 1 deleted, 0 the same`, `- t:i:R "a" (found by a refresh); + t:i:R "a"; 1 created, 1 deleted, 1 the same`,
		},
		"deleted and created again": {`a/1`, updateFile{`delete a/1 -`, `create - a/1`}, `- t:i:R "a"; + t:i:R "a"; 1 created, 1 deleted, 0 the same`, ""},
		"the same, and one of an earlier replacement": {
			`a/2 a/1+delete`,
			updateFile{`same a/2 a/2`, `delete-replaced a/1+delete -`},
			`- t:i:R "a" (pending deletion); 1 the same, 1 deleted that earlier updates replaced`, "",
		},
		"updated, and one of an earlier replacement": {
			`a/2{"n":1} a/1+delete`,
			updateFile{`update a/2{"n":1} a/2{"n":2}`, `delete-replaced a/1+delete -`},
			`~ t:i:R "a"; - t:i:R "a" (pending deletion); 1 updated, 0 the same, 1 deleted that earlier updates replaced`, "",
		},
		"destroyed with one of an earlier replacement": {
			`a/2 a/1+delete`,
			updateFile{`delete-replaced a/1+delete -`, `delete a/2 -`},
			`- t:i:R "a"; - t:i:R "a" (pending deletion); 1 deleted, 0 the same, 1 deleted that earlier updates replaced`, "",
		},
		"three of one URN refreshed": {
			`a/1+delete a/3+delete a/4`,
			updateFile{`refresh>delete a/1+delete -`, `refresh>delete a/3+delete -`, `refresh>same a/4 a/4`},
			`- t:i:R "a" (found by a refresh, pending deletion); - t:i:R "a" (found by a refresh, pending deletion); 2 deleted, 1 the same`, "",
		},
		"discarded":                       {`a/1+external`, updateFile{`discard a/1+external -`}, `< t:i:R "a"; 0 the same, 1 discarded`, ""},
		"no longer pending a replacement": {`a/1+pendingReplacement`, updateFile{`remove-pending-replace a/1+pendingReplacement -`}, `< t:i:R "a"; 0 the same`, ""},
	}
}

func moreUpdateRows() map[string]updateRow {
	return map[string]updateRow{
		"replaced, the old one first": {
			`a/1{"n":1}`,
			updateFile{`delete-replaced a/1{"n":1}+delete -`, `replace a/1{"n":1} a/{"n":2}`, `create-replacement a/1{"n":1} a/2{"n":2}`},
			`+-t:i:R "a"; 1 updated (1 of them to be replaced), 0 the same`, "",
		},
		"replaced, the new one first": {
			`a/1{"n":1}`,
			updateFile{`create-replacement a/1{"n":1} a/2{"n":2}`, `replace a/1{"n":1} a/2{"n":2}`, `delete-replaced a/1{"n":1}+delete -`},
			`+-t:i:R "a"; 1 updated (1 of them to be replaced), 0 the same`, "",
		},
		"imported in place of another": {
			`a/1`,
			updateFile{`import-replacement a/2 a/2{"n":1}`, `replace a/1 a/2{"n":1}`, `delete-replaced a/1+delete -`},
			`+-t:i:R "a"; 1 updated (1 of them to be replaced), 0 the same`, "",
		},
		"imported":                {`b/1`, updateFile{`import a/1{"n":1} a/1{"n":1}`}, `= t:i:R "a"; 0 the same, 1 imported`, `= t:i:R "a"; 1 the same, 1 imported`},
		"read":                    {``, updateFile{`read - a/1{"n":1}+external`}, `> t:i:R "a"; 0 the same, 1 read`, ""},
		"read again":              {`a/1{"n":1}+external`, updateFile{`read a/1{"n":1}+external a/1{"n":1}+external`}, `0 the same`, ""},
		"drift":                   {`a/1{"n":1}`, updateFile{`refresh>refresh a/1{"n":1} a/1{"n":2}`, `same b/1 b/1`}, `~ t:i:R "a"; 1 the same, 1 refreshed`, ""},
		"gone":                    {`a/1{"n":1}`, updateFile{`refresh a/1{"n":1} -`, `same b/1 b/1`}, `~ t:i:R "a" (it no longer exists); 1 the same, 1 refreshed`, ""},
		"renamed by an alias":     {`old/1`, updateFile{`same old/1 new/1`}, `  t:i:R "new" (renamed by an alias); 1 the same`, ""},
		"a component renamed":     {`my:c:C::old+component`, updateFile{`same my:c:C::old+component my:c:D::new+component`}, `  my:c:D "new" (renamed by an alias); 1 the same`, ""},
		"renamed and replaced":    {`old/1{"n":1}`, updateFile{`replace old/1{"n":1} new/2{"n":2}`}, `+-t:i:R "new" (renamed by an alias); 1 updated (1 of them to be replaced), 0 the same`, ""},
		"the same, other options": {`a/1`, updateFile{`same a/1 a/1+protect`}, `  t:i:R "a"; 1 the same`, ""},
		"failed and not ended":    {`a/1 b/2`, updateFile{`!update a/1 a/1{"n":1}`, `!create - c/{"n":1}`, `?delete b/2 -`}, `The update failed: 2 failed operations, 1 unfinished operation; ! t:i:R "a" (update failed); ! t:i:R "c" (create failed); ! t:i:R "b" (delete did not end); 0 the same, 2 failed, 1 unfinished`, ""},
		"retained":                {`a/1+retainOnDelete`, updateFile{`delete a/1+retainOnDelete -`}, `- t:i:R "a" (retained: only the record); 1 deleted, 0 the same`, ""},
		"an unknown operation":    {`a/1`, updateFile{`frobnicate a/1 a/1{"n":1}`}, `? t:i:R "a"; 0 the same, 1 with other operations`, ""},
		"not in the stack":        {`b/1`, updateFile{`update a/1{"n":1} a/1{"n":2}`}, `~ t:i:R "a"; 1 updated, 0 the same`, `~ t:i:R "a"; 1 updated, 1 the same`},
	}
}

// TestDiffOfUpdates: the operations of the engine say what happens, alone and on top of the
// stack before.
func TestDiffOfUpdates(t *testing.T) {
	rows := updateRows()
	maps.Copy(rows, moreUpdateRows())
	for name, row := range rows {
		dir := writeFiles(t, map[string]string{"before.json": stackHaving(t, row.before), "log.json": row.steps.log(t, `{"resourceChanges":{}}`)})
		if row.onTop == "" {
			row.onTop = row.alone
		}
		for args, want := range map[string]string{"log.json": row.alone, "before.json log.json": row.onTop} {
			got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...)
			code := 1
			switch {
			case strings.Contains(want, "failed"):
				code = 3
			case !strings.Contains(want, ";"):
				code = 0
			}
			isSaid := strings.Contains(got.stderr, "before.json does not have 1 resource of log.json")
			if text := headers(got.stdout); sorted(text) != sorted(want) || got.code != code || (got.stderr != "") != (isSaid && name == "not in the stack" || isSaid && name == "drift" || isSaid && name == "gone") {
				t.Errorf("%s: %s: exit %d\n%s\nwant %s\n%s", name, args, got.code, text, want, got.stderr)
			}
		}
	}
}

// TestDiffOnTop: what the steps change is changed in the stack that they begin with, and the
// rest is as it is there; and what an update leads to is compared with other stacks.
func TestDiffOnTop(t *testing.T) {
	for name, row := range map[string]struct {
		stack      string
		steps      updateFile
		args       string // of stack.json, other.json, which is of another stack, and log.json
		has, hasNo string
	}{
		"the one with the ID":               {`a/1{"n":1}+delete a/3{"m":3}+delete`, updateFile{`delete-replaced a/3+delete -`}, "stack.json log.json", "- m: 3", "n: 1"},
		"the one with the ID, marked since": {`a/1{"m":3}`, updateFile{`delete-replaced a/1+delete -`}, "stack.json log.json", "- m: 3", "n: 1"},
		"what is left as it is":             {`a/1{"n":5,"m":1}`, updateFile{`update a/1{"n":1,"o":1,"p":1} a/1{"n":1,"o":2,"p":1}`}, "stack.json log.json", "+ o: 2", " n: "},
		"in another part":                   {``, updateFile{`update a/1{"n":1} a/1{"n":2}`, `update b/1{"n":1} b/1{"n":3}+protect`}, "--only state log.json", "1 updated, 0 the same\nFiltered: 1 resource (", `"a"`},
		"what the stack lacks":              {`a/1{"n":5,"m":1}`, updateFile{`update a/1{"n":1,"o":1,"p":1} a/1{"n":1,"o":2,"p":1}`}, "stack.json log.json", "+ o: 2", " p: "},
		"what is removed":                   {`a/1{"n":1,"m":1}`, updateFile{`update a/1{"n":1,"m":1} a/1{"n":1}`}, "stack.json log.json", "- m: 1", "~ n"},
		"outputs of a replacement":          {``, updateFile{`delete-replaced a/1{"n":1} -`, `replace a/1{"n":1} a/{"n":2}+planned`, `create-replacement a/1{"n":1} a/2{"n":2}`}, "log.json", "+-t:i:R", "outputs"},
		"a failed update":                   {`a/1{"n":1}`, updateFile{`!update a/1{"n":1} a/1{"n":2}`}, "log.json stack.json", "1 the same", "n:"},
		"a failed creation":                 {`b/1`, updateFile{`!create - a/{"n":1}`}, "log.json stack.json", "0 deleted, 0 updated, 1 the same", "n:"},
		"the end of a replacement":          {`a/2{"n":2}`, updateFile{`create-replacement a/1{"n":1} a/2{"n":2}`, `replace a/1{"n":1} a/{"m":1}`}, "log.json stack.json", "1 the same", "n:"},
		"a replacement of nothing":          {`a/1`, updateFile{`?replace - a/1`}, "log.json stack.json", "1 the same", "deleted,x"},
		"an ID that is not known":           {`a/1{"n":2}`, updateFile{`update a/1{"n":1} a/{"n":2}`}, "log.json stack.json", "1 the same", "ID"},
		"outputs that are not known":        {`a/1{"n":2}`, updateFile{`?update a/1{"n":1} a/1{"n":2}+planned`}, "stack.json log.json", "update did not end", "outputs"},
		"deleted, of another stack":         {`a/1 b/2`, updateFile{`delete a/1 -`}, "--match stack other.json log.json", "1 deleted, 0 updated, 1 the same", "created,x"},
		"not deleted in it":                 {`a/1 b/2`, updateFile{`update a/1 a/1{"n":1}`}, "log.json stack.json", "0 created, 0 deleted, 1 updated, 1 the same", `"b"`},
	} {
		stack := stackHaving(t, row.stack)
		dir := writeFiles(t, map[string]string{
			"stack.json": stack, "other.json": strings.ReplaceAll(stack, ":s::", ":prod::"), "log.json": row.steps.log(t, `{"resourceChanges":{}}`),
		})
		got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(row.args)...)...)
		if !strings.Contains(got.stdout, row.has) || strings.Contains(got.stdout, row.hasNo) || got.stderr != "" {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestDiffOnTopOfMalformed: a resource of the stack that cannot be read is an error, and what
// the step says of it is shown, with the others.
func TestDiffOnTopOfMalformed(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"stack.json": strings.Replace(stackHaving(t, `a/1{"n":1} b/2{"n":3}`), `"inputs":{"n":1}`, `"inputs":7`, 1),
		"log.json":   updateFile{`update a/1{"n":1} a/1{"n":2}`, `update b/2{"n":1} b/2{"n":4}`}.log(t, `{"resourceChanges":{"update":2}}`),
	})
	got := propalg(t, dir, "", "diff", "stack.json", "log.json")
	isSaid := strings.HasPrefix(got.stderr, "propalg diff: stack.json: line 1, column ") && strings.Count(got.stderr, "\n") == 1
	if got.code != 2 || !isSaid || !strings.Contains(got.stdout, "n: 1 => 2") || !strings.Contains(got.stdout, "n: 3 => 4") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// sorted returns the parts of headers in an order of their own: the last steps of one kind
// may come in any.
func sorted(text string) string {
	return strings.Join(slices.Sorted(slices.Values(strings.Split(text, "; "))), "; ")
}

// TestDiffOfPreviews: what a preview does not know yet is no change.
func TestDiffOfPreviews(t *testing.T) {
	for name, row := range map[string]struct {
		steps        updateFile
		more         string
		want, absent string
	}{
		"outputs of a replacement":         {updateFile{`replace a/1{"n":1,"m":1} a/{"n":1}`}, "", "- m: 1", "id"},
		"a protected one":                  {updateFile{`delete a/1+protect -`}, "", `- t:i:R "a" (protected: the update will fail)`, "retained"},
		"unchanged ones that are left out": {updateFile{`update a/1{"n":1} a/1{"n":2}`}, `,"changeSummary":{"update":1,"same":41}`, "1 updated, 41 the same", "summary"},
		"steps that are not there":         {nil, `,"changeSummary":{"create":5}`, "The summary in the file has create 5, not 0: its steps are not those that the engine counted", "x"},
		"other members":                    {updateFile{`same a/1 a/1`}, `,"resources":[{"urn":"canary"}]`, "1 the same", "canary"},
	} {
		dir := writeFiles(t, map[string]string{"p.json": row.steps.preview(t, row.more)})
		got := propalg(t, dir, "", "diff", "p.json")
		if !strings.Contains(got.stdout, row.want) || strings.Contains(got.stdout, row.absent) || got.stderr != "" {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestDiffOfOddLogs: what could be read of a log is shown, and what is wrong is one line.
func TestDiffOfOddLogs(t *testing.T) {
	one := updateFile{`create - a/1{"n":1}`}.log(t, "")
	whole := updateFile{`create - a/1{"n":1}`}.log(t, `{"resourceChanges":{"create":1},"result":"succeeded"}`)
	for name, row := range map[string]struct {
		text, first, say string
		code             int
	}{
		"cut in a line":     {whole[:len(whole)-20], "The log ends before the update does", "x.json: steps: line 3, ", 3},
		"cut between lines": {one, "The log ends before the update does", "", 3},
		"other output":      {"Updating (dev)\n\n" + strings.ReplaceAll(whole, "\n", "\nwarning: x\n"), `+ t:i:R "a"`, "", 1},
		"two runs":          {`{"sequence":1,"timestamp":1,"preludeEvent":{}}` + "\n" + whole + `{"sequence":1,"timestamp":1,"preludeEvent":{}}` + "\n" + whole, "The log ends before the update does", "x.json: steps: line 5, offset ", 3},
		"malformed":         {whole + `{"sequence":1,"timestamp":1,"diagnosticEvent":{"message":7}}` + "\n", `+ t:i:R "a"`, "expected string, found number", 2},
	} {
		dir := writeFiles(t, map[string]string{"x.json": row.text})
		got := propalg(t, dir, "", "diff", "x.json")
		isSaid := strings.Contains(got.stderr, row.say) && (got.stderr != "") == (row.say != "") && strings.Count(got.stderr, "\n") <= 1
		if got.code != row.code || !strings.HasPrefix(got.stdout, row.first) || !strings.Contains(got.stdout, `+ t:i:R "a"`) || !isSaid {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestDiffReasons: what an engine names as the reason of an update is said where the resource
// does not show it.
func TestDiffReasons(t *testing.T) {
	step := func(op, name, reasons, now string) string {
		old := resourceOf(t, name+`/1{"n":1}`)
		return `{"op":"` + op + `","urn":"urn:pulumi:s::p::t:i:R::` + name + `",` + reasons + `,"oldState":` + old + `,"newState":` + resourceOf(t, name+"/1"+now) + "}"
	}
	dir := writeFiles(t, map[string]string{"preview.json": `{"config":{},"steps":[` + strings.Join([]string{
		step("replace", "a", `"replaceReasons":["vpcId"],"diffReasons":["vpcId","tags"]`, `{"n":1}`),
		step("replace", "b", `"replaceReasons":["n"]`, `{"n":2}`),
		step("update", "c", `"diffReasons":["n","tags","o","p","q","r","s"]`, `{"n":2}`),
	}, ",") + "]}"})
	got := propalg(t, dir, "", "diff", "preview.json")
	for _, want := range []string{`"a" (because of vpcId)` + "\n", `"b"` + "\n", `"c" (because of tags, o, p, q, and more)` + "\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in %s%s", want, got.stdout, got.stderr)
		}
	}
	if got := propalg(t, dir, "", "diff", "--ignore", "vpcId", "preview.json"); strings.Contains(got.stdout, "because of vpcId") {
		t.Errorf("what is ignored is said: %s", got.stdout)
	}
	got = propalg(t, dir, "", "diff", "-o", "json", "preview.json")
	for _, want := range []string{`"replace":true,"reasons":["vpcId"]`, `"reasons":["n","tags","o","p","q","r","s"]`} {
		if !strings.Contains(strings.Join(strings.Fields(got.stdout), ""), want) {
			t.Errorf("no %s in %s%s", want, got.stdout, got.stderr)
		}
	}
}
