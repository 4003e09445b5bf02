package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

type versionJSON struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Commit  string `json:"commit"`
}

func runVersion(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	if err := inv.parse(0, 0); err != nil {
		return 0, err
	}

	row := versionJSON{"(devel)", runtime.Version(), "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		row.fill(info)
	}
	if form.value == "json" {
		return exitSame, printable.WriteJSON(inv.out, row)
	}
	_, err := fmt.Fprintf(inv.out, "propalg %s, %s, commit %s\n", row.Version, row.Go, row.Commit)
	return exitSame, err
}

func (v *versionJSON) fill(info *debug.BuildInfo) {
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}

	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value
		}
	}
}
