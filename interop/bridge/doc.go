// Package bridge compares the checker of package schema with that of Pulumi's Terraform
// bridge. It has tests only.
package bridge
