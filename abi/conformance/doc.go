// Package conformance checks that a host speaks the ABI: whatever runs guests (a
// host, a replayer) must pass Run, and whatever makes guests (an SDK, another
// language) is checked by RunGuest in a host that passed.
//
// It brings a guest of its own, in the folder guest, that does what the name of a
// request's key says. A guest for RunGuest does the same. It describes the module of
// manifest.go, and tells what it saw in the actions of its first batch: each has a
// name and a body. Numbers are told in eight bytes, the least significant first.
//
//	key             what the guest does, and tells
//	echo            request: the request, encoded anew
//	respond         answers with the Response that config holds, encoded anew
//	large           large: as many bytes as config says (a number), each 0x5a
//	read            calls read with config as queries and a buffer as long as memo says (a
//	                number), each byte 0xaa; and again with a longer one if that was too small.
//	                After each call, code (a number) and buffer
//	read-same       the same three times over, with 64 bytes each time, from different places
//	read-pointers   calls read with pointers and lengths that leave its memory, then logs from
//	                there: queries-outside, queries-overflow, buffer-outside, buffer-overflow,
//	                the buffer, and inside: the code of a proper call
//	log             logs a line on each level, one with letters beyond ASCII, one that is not UTF-8
//	stdio           prints two lines on stdout in three pieces, one on stderr, and one without end
//	wasi            makes each WASI call once: see wasi.go
//	time            tells both clocks, polls for 25 minutes, tells them again, and sleeps for
//	                25 minutes by its language's own means: see world.go
//	random          twice code and random: eight bytes by random_get, and then 32
//	sleep           polls for half an hour, as often as config says (a number)
//	exit            logs "about to exit" and ends itself with the code that config says (a number)
//	trap            logs "about to trap" and traps
package conformance
