package state

// SetWindow makes a reader read so much at a time.
func SetWindow(r *Reader, bytes int) { (*r.inner).window = bytes }
