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
//	raw             answers with the bytes that config holds
//	malformed       answers with what is no Response
//	outside         answers with a place outside of its memory
//	large           large: as many bytes as config says (a number), each 0x5a
//	read            calls read with config as queries and a buffer as long as memo says (a
//	                number), each byte 0xaa; and again with a longer one if that was too small.
//	                After each call, code (a number) and buffer
//	read-same       code and buffer five times over, with 64 bytes each time, from different
//	                places: three times for config, then for memo, then for config again
//	read-pointers   calls read with pointers and lengths that leave its memory, then logs from
//	                there: queries-outside, queries-overflow, buffer-outside, buffer-overflow,
//	                the buffer, and inside: the code of a proper call; alloc: what read gave in
//	                alloc; and entered if the host called it while it was reading
//	log             logs a line on each level, one with letters beyond ASCII, one that is not UTF-8
//	stdio           prints two lines on stdout in three pieces, one on stderr, and one without end
//	wasi            makes each WASI call once: see wasi.go
//	time            tells both clocks, polls for 25 minutes, tells them again, sleeps for 25
//	                minutes by its language's own means, and polls for a time: see world.go
//	random          twice code and random: eight bytes by random_get, and then 32
//	sleep           polls for half an hour, as often as config says (a number)
//	exit            logs "about to exit" and ends itself with the code that config says (a number)
//	trap            logs "about to trap" and traps
//
// A guest refuses, by an Error, to serve a call in an instance in which one has failed.
package conformance
