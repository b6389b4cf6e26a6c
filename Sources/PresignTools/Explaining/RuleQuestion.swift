import AccessRules
package import DataFormats
import PresignService
package import Presigning
package import Requests

/// A request to the access rules in JSON: `{who, action, path, store?, contentType?, contentLength?, checksum?,
/// expiresIn?, step?, partNumber?}` and the response overrides, upload settings, `checksumAlgorithm` and `versionId` of
/// `POST /presign`.
///
/// `who` is null for a guest, `{identity?, groups?, claims?}` for a token, `{caller}` for the API key of that id (with
/// the configured identity and groups unless it has its own), or `{certificate}`. As in a token, whole
/// numbers and booleans among groups and claims count as text; other values never match.
package struct RuleQuestion: Sendable {
    /// The id of the line, copied to the verdict.
    package let id: JSONValue?
    /// The request to decide.
    package let request: PresignRequest

    private static let own = ["id", "who", "action", "path", "store", "checksum", "step"]
    /// The fields of `POST /presign` that rules decide by.
    private static let declared =
        ["contentType", "contentLength", "expiresIn", "partNumber", "checksumAlgorithm", "versionId"]
        + ResponseOverride.allCases.map(\.rawValue) + UploadSetting.Name.allCases.map(\.rawValue)

    /// Reads a question.
    ///
    /// - Throws: `FieldFailure` for a missing, unknown or invalid field.
    package init(_ value: JSONValue) throws(FieldFailure) {
        try value.check("", Self.own + Self.declared)
        guard let who = value["who"] else { throw FieldFailure("who", "is missing; use null for a guest") }
        guard let name = try value.text("action") else {
            throw FieldFailure("action", "is missing; must be one of \(AccessActionSet.all.names)")
        }
        guard let action = AccessAction.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw FieldFailure("action", "must be one of \(AccessActionSet.all.names)")
        }
        guard let path = value["path"] else {
            throw FieldFailure("path", "is missing; set it to the path of the object")
        }
        guard let path = path.string else { throw FieldFailure("path", "must be a string") }
        let step = try value.text("step").map { name throws(FieldFailure) in try Self.step(name, of: action) }
        var request = PresignRequest(
            caller: try Self.caller(who), action: action, step: step, path: path, store: try value.text("store"))
        request.declare(try value.text("checksum").flatMap { ChecksumAlgorithm(declared: $0) })
        for name in Self.declared {
            if let declared = value.present(name) { try request.set(Array(name.utf8), to: declared) }
        }
        guard request.partNumber == nil || request.step == .part else {
            throw FieldFailure("partNumber", "applies only to the step part")
        }
        for (override, value) in request.responseOverrides {
            if let flaw = override.flaw(in: value) { throw FieldFailure(override.rawValue, flaw) }
        }
        if let name = request.checksumAlgorithm { _ = try ChecksumAlgorithm(declaredForParts: name) }
        self.request = request
        id = value["id"]
    }

    /// Reads a question from a line of JSON.
    ///
    /// - Throws: `FieldFailure` for invalid JSON, too.
    package init(parsing line: ArraySlice<UInt8>) throws(FieldFailure) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, limits: Self.limits)
        } catch {
            throw FieldFailure("", "the line is not a JSON object: \(error)")
        }
        try self.init(value)
    }

    /// Limits of a line: enough for a key of 1 KiB with every byte escaped, and settings.
    private static let limits = JSONLimits(size: 1 << 20, depth: 8)

    /// Returns the `id` of a line, even if the rest of the line is invalid; nil unless it is a string or a number.
    static func id(of line: ArraySlice<UInt8>) -> JSONValue? {
        var id: JSONValue?
        do throws(SyntaxError) {
            var reader = try JSONReader(line, limits: limits)
            try reader.readObject { reader, name throws(SyntaxError) in
                if name.elementsEqual("id".utf8) {
                    id = try reader.value()
                } else {
                    try reader.skipValue()
                }
            }
        } catch {
            // The caller reports the error of the line.
        }
        switch id {
        case .string, .number: return id
        default: return nil
        }
    }

    /// Returns the step of that name.
    ///
    /// - Throws: `FieldFailure` for an unknown name, and for actions other than `multipart`.
    private static func step(_ name: String, of action: AccessAction) throws(FieldFailure) -> MultipartStep {
        guard let step = MultipartStep.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
            let known = MultipartStep.allCases.map(\.rawValue).joined(separator: ", ")
            throw FieldFailure("step", "must be one of \(known)")
        }
        guard action == .multipart else { throw FieldFailure("step", "applies only to the action multipart") }
        return step
    }

    private static func caller(_ who: JSONValue) throws(FieldFailure) -> Caller {
        if who == .null { return .guest }
        try who.check("who", ["identity", "groups", "claims", "caller", "certificate"])
        let identity = who["identity"]?.string.map { String(decoding: $0, as: UTF8.self) }
        let groups = try who.items("groups").compactMap { try? $0.claimText() }
            .map { String(decoding: $0, as: UTF8.self) }
        var claims: [Caller.Claim] = []
        for member in try who.namedValues("claims") {
            guard let text = try? member.value.claimText() else { continue }
            claims.append(
                .init(name: String(decoding: member.name, as: UTF8.self), value: String(decoding: text, as: UTF8.self)))
        }
        if let name = try who.text("certificate") {
            guard claims.isEmpty, groups.isEmpty, identity == nil, try who.text("caller") == nil else {
                throw FieldFailure("who.certificate", "cannot be combined with other fields")
            }
            return Caller(certificate: Array(name.utf8))
        }
        guard let id = try who.text("caller") else {
            return Caller(scheme: .jwt, identity: identity, groups: groups, claims: claims)
        }
        guard claims.isEmpty else {
            throw FieldFailure("who.claims", "cannot be combined with `caller`, because API keys have no claims")
        }
        return Caller(apiKeyID: id, identity: identity, groups: groups)
    }
}

extension ChecksumAlgorithm {
    /// Creates the algorithm of a declared checksum, `sha256` or `sha256:DIGEST`; nil for one that rules cannot
    /// require.
    package init?(declared text: String) {
        self.init(rawValue: String(text.prefix { $0 != ":" }))
        guard Self.requirable.contains(self) else { return nil }
    }

    /// Creates the algorithm that the creation of a multipart upload declares, such as `SHA256`.
    package init(declaredForParts text: String) throws(FieldFailure) {
        guard let algorithm = Self(name: text) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw FieldFailure("checksumAlgorithm", "must be one of \(names)")
        }
        self = algorithm
    }
}

/// Fields by name and type; null counts as absent.
extension JSONValue {
    /// Checks that the value is an object without unknown fields; `parent` is its name in errors.
    func check(_ parent: String, _ known: [String]) throws(FieldFailure) {
        guard case .object(let members) = self else {
            throw FieldFailure(parent, parent.isEmpty ? "must be an object" : "must be an object, or null")
        }
        for member in members where !known.contains(where: { $0.utf8.elementsEqual(member.name) }) {
            let name = String(decoding: member.name.prefix(64), as: UTF8.self)
            throw FieldFailure(
                parent.isEmpty ? name : "\(parent).\(name)",
                "unknown field; the fields are \(known.joined(separator: ", "))")
        }
    }

    package func text(_ name: String) throws(FieldFailure) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw FieldFailure(name, "must be a string") }
        return String(decoding: text, as: UTF8.self)
    }

    func wholeNumber(_ name: String) throws(FieldFailure) -> Int64? {
        guard let value = present(name) else { return nil }
        guard let number = value.integer else { throw FieldFailure(name, "must be a whole number") }
        return number
    }

    func items(_ name: String) throws(FieldFailure) -> [JSONValue] {
        guard let value = present(name) else { return [] }
        guard case .array(let items) = value else { throw FieldFailure(name, "must be a list") }
        return items
    }

    fileprivate func namedValues(_ name: String) throws(FieldFailure) -> [Member] {
        guard let value = present(name) else { return [] }
        guard case .object(let members) = value else { throw FieldFailure(name, "must be an object") }
        return members
    }

    fileprivate func present(_ name: String) -> JSONValue? { self[name].flatMap { $0 == .null ? nil : $0 } }
}
