package abi

// Version is the version of the ABI that this package describes.
const Version = 1

// Names that the two sides agree on. A signature is given as WebAssembly types:
// all pointers and lengths are offsets into the guest's linear memory.
const (
	// ImportModule is the module name under which the host offers its functions.
	ImportModule = "loopdock_abi_1"

	// ImportRead is read(queries, queries_len, buffer, buffer_len: i32) -> i32.
	// It returns the length of the encoded Answers. If that is at most
	// buffer_len the answers are in the buffer; otherwise nothing was written
	// and the guest calls again with the same queries and a larger buffer. A
	// negative result is one of the Read constants.
	ImportRead = "read"
	// ImportLog is log(level, message, message_len: i32). The level is one of
	// the Level constants; the message is UTF-8.
	ImportLog = "log"

	// ExportMarker is a function () -> () that is never called: that it is
	// there says which ABI the module speaks.
	ExportMarker = "loopdock_abi_1"
	// ExportMarkerPrefix is how the marker of any version begins.
	ExportMarkerPrefix = "loopdock_abi_"
	// ExportMemory is the guest's linear memory.
	ExportMemory = "memory"
	// ExportInitialize is the reactor's initialiser, () -> (), optional.
	ExportInitialize = "_initialize"
	// ExportAlloc is loopdock_alloc(size: i32) -> i32: room for a request of
	// size bytes, the guest's until the call of reconcile that follows returns.
	ExportAlloc = "loopdock_alloc"
	// ExportDescribe is loopdock_describe() -> i64: where the encoded Manifest
	// lies, pointer<<32 | length.
	ExportDescribe = "loopdock_describe"
	// ExportReconcile is loopdock_reconcile(request, request_len: i32) -> i64:
	// where the encoded Response lies, pointer<<32 | length.
	ExportReconcile = "loopdock_reconcile"
)

// Negative results of read.
const (
	// ReadBadPointer: the queries or the buffer lie outside linear memory.
	ReadBadPointer int32 = -1
	// ReadMalformed: the queries do not decode.
	ReadMalformed int32 = -2
	// ReadNotReconciling: read was called outside of reconcile.
	ReadNotReconciling int32 = -3
	// ReadLimit: this reconcile has read as much as it may.
	ReadLimit int32 = -4
)

// Levels of log, as in log/slog.
const (
	LevelDebug int32 = -4
	LevelInfo  int32 = 0
	LevelWarn  int32 = 4
	LevelError int32 = 8
)

// Limits that the ABI itself sets; an operator may set lower ones.
const (
	// MaxMemo is the most bytes that a memo may have.
	MaxMemo = 4 << 10
	// MaxContinuations is how often one reconcile may go on.
	MaxContinuations = 16
	// MaxSleep is how far all sleeps of one call may move its clock, in
	// nanoseconds: an hour.
	MaxSleep = 3600 * 1_000_000_000
	// MaxReasons is how many reasons a request lists.
	MaxReasons = 32
)

// Args0 is the only argument that a guest sees: some libraries fail where
// there is none.
const Args0 = "guest"

// Optional features, for Manifest.Features. All else in this package is there
// in every host of version 1.
const (
	// FeatureWildcard: wildcard keys, and reads of kind "*".
	FeatureWildcard = "wildcard-keys"
	// FeatureExternal: external providers.
	FeatureExternal = "external"
	// FeatureResidency: the host answers "unchanged" for resident objects. A
	// guest that only sets Query.Resident needs no such feature: it is a permission.
	FeatureResidency = "residency"
	// FeatureFields: the cache cuts the fields that are not declared.
	FeatureFields = "declared-fields"
)
