package asset

import "github.com/propalg/propalg/value"

// filling puts hashes into a value: it meets assets and archives in the order in
// which a plan has them.
type filling struct {
	*hashPlan
	met int
}

func (f *filling) run(v value.Value) value.Value {
	filled, err := value.Transformer{Before: f.fill, Archives: true}.Apply(v)
	if err != nil {
		return v // no hash makes a value that cannot be
	}

	return filled
}

// fill returns an asset or archive with its hash, if there is a job for it.
func (f *filling) fill(c *value.Cursor) (value.Value, error) {
	v := c.Value()
	asset, isAsset := v.AsAsset()
	archive, isArchive := v.AsArchive()

	if !isAsset && !isArchive {
		return v, nil
	}

	job := f.blobs[f.met]
	f.met++

	switch {
	case job == noJob:
		return v, nil
	case isAsset:
		return asset.WithHash(f.jobs[job].hash).Value(), nil
	}

	return archive.WithHash(f.jobs[job].hash).Value(), nil
}
