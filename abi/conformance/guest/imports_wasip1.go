package main

// The imports of the ABI, in its order, and those of WASI, in that of ABI.md.

//go:wasmimport loopdock_abi_1 read
func importRead(queries, queriesLen, buffer, bufferLen uint32) int32

//go:wasmimport loopdock_abi_1 log
func importLog(level int32, message, messageLen uint32)

//go:wasmimport wasi_snapshot_preview1 args_sizes_get
func argsSizesGet(count, size uint32) int32

//go:wasmimport wasi_snapshot_preview1 args_get
func argsGet(list, b uint32) int32

//go:wasmimport wasi_snapshot_preview1 environ_sizes_get
func environSizesGet(count, size uint32) int32

//go:wasmimport wasi_snapshot_preview1 environ_get
func environGet(list, b uint32) int32

//go:wasmimport wasi_snapshot_preview1 clock_time_get
func clockTimeGet(id int32, precision uint64, time uint32) int32

//go:wasmimport wasi_snapshot_preview1 clock_res_get
func clockResGet(id int32, resolution uint32) int32

//go:wasmimport wasi_snapshot_preview1 poll_oneoff
func pollOneoff(in, out, subscriptions, events uint32) int32

//go:wasmimport wasi_snapshot_preview1 sched_yield
func schedYield() int32

//go:wasmimport wasi_snapshot_preview1 random_get
func randomGet(b, n uint32) int32

//go:wasmimport wasi_snapshot_preview1 proc_exit
func procExit(code int32)

//go:wasmimport wasi_snapshot_preview1 fd_write
func fdWrite(fd int32, vectors, n, written uint32) int32

//go:wasmimport wasi_snapshot_preview1 fd_read
func fdRead(fd int32, vectors, n, read uint32) int32

//go:wasmimport wasi_snapshot_preview1 fd_fdstat_get
func fdFdstatGet(fd int32, stat uint32) int32

//go:wasmimport wasi_snapshot_preview1 fd_seek
func fdSeek(fd int32, offset int64, whence int32, position uint32) int32

//go:wasmimport wasi_snapshot_preview1 fd_close
func fdClose(fd int32) int32

//go:wasmimport wasi_snapshot_preview1 fd_prestat_get
func fdPrestatGet(fd int32, stat uint32) int32

//go:wasmimport wasi_snapshot_preview1 fd_prestat_dir_name
func fdPrestatDirName(fd int32, path, n uint32) int32

//go:wasmimport wasi_snapshot_preview1 path_open
func pathOpen(fd, lookup int32, path, n uint32, flags int32, rights, inheriting int64, fdFlags int32, opened uint32) int32

//go:wasmimport wasi_snapshot_preview1 path_filestat_get
func pathFilestatGet(fd, lookup int32, path, n, stat uint32) int32
