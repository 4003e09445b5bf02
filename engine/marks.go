package engine

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// unmark takes the marks off what a provider gets that does not accept secrets. What is
// recorded keeps them.
func unmark(request rpc.Message) {
	var bags []*value.Value
	switch m := request.(type) {
	case *rpc.ConfigureRequest:
		bags = append(bags, &m.Args)
	case *rpc.CheckRequest:
		bags = append(bags, &m.Olds, &m.News)
	case *rpc.DiffRequest:
		bags = append(bags, &m.OldInputs, &m.Olds, &m.News)
	case *rpc.CreateRequest:
		bags = append(bags, &m.Properties)
	case *rpc.ReadRequest:
		bags = append(bags, &m.Inputs, &m.Properties)
	case *rpc.UpdateRequest:
		bags = append(bags, &m.OldInputs, &m.Olds, &m.News)
	case *rpc.DeleteRequest:
		bags = append(bags, &m.OldInputs, &m.Properties)
	}
	for _, bag := range bags {
		*bag = bag.Reveal()
	}
}

// withoutDependencies returns a bag without dependencies, at any depth.
func withoutDependencies(bag value.Value) value.Value {
	if !bag.ContainsDependencies() {
		return bag
	}

	return transformed(bag, func(c *value.Cursor) value.Value {
		c.DropMarks()
		return c.Value().DropDependencies()
	})
}

// withoutReferences returns a bag with references to resources lowered, at any depth.
func withoutReferences(bag value.Value) value.Value {
	return transformed(bag, func(c *value.Cursor) value.Value {
		if reference, ok := c.Value().AsResourceReference(); ok {
			return reference.Lower()
		}
		return c.Value()
	})
}

// transformed is [value.Value.Transform] for a function that makes nothing deeper, and so cannot
// fail.
func transformed(bag value.Value, f func(*value.Cursor) value.Value) value.Value {
	w, err := bag.Transform(func(c *value.Cursor) (value.Value, error) { return f(c), nil })
	if err != nil {
		return bag
	}
	return w
}

// sent returns a bag as the provider gets it, but for marks that it does not accept.
func (i *instance) sent(bag value.Value) value.Value {
	if !i.resources {
		bag = withoutReferences(bag)
	}
	return bag
}

// returned returns a bag that the provider returned for another: with its marks, which it and
// what is recorded get back, if the provider does not know marks.
func (i *instance) returned(bag *value.Value, like value.Value) value.Value {
	if !i.secrets {
		*bag = bag.WithSecretsOf(like)
	}
	i.run.see(*bag)
	return withoutDependencies(*bag)
}
