package main

import "github.com/loopdock/loopdock/abi"

// wasi makes each call that has no command of its own, and tells its error code.
func wasi(_ *abi.Request, a *answer) {
	one, two, b := keep(make([]byte, 8)), keep(make([]byte, 8)), keep(make([]byte, 256))
	a.number("args_sizes_get", int64(argsSizesGet(at(one), at(two))))
	a.number("args", number(one[:4]))
	a.number("args_get", int64(argsGet(at(one), at(b))))
	a.tell("args0", []byte(text(b)))
	a.number("environ_sizes_get", int64(environSizesGet(at(one), at(two))))
	a.number("environ", number(one[:4]))
	a.number("environ_get", int64(environGet(at(one), at(b))))
	a.number("clock_res_get", int64(clockResGet(0, at(one))))
	a.number("clock_time_get of a clock that is none", int64(clockTimeGet(77, 1, at(one))))
	a.number("sched_yield", int64(schedYield()))
	a.number("random_get outside", int64(randomGet(0xffff_fff0, 64)))

	a.number("fd_read", int64(fdRead(0, at(vector(b)), 1, at(one))))
	a.number("fd_read got", number(one[:4]))
	a.number("fd_fdstat_get", int64(fdFdstatGet(1, at(b))))
	a.number("fd_seek", int64(fdSeek(1, 0, 0, at(one))))
	code, n := write(2, "")
	a.number("fd_write of nothing", int64(code))
	a.number("fd_write wrote", int64(n))
	code, _ = write(9, "lost")
	a.number("fd_write elsewhere", int64(code))
	a.number("fd_close elsewhere", int64(fdClose(9)))
	a.number("fd_prestat_get", int64(fdPrestatGet(3, at(b))))
	a.number("fd_prestat_dir_name", int64(fdPrestatDirName(3, at(b), 16)))

	path := keep([]byte("etc"))
	a.number("path_open", int64(pathOpen(3, 0, at(path), 3, 0, 0, 0, 0, at(one))))
	a.number("path_filestat_get", int64(pathFilestatGet(3, 0, at(path), 3, at(b))))
}

// text is bytes up to the first zero.
func text(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
