package sandbox

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"

	"github.com/loopdock/loopdock/abi"
)

const wasiModule = "wasi_snapshot_preview1"

// wasiCalls are the WASI calls that a module may import. Those on files are
// there since language runtimes link them; with no file open but stdio they fail.
var wasiCalls = map[string]bool{
	"args_get": true, "args_sizes_get": true, "environ_get": true, "environ_sizes_get": true,
	"clock_res_get": true, "clock_time_get": true, "poll_oneoff": true, "sched_yield": true,
	"random_get": true, "proc_exit": true,
	"fd_write": true, "fd_read": true, "fd_close": true, "fd_seek": true, "fd_tell": true,
	"fd_fdstat_get": true, "fd_fdstat_set_flags": true, "fd_filestat_get": true, "fd_filestat_set_size": true,
	"fd_filestat_set_times": true, "fd_prestat_get": true, "fd_prestat_dir_name": true, "fd_pread": true,
	"fd_pwrite": true, "fd_readdir": true, "fd_sync": true, "fd_datasync": true, "fd_advise": true,
	"fd_allocate": true, "fd_renumber": true,
	"path_open": true, "path_create_directory": true, "path_filestat_get": true, "path_filestat_set_times": true,
	"path_link": true, "path_readlink": true, "path_remove_directory": true, "path_rename": true,
	"path_symlink": true, "path_unlink_file": true,
}

// world is what an instance sees of time and chance. It is set before each call.
type world struct {
	now   int64 // nanoseconds since the Unix epoch
	slept int64
	seed  rand.ChaCha8
	call  *call

	stdout, stderr lineWriter
}

func newWorld() *world {
	w := &world{}
	w.stdout = lineWriter{world: w, level: abi.LevelInfo}
	w.stderr = lineWriter{world: w, level: abi.LevelWarn}
	return w
}

// initTime is what the clocks show before the first call: a second after the
// epoch, since Go's runtime takes a monotonic clock at zero for a broken one.
const initTime = int64(time.Second)

// set starts the clocks at now, and random numbers from seed.
func (w *world) set(now int64, seed uint64, c *call) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	w.seed.Seed(key)
	w.now, w.slept, w.call = now, 0, c
}

// flush ends what the guest printed without a line's end: nothing of it is seen
// in the next call.
func (w *world) flush() {
	w.stdout.flush()
	w.stderr.flush()
}

// sleep advances the clocks by what was asked for, and returns at once.
func (w *world) sleep(ns int64) {
	if ns <= 0 {
		return
	}
	if ns > abi.MaxSleep-w.slept {
		panic(fmt.Errorf("the guest slept longer than a call may: %w", &LimitError{Limit: "sleep in nanoseconds", Value: abi.MaxSleep, Asked: max(ns, w.slept+ns)}))
	}
	w.slept += ns
	w.now += ns
}

// moduleConfig lets an instance see this world and no other.
func (w *world) moduleConfig() wazero.ModuleConfig {
	resolution := sys.ClockResolution(1)
	return wazero.NewModuleConfig().
		WithName(""). // many instances of one module
		WithStartFunctions().
		WithArgs(abi.Args0).
		WithWalltime(func() (int64, int32) {
			return w.now / int64(time.Second), int32(w.now % int64(time.Second)) // below a second
		}, resolution).
		WithNanotime(func() int64 { return w.now }, resolution).
		WithNanosleep(w.sleep).
		WithRandSource(chance{w}).
		WithStdout(&w.stdout).
		WithStderr(&w.stderr)
}

// chance reads the world's random numbers.
type chance struct{ w *world }

// Read implements io.Reader.
func (c chance) Read(b []byte) (int, error) { return c.w.seed.Read(b) }
