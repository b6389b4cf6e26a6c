import DataFormats
import HTTPClient
import Presigning
import StorageCredentials
import Text

/// Removing what this run and earlier ones created.
extension DoctorSession {
    /// Removes everything that this run may have created, also after an interruption.
    ///
    /// - Returns: the keys that could not be removed, with the reason.
    package mutating func removeCreated() -> [String] {
        var failures: [String] = []
        for upload in created.uploads {
            if let reason = removal(of: .abortMultipartUpload(uploadId: upload.id), upload.slot) {
                failures.append("\(name(of: upload.slot)) (upload \(upload.id)): \(reason)")
            } else {
                created.removed(upload: upload.id)
            }
        }
        for slot in created.slots.sorted(by: { $0.rawValue < $1.rawValue }) {
            if let reason = removal(of: .deleteObject, slot) {
                failures.append("\(name(of: slot)): \(reason)")
            } else {
                created.removed(slot)
            }
        }
        // Deleting by key has added a delete marker to each, which is a version too.
        for version in created.versions {
            if let reason = removal(of: .deleteObject, version.slot, [("versionId", version.id)]) {
                failures.append("\(name(of: version.slot)) (version \(version.id)): \(reason)")
            } else {
                created.removed(version)
            }
        }
        return failures
    }

    private func name(of slot: DoctorMark.Slot) -> String {
        String(decoding: mark.key(of: slot, below: prefix), as: UTF8.self)
    }

    /// Removes an object or an upload. Returns why it could not be removed; nil if it is gone.
    private mutating func removal(
        of operation: AWSS3SigningOperation, _ slot: DoctorMark.Slot, _ query: [(name: String, value: String)] = []
    ) -> String? {
        do {
            let reply = try exchange(signed(operation, slot, query: query))
            return reply.isSuccess || reply.status == 404 ? nil : "DELETE responded \(reply.summary)"
        } catch {
            return error.reason
        }
    }
}

/// What an earlier run left because it was killed.
extension DoctorSession {
    /// The most leftovers that one run removes.
    package static let maximumLeftovers = 100

    /// Removes objects of earlier runs: exact names that carry doctor's mark, if the content proves it.
    ///
    /// - Returns: the removed keys.
    /// - Throws: `DoctorStop` if the storage does not list them.
    package mutating func removeLeftoverObjects() throws(DoctorStop) -> [String] {
        let objects = try leftovers(in: send(signedListing(of: startOfRuns)), "Contents").map(\.found)
        var removed: [String] = []
        for (mark, slot) in objects.prefix(Self.maximumLeftovers) {
            var earlier = continued(for: mark)
            let reply = try earlier.send(earlier.signed(.getObject, slot))
            if reply.isSuccess, mark.isProved(by: reply.body) {
                earlier.created.note(slot)
                earlier.created.note(versionIn: reply, of: slot)
                if earlier.removeCreated().isEmpty { removed.append(earlier.name(of: slot)) }
            }
            add(requestsOf: earlier)
        }
        return removed
    }

    /// Aborts multipart uploads of earlier runs, at exact keys that carry doctor's mark.
    ///
    /// - Returns: the keys.
    /// - Throws: `DoctorStop` if the storage does not list them.
    package mutating func removeLeftoverUploads() throws(DoctorStop) -> [String] {
        let list = try send(signed(.uploads(prefix: String(decoding: startOfRuns, as: UTF8.self)), as: .write))
        var removed: [String] = []
        for (found, element) in try leftovers(in: list, "Upload").prefix(Self.maximumLeftovers) {
            guard let id = element.text(of: "UploadId") else { continue }
            var earlier = continued(for: found.mark)
            earlier.created.note(upload: String(decoding: id, as: UTF8.self), of: found.slot)
            if earlier.removeCreated().isEmpty { removed.append(earlier.name(of: found.slot)) }
            add(requestsOf: earlier)
        }
        return removed
    }

    /// The beginning of the keys of every run.
    private var startOfRuns: [UInt8] { prefix + Array(DoctorMark.runStart.utf8) }

    /// Returns the elements of a listing whose key carries the mark of another run.
    private func leftovers(
        in reply: Reply, _ name: String
    ) throws(DoctorStop) -> [(found: (mark: DoctorMark, slot: DoctorMark.Slot), element: XMLElement)] {
        guard reply.isSuccess else { throw .unmet("the listing responded \(reply.summary)") }
        guard let root = try? XMLReader.root(of: reply.body) else { throw .unmet("the listing is not readable") }
        return root.children.filter { $0.name.elementsEqual(name.utf8) }.compactMap { element in
            guard let key = element.text(of: "Key"), let found = DoctorMark.parse(listed: key, below: prefix),
                found.mark != mark
            else { return nil }
            return (found, element)
        }
    }
}

extension DoctorMark {
    /// Parses a key of a listing, which some storages percent-encode as asked and others do not.
    static func parse(listed key: [UInt8], below prefix: [UInt8]) -> (mark: DoctorMark, slot: Slot)? {
        if let found = parse(key, below: prefix) { return found }
        let encodings = [PercentEncoding.path, .query].map { $0.encode(prefix) }
        for encoding in encodings {
            // Only slashes of a run's own part are ever encoded.
            guard key.starts(with: encoding) else { continue }
            let rest = String(decoding: key.dropFirst(encoding.count), as: UTF8.self).replacing("%2F", with: "/")
            return parse(prefix + Array(rest.utf8), below: prefix)
        }
        return nil
    }
}

/// What a run may have created, noted before each request that could create it.
struct CreatedObjects: Sendable {
    /// A version or an upload of an object.
    struct Part: Sendable, Equatable {
        let slot: DoctorMark.Slot
        let id: String
    }

    private(set) var slots: Set<DoctorMark.Slot> = []
    /// The versions that the storage reported, in a bucket with versioning.
    private(set) var versions: [Part] = []
    private(set) var uploads: [Part] = []

    mutating func note(_ slot: DoctorMark.Slot) { slots.insert(slot) }

    /// Notes the version in a response's headers. A bucket without versioning sends no version, or `null`.
    mutating func note(versionIn reply: Reply, of slot: DoctorMark.Slot) {
        guard let id = reply.headers["x-amz-version-id"], !id.isEmpty, id != "null" else { return }
        versions.append(Part(slot: slot, id: id))
    }

    mutating func note(upload id: String, of slot: DoctorMark.Slot) { uploads.append(Part(slot: slot, id: id)) }

    mutating func removed(_ slot: DoctorMark.Slot) { slots.remove(slot) }
    mutating func removed(_ version: Part) { versions.removeAll { $0 == version } }
    mutating func removed(upload id: String) { uploads.removeAll { $0.id == id } }
}
