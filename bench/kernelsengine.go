package bench

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/value"
)

// lifeThings is how many resources the stack of the kernel of lives has, and lifeActions how
// many actions its life takes: they are made and updated, the first is replaced and the
// others with it, all are read and deleted; and what they are made by, but not read.
const (
	lifeThings  = 20
	lifeActions = 6*lifeThings + 4
)

// engineKernels are those of a stack: one life, in memory.
func engineKernels() []Kernel {
	return []Kernel{{Name: "engine life", Make: func() (func() error, error) { return life, nil }}}
}

// chain is a program of resources, each of which has the address of the one before as its name.
func chain(name string, size float64) engine.Program {
	p := engine.Program{Stack: "dev", Project: "shop"}
	for i := range lifeThings {
		p.Resources = append(p.Resources, engine.Goal{
			Type: "demo:index:Thing", Name: fmt.Sprint("thing", i),
			Compute: func(output func(resource, property string) value.Value) value.Value {
				of := value.String(name)
				if i > 0 {
					of = output(fmt.Sprint("thing", i-1), "arn")
				}
				return value.Object(value.Field("name", of), value.Field("size", value.Number(size)))
			},
		})
	}

	return p
}

func life() error {
	ctx, c := context.Background(), &cloud.Cloud{}
	s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return c.New(), nil }}
	actions := 0
	for _, run := range []func(func(engine.Action, error) bool){
		s.Update(ctx, chain("a", 1)), s.Update(ctx, chain("a", 2)), s.Update(ctx, chain("b", 2)), s.Refresh(ctx), s.Destroy(ctx),
	} {
		for _, err := range run {
			if err != nil {
				return err
			}
			actions++
		}
	}

	return Must(actions == lifeActions && len(c.Records) == 0)
}
