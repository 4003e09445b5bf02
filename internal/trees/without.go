package trees

import "github.com/propalg/propalg/value"

// WithoutDependencies returns v without dependencies, at any depth.
func WithoutDependencies(v value.Value) value.Value {
	if !v.ContainsDependencies() {
		return v
	}

	return transformed(v, func(c *value.Cursor) value.Value {
		c.DropMarks()

		return c.Value().DropDependencies()
	})
}

// WithoutReferences returns v with references to resources lowered, at any depth.
func WithoutReferences(v value.Value) value.Value {
	return transformed(v, func(c *value.Cursor) value.Value {
		if reference, ok := c.Value().AsResourceReference(); ok {
			return reference.Lower()
		}

		return c.Value()
	})
}

// transformed is [value.Transform] for a function that makes nothing deeper, and so cannot
// fail.
func transformed(v value.Value, f func(*value.Cursor) value.Value) value.Value {
	w, err := value.Transform(v, func(c *value.Cursor) (value.Value, error) { return f(c), nil })
	if err != nil {
		return v
	}

	return w
}
