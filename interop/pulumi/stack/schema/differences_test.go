package schema_test

func explain(v *verdict, l *loader) string { return "" }
