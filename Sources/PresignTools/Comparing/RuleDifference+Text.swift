import AccessRules
import DataFormats
import Presigning
import Requests
import Text

/// What a file does with a request, and where it says so.
private struct Cause {
    /// The position, or the name of the file.
    var position: String
    var pattern: String?
    var text: String

    func write(to json: inout JSONWriter) {
        json.member("at", position)
        json.member("rule", pattern)
        json.member("detail", text)
    }
}

extension RuleDifference {
    /// The request, and what each file says about it.
    package func lines(_ names: [String]) -> [String] {
        let causes = files.indices.map { cause(in: $0, names[$0]) }
        let width = causes.map(\.position.count).max() ?? 0
        let patternWidth = causes.compactMap(\.pattern?.count).max() ?? 0
        return
            (["  " + summary]
            + causes.map { cause in
                "    " + cause.position.padded(to: width) + "  "
                    + (cause.pattern.map { $0.padded(to: patternWidth) + "  " } ?? "") + cause.text
            }).map(\.printable)
    }

    /// A JSON object with the request as for `explain --batch`.
    package func json(_ names: [String]) -> String {
        var line = ByteBuffer()
        line.appendObject { json in
            json.member("change", lax == 1 ? "wider" : "narrower")
            json.member("request", request.question)
            json.member("shareAge", request.shareAge)
            json.member("summary", summary)
            json.object("old") { cause(in: 0, names[0]).write(to: &$0) }
            json.object("new") { cause(in: 1, names[1]).write(to: &$0) }
        }
        return String(decoding: line.bytes, as: UTF8.self)
    }

    private var summary: String {
        let verbs: [AccessAction: String] = [
            .get: "GET", .list: "LIST", .write: "PUT", .delete: "DELETE", .multipart: "POST",
        ]
        let store = request.store.map { " in store \($0)" } ?? ""
        let path = String(decoding: request.path, as: UTF8.self)
        return "\(verbs[request.action] ?? "") \(path.isEmpty ? "\"\"" : path)\(store) as \(request.caller.summary)"
            + request.details.map { ", \($0)" }.joined()
            + (change == .offersNoLinks ? ", with a link of /o/" : "")
    }

    private func cause(in file: Int, _ name: String) -> Cause {
        let rules = files[file]
        var asked = request
        switch rules.resolve(&asked)?.reason {
        case nil: break
        case RuleVerdict.noShares.reason: return Cause(position: name, text: "no keys of share links (`shares.keys`)")
        case RuleVerdict.noGuests.reason: return Cause(position: name, text: "guests are refused (`auth.guest`)")
        default: return Cause(position: name, text: "no such API key, or it is disabled")
        }
        let explanation = rules.policy.explanation(for: asked)
        if case .denied(let denial) = explanation.decision {
            if case .path(let flaw) = denial.reason { return Cause(position: name, text: flaw.description) }
            if denial.reason == .listingOff { return Cause(position: name, text: "the store does not offer listing") }
            if rules.policy.index(ofStore: request.store) == nil { return Cause(position: name, text: "no such store") }
        }
        if let denial = explanation.denials.first {
            return Cause(position: "\(denial.position)", pattern: denial.pattern, text: "denied")
        }
        guard let reference = explanation.rule else { return Cause(position: name, text: "no rule matches") }
        return Cause(position: "\(reference.position)", pattern: reference.pattern, text: text(of: reference, in: file))
    }

    /// The grant that decides, with the limits in which it differs from that of the other file.
    private func text(of rule: RuleReference, in file: Int) -> String {
        let action = request.action
        guard let grant = decidingGrant(in: file) else {
            let isExclusive = files[file].policy.groups == .exclusive && !request.caller.groups.isEmpty
            return "no grant of \(action.name) to this caller" + (isExclusive ? " (`groups: exclusive`)" : "")
        }
        let other = decidingGrant(in: 1 - file)
        let limits = AccessLimit.allCases.filter { limit in
            grant.constraints.applies(limit, to: action)
                && other.map { grant.constraints.differs(from: $0.constraints, in: limit) } ?? false
        }
        let service = files.map { Int64($0.policy.expires.max) }
        return "\(grant.name.text): \(action.name)"
            + limits.compactMap(grant.constraints.text).map { ", \($0)" }.joined()
            + (request.expiresIn != nil && service[0] != service[1] ? ", service max \(duration(service[file]))" : "")
            + (change == .offersNoLinks ? ", \(file == lax ? "" : "no ")links" : "")
    }

    /// The grant that allows the request, or else the one that reaches the caller with the fewest unmet limits.
    private func decidingGrant(in file: Int) -> AccessRule.Grant? {
        if let grant = verdicts[file].grant { return grant }
        let rules = files[file]
        var asked = request
        guard rules.resolve(&asked) == nil else { return nil }
        let explanation = rules.policy.explanation(for: asked)
        guard explanation.denials.isEmpty,
            let rule = rules.policy.rules.first(where: { $0.reference == explanation.rule })
        else { return nil }
        let reaching = zip(rule.grants, explanation.grants).filter { $1.obstacle == nil }
        return reaching.min { $0.1.unmet.count < $1.1.unmet.count }?.0
    }
}

extension AccessConstraints {
    /// A limit as in the file; nil if it is not set.
    fileprivate func text(of limit: AccessLimit) -> String? {
        switch limit {
        case .types: types.map { "types \($0.map(\.description).joined(separator: " "))" }
        case .maxSize: maximumSize.map { "maxSize \(size($0))" }
        case .partSize: partSize.map { "partSize \(size($0))" }
        case .checksum: checksum.map { "checksum \($0.rawValue)" }
        case .overwrite: overwrite.map { "overwrite \($0)" }
        case .accept: accept.map { "accept \($0.map(\.rawValue).joined(separator: " "))" }
        case .set:
            set.map { "set \(UploadSetting.headers(of: $0).map { "\($0.name): \($0.value)" }.joined(separator: " "))" }
        case .overrides: overrides.map { "overrides \($0.rawValue)" }
        case .versions: versions.map { "versions \($0)" }
        case .defaultExpiry: nil
        case .maximumExpiry: maximumExpiry.map { "expires.max \(duration($0))" }
        case .window: window.map { "expires.window \(duration($0))" }
        case .shareReads: shareReads.map { "share.get \(duration($0))" }
        case .shareWrites: shareWrites.map { "share.write \(duration($0))" }
        }
    }
}

/// A number of bytes as in a file: `25m`.
private func size(_ bytes: Int64) -> String { text(bytes, [("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10)], "") }

/// A number of seconds as in a file: `1h`.
private func duration(_ seconds: Int64) -> String { text(seconds, [("d", 86_400), ("h", 3600), ("m", 60)], "s") }

private func text(_ number: Int64, _ units: [(name: String, size: Int64)], _ smallest: String) -> String {
    let unit = units.first { number > 0 && number % $0.size == 0 }
    return unit.map { "\(number / $0.size)\($0.name)" } ?? "\(number)\(smallest)"
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension Caller {
    /// As in the options of `explain`.
    fileprivate var summary: String {
        if isGuest { return "guest" }
        let key = apiKeyID.map { ["caller:\(String(decoding: $0, as: UTF8.self))"] } ?? []
        let name = identity.map { String(decoding: $0, as: UTF8.self) }
        if scheme == .mutualTLS { return "certificate:\(name ?? "")" }
        let claims = claims.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
        let values =
            key + (name.map { ["sub=\($0)"] } ?? []) + groups.map { "group=\(String(decoding: $0, as: UTF8.self))" }
            + claims.map { "claim.\($0)=\(String(decoding: $1, as: UTF8.self))" }
        return values.joined(separator: " ")
    }

    fileprivate var question: JSONValue {
        func list(_ members: [(String, JSONValue?)]) -> JSONValue { .object(members: members) }
        if isGuest { return .null }
        if scheme == .mutualTLS { return list([("certificate", identity.map { .string($0) })]) }
        return list([
            ("caller", apiKeyID.map { .string($0) }), ("identity", identity.map { .string($0) }),
            ("groups", groups.isEmpty ? nil : .array(groups.map { .string($0) })),
            ("claims", claims.isEmpty ? nil : .object(claims.map { .init(name: $0.name, value: .string($0.value)) })),
        ])
    }
}

extension JSONValue {
    fileprivate static func object(members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: Array(name.utf8), value: $0) } })
    }
}

extension PresignRequest {
    /// What it declares.
    fileprivate var details: [String] {
        let content = [contentLength.map { "\($0) bytes" }, contentType.map { "of \($0)" }].compactMap(\.self)
        let settings = UploadSetting.headers(of: settings).map { "\($0.name): \($0.value)" }
        return (action == .multipart ? [step.map { "multipart step \($0.rawValue)" } ?? "multipart"] : [])
            + [self.partNumber.map { "part \($0)" }].compactMap(\.self)
            + (content.isEmpty ? [] : [content.joined(separator: " ")])
            + (checksum == nil ? [] : ["with its sha256"])
            + [self.checksumAlgorithm.map { "checksums \($0)" }, self.versionId.map { "version \($0)" }].compactMap(
                \.self)
            + settings
            + responseOverrides.map { "\($0.override.rawValue)=\(String(decoding: $0.value, as: UTF8.self))" }
            + [expiresIn.map { "for \($0) s" }, shareAge.map { "with a share link after \($0) s" }].compactMap(\.self)
    }

    /// A line for `explain --batch`.
    fileprivate var question: JSONValue {
        func text(_ value: String?) -> JSONValue? { value.map { .string(Array($0.utf8)) } }
        func number(_ value: Int64?) -> JSONValue? { value.map { .number(Array("\($0)".utf8)) } }
        let names = settings.map(\.name).reduce(into: [UploadSetting.Name]()) { if !$0.contains($1) { $0.append($1) } }
        let chosen = names.map { name -> (String, JSONValue?) in
            let same = settings.filter { $0.name == name }
            guard name.hasEntries else { return (name.rawValue, .string(same[0].value)) }
            return (name.rawValue, .object(same.map { .init(name: $0.entry ?? [], value: .string($0.value)) }))
        }
        return .object(
            members: [
                ("who", caller.question), ("action", text(action.name)), ("path", .string(path)),
                ("store", text(store)),
                ("step", text(step?.rawValue)), ("partNumber", number(self.partNumber)),
                ("contentType", text(contentType)), ("contentLength", number(contentLength)),
                ("checksum", text(checksum?.rawValue)), ("checksumAlgorithm", text(self.checksumAlgorithm)),
                ("versionId", text(self.versionId)), ("expiresIn", number(expiresIn)),
            ] + chosen + responseOverrides.map { ($0.override.rawValue, .string($0.value)) })
    }
}
