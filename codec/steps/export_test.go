package steps

// SetWindow makes a reader read so much at a time.
func SetWindow(r *Reader, bytes int) { r.inner.Open().Size = bytes }

// SetLongest makes a reader take values of so many bytes.
func SetLongest(r *Reader, bytes int) { r.inner.Open().Longest = bytes }
