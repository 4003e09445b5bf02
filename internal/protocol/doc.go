// Package protocol holds the small rules of the provider protocol that the packages
// provider, provider/check and engine share.
package protocol
