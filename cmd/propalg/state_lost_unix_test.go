//go:build unix

package main_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "edit a file 1,000 times at once, and kill 200 edits")

// records returns the resources in a file, as they are written, by URN.
func records(t *testing.T, dir string) map[string]string {
	t.Helper()
	return recordsOf(t, dir, "s.json")
}

func recordsOf(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	var file struct {
		Deployment struct{ Resources []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(readFile(t, dir, name)), &file); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, text := range file.Deployment.Resources {
		var r struct{ URN string }
		if err := json.Unmarshal(text, &r); err != nil || all[r.URN] != "" {
			t.Fatalf("%v, or twice: %s", err, r.URN)
		}
		all[r.URN] = string(text)
	}
	return all
}

// edit is one that sets x of a resource.
func edit(urn, x string) []string { return []string{"state", "set", "s.json", urn, "x", `"` + x + `"`} }

// sameRecords compares what a file has with what it should have. Of one resource it may
// have another record.
func sameRecords(t *testing.T, got, want map[string]string, but, other string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for urn, text := range want {
		if got[urn] != text && (urn != but || got[urn] != other) {
			t.Fatalf("%s: %s, want %s", urn, got[urn], text)
		}
	}
}

// recordOf is what an edit makes of a record of manyResources.
func recordOf(urn, x string) string {
	return fmt.Sprintf(`{"urn":%q,"type":"c:d:e","inputs":{"x":%q}}`, urn, x)
}

// TestTwoEditors: two processes edit one file again and again at once. Each edit that says
// it is done is in the file, and no record is another one.
func TestTwoEditors(t *testing.T) {
	const n = 50
	rounds := 10
	if *long {
		rounds = 1000
	}
	dir := writeFiles(t, map[string]string{"s.json": manyResources(n)})
	want := records(t, dir)
	refused := 0
	for i := range rounds {
		urn := func(p int) string { return fmt.Sprintf("urn:pulumi:a::b::c:d:e::f%d", (2*i+p)%n) }
		x := func(p int) string { return fmt.Sprintf("%d by %d", i, p) }
		for p, r := range atOnce(t, dir, 2, func(p int) []string { return edit(urn(p), x(p)) }) {
			switch {
			case r.code == 0:
				want[urn(p)] = recordOf(urn(p), x(p))
			case r.code != 2 || !strings.Contains(r.stderr, "another"):
				t.Fatalf("%+v", r)
			default:
				refused++
			}
		}
		sameRecords(t, records(t, dir), want, "", "")
	}
	t.Logf("%d rounds of two, %d refused", rounds, refused)
	noneLeft(t, dir, "s.json")
}

// TestKilledEdits: an edit that is killed at any moment is in the file as a whole, or not at
// all.
func TestKilledEdits(t *testing.T) {
	const n = 3000
	moments := 8
	if *long {
		moments = 200
	}
	dir := writeFiles(t, map[string]string{"s.json": manyResources(n)})
	begin := time.Now()
	if r := process(t, dir, "", edit("urn:pulumi:a::b::c:d:e::f0", "y")...); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	takes, want, done := time.Since(begin), records(t, dir), 0
	for i := range moments {
		urn := fmt.Sprintf("urn:pulumi:a::b::c:d:e::f%d", i)
		c := exec.Command(binary(t), edit(urn, "z")...)
		c.Dir = dir
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(takes * time.Duration(5*i) / time.Duration(4*moments)) // any moment will do
		_ = c.Process.Kill()
		_ = c.Wait()
		got := records(t, dir)
		sameRecords(t, got, want, urn, recordOf(urn, "z"))
		if c.ProcessState.ExitCode() == 0 && got[urn] == want[urn] {
			t.Fatal("it said that it was done")
		}
		if got[urn] != want[urn] {
			done++
		}
		want = got
	}
	t.Logf("%d moments, %d times done before", moments, done)
	if r := process(t, dir, "", edit("urn:pulumi:a::b::c:d:e::f0", "last")...); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	want["urn:pulumi:a::b::c:d:e::f0"] = recordOf("urn:pulumi:a::b::c:d:e::f0", "last")
	sameRecords(t, records(t, dir), want, "", "")
	noneLeft(t, dir, "s.json")
}

// TestKilledMoves: after a move that is killed at any moment each resource is in one of the
// files, or in both, and never in neither.
func TestKilledMoves(t *testing.T) {
	const n = 2000
	moments := 12
	if *long {
		moments = 200
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("f%d", i)
	}
	dir := writeFiles(t, map[string]string{"dev.json": movable("dev", names...), "prod.json": movable("prod")})
	move := func(i int) []string {
		return []string{"state", "move", "dev.json", "prod.json", ofStack("dev", "a:b:C", names[2*i]), ofStack("dev", "a:b:C", names[2*i+1])}
	}
	begin := time.Now()
	if r := process(t, dir, "", move(0)...); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	takes, twice, done := time.Since(begin), 0, 0
	for i := 1; i <= moments; i++ {
		c := exec.Command(binary(t), move(i)...)
		c.Dir = dir
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(takes * time.Duration(5*i) / time.Duration(4*moments)) // any moment will do
		_ = c.Process.Kill()
		_ = c.Wait()

		from, to := recordsOf(t, dir, "dev.json"), recordsOf(t, dir, "prod.json")
		for k, name := range names {
			_, isLeft := from[ofStack("dev", "a:b:C", name)]
			_, isThere := to[ofStack("prod", "a:b:C", name)]
			switch {
			case !isLeft && !isThere:
				t.Fatalf("%s is nowhere", name)
			case isThere && k/2 > i:
				t.Fatalf("%s was not to be moved", name)
			case isLeft && isThere && k/2 == i:
				twice++
			}
		}
		if _, isLeft := from[ofStack("dev", "a:b:C", names[2*i])]; !isLeft {
			done++
		} else if c.ProcessState.ExitCode() == 0 {
			t.Fatal("it said that it was done")
		}
	}
	t.Logf("%d moments, %d times done before, %d resources in both files", moments, done, twice)
	if r := process(t, dir, "", move(moments+1)...); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	noneLeft(t, dir, "dev.json", "prod.json")
}

// TestSignals: a signal ends a command, which leaves nothing behind.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, out := range []string{"a.json", "new.json"} {
			dir := writeFiles(t, map[string]string{"a.json": `{"a":1}`, "b.json": `{}`})
			c, end := waiting(t, dir, "merge", "--out", out, "b.json", "a.json", "fifo")
			if left, _ := filepath.Glob(filepath.Join(dir, ".propalg-*")); len(left) != 1 {
				t.Errorf("before, there is %q", left)
			}
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			if how, _ := c.ProcessState.Sys().(syscall.WaitStatus); !how.Signaled() || how.Signal() != signal {
				t.Errorf("%v: it ended by %v", signal, c.ProcessState)
			}
			end("")
			noneLeft(t, dir, "a.json", "b.json")
			if text := readFile(t, dir, "a.json"); text != `{"a":1}` {
				t.Errorf("%v: %s", signal, text)
			}
		}
	}
}

// TestSaysWhatIsLost: an owner that cannot be kept and a hard link are said, a read-only
// file is left alone.
func TestSaysWhatIsLost(t *testing.T) {
	for name, row := range map[string]struct {
		mode    os.FileMode
		prepare func(name string) error
		code    int
		stderr  string
		after   os.FileMode
	}{
		"nothing":         {0o640, func(string) error { return nil }, 0, "", 0o640},
		"a hard link":     {0o640, func(name string) error { return os.Link(name, name+".link") }, 0, "other hard links to the file still have what it was\n", 0o640},
		"read-only":       {0o444, func(string) error { return nil }, 2, "the file is read-only (mode 0444); make it writable, or write another one\n", 0o444},
		"owner and group": {0o666, func(name string) error { return os.Chown(name, 4711, 4712) }, 0, "", 0o666},
	} {
		dir := writeFiles(t, map[string]string{"stack.json": bucketText})
		file := filepath.Join(dir, "stack.json")
		if err := row.prepare(file); err != nil {
			t.Logf("%s: %v", name, err) // not the superuser
			continue
		}
		if err := os.Chmod(file, row.mode); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Stat(file)
		got := process(t, dir, "", "state", "set", "stack.json", bucketURN, "x", "1")
		if row.stderr != "" {
			row.stderr = "propalg state set: stack.json: " + row.stderr
		}
		if got.code != row.code || got.stderr != row.stderr {
			t.Errorf("%s: %+v", name, got)
		}
		after, err := os.Stat(file)
		if err != nil || after.Mode() != row.after || owner(after) != owner(before) || os.SameFile(before, after) != (row.code != 0) {
			t.Errorf("%s: %v %s, was %v %s", name, after.Mode(), owner(after), before.Mode(), owner(before))
		}
	}
}

func owner(info os.FileInfo) string {
	s, _ := info.Sys().(*syscall.Stat_t)
	return fmt.Sprint(s.Uid, s.Gid)
}

// TestOtherOwner: a user who may write the file of another one makes it theirs, and the
// members of their group may do what all may.
func TestOtherOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only the superuser can become other users")
	}
	dir, err := os.MkdirTemp("", "propalg") //nolint:usetesting // other users cannot enter that of the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // for another user
		t.Fatal(err)
	}
	if err := os.Link(binary(t), filepath.Join(dir, "tool")); err != nil {
		t.Skip(err)
	}
	for want, row := range map[string]struct {
		mode, after os.FileMode
		gid         uint32
		groups      []uint32
	}{
		"the owner of the file is user 4711 of group 4712 now, and was 0 of 0\n": {0o676, 0o666, 4712, nil},
		"the owner of the file is user 4711 now, and was 0\n":                    {0o676, 0o676, 4712, []uint32{0}},
	} {
		file := filepath.Join(dir, "stack.json")
		_ = os.Remove(file)
		if err := os.WriteFile(file, []byte(bucketText), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, row.mode); err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		c := exec.Command(filepath.Join(dir, "tool"), "state", "set", "stack.json", bucketURN, "x", "1")
		c.Dir, c.Stderr = dir, &stderr
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 4711, Gid: row.gid, Groups: row.groups}}
		if err := c.Run(); err != nil || stderr.String() != "propalg state set: stack.json: "+want {
			t.Errorf("%v: %s, want %s", err, stderr.String(), want)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != row.after {
			t.Errorf("%s: %v, %v", want, info.Mode(), err)
		}
	}
}
