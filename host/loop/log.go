package loop

import (
	"context"
	"log/slog"

	"github.com/loopdock/loopdock/host/sandbox"
)

// guestLogger passes a guest's lines on under its controller and key.
func guestLogger(ctx context.Context, log *slog.Logger) sandbox.Logger {
	return func(level int32, message string) {
		log.Log(ctx, slog.Level(level), message, "from", "guest")
	}
}
