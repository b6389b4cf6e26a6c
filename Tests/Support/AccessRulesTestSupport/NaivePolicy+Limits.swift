import AccessRules
import Requests

/// The limits of rules and grants.
extension NaivePolicy {
    /// The limits of a rule, each replaced by the grant's own.
    func merged(_ rule: Limits, _ own: Limits) -> Limits {
        Limits(
            types: own.types ?? rule.types, maxSize: own.maxSize ?? rule.maxSize, partSize: rule.partSize,
            checksum: own.checksum || rule.checksum, overwrite: own.overwrite ?? rule.overwrite,
            accept: own.accept ?? rule.accept, cache: own.setsAny ? own.cache : rule.cache,
            acl: own.setsAny ? own.acl : rule.acl,
            overrides: own.overrides ?? rule.overrides, versions: own.versions ?? rule.versions,
            standard: own.standard ?? rule.standard, max: own.max ?? rule.max,
            shareReads: own.shareReads ?? rule.shareReads, shareWrites: own.shareWrites ?? rule.shareWrites)
    }

    /// The fields of the request that do not meet the limits.
    func unmet(_ limits: Limits, _ request: Request) -> [String] {
        var fields: [String] = []
        if request.setsType, let types = limits.types {
            let type = request.type?.split(separator: "/").map(String.init) ?? []
            let fits = types.contains { range in
                let range = range.split(separator: "/").map(String.init)
                return type.count == 2 && ["*", type[0]].contains(range[0]) && ["*", type[1]].contains(range[1])
            }
            if !fits { fields.append("contentType") }
        }
        if request.action == "write" {
            let mayOmitLength = request.isForm || request.createsShare
            if let size = limits.maxSize, request.length ?? (mayOmitLength ? 0 : .max) > size {
                fields.append("contentLength")
            }
        }
        if request.action == "multipart", let size = limits.partSize { fields += unmet(size, limits.maxSize, request) }
        let sendsContent = request.action == "write" && !request.createsShare
        if limits.checksum, sendsContent || request.step == "part", !request.hasChecksum {
            fields.append("checksum")
        }
        if ["write", "multipart"].contains(request.action) {
            if request.hasStorageClass, limits.accept?.contains("storageClass") != true {
                fields.append("storageClass")
            }
            if request.acl != nil, limits.acl == nil, limits.accept?.contains("acl") != true { fields.append("acl") }
            if let own = limits.cache, let wish = request.cache, wish != own { fields.append("cacheControl") }
            if let own = limits.acl, let wish = request.acl, wish != own { fields.append("acl") }
            if limits.acl != nil, request.share != nil { fields.append("acl") }
        }
        if request.action == "get" {
            fields += refused(request.overrides, by: limits.overrides ?? "attachment")
            if request.hasVersion, limits.versions != true { fields.append("versionId") }
        }
        if let max = limits.max, let asked = request.expiresIn, asked > max { fields.append("expiresIn") }
        if request.isForm, limits.maxSize == nil { fields.append("form") }
        if request.isForm, limits.overwrite == false { fields.append("form") }
        if let share = request.share { fields += unmet(shareLifetime(limits, request) ?? 0, share) }
        return fields
    }

    private func unmet(_ lifetime: Int64, _ share: Share) -> [String] {
        if lifetime == 0 { return ["share"] }
        let asked =
            switch share {
            case .creation(let lifetime): lifetime ?? 1
            case .use(let age, _): age
            }
        return asked > lifetime ? ["expiresIn"] : []
    }

    /// The maximum lifetime in seconds of share links for the action of the request.
    func shareLifetime(_ limits: Limits, _ request: Request) -> Int64? {
        request.action == "get" ? limits.shareReads : request.action == "write" ? limits.shareWrites : nil
    }

    /// The fields of a multipart upload that exceed the sizes. Parts are counted as if all earlier ones were full.
    private func unmet(_ partSize: Int64, _ maxSize: Int64?, _ request: Request) -> [String] {
        guard request.step == "part" else {
            return request.length ?? 0 > maxSize ?? .max ? ["contentLength"] : []
        }
        guard let part = request.part else { return ["partNumber"] }
        let start = (1..<part).reduce(0) { sum, _ in sum + partSize }
        if start > maxSize ?? .max { return ["partNumber"] }
        guard let length = request.length, length <= partSize, start + length <= maxSize ?? .max else {
            return ["contentLength"]
        }
        return []
    }

    private func refused(_ overrides: [String: String], by policy: String) -> [String] {
        let given = ResponseOverride.allCases.map(\.rawValue).filter { overrides[$0] != nil }
        if policy == "any" { return [] }
        if policy == "none" { return given }
        var type = (overrides["responseContentDisposition"] ?? "").lowercased()
        type = String(type.prefix { $0 != ";" })
        while type.hasSuffix(" ") { type.removeLast() }
        if type == "attachment" { return [] }
        return given.filter {
            ["responseContentType", "responseContentEncoding", "responseContentDisposition"].contains($0)
        }
    }
}

extension NaivePolicy.Limits {
    /// Whether it has `set`, which replaces that of the rule as a whole.
    var setsAny: Bool { cache != nil || acl != nil }

    /// The values that it adds to a request.
    func added(to request: NaivePolicy.Request) -> [String] {
        guard request.storesSettings else { return [] }
        return [request.cache == nil ? cache : nil, request.acl == nil ? acl : nil].compactMap(\.self)
    }
}
