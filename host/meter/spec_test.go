package meter_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/loopdock/loopdock/host/meter"
)

// specDir is where wazero keeps WebAssembly's specification tests.
func specDir(tb testing.TB) string {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "internal/integration_test/spectest")
	if files, _ := filepath.Glob(filepath.Join(dir, "v2/testdata/*.json")); err != nil || len(files) == 0 {
		tb.Skipf("the module cache has no specification tests: %v", err)
	}
	return dir
}

// specValue is an argument of a specification test.
type specValue struct {
	Type  string `json:"type"`
	Lane  string `json:"lane_type"`
	Value any    `json:"value"`
}

type specCommand struct {
	Type     string `json:"type"`
	Line     int    `json:"line"`
	Name     string `json:"name"`
	As       string `json:"as"`
	Filename string `json:"filename"`
	Module   string `json:"module_type"`
	Text     string `json:"text"`
	Action   struct {
		Type   string      `json:"type"`
		Field  string      `json:"field"`
		Module string      `json:"module"`
		Args   []specValue `json:"args"`
	} `json:"action"`
}

// bits is a value as the engine takes it.
func (v specValue) bits() []uint64 {
	number := func(s any, width int) uint64 {
		text, _ := s.(string)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return uint64(n) & (1<<(width-1)<<1 - 1)
		}
		n, _ := strconv.ParseUint(text, 10, 64) // null, and what tests expect but do not give, is zero
		return n
	}
	widths := map[string]int{"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64}
	if v.Type != "v128" {
		if w, ok := widths[v.Type]; ok {
			return []uint64{number(v.Value, w)}
		}
		return []uint64{number(v.Value, 64)}
	}
	lanes, _ := v.Value.([]any)
	w, out := widths[v.Lane], make([]uint64, 2)
	for i, l := range lanes {
		out[i*w/64] |= number(l, w) << (i * w % 64)
	}
	return out
}

// specSide runs the commands of a file in one runtime.
type specSide struct {
	runtime wazero.Runtime
	rewrite func([]byte) ([]byte, error)
	named   map[string]api.Module
	last    api.Module
}

func newSpecSide(t *testing.T, spectest []byte, rewrite func([]byte) ([]byte, error)) *specSide {
	t.Helper()
	s := &specSide{
		runtime: newRuntime(t, wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2)),
		rewrite: rewrite, named: map[string]api.Module{},
	}
	(&tank{slice: 100}).offer(t, s.runtime)
	if _, err := s.runtime.InstantiateWithConfig(t.Context(), spectest, wazero.NewModuleConfig().WithName("spectest")); err != nil {
		t.Fatal(err)
	}
	return s
}

// instantiate makes the module that the following commands are about.
func (s *specSide) instantiate(t *testing.T, wasm []byte, name string) error {
	t.Helper()
	s.last = nil
	wasm, err := s.rewrite(wasm)
	if err != nil {
		return err
	}
	// A module has the name under which others import it, if it is registered.
	m, err := s.runtime.InstantiateWithConfig(t.Context(), wasm, wazero.NewModuleConfig().WithName(name))
	if err != nil {
		return err
	}
	s.last = m
	return nil
}

const noModule = "no module"

// act gives what an action's outcome looks like.
func (s *specSide) act(t *testing.T, c specCommand) string {
	t.Helper()
	m := s.last
	if c.Action.Module != "" {
		m = s.named[c.Action.Module]
	}
	if m == nil {
		return noModule
	}
	if c.Action.Type == "get" {
		return strconv.FormatUint(m.ExportedGlobal(c.Action.Field).Get(), 10)
	}
	var args []uint64
	for _, a := range c.Action.Args {
		args = append(args, a.bits()...)
	}
	out, err := m.ExportedFunction(c.Action.Field).Call(t.Context(), args...)
	if err != nil {
		// A trap leaves the stack charged. Instances are not used after one, but here.
		for _, m := range append(slices.Collect(maps.Values(s.named)), s.last) {
			if g, ok := m.ExportedGlobal(meter.ExportStack).(api.MutableGlobal); ok {
				g.Set(1 << 20)
			}
		}
		return firstLine(err)
	}
	return fmt.Sprint(out)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// specLimits are so wide that no specification test shows them.
var specLimits = meter.Limits{MemoryPages: 65536, TableElements: 1<<32 - 1, Locals: 100_000}

func rewriteSpec(wasm []byte) ([]byte, error) {
	out, _, err := meter.Rewrite(wasm, meter.Config{Limits: specLimits, Fuel: 100})
	return out, err
}

func asItIs(wasm []byte) ([]byte, error) { return wasm, nil }

// TestSpecification runs WebAssembly's specification tests, plain and metered,
// and compares: each module that wazero accepts is read, and does the same.
func TestSpecification(t *testing.T) {
	dir := specDir(t)
	spectest := readFile(t, filepath.Join(dir, "testdata/spectest.wasm"))
	files, _ := filepath.Glob(filepath.Join(dir, "v2/testdata/*.json"))
	var compared atomic.Int64
	t.Cleanup(func() {
		if n := compared.Load(); n < 10_000 && !sampled && !t.Failed() {
			t.Errorf("only %d outcomes were compared", n)
		}
	})
	for i, file := range files {
		if sampled && i%16 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			compared.Add(runSpec(t, file, spectest))
		})
	}
}

// runSpec gives how many outcomes it compared.
func runSpec(t *testing.T, file string, spectest []byte) (compared int64) {
	t.Helper()
	var script struct {
		Commands []specCommand `json:"commands"`
	}
	if err := json.Unmarshal(readFile(t, file), &script); err != nil {
		t.Fatal(err)
	}
	plain, metered := newSpecSide(t, spectest, asItIs), newSpecSide(t, spectest, rewriteSpec)
	for i, c := range script.Commands {
		switch c.Type {
		case "module":
			name := registeredAs(script.Commands[i+1:])
			wasm := readFile(t, filepath.Join(filepath.Dir(file), c.Filename))
			for _, s := range []*specSide{plain, metered} {
				if err := s.instantiate(t, wasm, name); err != nil {
					t.Fatalf("line %d: %v", c.Line, err)
				}
				s.named[c.Name] = s.last
			}
		case "assert_return", "action", "assert_trap":
			want, got := plain.act(t, c), metered.act(t, c)
			if want != noModule {
				compared++
			}
			if got != want {
				t.Errorf("line %d: %s(%v) gives %s, not %s", c.Line, c.Action.Field, c.Action.Args, got, want)
			}
		case "assert_exhaustion":
			if got := metered.act(t, c); !strings.HasPrefix(got, "wasm error: unreachable") {
				t.Errorf("line %d: %s gives %s", c.Line, c.Action.Field, got)
			}
		case "assert_invalid", "assert_malformed", "assert_unlinkable", "assert_uninstantiable":
			if c.Module == "text" {
				continue
			}
			refuseSpec(t, c, plain, metered, readFile(t, filepath.Join(filepath.Dir(file), c.Filename)))
			compared++
		}
	}
	return compared
}

// refuseSpec: what is refused plain is refused metered.
func refuseSpec(t *testing.T, c specCommand, plain, metered *specSide, wasm []byte) {
	t.Helper()
	last := []api.Module{plain.last, metered.last}
	want, got := plain.instantiate(t, wasm, ""), metered.instantiate(t, wasm, "")
	plain.last, metered.last = last[0], last[1]
	if want != nil && got == nil {
		t.Errorf("line %d: the metered module is accepted, and plain refused: %v", c.Line, want)
	}
	if c.Type == "assert_invalid" || c.Type == "assert_malformed" {
		if _, err := rewriteSpec(wasm); err == nil {
			t.Errorf("line %d: %s (%v) is not seen to be invalid", c.Line, c.Text, want)
		}
	}
}

// registeredAs is the name that the module is given before the next one.
func registeredAs(rest []specCommand) string {
	if next := slices.IndexFunc(rest, func(c specCommand) bool { return c.Type == "module" }); next >= 0 {
		rest = rest[:next]
	}
	if i := slices.IndexFunc(rest, func(c specCommand) bool { return c.Type == "register" }); i >= 0 {
		return rest[i].As
	}
	return ""
}
