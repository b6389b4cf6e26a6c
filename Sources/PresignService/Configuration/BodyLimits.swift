package import ConfigurationReading

/// How large the bodies of requests may be, in bytes; above it 413.
package struct BodyLimits: Sendable, Equatable {
    /// Of `POST /presign`, and of each item of a batch.
    package var single = 16 * 1024
    /// Of a whole `POST /presign/batch`.
    package var batch = 1024 * 1024

    /// The defaults.
    package init() {}

    /// What the server has to let through.
    var largest: Int { max(single, batch) }

    /// Takes over what the section `server.limits` says.
    package mutating func apply(_ keys: ConfigurationMapping) {
        keys.read("body", into: &single) { try $0.size(in: 256...1_048_576) }
        keys.read("batchBody", into: &batch) { try $0.size(in: 256...16_777_216) }
    }
}
