package check

// EachRule calls f for every rule of the package.
func EachRule(f func(code string, severity Severity, advice string)) {
	for r := range rules() {
		f(r.code, r.severity, r.advice)
	}
}
