package meter

import "fmt"

// FormatError is what is wrong with a module's bytes, or not known here.
type FormatError struct {
	// Offset is where in the module reading stopped.
	Offset int
	// Reason is what was found there.
	Reason string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("cannot read the module at byte %d: %s", e.Offset, e.Reason)
}

// LimitError is a limit that a module goes beyond.
type LimitError struct {
	// Offset is where in the module it asks for too much.
	Offset int
	// Limit names the limit, as the field of Limits does in words.
	Limit string
	// Value is the limit and Asked what the module asks for, or the least that it
	// asks for where reading stopped early.
	Value, Asked uint64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("cannot read the module at byte %d: it goes beyond the limit of %s: at most %d, asked for %d", e.Offset, e.Limit, e.Value, e.Asked)
}

// ReservedError is a name of the metering's own that a module uses.
type ReservedError struct {
	// Kind is "export" or "import module".
	Kind string
	// Name is the name that is taken.
	Name string
}

func (e *ReservedError) Error() string {
	return fmt.Sprintf("cannot meter the module: its %s %q uses a name that is reserved for metering", e.Kind, e.Name)
}
