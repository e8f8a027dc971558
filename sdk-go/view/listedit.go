package view

// WithList returns b with a repeated field of messages, byte strings or
// strings replaced; removed if v is empty.
func WithList[V ~string | ~[]byte](b []byte, field int, v []V) []byte {
	at := place(b, field)
	out := append(make([]byte, 0, len(b)+listSize(v)), b[:at]...)
	for _, e := range v {
		out = appendBytes(out, field, e)
	}
	return appendWithout(out, b[at:], field)
}

// Append returns b with v added at the end of a repeated field of messages,
// byte strings or strings.
func Append[V ~string | ~[]byte](b []byte, field int, v []V) []byte {
	at := placeAfter(b, field)
	out := append(make([]byte, 0, len(b)+listSize(v)), b[:at]...)
	for _, e := range v {
		out = appendBytes(out, field, e)
	}
	return append(out, b[at:]...)
}

// WithInts returns b with a repeated field of integers replaced, unpacked as
// Kubernetes writes them; removed if v is empty.
func WithInts[V ~int32 | ~int64](b []byte, field int, v []V) []byte {
	at := place(b, field)
	out := append(make([]byte, 0, len(b)+len(v)*overhead), b[:at]...)
	for _, e := range v {
		out = appendInt(out, field, int64(e))
	}
	return appendWithout(out, b[at:], field)
}

// AppendInts returns b with v added at the end of a repeated field of integers.
func AppendInts[V ~int32 | ~int64](b []byte, field int, v []V) []byte {
	at := placeAfter(b, field)
	out := append(make([]byte, 0, len(b)+len(v)*overhead), b[:at]...)
	for _, e := range v {
		out = appendInt(out, field, int64(e))
	}
	return append(out, b[at:]...)
}

func listSize[V ~string | ~[]byte](v []V) int {
	n := 0
	for _, e := range v {
		n += len(e) + overhead
	}
	return n
}
