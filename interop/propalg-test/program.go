package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
)

// program is how a provider is started: a program, or the port of one that runs.
type program struct {
	name   string // of the package, as far as it is known
	path   string
	args   []string
	folder string // of its code; empty: not known
	port   string
	live   bool
}

var errProgram = errors.New("not a provider")

// programOf returns how to start what an argument names: a program, or a folder with
// PulumiPlugin.yaml.
func programOf(name string) (program, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return program{}, err
	}
	info, err := os.Stat(whole)
	if err != nil {
		return program{}, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	if !info.IsDir() {
		return program{name: packageOf(whole), path: whole, folder: filepath.Dir(whole)}, nil
	}

	text, err := os.ReadFile(filepath.Join(whole, "PulumiPlugin.yaml"))
	if err != nil {
		return program{}, fmt.Errorf("%s: %w: a folder needs a file PulumiPlugin.yaml", name, errProgram)
	}
	p := program{name: packageOf(whole), folder: whole}
	if found, _ := filepath.Glob(filepath.Join(whole, "pulumi-resource-*")); len(found) > 0 {
		p.name, p.path = packageOf(found[0]), found[0]
		return p, nil
	}
	if kind := runtimeOf(string(text)); kind != "nodejs" {
		return program{}, fmt.Errorf("%s: %w: its runtime is %q; start it by hand and use --attach", name, errProgram, kind)
	}

	run := filepath.Join(whole, "node_modules", "@pulumi", "pulumi", "cmd", "run-plugin")
	if _, err := os.Stat(run); err != nil {
		return program{}, fmt.Errorf("%s: %w: node_modules has no @pulumi/pulumi; run npm install there", name, errProgram)
	}
	p.path, p.args = "node", []string{run, whole}
	return p, nil
}

// packageOf returns the name of the package that a path names by custom.
func packageOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".exe")
	for _, prefix := range []string{"pulumi-resource-", "pulumi-"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return name
}

// runtimeOf returns the runtime that a PulumiPlugin.yaml names, on the line of its key or as the
// name below.
func runtimeOf(text string) string {
	below := false
	for line := range strings.Lines(text) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		rest = strings.Trim(strings.TrimSpace(rest), `"'`)
		switch {
		case key == "runtime" && rest != "":
			if _, name, ok := strings.Cut(rest, "name:"); ok { // {name: nodejs}
				name, _, _ = strings.Cut(strings.TrimRight(name, "} "), ",")
				return strings.Trim(strings.TrimSpace(name), `"'`)
			}
			return rest
		case key == "runtime":
			below = true
		case below && key == "name":
			return rest
		}
	}
	return ""
}

// launch starts the program, or connects to it.
func (s program) launch(p *plugin) (*grpc.Plugin, error) {
	if s.port == "" {
		folder := p.home
		if s.live {
			folder = ""
		}
		return grpc.Launch(context.WithoutCancel(p.ctx), s.path, grpc.LaunchOptions{
			Args: append(s.args, p.engine.address), Dir: folder, Env: p.environment(s.live), Stderr: p.stderr,
			Timeout: launchTime, MaxMessage: mostMessage,
		})
	}

	client, err := grpc.Connect("127.0.0.1:" + s.port)
	if err != nil {
		return nil, err
	}
	if _, err := first(p, "Attach", client.Attach, &rpc.PluginAttach{Address: p.engine.address}); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		_ = client.Close()
		return nil, err
	}
	return client, nil
}

// place is the folder of the program's plugin, as programs in YAML name it.
func (s program) place() string {
	if s.folder == "" {
		return "FOLDER # of the provider"
	}
	return s.folder
}
