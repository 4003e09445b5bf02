package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// outside is where nothing of this repository is at hand but what a module proxy has.
type outside struct {
	t    *testing.T
	root string // this repository
	dir  string
	env  []string
}

// play makes a release of the files as they are now, and the proxy of it.
func play(t *testing.T) outside {
	t.Helper()

	const version = "v0.999.0"
	r := checkout(t, version)

	if _, err := r.release(version); err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	if err := r.writeProxy(filepath.Join(dir, "proxy")); err != nil {
		t.Fatal(err)
	}

	// All other modules are among those that this repository was built with, whose go.mod
	// files go reads here if it has not before.
	for _, folder := range published() {
		cmd := exec.Command("go", "mod", "graph")
		cmd.Dir = filepath.Join("..", "..", folder)

		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%s: %v: %s", folder, err, out) // the consumers fail, unless it is not needed
		}
	}

	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}

	downloads := filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")

	return outside{t, string(r), dir, append(os.Environ(),
		"GOPROXY=file://"+filepath.Join(dir, "proxy")+",file://"+downloads,
		"GOMODCACHE="+filepath.Join(dir, "modules"), "GOBIN="+filepath.Join(dir, "bin"),
		"GOFLAGS=-modcacherw -trimpath", "GOSUMDB=off", "GOENV=off", "GOWORK=off", "GOPRIVATE=", "GONOPROXY=none",
	)}
}

// run runs a line of a shell in a folder of its own, and returns what it prints.
func (o outside) run(folder, line string) string {
	o.t.Helper()

	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = filepath.Join(o.dir, folder)
	cmd.Env = o.env

	var said strings.Builder
	cmd.Stderr = &said

	out, err := cmd.Output()
	if err != nil {
		o.t.Fatalf("%s: $ %s\n%v\n%s%s", folder, line, err, out, &said)
	}

	return string(out)
}

// write writes a file.
func (o outside) write(name, text string) {
	o.t.Helper()

	file := filepath.Join(o.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		o.t.Fatal(err)
	}
}

// module begins a module in a new folder.
func (o outside) module(folder string) {
	o.t.Helper()
	o.write(filepath.Join(folder, "README"), "of a consumer\n")
	o.run(folder, "go mod init example.test/"+folder)
}

// page is a page of the documentation as it was released.
func (o outside) page(name string) string {
	o.t.Helper()

	text, err := os.ReadFile(filepath.Join(o.root, name))
	if err != nil {
		o.t.Fatal(err)
	}

	return string(text)
}

// command is the line of a page that begins like that.
func (o outside) command(page, begin string) string {
	o.t.Helper()

	for line := range strings.Lines(page) {
		line = strings.Trim(line, "`\n")
		if line, _, _ := strings.Cut(line, "`"); strings.HasPrefix(line, begin) {
			return line
		}
	}

	o.t.Fatalf("no line begins: %s", begin)

	return ""
}

// programs are the blocks of a page that are programs, each with the block after it.
func programs(page string) (all [][2]string) {
	parts := strings.Split(page, "```")
	for i := 1; i+2 < len(parts); i += 2 {
		if code, isGo := strings.CutPrefix(parts[i], "go\n"); isGo && strings.HasPrefix(code, "package main\n") {
			all = append(all, [2]string{code, strings.TrimPrefix(parts[i+2], "\n")})
		}
	}

	return all
}

// The README's commands and program, and the guide's provider, work for somebody who has nothing of this repository,
// as they are on the page, and every package of every published module builds there, from the files that it has here.
func TestConsumers(t *testing.T) {
	o := play(t)
	readme := o.page("README.md")
	code := programs(readme)

	t.Run("tour", func(t *testing.T) {
		o.t = t
		o.module("tour")
		o.run("tour", o.command(readme, "go get "+rootPath))
		o.write("tour/main.go", code[0][0])
		o.run("tour", o.command(readme, "go get ./..."))

		if got := o.run("tour", "go run ."); got != code[0][1] {
			t.Errorf("the tour prints\n%s", got)
		}
	})

	t.Run("provider", func(t *testing.T) {
		o.t = t
		o.module("provider")
		o.run("provider", o.command(readme, "go get "+rootPath+"/interop/grpc"))
		o.write("provider/main.go", o.page("examples/quickstart/main.go")) // what docs/guides/first-provider.md shows
		o.run("provider", o.command(readme, "go get ./..."))
		o.run("provider", "go build .")
	})

	t.Run("commands", func(t *testing.T) {
		o.t = t
		o.run(".", o.command(readme, "go install "+rootPath+"/cmd/propalg"))
		o.run(".", "bin/propalg diff "+o.root+"/testdata/samples/before.json "+o.root+"/testdata/samples/before.json")
		o.run(".", o.command(o.page("docs/guides/benchmarks.md"), "go install "+rootPath+"/bench/gate"))
		o.run(".", "bin/gate compare -h")
	})

	for _, folder := range published() {
		name := strings.ReplaceAll(strings.Replace(folder, ".", "root", 1), "/", "-")

		t.Run(name, func(t *testing.T) {
			o.t = t

			packages, files := packagesOf(t, folder)
			if len(packages) == 0 {
				return // commands alone, which were installed
			}

			o.module(name)
			o.write(name+"/all.go", "package all\n\nimport (\n\t_ \""+strings.Join(packages, "\"\n\t_ \"")+"\"\n)\n")
			o.run(name, "go get "+strings.Join(packages, " "))
			o.run(name, "go vet ./...")

			got := o.run(name, "go list -f '"+filesOf+"' "+strings.Join(packages, " "))
			for line := range strings.Lines(files) {
				if !strings.Contains(got, line) {
					t.Errorf("there a package has not the files that it has here: %s", line)
				}
			}
		})
	}
}

// filesOf makes go list print a package and what it is built from.
const filesOf = "{{.ImportPath}} {{.GoFiles}} {{.EmbedFiles}}"

// packagesOf lists what others can import of a module, and as filesOf prints them.
func packagesOf(t *testing.T, folder string) (names []string, files string) {
	t.Helper()

	cmd := exec.Command("go", "list", "-f", `{{if and .GoFiles (ne .Name "main")}}`+filesOf+"{{end}}", "./...")
	cmd.Dir = filepath.Join("..", "..", folder)

	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}

	for line := range strings.Lines(string(out)) {
		if name, _, isPackage := strings.Cut(line, " "); isPackage && !strings.Contains(name, "/internal") {
			names, files = append(names, name), files+line
		}
	}

	return names, files
}
