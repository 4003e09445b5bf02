package path

// ParseBoth parses a text in the way for plain ones, which may be not ok, and in the
// way for all.
func ParseBoth(text string, inPulumi, isPattern bool) (plain string, ok bool, all string, err error) {
	g, lex, r := canonical, lexer(lexCanonical), asPath
	if inPulumi {
		g, lex = pulumi, lexPulumi
	}
	if isPattern {
		r = asPattern
	}
	plain, ok = parsePlain(text, g, r)
	all, err = parseAny(text, lex, r)
	return plain, ok, all, err
}

// AreWords is areWords.
func AreWords(text string) bool { return areWords(text) }
