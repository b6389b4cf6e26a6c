/// What a run may have created, noted before each request that could create it.
struct CreatedObjects: Sendable {
    struct Version: Sendable, Equatable {
        let slot: DoctorMark.Slot
        let id: String
    }

    struct Upload: Sendable, Equatable {
        let slot: DoctorMark.Slot
        let id: String
    }

    private(set) var slots: Set<DoctorMark.Slot> = []
    /// The versions that the storage reported, in a bucket with versioning.
    private(set) var versions: [Version] = []
    private(set) var uploads: [Upload] = []

    var isEmpty: Bool { slots.isEmpty && versions.isEmpty && uploads.isEmpty }

    mutating func note(_ slot: DoctorMark.Slot) { slots.insert(slot) }

    /// Notes the version in a response's headers. A bucket without versioning sends no version, or `null`.
    mutating func note(versionIn reply: Reply, of slot: DoctorMark.Slot) {
        guard let id = reply.headers["x-amz-version-id"], !id.isEmpty, id != "null" else { return }
        versions.append(Version(slot: slot, id: id))
    }

    mutating func note(upload id: String, of slot: DoctorMark.Slot) { uploads.append(Upload(slot: slot, id: id)) }

    mutating func removed(_ slot: DoctorMark.Slot) { slots.remove(slot) }
    mutating func removed(_ version: Version) { versions.removeAll { $0 == version } }
    mutating func removed(upload id: String) { uploads.removeAll { $0.id == id } }
}
