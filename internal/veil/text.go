package veil

// What texts show in place of a secret and of an unknown.
const (
	SecretText  = "[secret]"
	UnknownText = "[unknown]"
)
