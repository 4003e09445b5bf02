package main

import (
	"slices"
	"strings"
	"testing"
)

// TestMistakes: mistakes that users of public providers have reported are found, and the right
// method is blamed. A comment names the issue or pull request of github.com/pulumi that has the report.
func TestMistakes(t *testing.T) {
	const live = "--live --resource * --functions * --tries "
	t.Setenv("PROPALG_TEST_KEY", "sesame-open-123")
	for mode, row := range map[string]struct {
		want string // a finding: call, code and the beginning of the place
		args string
	}{
		"Check returns secrets in clear":                  {"Check secret-lost ", ""},        // pulumi-pulumiservice#377
		"Check makes a name each time":                    {"Check not-kept name", ""},       // pulumi-azure-nextgen#5
		"Check keeps what was removed":                    {"Check removal-ignored ttl", ""}, // pulumi-azure-native#2507
		"Check takes 0 for nothing":                       {"Check zero-replaced ttl", ""},
		"a failure has another name":                      {"Check schema-mismatch ttl_seconds", ""},        // pulumi-terraform-bridge#1173
		"Diff has other paths":                            {"Diff new-missing ports", "--tries 100"},        // pulumi-terraform-bridge#1499
		"Diff reads no unknowns":                          {"Diff delete-present ", ""},                     // pulumi-docker#747
		"an entry does not replace":                       {"Diff replaces-extra ", ""},                     // pulumi-terraform-bridge#3373
		"an output is not stable":                         {"Diff stables-changed endpoint", live + "200"},  // pulumi-aws-native#1892
		"a preview of Create crashes":                     {"Create crash", ""},                             // pulumi-kubernetes#1368
		"a preview makes a text of an unknown":            {"Create preview-differs endpoint", live + "60"}, // pulumi#7521
		"the state has the inputs in clear":               {"Create secret-derived __inputs", live + "60"},  // pulumi-azure-nextgen#185
		"a secret is made a text":                         {"Create object-as-text endpoint", live + "60"},
		"Create rounds a number":                          {"Create preview-differs weight", live + "60"},   // pulumi#694
		"half a Create has no state":                      {"Create state-missing", live + "60"},            // pulumi-terraform#237
		"a preview of Update refuses unknowns":            {"Update unknown-refused ", "--tries 100"},       // pulumi#6004
		"Read returns the inputs that it is given":        {"Read inputs-stale ", live + "60"},              // pulumi-aws-native#1796
		"Read makes an input of a default of the service": {"Read inputs-drift ttl", live + "10"},           // pulumi-aws-native#2390
		"Read leaves out an output":                       {"Read state-drifts settings.mode", live + "60"}, // pulumi-aws-native#2915
		"Read returns the ID of what is gone":             {"Read gone-found", live + "10"},                 // pulumi#24188
		"Read returns no ID":                              {"Read read-not-found", live + "10"},             // pulumi#20186
		"Check refuses what an import returns":            {"Read inputs-drift ttl", live + "10"},           // pulumi#16048
		"Delete needs what Read does not return":          {"Read state-drifts handle", live + "10"},        // pulumi#24188
		"a function wants an optional argument":           {"Invoke crash", live + "10"},                    // pulumi-pulumiservice#594
		"a function returns a secret in clear":            {"Invoke schema-secret token", live + "10"},      // pulumi#12710
		"the configuration is in clear":                   {"CheckConfig secret-lost apiKey", "--tries 1"},  // pulumi-docker#643
		"any change of the configuration replaces":        {"DiffConfig version-replaces", "--tries 1"},     // pulumi-go-provider#288
		"a type is missing":                               {"GetSchema schema-wrong", "--tries 1"},          // pulumi#13801
		"GetPluginInfo is missing":                        {"GetPluginInfo plugin-info-refused", "--tries 1"},
		"the version is none":                             {"GetPluginInfo plugin-info-refused", "--tries 1"},
		"the version is another":                          {"GetPluginInfo version-differs", "--tries 1"},
		"Cancel does not return":                          {"Cancel hang", "--tries 1 --timeout 500ms"}, // pulumi#19638
		"GetMapping fails":                                {"GetMapping mapping-refused", "--tries 1"},
		"GetMappings fails":                               {"GetMappings mapping-refused", "--tries 1"},
		"a mapping is missing":                            {"GetMapping mapping-missing", "--tries 1"},
		"a mapping is of another provider":                {"GetMapping other-mapping", "--tries 1"},
		"right: the order does not matter":                {"Read order-differs ports", live + "60"},
		"List has a resource twice":                       {"List list-id", live + "1"},
		"List goes on after its continuation":             {"List list-order", live + "1"},
		"List has a larger page":                          {"List list-size", live + "1"},
		"the second page is larger":                       {"List list-size", live + "1"},
		"Diff reports the order of a set":                 {"Diff some-while-equal", "--set ports"},
	} {
		got := found(document(t, "rack: "+mode, rackArgs(t, row.args)...))
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, row.want) }) {
			t.Errorf("%s: no %q among %q", mode, row.want, got)
		}
	}
}

// TestMistakeNotFound: that Create refuses what Check should have refused (pulumi-kubernetes#157)
// may as well be the service's fault. It is said, and is no finding.
func TestMistakeNotFound(t *testing.T) {
	t.Setenv("PROPALG_TEST_KEY", "sesame-open-123")
	doc := document(t, "rack: only Create refuses", rackArgs(t, "--live --resource * --tries 60")...)
	missed := strings.Join(doc.Subjects[0].Missed, "\n")
	if got := found(doc); got != nil || !strings.Contains(missed, "Create refused ") || !strings.Contains(missed, "ttl is out of range") {
		t.Errorf("%q, and missed: %s", got, missed)
	}
}

// TestUnusual: what is unusual, and right, is no finding.
func TestUnusual(t *testing.T) {
	t.Setenv("PROPALG_TEST_KEY", "sesame-open-123")
	for mode, args := range map[string]string{
		"":                                              "",
		"right: strict":                                 "",
		"right: delete first":                           "",
		"right: Check has a default":                    "",
		"right: no version":                             "",
		"right: a build of the version":                 "",
		"right: slow":                                   "",
		"right: no Read":                                "",
		"right: no previews":                            "",
		"right: no secrets":                             "",
		"right: Diff leaves it to the engine":           "",
		"right: Diff names only what replaces":          "",
		"right: half a Create":                          "",
		"right: the service writes in lower case":       "--same region=fold",
		"right: the order does not matter":              "--set ports",
		"right: a password that only the program knows": "--write-only password",
		"right: has mappings":                           "",
		"right: has no mappings":                        "",
		"right: lists":                                  "",
		"right: the order of a set is Check's":          "--set ports",
	} {
		for _, how := range []string{"", "--live --resource * --functions * --tries 10"} {
			if got := found(document(t, "rack: "+mode, rackArgs(t, args+" "+how)...)); got != nil {
				t.Errorf("%s %s: %q", mode, how, got)
			}
		}
	}
}

func rackArgs(t *testing.T, more string) []string {
	t.Helper()
	args := []string{"--config", "apiKey=$PROPALG_TEST_KEY", "--tries", "40"}
	if strings.Contains(more, "--live") {
		args = append(args, "--journal", journalIn(t))
	}
	return append(args, strings.Fields(more)...)
}
