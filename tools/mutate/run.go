package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"syscall"
	"time"
)

// Outcomes of a stage.
const (
	killed   = "killed"
	survived = "survived"
	broken   = "broken" // does not compile: not a mutant
)

type runner struct {
	root, scratch, results string
	stage                  string
	done                   map[string]map[string]string // id, then stage, to outcome
}

func run(args []string) {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	root := flags.String("root", ".", "repository")
	list := flags.String("mutants", "mutants.tsv", "what was drawn")
	results := flags.String("results", "results.tsv", "appended to")
	stage := flags.String("stage", "own", "own, laws or importers")
	scratch := flags.String("scratch", filepath.Join(os.TempDir(), "mutate"), "for what is built")
	until := flags.String("until", "", "stop at this time of day, 15:04")
	only := flags.String("only", "", "only ids that begin so")
	flags.Parse(args)
	r := &runner{stage: *stage, results: *results, done: outcomes(*results)}
	r.root, _ = filepath.Abs(*root)
	r.scratch, _ = filepath.Abs(*scratch)
	if err := os.MkdirAll(r.scratch, 0o755); err != nil {
		fail("%v", err)
	}
	for {
		if *until != "" && time.Now().Format("15:04") >= *until {
			fmt.Println("time is up")
			return
		}
		all := readMutants(*list)
		m, found := r.next(all, *only)
		if !found {
			fmt.Println("nothing is left in stage", r.stage)
			return
		}
		r.try(m)
	}
}

// next is the mutant whose package lags most behind what was drawn of it, so that
// a part of a run stands for the whole.
func (r *runner) next(all []mutant, only string) (mutant, bool) {
	want, have := map[string]int{}, map[string]int{}
	first := map[string]mutant{}
	for _, m := range all {
		of := r.done[m.id]
		if !m.reserve {
			want[m.pkg]++
		}
		switch {
		case of[r.stage] == survived || of[r.stage] == killed:
			have[m.pkg]++
		case of[r.stage] != "" || !r.due(of):
		default:
			if _, has := first[m.pkg]; !has && strings.HasPrefix(m.id, only) {
				first[m.pkg] = m
			}
		}
	}
	var pkgs []string
	for pkg := range first {
		if r.stage == "own" && have[pkg] >= want[pkg] {
			continue
		}
		pkgs = append(pkgs, pkg)
	}
	if len(pkgs) == 0 {
		return mutant{}, false
	}
	sort.Slice(pkgs, func(i, j int) bool {
		a, b := pkgs[i], pkgs[j]
		x, y := have[a]*want[b], have[b]*want[a]
		return x < y || x == y && a < b
	})
	return first[pkgs[0]], true
}

// due tells whether what is known of a mutant calls for this stage.
func (r *runner) due(of map[string]string) bool {
	switch r.stage {
	case "own":
		return true
	case "laws":
		return of["own"] == survived
	default:
		return of["own"] == survived && of["laws"] == survived
	}
}

func outcomes(name string) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, f := range rows(name) {
		if out[f[0]] == nil {
			out[f[0]] = map[string]string{}
		}
		out[f[0]][f[1]] = f[2]
	}
	return out
}

// try runs the stage's tests over one mutant and writes what came of it.
func (r *runner) try(m mutant) {
	begin := time.Now()
	outcome, why := survived, ""
	for _, pkg := range r.tests(m) {
		outcome, why = r.test(m, pkg)
		if outcome != survived {
			break
		}
	}
	if r.done[m.id] == nil {
		r.done[m.id] = map[string]string{}
	}
	r.done[m.id][r.stage] = outcome
	row := fmt.Sprintf("%s\t%s\t%s\t%.0f\t%s\n", m.id, r.stage, outcome, time.Since(begin).Seconds(), why)
	file, err := os.OpenFile(r.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		fail("%v", err)
	}
	defer file.Close()
	file.WriteString(row)
	fmt.Printf("%s %s", time.Now().Format("15:04:05"), row)
}

// tests are the packages whose tests a stage runs.
func (r *runner) tests(m mutant) []string {
	switch r.stage {
	case "own":
		return []string{m.pkg}
	case "laws":
		return []string{"internal/laws"}
	}
	importers := map[string][]string{
		"urn":   {"codec/state", "codec/rpc", "value", "cmd/propalg"},
		"path":  {"value", "diff", "codec", "codec/rpc", "codec/patch", "codec/state", "cmd/propalg"},
		"value": {"diff", "codec", "codec/rpc", "codec/patch", "codec/state", "cmd/propalg"},
		"diff":  {"codec/rpc", "codec/patch", "cmd/propalg"},
		"codec": {"codec/rpc", "codec/patch", "codec/state", "cmd/propalg"},
	}
	return importers[m.pkg]
}

// seconds of processor time after which a test binary is taken to hang: about
// five times what the unchanged tests use.
func seconds(pkg string) int {
	switch pkg {
	case "urn", "path":
		return 30
	case "internal/laws":
		return 500
	case "diff":
		return 140
	default:
		return 90
	}
}

func (r *runner) test(m mutant, pkg string) (outcome, why string) {
	name := filepath.Join(r.root, m.pkg, m.file)
	source, err := os.ReadFile(name)
	if err != nil {
		fail("%v", err)
	}
	changed, err := m.apply(source)
	if err != nil {
		fail("%v", err)
	}
	to := filepath.Join(r.scratch, m.file)
	overlay, _ := json.Marshal(map[string]map[string]string{"Replace": {name: to}})
	over := filepath.Join(r.scratch, "overlay.json")
	if os.WriteFile(to, changed, 0o644) != nil || os.WriteFile(over, overlay, 0o644) != nil {
		fail("%s cannot be written", r.scratch)
	}
	binary := filepath.Join(r.scratch, "mutant.test")
	build := exec.Command("go", "test", "-c", "-p", "1", "-overlay", over, "-o", binary, "./"+pkg)
	build.Dir = r.root
	build.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
	if text, err := build.CombinedOutput(); err != nil {
		return broken, lastLine(text)
	}
	// What takes long stands last, since most mutants fall to quick tests.
	dir := filepath.Join(r.root, pkg)
	if slow := slow(pkg); slow != "" {
		if outcome, why = judge(binary, dir, seconds(pkg), "-test.skip '"+slow+"'"); outcome != survived {
			return outcome, why
		}
		return judge(binary, dir, seconds(pkg), "-test.run '"+slow+"'")
	}
	return judge(binary, dir, seconds(pkg), "")
}

// slow are the tests that take most of a package's time.
func slow(pkg string) string {
	switch pkg {
	case "value":
		return "^(TestDeepComparisons|TestDeepOperations|TestDeepArchives|TestDisplayIsBounded|TestRestoreScale)$"
	case "diff":
		return "^(TestDepth|TestSplitDeep|TestLaw3SingleEdits|TestIgnoreScale|TestComposeDeep|TestMergeDeep|TestCostOfArrays|" +
			"TestTextOfHugeTexts|TestProtocolBounds|TestWidth|TestBuilderBounds|TestCostOfDepth|TestDepthOfTheRest)$"
	case "codec":
		return "^(TestMillionDeepBytes|TestProtoDepthLimit|TestHostileTexts|TestDeepTimeIsLinear|TestManyEntries)$"
	}
	return ""
}

// judge runs a test binary with a limit on processor time, which a busy machine
// does not use up, on wall time, and on memory.
func judge(binary, dir string, limit int, flags string) (outcome, why string) {
	var text bytes.Buffer
	script := fmt.Sprintf("ulimit -t %d; ulimit -v 12000000; exec %s -test.failfast -test.timeout 10m %s", limit, binary, flags)
	test := exec.Command("bash", "-c", script)
	test.Dir, test.Stdout, test.Stderr = dir, &text, &text
	test.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begin := time.Now()
	if err := test.Start(); err != nil {
		fail("%v", err)
	}
	wall := max(180, 4*limit)
	timer := time.AfterFunc(time.Duration(wall)*time.Second, func() { syscall.Kill(-test.Process.Pid, syscall.SIGKILL) })
	err := test.Wait()
	timer.Stop()
	if err == nil {
		return survived, ""
	}
	failed := regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`).FindAllSubmatch(text.Bytes(), -1)
	if len(failed) > 0 {
		return killed, string(failed[len(failed)-1][1])
	}
	panicked := regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|FAIL.*|SIG.*)$`).Find(text.Bytes())
	if panicked != nil {
		return killed, strings.ReplaceAll(string(panicked), "\t", " ")
	}
	return killed, fmt.Sprintf("stopped after %.0f s: %v", time.Since(begin).Seconds(), err)
}

func lastLine(text []byte) string {
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.ReplaceAll(all[len(all)-1], "\t", " ")
}
