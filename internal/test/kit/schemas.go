package kit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// SchemaFile is the schema of a real package.
type SchemaFile struct {
	Name string
	Data []byte
}

// SchemaFiles returns the schemas of real packages: those of ../shared/data, and three large
// ones from the module cache. It skips the test if there are none.
func SchemaFiles(t *testing.T) []SchemaFile {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(aboveModule(t), "shared", "data", "schemas", "*.json"))
	if err != nil {
		t.Fatal(err)
	}

	if folder := CachedModule("github.com/pulumi/pulumi-java@v1.34.0"); folder != "" {
		for _, name := range []string{"aws", "azure", "kubernetes"} {
			names = append(names, filepath.Join(folder, "pkg", "codegen", "testing", "test", "testdata", name+".json"))
		}
	}
	if len(names) == 0 {
		t.Skip("no ../shared/data/schemas next to the repository, and none in the module cache")
	}

	var files []SchemaFile
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, SchemaFile{filepath.Base(name), data})
	}
	return files
}

// CachedModule returns the folder of a module in the module cache, or "". It downloads
// nothing.
func CachedModule(module string) string {
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	out, err := command.Output()
	if err != nil {
		return ""
	}

	var found struct{ Dir string }
	if json.Unmarshal(out, &found) != nil {
		return ""
	}
	return found.Dir
}
