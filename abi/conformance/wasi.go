package conformance

import "github.com/loopdock/loopdock/abi"

// Error codes of WASI preview 1.
const (
	success = 0
	badf    = 8
	fault   = 21
	inval   = 28
	notsup  = 58
)

// checkWASI: each call gives what ABI.md says.
func checkWASI(b *bench) {
	got := b.call(command("wasi"), nil)
	b.wantNumbers(got, map[string]int64{
		"args_sizes_get": success, "args": 1, "args_get": success,
		"environ_sizes_get": success, "environ": 0, "environ_get": success,
		"clock_res_get": success, "clock_time_get of a clock that is none": inval,
		"sched_yield": success, "random_get outside": fault,

		"fd_read": success, "fd_read got": 0, "fd_fdstat_get": success,
		"fd_write of nothing": success, "fd_write wrote": 0,
		"fd_write elsewhere": badf, "fd_close elsewhere": badf,
		"fd_prestat_get": badf, "fd_prestat_dir_name": badf,
		"path_open": badf, "path_filestat_get": badf,
	})
	if code := b.number(got, "fd_seek"); code == success {
		b.Error("fd_seek moves stdout")
	}
	b.equal(abi.Args0, string(b.bytes(got, "args0")))
}
