package meta

import "strconv"

// Hash is a short name for some bytes, such as a Pod template's: a 32-bit
// FNV-1a hash in the characters that Kubernetes generates names from.
//
// # Notes
//
//   - It is a hash of an encoding: the same content must be encoded in the same
//     way. It is not the hash that kube-controller-manager computes.
//   - Hashes may collide: count collisions, and hash with HashCollided.
func Hash(b []byte) string { return safeDecimal(fnv1a(fnvOffset, b)) }

// HashCollided is Hash for bytes whose hash has collided so many times.
func HashCollided(b []byte, collisions int32) string {
	n := uint32(collisions) //nolint:gosec // any 32 bits do
	h := fnv1a(fnvOffset, b)
	return safeDecimal(fnv1a(h, []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24), 0, 0, 0, 0})) //nolint:gosec // byte by byte
}

// safeAlphabet has no vowels, and nothing that looks like one, so that chance
// spells no words.
const safeAlphabet = "bcdfghjklmnpqrstvwxz2456789"

// SafeEncode replaces every byte of s by one of the characters that Kubernetes
// generates names from.
func SafeEncode(s string) string {
	out := make([]byte, len(s))
	for i := range len(s) {
		out[i] = safeAlphabet[int(s[i])%len(safeAlphabet)]
	}
	return string(out)
}

const (
	fnvOffset uint32 = 2166136261
	fnvPrime  uint32 = 16777619
)

func fnv1a(h uint32, b []byte) uint32 {
	for _, c := range b {
		h = (h ^ uint32(c)) * fnvPrime
	}
	return h
}

func safeDecimal(h uint32) string { return SafeEncode(strconv.FormatUint(uint64(h), 10)) }
