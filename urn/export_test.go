package urn

// ParseWithin is Parse with a bound that a test can reach.
var ParseWithin = parse
