package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRules: what the schema does not say is said by flags, or by a file for each resource.
func TestRules(t *testing.T) {
	orders := []string{"--inputs", file(t, `{"x:index:Thing": [{"name": "a", "tags": ["p", "q"]}, {"name": "a", "tags": ["q", "p"]}]}`)}
	cases := []string{"--inputs", file(t, `{"x:index:Thing": [{"name": "a"}, {"name": "A"}]}`), "--tries", "400"}
	const set, fold = "planted: Diff takes tags for a set", "planted: Diff takes names for equal"
	for _, row := range []struct {
		mode string
		args []string
		want bool // findings
	}{
		{set, orders, true},
		{set, append(orders, "--set", "tags"), false},
		{"right", []string{"--set", "tags"}, true}, // its Diff reports the order
		{set, append(orders, "--quiet", "tags"), false},
		{set, append(orders, "--rules", file(t, `{"x:index:*": {"set": ["tags"]}}`)), false},
		{set, append(orders, "--rules", file(t, `{"y:index:*": {"set": ["tags"]}}`)), true},
		{fold, cases, true},
		{fold, append(cases, "--same", "name=fold"), false},
		{"two-mistakes", []string{"--rules", file(t, `{"x:index:Thing": {"quiet": ["size", "password"]}}`)}, false},
		{"two-mistakes", []string{"--rules", file(t, `{"x:index:Thing": {"skip": "old"}}`)}, false},
	} {
		if got := found(document(t, row.mode, row.args...)); (got != nil) != row.want {
			t.Errorf("%s %q: %q", row.mode, row.args, got)
		}
	}
}

// TestInputs: inputs of the user are varied, and all that there is without a schema; a value that
// is fixed is in all of them.
func TestInputs(t *testing.T) {
	inputs := file(t, `{"x:index:Thing": [{"name": "a", "size": 1}, {"name": "b", "size": 2, "deep": {"on": true}}]}`)
	log := filepath.Join(t.TempDir(), "log")
	doc := document(t, "no-schema", "--inputs", inputs, "--fix", "zone=z1", "--log", log)
	if got := found(doc); got != nil || doc.Summary.Resources != 1 {
		t.Errorf("%q, %+v", got, doc.Summary)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"zone":"z1"`, `"on":true`, `"on":false`, `"size":2`, `"size":3`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no call has %s", want)
		}
	}
	for line := range strings.Lines(string(text)) {
		if _, request, _ := strings.Cut(line, `"news":`); strings.Contains(line, "/Check\"") && !strings.Contains(request, "04da6b54-80e4-46f7-96ec-b56ff0331ba9") && !strings.Contains(request, `"zone":"z1"`) {
			t.Fatalf("a Check without what is fixed: %.1000s", line)
		}
	}

	for _, args := range [][]string{
		{"--inputs", file(t, "[]")},
		{"--inputs", filepath.Join(t.TempDir(), "none")},
		{"--rules", file(t, `{"a": {"sets": []}}`)},
		{"--rules", file(t, `{"a": {"set": ["["]}}`)},
		{"--rules", file(t, `{"a": {"fix": {"b": nul}}}`)},
		{"--fix", "zone"},
	} {
		if code, out, messages := tested(t, "right", args...); code != exitBad || out != "" || strings.Count(messages, "\n") != 1 {
			t.Errorf("%q: %d %q %q", args, code, out, messages)
		}
	}
}

// TestTame: texts are printable, numbers are not odd, and assets are texts; marks stay.
func TestTame(t *testing.T) {
	v := value.Object(
		value.Field("a\x00\xff", value.Secret(value.String("x\x01\xc3"))), value.Field("n", value.Number(1e300)),
		value.Field("f", value.Array(value.FileAsset("/etc/passwd"), value.URIArchive("https://example.com/a.zip"))),
	)
	got := tame(v).String()
	if want := `{a: [secret], f: [asset(text:e3b0c44), archive(literal)], n: 9007199254740992}`; got != want || !tame(v).Field("a").OwnSecret() {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestAttach: a provider that runs already is tested, and left running.
func TestAttach(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), modeEnv+"=two-mistakes")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	var line [16]byte
	n, err := out.Read(line[:])
	if err != nil {
		t.Fatal(err)
	}
	port := strings.TrimSpace(string(line[:n]))

	for range 2 {
		var text, messages strings.Builder
		code := run(t.Context(), []string{"--attach", port}, &text, &messages)
		if code != exitFindings || !strings.Contains(text.String(), "size: unreported") {
			t.Errorf("%d %s %s", code, text.String(), messages.String())
		}
	}
	if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err != nil { //nolint:noctx // it is local
		t.Errorf("the provider has ended: %v", err)
	} else {
		_ = conn.Close()
	}
}

// TestProgramOf: folders say by PulumiPlugin.yaml what starts them.
func TestProgramOf(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pulumi-foo")
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("PulumiPlugin.yaml", "runtime: nodejs\n")
	if _, err := programOf(folder); err == nil || !strings.Contains(err.Error(), "run npm install there") {
		t.Error(err)
	}
	write("node_modules/@pulumi/pulumi/cmd/run-plugin/index.js", "")
	p, err := programOf(folder)
	if want := []string{filepath.Join(folder, "node_modules", "@pulumi", "pulumi", "cmd", "run-plugin"), folder}; err != nil || p.path != "node" || !slices.Equal(p.args, want) || p.name != "foo" {
		t.Errorf("%+v %v", p, err)
	}
	for text, want := range map[string]string{
		"runtime:\n  name: python\n  options: {}\n": "python", "runtime: {name: dotnet, options: {}}": "dotnet", "runtime: 'go'\n": "go", "": "",
	} {
		write("PulumiPlugin.yaml", text)
		if _, err := programOf(folder); err == nil || !strings.Contains(err.Error(), `its runtime is "`+want+`"`) {
			t.Errorf("%q: %v", text, err)
		}
	}
	write("pulumi-resource-foo", "")
	if p, err := programOf(folder); err != nil || p.path != filepath.Join(folder, "pulumi-resource-foo") || p.folder != folder {
		t.Errorf("%+v %v", p, err)
	}
}
