import AccessRules
import Presigning
import Requests

/// The requests within the limits of a grant that other limits refuse most.
///
/// Each limit orders what it compares: a smaller size, a shorter lifetime, a declared checksum, fewer settings, fewer
/// overrides are never refused where the others are allowed. So the requests that a grant allows are contained in those
/// that other grants allow together exactly if its hardest requests are: those with the largest values of all limits at
/// once. Content types have no order, so each type that some limit tells apart is tried.
struct HardestRequests {
    let limits: AccessConstraints
    /// The maximum lifetime of a URL in seconds.
    let lifetime: Int64
    /// The content types that the grants of both files name.
    let types: [MediaRange]
    /// The settings that the grants of both files set.
    let settings: [UploadSetting]

    /// - Parameter base: A request that declares nothing.
    func requests(_ base: PresignRequest) -> [PresignRequest] {
        var all = variants(of: base)
        if !base.caller.isGuest, limits.shareLifetime(for: base.action) > 0 {
            var use = base
            use.share = .use(age: limits.shareLifetime(for: base.action), remaining: 1)
            all += variants(of: use)
        }
        return all.filter { limits.unmet(by: $0).isEmpty }
    }

    private func variants(of base: PresignRequest) -> [PresignRequest] {
        var base = base
        base.expiresIn = base.share == nil ? lifetime : nil
        switch base.action {
        case .list, .delete: return [base]
        case .get:
            if base.share != nil { return [base] }
            base.versionId = limits.versions == true ? "1" : nil
            switch limits.overrides ?? .attachment {
            case .none: break
            case .attachment: base.responseOverrides = [(.contentDisposition, Array("attachment".utf8))]
            case .any: base.responseOverrides = [(.contentType, Array("text/html".utf8))]
            }
            return [base]
        case .write: return uploads(base)
        case .multipart:
            return ([nil] + MultipartStep.allCases).flatMap { step in
                var request = PresignRequest(
                    caller: base.caller, action: .multipart, step: step, path: base.path, store: base.store)
                request.expiresIn = lifetime
                return step == .part ? parts(request) : uploads(request)
            }
        }
    }

    private func uploads(_ base: PresignRequest) -> [PresignRequest] {
        var base = base
        if base.action == .write, limits.checksum != nil { base.declare(limits.checksum) }
        if base.step == .create, limits.checksum == nil { base.checksumAlgorithm = "CRC32" }
        let size = limits.applies(.maxSize, to: base.action) ? limits.maximumSize : nil
        let largest = size ?? PresignRequest.possibleLength.upperBound
        // Some storages take less in one request than the rules allow.
        let lengths: [Int64?] =
            Set([largest, min(largest, Int64(S3Limits.upload))]).sorted() + (size == nil ? [nil] : [])
        let settings = base.storesSettings ? chosenSettings(base) : [[]]
        let storesType = base.action == .write || base.step == nil || base.step == .create
        return (storesType ? contentTypes : [nil]).flatMap { type in
            lengths.flatMap { length in
                settings.map { settings in
                    var request = base
                    (request.contentType, request.contentLength, request.settings) = (type, length, settings)
                    return request
                }
            }
        }
    }

    /// The last full part, and the one after it: each other part is smaller and has a smaller number.
    private func parts(_ base: PresignRequest) -> [PresignRequest] {
        var base = base
        base.declare(limits.checksum)
        guard let size = limits.partSize else { return [base] }
        let most = Int64(S3Limits.partNumbers.upperBound)
        let full = min(limits.maximumSize.map { $0 / size } ?? most, most)
        return [(full, size), (full + 1, limits.maximumSize.map { $0 - full * size } ?? size)].map { number, length in
            (base.partNumber, base.contentLength) = (number, length)
            return base
        }
    }

    /// The types that a limit tells apart, and none.
    private var contentTypes: [String?] {
        let named = types.map { range in
            let parts = range.description.split(separator: "/").map(String.init)
            let usual = ["image": "png", "video": "mp4", "audio": "mpeg", "text": "plain", "application": "pdf"]
            let type = parts[0] == "*" ? "x-other" : parts[0]
            // Another type of the range than those that are named.
            let other = [usual[type] ?? "x-other", "x-other"].map { "\(type)/\($0)" }.first { candidate in
                !types.contains { !$0.isRange && $0.contains(candidate) }
            }
            return parts[1] == "*" ? other : range.description
        }
        return Set(named.compactMap(\.self)).sorted() + ["?", nil]
    }

    /// No settings, and all that the limits let a caller choose at once: values that no rule sets are the hardest.
    private func chosenSettings(_ base: PresignRequest) -> [[UploadSetting]] {
        let values: [UploadSetting.Name: [String]] = [
            .serverSideEncryption: ["aws:kms", "AES256"],
            .acl: ["public-read", "private", "bucket-owner-full-control"],
            .storageClass: ["GLACIER", "STANDARD_IA"],
        ]
        func candidates(_ name: UploadSetting.Name) -> [[UploadSetting]] {
            let named = settings.filter { $0.name == name }
            let entries = Set(named.map(\.entry)).union(name.hasEntries ? [Array("x".utf8)] : [nil])
            return entries.sorted { ($0 ?? []).lexicographicallyPrecedes($1 ?? []) }.map { entry in
                let other = (values[name] ?? ["x", "y", "z"]).compactMap { value in
                    try? UploadSetting(name, entry: entry, value: Array(value.utf8))
                }
                let free = other.filter { !named.contains($0) }
                return free + named.filter { $0.entry == entry } + other
            }
        }
        var chosen: [UploadSetting] = []
        var request = base
        for name in UploadSetting.Name.allCases {
            for options in candidates(name) {
                let fits = options.first { option in
                    request.settings = chosen + [option]
                    let all = request.settings + (limits.set ?? []).filter { !request.settings.contains($0) }
                    return limits.unmet(by: request).count == limits.unmet(by: base).count
                        && (try? UploadSetting.check(all)) != nil
                }
                if let fits { chosen.append(fits) }
            }
        }
        return chosen.isEmpty ? [[]] : [chosen, []]
    }
}
