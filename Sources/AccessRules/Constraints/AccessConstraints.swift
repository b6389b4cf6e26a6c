package import Presigning
package import Requests

/// A limit that a rule or a grant can set. Every switch over it is exhaustive, so the compiler lists what a new limit
/// needs: its section and actions, a value in `AccessConstraints`, its reading, and its comparison with a request.
///
/// The raw value is the configuration key.
package enum AccessLimit: String, CaseIterable, Sendable {
    case types, maxSize, partSize, checksum, overwrite, accept, set
    case overrides, versions
    case defaultExpiry = "default"
    case maximumExpiry = "max"
    case window
    case shareReads = "get"
    case shareWrites = "write"

    /// The section of a rule that holds the key.
    enum Section: String, CaseIterable {
        case read, write, multipart, expires, share

        /// The limits of the section, in the order of messages.
        var limits: [AccessLimit] { AccessLimit.allCases.filter { $0.section == self } }
        /// The keys of the limits.
        var keys: [String] { limits.map(\.rawValue) }
    }

    var section: Section {
        switch self {
        case .types, .maxSize, .checksum, .overwrite, .accept, .set: .write
        case .partSize: .multipart
        case .overrides, .versions: .read
        case .defaultExpiry, .maximumExpiry, .window: .expires
        case .shareReads, .shareWrites: .share
        }
    }

    /// The actions that the limit applies to.
    var actions: AccessActionSet {
        switch self {
        case .types, .maxSize, .checksum, .overwrite, .accept, .set: .upload
        case .partSize: [.init(.multipart)]
        case .overrides, .versions, .window, .shareReads: [.init(.get)]
        case .shareWrites: [.init(.write)]
        case .defaultExpiry, .maximumExpiry: .all
        }
    }
}

/// The limits of a grant. A field that is nil sets no limit.
package struct AccessConstraints: Equatable, Sendable {
    /// The content types allowed for an upload, which must declare one of them.
    package var types: [MediaRange]?
    /// The maximum size of an upload in bytes. The upload must declare its length.
    package var maximumSize: Int64?
    /// The checksum that an upload, and every part of a multipart upload, must declare.
    package var checksum: ChecksumAlgorithm?
    /// False if an upload must not replace an existing object.
    package var overwrite: Bool?
    /// The maximum size of a part of a multipart upload in bytes. Every part must declare its length.
    package var partSize: Int64?
    /// The settings that callers may choose besides those that only describe the content; nil means none.
    package var accept: [UploadSetting.Name]?
    /// The settings that every upload gets.
    package var set: [UploadSetting]?
    /// The response overrides that a reader may request; nil means `attachment`.
    package var overrides: OverridePolicy?
    /// Whether a reader may request versions by their ids; nil means no.
    package var versions: Bool?
    /// The lifetime in seconds of a URL whose request names none.
    package var defaultExpiry: Int64?
    /// The maximum lifetime of a URL in seconds.
    package var maximumExpiry: Int64?
    /// The length in seconds of the windows in which a reader gets the same URL; 0 for none. In a compiled rule nil
    /// means 0, because the builder has put the store's window in its place.
    package var window: Int64?
    /// The maximum lifetime in seconds of a share link for downloads, 0 for none; nil means none, too.
    package var shareReads: Int64?
    /// The maximum lifetime in seconds of a share link for uploads, 0 for none; nil means none, too.
    package var shareWrites: Int64?

    /// No limits.
    package init() {}

    /// Whether this limit is set.
    func sets(_ limit: AccessLimit) -> Bool { differs(from: AccessConstraints(), in: limit) }

    /// Whether a limit has another value in the other limits.
    package func differs(from other: AccessConstraints, in limit: AccessLimit) -> Bool {
        var (mine, theirs) = (AccessConstraints(), AccessConstraints())
        mine.copy(limit, from: self)
        theirs.copy(limit, from: other)
        return mine != theirs
    }

    /// Whether a limit, if set, applies to an action. `maxSize` limits a multipart upload only together with
    /// `partSize`.
    package func applies(_ limit: AccessLimit, to action: AccessAction) -> Bool {
        limit.actions.contains(.init(action)) && (limit != .maxSize || action != .multipart || partSize != nil)
    }

    /// The actions that a limit applies to, besides those on lifetimes and share links.
    var limitedActions: AccessActionSet {
        AccessLimit.allCases.filter { sets($0) && $0.section != .expires && $0.section != .share }.reduce(into: []) {
            $0.formUnion($1.actions)
        }
    }

    /// These limits, each replaced by the other's if the other sets it.
    func overridden(by other: AccessConstraints) -> AccessConstraints {
        var merged = self
        for limit in AccessLimit.allCases where other.sets(limit) { merged.copy(limit, from: other) }
        return merged
    }

    /// These limits without those that do not apply to the action.
    func applicable(to action: AccessAction) -> AccessConstraints {
        var applicable = AccessConstraints()
        for limit in AccessLimit.allCases where applies(limit, to: action) {
            applicable.copy(limit, from: self)
        }
        return applicable
    }

    private mutating func copy(_ limit: AccessLimit, from other: AccessConstraints) {
        switch limit {
        case .types: types = other.types
        case .maxSize: maximumSize = other.maximumSize
        case .checksum: checksum = other.checksum
        case .overwrite: overwrite = other.overwrite
        case .partSize: partSize = other.partSize
        case .accept: accept = other.accept
        case .set: set = other.set
        case .overrides: overrides = other.overrides
        case .versions: versions = other.versions
        case .defaultExpiry: defaultExpiry = other.defaultExpiry
        case .maximumExpiry: maximumExpiry = other.maximumExpiry
        case .window: window = other.window
        case .shareReads: shareReads = other.shareReads
        case .shareWrites: shareWrites = other.shareWrites
        }
    }
}

extension AccessConstraints {
    /// Every limit that the request does not meet.
    package func unmet(by request: PresignRequest) -> [UnmetConstraint] {
        var unmet: [UnmetConstraint] = []
        for limit in AccessLimit.allCases where applies(limit, to: request.action) {
            let more = self.unmet(limit, by: request)
            if !more.isEmpty { unmet += more }
        }
        return request.isForm ? unmet + unmetByForm : unmet
    }

    /// Compares a request with one limit that applies to its action.
    private func unmet(_ limit: AccessLimit, by request: PresignRequest) -> [UnmetConstraint] {
        switch limit {
        case .types:
            guard request.setsContentType, let types, !request.declaredType(isInOneOf: types) else { return [] }
            return [.contentType(request.declaredType, allowed: types)]
        case .maxSize:
            // Without `contentLength`, the sum of the parts is limited by their sizes.
            let length = request.declaredLength
            if request.action == .multipart, request.step == .part || length == nil { return [] }
            if length == nil, request.isForm || request.newShare != nil { return [] }
            guard let maximumSize, !(0...maximumSize ~= length ?? -1) else { return [] }
            return [.contentLength(length, maximum: maximumSize)]
        case .partSize: return unmetByPart(of: request)
        case .checksum:
            return request.newShare != nil ? [] : checksum.flatMap { unmet($0, by: request) }.map { [$0] } ?? []
        case .accept: return request.settings.isEmpty ? [] : unaccepted(of: request.settings)
        case .set:
            return (request.settings.isEmpty ? [] : contradictions(in: request.settings)) + unshareable(by: request)
        case .versions: return versions != true && request.versionId != nil ? [.version] : []
        case .overrides:
            let policy = overrides ?? .attachment
            return policy.refused(of: request.responseOverrides).map { .responseOverride($0, allowed: policy) }
        case .maximumExpiry:
            guard let maximumExpiry, let expiresIn = request.expiresIn, expiresIn > maximumExpiry else { return [] }
            return [.expiresIn(expiresIn, maximum: maximumExpiry)]
        case .shareReads: return unmet(shareReads, by: request.share)
        case .shareWrites: return unmet(shareWrites, by: request.share)
        // `Allowance`, `ExpiryLimits.lifetime` and the core apply these; no request fails to meet them.
        case .overwrite, .defaultExpiry, .window: return []
        }
    }

    /// Whether these limits are wider than the other's in the first limit on the action in which one admits more.
    func areWider(than other: AccessConstraints, for action: AccessAction) -> Bool {
        for limit in AccessLimit.allCases where applies(limit, to: action) {
            let admitsAll = admitsAll(of: other, in: limit)
            if admitsAll != other.admitsAll(of: self, in: limit) { return admitsAll }
        }
        return false
    }

    /// Whether an upload can fail to meet a limit. `overwrite: true` is a limit that every upload meets.
    var restrictsUploads: Bool { !uploadLimits(tighterThan: AccessConstraints()).isEmpty }

    /// The limits on uploads that refuse what the other limits admit.
    func uploadLimits(tighterThan other: AccessConstraints) -> [AccessLimit] {
        (AccessLimit.Section.write.limits + AccessLimit.Section.multipart.limits)
            .filter { !admitsAll(of: other, in: $0) }
    }

    private func admitsAll(of other: AccessConstraints, in limit: AccessLimit) -> Bool {
        switch limit {
        case .types:
            guard let types else { return true }
            return other.types?.allSatisfy { type in types.contains { $0.contains(type) } } ?? false
        case .maxSize:
            guard let maximumSize else { return true }
            return other.maximumSize.map { $0 <= maximumSize } ?? false
        case .checksum: return checksum == nil || checksum == other.checksum
        case .overwrite: return overwrite != false || other.overwrite == false
        case .partSize: return partSize.map { other.partSize ?? .max <= $0 } ?? true
        case .accept: return (other.accept ?? []).allSatisfy { accept?.contains($0) ?? false }
        case .set: return (set ?? []).allSatisfy { other.set?.contains($0) ?? false }
        case .versions: return versions == true || other.versions != true
        case .overrides: return (overrides ?? .attachment).admitsAll(of: other.overrides ?? .attachment)
        case .maximumExpiry: return maximumExpiry ?? .max >= other.maximumExpiry ?? .max
        case .shareReads: return shareReads ?? 0 >= other.shareReads ?? 0
        case .shareWrites: return shareWrites ?? 0 >= other.shareWrites ?? 0
        // Neither refuses a request.
        case .defaultExpiry, .window: return true
        }
    }
}
