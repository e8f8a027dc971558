// Package registry finds modules: today in files and folders, watched for
// replacement.
package registry
