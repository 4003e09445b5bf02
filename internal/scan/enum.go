package scan

// Name returns the name of a value of an enumeration, or other if it has none.
func Name[T ~uint8](x T, other string, names []string) string {
	if int(x) < len(names) && names[x] != "" {
		return names[x]
	}
	return other
}
