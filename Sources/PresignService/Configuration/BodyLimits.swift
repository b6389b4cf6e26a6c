package import ConfigurationReading

/// The maximum sizes of request bodies in bytes; larger ones are refused with 413.
package struct BodyLimits: Sendable, Equatable {
    /// For `POST /presign`, and for each item of a batch.
    package var single = 16 * 1024
    /// For a whole `POST /presign/batch`.
    package var batch = 1024 * 1024

    /// The defaults.
    package init() {}

    /// The limit that the server enforces before routing.
    var largest: Int { max(single, batch) }

    /// Reads the body limits in the section `server.limits`.
    package mutating func apply(_ keys: ConfigurationMapping) {
        keys.read("body", into: &single) { try $0.size(in: 256...1_048_576) }
        keys.read("batchBody", into: &batch) { try $0.size(in: 256...16_777_216) }
    }
}
