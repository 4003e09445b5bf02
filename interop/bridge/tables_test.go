package bridge_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/hexops/autogold/v2"      // for the bridge's tests
	_ "github.com/stretchr/testify/assert" // for the bridge's tests
)

// tableDifferences are the rows of the bridge's tables on which package schema decides
// otherwise, with the reason.
func tableDifferences() map[string]string {
	const (
		enums   = "the bridge does not look into enums, and the rows have values that the enum does not have"
		scalars = "the bridge takes texts for numbers and booleans, and both for texts, since it converts them after the check"
	)

	return map[string]string{
		"TestValidateInputType_objects/enum_string_success":                  enums,
		"TestValidateInputType_objects/enum_string_no_failure":               enums,
		"TestValidateInputType_objects/enum_number_success":                  enums,
		"TestValidateInputType_objects/enum_number_no_failure":               enums,
		"TestValidateInputType_objects/object_multi_type_enum_success":       enums,
		"TestValidateInputType_objects/object_multi_type_enum_no_failure":    enums,
		"TestValidateInputType_arrays/enum_string_success":                   enums,
		"TestValidateInputType_arrays/enum_number_success":                   enums,
		"TestValidateInputType_toplevel/integer_type_success_string":         scalars,
		"TestValidateInputType_toplevel/bool_type_success_string":            scalars,
		"TestValidateInputType_toplevel/secret_type_string_coalesce_success": scalars,
		"TestValidateInputType_toplevel/output_type_coalesce_success":        scalars,
		"TestValidateConfigType/allows_bool_strings":                         scalars,
	}
}

// TestTables runs the bridge's own tests of its checker with package schema for a checker:
// the file is compiled where it is, as part of package typechecker here.
func TestTables(t *testing.T) {
	results := runTables(t)
	differences := tableDifferences()
	passed, rows := 0, 0

	for name, result := range results {
		if !strings.Contains(name, "/") {
			continue
		}

		rows++

		_, differs := differences[name]
		switch {
		case result == "pass" && differs:
			t.Errorf("%s passes, but is in the table", name)
		case result == "pass":
			passed++
		case !differs:
			t.Errorf("%s differs: %s", name, result)
		}
	}

	for name := range differences {
		if results[name] == "" {
			t.Errorf("there is no test %s", name)
		}
	}

	t.Logf("%d rows: %d agree, %d differ with a reason", rows, passed, rows-passed)

	if rows < 60 {
		t.Errorf("only %d rows were run", rows)
	}
}

// runTables returns what became of each test, and what it printed if it failed.
func runTables(t *testing.T) map[string]string {
	t.Helper()

	folder := run(t, "go", "list", "-f", "{{.Dir}}", "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge/typechecker")

	here, err := filepath.Abs("typechecker")
	if err != nil {
		t.Fatal(err)
	}

	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(here, "bridge_test.go"): filepath.Join(strings.TrimSpace(folder), "typechecker_test.go"),
	}})
	if err != nil {
		t.Fatal(err)
	}

	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}

	out := run(t, "go", "test", "-overlay", file, "-json", "./typechecker")
	results, printed := map[string]string{}, map[string]string{}

	for decoder := json.NewDecoder(bytes.NewReader([]byte(out))); decoder.More(); {
		var event struct{ Action, Test, Output string }
		if err := decoder.Decode(&event); err != nil {
			t.Fatal(err)
		}

		switch event.Action {
		case "output":
			printed[event.Test] += event.Output
		case "pass":
			results[event.Test] = event.Action
		case "fail":
			results[event.Test] = printed[event.Test]
		}
	}

	if strings.Contains(printed[""], "panic:") {
		t.Error(printed[""])
	}

	return results
}

// run returns what a command prints. Failing tests are not an error.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()

	out, err := exec.Command(name, args...).Output()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}

	return string(out)
}
