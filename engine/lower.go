package engine

import "github.com/propalg/propalg/value"

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

// transformed is [value.Transform] for a function that makes nothing deeper, and so cannot
// fail.
func transformed(bag value.Value, f func(*value.Cursor) value.Value) value.Value {
	w, err := value.Transform(bag, func(c *value.Cursor) (value.Value, error) { return f(c), nil })
	if err != nil {
		return bag
	}
	return w
}
