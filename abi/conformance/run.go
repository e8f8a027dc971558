package conformance

import (
	"context"
	"testing"

	"github.com/loopdock/loopdock/abi"
)

// Run checks a host with the guest that this package brings.
func Run(t *testing.T, h Host) {
	t.Helper()
	RunGuest(t, h, Build(t))
}

// RunGuest checks a host and a guest, one of which is known to be good.
func RunGuest(t *testing.T, h Host, wasm []byte) {
	t.Helper()
	cases := []struct {
		name string
		run  func(*bench)
	}{
		{"Manifest", checkManifest},
		{"RequestArrivesWhole", checkRequest},
		{"LargeRequest", checkLargeRequest},
		{"ResponseArrivesWhole", checkResponse},
		{"LargeResponse", checkLargeResponse},
		{"UnknownFields", checkUnknownFields},
		{"BrokenResponse", checkBrokenResponse},
		{"ReadIntoBuffers", checkReadIntoBuffers},
		{"ReadAnswersAll", checkReadAnswersAll},
		{"ReadSameTwice", checkReadSame},
		{"ReadCodes", checkReadCodes},
		{"ReadPointers", checkReadPointers},
		{"ReadFails", checkReadFails},
		{"Log", checkLog},
		{"Stdio", checkStdio},
		{"WASI", checkWASI},
		{"Time", checkTime},
		{"TimeOfEachRequest", checkTimeOfEachRequest},
		{"Random", checkRandom},
		{"Sleep", checkSleep},
		{"Exit", checkExit},
		{"Trap", checkTrap},
	}
	guest := (&bench{T: t, host: h, wasm: wasm}).dock()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.run(&bench{T: t, host: h, wasm: wasm, guest: guest}) })
	}
}

// bench is one case under way.
type bench struct {
	*testing.T
	host  Host
	wasm  []byte
	guest Guest
}

// dock loads the guest anew. It is closed with the test.
func (b *bench) dock() Guest {
	b.Helper()
	g, err := b.host.Dock(b.Context(), "conformance.wasm", b.wasm)
	if err != nil {
		b.Fatalf("the guest does not dock: %v", err)
	}
	ctx := context.WithoutCancel(b.Context())
	b.Cleanup(func() {
		if err := g.Close(ctx); err != nil {
			b.Errorf("the guest does not close: %v", err)
		}
	})
	return g
}

// try makes a call, and gives what the guest logged as well.
func (b *bench) try(req *abi.Request, read func(context.Context, []byte) ([]byte, error)) (*abi.Response, []line, error) {
	var lines []line
	resp, err := b.guest.Reconcile(b.Context(), req, Outside{
		Read: func(ctx context.Context, queries []byte) ([]byte, error) {
			if read == nil {
				b.Error("the guest reads, and nobody asked it to")
				return nil, nil
			}
			return read(ctx, queries)
		},
		Log: func(level int32, text string) { lines = append(lines, line{level, text}) },
	})
	return resp, lines, err
}

// call makes a call that must end well, and gives what the guest told.
func (b *bench) call(req *abi.Request, read func(context.Context, []byte) ([]byte, error)) told {
	b.Helper()
	resp, _, err := b.try(req, read)
	if err != nil {
		b.Fatalf("the call failed: %v", err)
	}
	return b.told(resp)
}

// fails makes a call that must fail, and makes sure that the next one works.
func (b *bench) fails(req *abi.Request, read func(context.Context, []byte) ([]byte, error)) []line {
	b.Helper()
	resp, lines, err := b.try(req, read)
	if err == nil {
		b.Fatalf("the call ended well, with %v", resp)
	}
	b.call(command("echo"), nil)
	return lines
}

// line is what a guest logged.
type line struct {
	Level int32
	Text  string
}
