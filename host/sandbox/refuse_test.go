package sandbox

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const early = "it fails before it can say what it is, in "

// refusals are the fixtures that don't dock, and why.
var refusals = map[string]struct{ reason, want string }{
	"no-marker":             {"the marker says that a module is a guest", "it is no guest: it does not export loopdock_abi_1 () -> ()"},
	"abi-2":                 {"the message names both versions", "it speaks version 2 of the ABI, and this host speaks version 1"},
	"no-reconcile":          {"a missing export is named", "it is no guest: it does not export loopdock_reconcile (i32, i32) -> (i64)"},
	"reconcile-signature":   {"both signatures are shown", "its export loopdock_reconcile is (i32) -> (i64) and should be (i32, i32) -> (i64)"},
	"no-memory":             {"a guest needs memory", `it does not export its linear memory as "memory"`},
	"import-foreign":        {"a foreign import is named", "it imports env.foo, which this host does not offer"},
	"import-socket":         {"a guest has no sockets", "it imports wasi_snapshot_preview1.sock_open, which this host does not offer"},
	"import-unknown":        {"the ABI has no such function", "it imports loopdock_abi_1.write, which this host does not offer"},
	"import-read-signature": {"both signatures are shown", "its import loopdock_abi_1.read is (i32, i32, i32) -> (i32) and should be (i32, i32, i32, i32) -> (i32)"}, //nolint:dupword // a signature
	"import-wasi-signature": {"wazero knows the signatures of WASI", early + "instantiation: import func[wasi_snapshot_preview1.random_get]: signature mismatch: i32_i32 != i32i32_i32"},
	"import-memory":         {"a guest brings its own memory", "it imports the memory env.memory, which this host does not offer"},
	"import-table":          {"wazero finds that there is no such module", early + "instantiation: module[env] not instantiated"},
	"initialize-trap":       {"a trap", early + "_initialize: wasm error: unreachable"},
	"initialize-exit":       {"exit code 0 is no success: there is nothing to call", early + "_initialize: it exited with code 0"},
	"start-trap":            {"a start function runs before all else", early + "instantiation: start function[5] failed: wasm error: unreachable"},
	"data-outside":          {"memory is there when the data does not fit", early + "instantiation: data[1]: out of bounds memory access"},
	"memory-minimum":        {"both numbers are named", "it asks for more than a module may have: limit reached: pages of linear memory is 64, and 256 was asked for"},
	"describe-trap":         {"a trap", early + "loopdock_describe: wasm error: unreachable"},
	"describe-exit":         {"an exit", early + "loopdock_describe: it exited with code 3"},
	"describe-outside":      {"a bad pointer", early + "loopdock_describe: it answered with 16 bytes at 4294967280, which is outside its memory"},
	"manifest-garbage":      {"not protobuf", early + "loopdock_describe: cannot decode Manifest, field 0: malformed protobuf: a varint is longer than 64 bits"},
	"manifest-empty":        {"a module without a controller does nothing", "its manifest is not valid: it names no controller"},
	"manifest-twice":        {"a name stands for one controller", `its manifest is not valid: two controllers are named "hostile"`},
	"manifest-feature":      {"the feature is named", `its manifest is not valid: it counts on the feature "telepathic", which this host does not offer`},
}

func TestLoadRefuses(t *testing.T) {
	r := newRuntime(t, Config{})
	for name, tc := range refusals {
		t.Run(name, func(t *testing.T) {
			_, err := r.Load(t.Context(), name+".wasm", readFixture(t, name))
			if diff := cmp.Diff("cannot dock "+name+".wasm: "+tc.want, text(err)); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
			wantRefusal(t, err)
		})
	}
}

// TestRefusedLeaveNothing: whatever ends the making of an instance, its memory is
// given back and it is not counted.
func TestRefusedLeaveNothing(t *testing.T) {
	r := newRuntime(t, Config{})
	for name := range refusals {
		metered, err := r.meter(readFixture(t, name))
		if err != nil {
			continue // it is refused before there is anything to leave
		}
		compiled, err := r.wazero.CompileModule(t.Context(), metered)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := &Module{runtime: r, name: name, compiled: compiled}
		if err := m.check(t.Context()); err == nil {
			t.Errorf("%s docks", name)
		}
		wantNothingLeft(t, m)
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestLoadErrorsUnwrap: a caller can tell a limit from a defect.
func TestLoadErrorsUnwrap(t *testing.T) {
	r := newRuntime(t, Config{})
	_, err := r.Load(t.Context(), "x", readFixture(t, "memory-minimum"))
	limit, trap := (*LimitError)(nil), (*TrapError)(nil)
	if !errors.As(err, &limit) || limit.Asked != 256 {
		t.Errorf("the limit is not to be had from %v", err)
	}
	_, err = r.Load(t.Context(), "x", readFixture(t, "describe-trap"))
	if !errors.As(err, &trap) || trap.Module != "x" {
		t.Errorf("the trap is not to be had from %v", err)
	}
}
