package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// machine is the factors of a run on some machine, as a file in folder machines has
// them. The name of the file is made from the processor's.
type machine struct {
	name    string // its processor, version of Go and commit
	factors map[string]float64
}

// readMachines reads the files of a folder, but that of a processor. A folder that is
// missing is empty.
func readMachines(dir, cpu string) ([]machine, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}

	var all []machine
	for _, name := range names {
		if name == machineFile(dir, cpu) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}

		head, lines, _ := strings.Cut(string(text), "\n")
		m := machine{name: strings.TrimPrefix(head, "# "), factors: map[string]float64{}}
		for line := range strings.Lines(lines) {
			var row, peer string
			var ratio float64
			if _, err := fmt.Sscan(line, &row, &peer, &ratio); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", name, line, err)
			}
			m.factors[row+" "+peer] = ratio
		}
		all = append(all, m)
	}
	return all, nil
}

func saveMachine(dir string, r results, all []measured) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, %s, commit %s\n", r.cpu, r.version, r.commit)
	for _, m := range all {
		fmt.Fprintf(&b, "%s %s %.3g\n", m.row, m.name, m.factor())
	}
	return write(machineFile(dir, r.cpu), []byte(b.String()))
}

// machineFile is the file of a processor: its name's letters and digits.
func machineFile(dir, cpu string) string {
	words := strings.FieldsFunc(strings.ToLower(cpu), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return filepath.Join(dir, strings.Join(words, "-")+".txt")
}
