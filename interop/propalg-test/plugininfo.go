package main

import (
	"errors"
	"fmt"
	"regexp"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/semver"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/check"
)

// engineVersion matches the versions that engines read: numbers may be missing.
var engineVersion = regexp.MustCompile(`^\s*v?\d+(\.\d+){0,2}([-+][0-9A-Za-z.+-]+)?\s*$`)

// pluginInfo calls GetPluginInfo, which engines do as soon as a provider runs. They end it if it
// does not answer.
func (p *plugin) pluginInfo() error {
	info, err := first(p, "GetPluginInfo", p.client.GetPluginInfo, &rpc.Empty{})
	var failed *grpc.Error
	switch {
	case errors.As(err, &failed) && failed.Code == codes.Unavailable:
		return err
	case err != nil:
		p.subject.add("GetPluginInfo", finding("plugin-info-refused", fmt.Sprintf("engines use no provider that does not answer GetPluginInfo; answer it, with no version if there is none: %v", err)))
		return nil
	case info.Version == "":
		return nil
	case !engineVersion.MatchString(info.Version):
		p.subject.add("GetPluginInfo", finding("plugin-info-refused", "engines use no provider whose version they cannot read; return a semantic version, or none"))
		return nil
	}

	own, err := semver.Parse(info.Version)
	of, alsoErr := semver.Parse(p.schema.Version())
	if err == nil && alsoErr == nil && own.Compare(of) != 0 {
		f := finding("version-differs", "GetPluginInfo returns version "+info.Version+", and the schema has "+p.schema.Version()+": SDKs that are made of the schema ask for that one")
		f.Severity = check.SeverityWarning
		p.subject.add("GetPluginInfo", f)
	}
	return nil
}
