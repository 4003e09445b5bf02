// Command kernels is what holds the provider's speed. The gate builds it with the code of
// two revisions, and compares what each kernel costs:
//
//	gate compare -base main -program examples/provider/bench/kernels
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/propalg/propalg/bench/work"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/value"
)

const recordURN = "urn:pulumi:dev::shop::demo:index:Record::one"

func main() {
	p, err := demo.New(os.LookupEnv)
	if err == nil {
		err = work.Run(os.Args[1:], os.Stdout, diffKernel(p), checkKernel(p))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

// diffKernel is ten calls of Diff. Each record has another title than before.
func diffKernel(p *demo.Provider) work.Kernel {
	return work.Kernel{Name: "diff", Make: func() (func() error, error) {
		requests := make([]*rpc.DiffRequest, 10)
		for i := range requests {
			before, after := inputs("before", i), inputs("after", i)
			requests[i] = &rpc.DiffRequest{
				ID: "one#" + strconv.Itoa(i), URN: recordURN, OldInputs: before, Olds: before, News: after,
			}
		}
		return func() error {
			for _, r := range requests {
				if _, err := p.Diff(context.Background(), r); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}}
}

// checkKernel is one call of Check.
func checkKernel(p *demo.Provider) work.Kernel {
	return work.Kernel{Name: "check", Make: func() (func() error, error) {
		r := &rpc.CheckRequest{URN: recordURN, News: inputs("checked", 1)}
		return func() error {
			_, err := p.Check(context.Background(), r)
			return err
		}, nil
	}}
}

// inputs are those of a record with some members.
func inputs(title string, members int) value.Value {
	all := make([]value.Value, members)
	for i := range all {
		all[i] = value.String("member " + strconv.Itoa(i))
	}
	return value.Object(
		value.Field("name", value.String("one")),
		value.Field("zone", value.String("a")),
		value.Field("title", value.String(title)),
		value.Field("password", value.Secret(value.String("hunter2"))),
		value.Field("members", value.Array(all...)),
	)
}
