/// What one server does otherwise than S3 documents.
struct Deviation: Sendable {
    /// The case's name.
    let name: String
    /// Exactly what differs, each with its step.
    let differences: [String]
    let reason: String

    init(_ name: String, _ differences: [String], because reason: String) {
        (self.name, self.differences, self.reason) = (name, differences, reason)
    }

    /// The local storage is written for this contract and has none.
    static let table: [StorageKind: [Deviation]] = [.seaweedfs: seaweedfs, .swift: swift]
}
