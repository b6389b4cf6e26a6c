/// A difference between one server and S3's documentation.
struct Deviation: Sendable {
    /// The name of the case.
    let name: String
    /// The exact differences, each with its step.
    let differences: [String]
    let reason: String

    init(_ name: String, _ differences: [String], because reason: String) {
        (self.name, self.differences, self.reason) = (name, differences, reason)
    }

    /// The local storage was written for this contract and has no deviations.
    static let table: [StorageKind: [Deviation]] = [.seaweedfs: seaweedfs, .swift: swift]
}
