package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// bin is the folder of the binaries that TestMain built.
var bin string

// version is what the CLI says of itself; it refuses plugins that it takes for
// newer.
const version = "-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.259.0"

// builds are the binaries, with the folder of the module that each is of.
var builds = []struct{ name, folder, pkg string }{
	{"pulumi", ".", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"},
	{"pulumi-language-yaml", ".", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"},
	{"pulumi-resource-demo", "../examples/provider", "./pulumi-resource-demo"},
	{"twin/pulumi-resource-demo", ".", "./twin"},
	{"faulty/pulumi-resource-demo", ".", "./faulty/pulumi-resource-demo"},
	{"pulumi-analyzer-policy-demo", ".", "./policy"},
	{"quickstart/pulumi-resource-quickstart", "../examples/quickstart", "."},
	{"propalg", "..", "./cmd/propalg"},
}

// TestMain builds everything that is run: into the folder that PROPALG_E2E_BIN
// names, where unchanged binaries are kept, or a temporary one.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(mainCode(m))
}

func mainCode(m *testing.M) int {
	if bin = os.Getenv("PROPALG_E2E_BIN"); bin == "" {
		folder, err := os.MkdirTemp("", "propalg-e2e-")
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer os.RemoveAll(folder)
		bin = folder
	}
	for _, b := range builds {
		start := time.Now()
		c := exec.Command("go", "build", "-mod=readonly", "-buildvcs=false", "-ldflags", "-s -w "+version, "-o", filepath.Join(bin, b.name), b.pkg)
		c.Dir = b.folder
		c.Env = append(os.Environ(), "GOWORK=off")
		if out, err := c.CombinedOutput(); err != nil {
			fmt.Printf("building %s: %v\n%s\n", b.name, err, out)
			return 1
		}
		fmt.Printf("built %s in %s\n", b.name, time.Since(start).Round(time.Second))
	}
	return m.Run()
}
