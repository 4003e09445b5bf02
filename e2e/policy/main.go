// Command pulumi-analyzer-policy-demo is a policy pack: nothing may have the title that
// is forbidden.
package main

import (
	"context"
	"fmt"
	"net"
	"os"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type pack struct {
	pulumirpc.UnimplementedAnalyzerServer
}

func (pack) GetAnalyzerInfo(context.Context, *emptypb.Empty) (*pulumirpc.AnalyzerInfo, error) {
	return &pulumirpc.AnalyzerInfo{Name: "demo", Version: "1.0.0"}, nil
}

func (pack) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
}

func (pack) Configure(context.Context, *pulumirpc.ConfigureAnalyzerRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (pack) Remediate(context.Context, *pulumirpc.AnalyzeRequest) (*pulumirpc.RemediateResponse, error) {
	return &pulumirpc.RemediateResponse{}, nil
}

func (pack) AnalyzeStack(context.Context, *pulumirpc.AnalyzeStackRequest) (*pulumirpc.AnalyzeResponse, error) {
	return &pulumirpc.AnalyzeResponse{}, nil
}

func (pack) Analyze(_ context.Context, r *pulumirpc.AnalyzeRequest) (*pulumirpc.AnalyzeResponse, error) {
	if r.GetProperties().GetFields()["title"].GetStringValue() != "forbidden" {
		return &pulumirpc.AnalyzeResponse{}, nil
	}
	return &pulumirpc.AnalyzeResponse{Diagnostics: []*pulumirpc.AnalyzeDiagnostic{{
		PolicyName: "titles", PolicyPackName: "demo", PolicyPackVersion: "1.0.0", Urn: r.GetUrn(),
		Message: "the title is forbidden", EnforcementLevel: pulumirpc.EnforcementLevel_MANDATORY,
	}}}, nil
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-analyzer-policy-demo:", err)
		os.Exit(1) //nolint:forbidigo // main may
	}
}

// serve prints the port, and serves until the engine ends the process.
func serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}

	fmt.Fprintln(os.Stdout, port)
	server := grpc.NewServer()
	pulumirpc.RegisterAnalyzerServer(server, pack{})
	return server.Serve(listener)
}
