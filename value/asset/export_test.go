package asset

// The finer errors, whose texts are tested.
var (
	ErrFiles, ErrURI, ErrFormat, ErrName       = errFiles, errURI, errFormat, errName
	ErrDuplicate, ErrEntry, ErrCorrupt   error = errDuplicate, errEntry, errCorrupt
)
