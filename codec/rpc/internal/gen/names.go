package gen

import "strings"

// GoName returns the Go name of a field of the protocol: engine_address is
// EngineAddress, importId is ImportID, aliasURNs is AliasURNs.
func GoName(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		switch lower := strings.ToLower(word); lower {
		case "id", "urn", "url", "uri", "pc":
			b.WriteString(strings.ToUpper(word))
		case "urns":
			b.WriteString("URNs")
		default:
			b.WriteString(strings.ToUpper(lower[:1]) + lower[1:])
		}
	}

	return b.String()
}

// words splits a name at underscores, and before a capital that follows a small
// letter.
func words(name string) []string {
	var all []string
	for _, part := range strings.Split(name, "_") {
		begin := 0
		for i := 1; i < len(part); i++ {
			if isUpper(part[i]) && !isUpper(part[i-1]) {
				all = append(all, part[begin:i])
				begin = i
			}
		}
		if part != "" {
			all = append(all, part[begin:])
		}
	}
	return all
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

// JSONName returns the name of a field in protobuf's JSON form: a capital in place of
// each underscore and the letter after it.
func JSONName(name string) string {
	first, rest, _ := strings.Cut(name, "_")
	for rest != "" {
		var word string
		word, rest, _ = strings.Cut(rest, "_")
		if word != "" {
			first += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return first
}

// Constant returns the Go name of a value of an enum.
func (e *Enum) Constant(value string) string {
	name := ""
	for _, word := range strings.Split(value, "_") {
		if word != "OK" {
			word = word[:1] + strings.ToLower(word[1:])
		}
		name += word
	}
	if strings.HasPrefix(name, e.Prefix) {
		return name
	}

	return e.Prefix + name
}
