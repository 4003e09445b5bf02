package value

// Secrets selects what a text holds of secrets, in the options of packages diff/render and
// codec/patch. The set is closed. The zero Secrets masks them.
type Secrets uint8

const (
	// MaskSecrets shows that there is a secret, and nothing of it: both sides of a change are
	// masked if either is secret, and so is everything inside a secret container. It is for
	// texts that people look at.
	MaskSecrets Secrets = iota
	// KeepSealed is like MaskSecrets, but keeps sealed secrets as their ciphertext, so that
	// whoever has the key can use the text. Texts without a form for ciphertext mask them.
	KeepSealed
	// RevealSecrets holds secrets in clear, and sealed ones as ciphertext, since they have no
	// clear text. It is for what another program has to read.
	RevealSecrets
)
