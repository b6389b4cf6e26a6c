import Testing

/// Tests that measure time or memory. They run one at a time, and nothing runs beside them.
@Suite("Alone", .serialized, .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it"))
enum Alone {}
