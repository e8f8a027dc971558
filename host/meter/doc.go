// Package meter rewrites WebAssembly modules so that they count what they spend.
package meter
