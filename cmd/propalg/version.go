package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionJSON struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Commit  string `json:"commit"`
}

func runVersion(inv *invocation) (int, error) {
	inv.output("text", "json")
	if err := inv.parse(0, 0); err != nil {
		return 0, err
	}

	row := versionJSON{"(devel)", runtime.Version(), "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		row.Version = cmp.Or(info.Main.Version, row.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				row.Commit = s.Value
			}
		}
	}
	return exitSame, inv.show(row, func() string {
		return fmt.Sprintf("propalg %s, %s, commit %s", row.Version, row.Go, row.Commit)
	})
}
