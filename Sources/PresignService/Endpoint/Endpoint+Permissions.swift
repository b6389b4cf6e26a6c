import AccessRules
import DataFormats
import HTTP1
import Presigning
import Requests
import Text

extension Endpoint {
    /// `GET /permissions`: runs limit → decode → authorize, and returns what the caller may do with an object, or
    /// without a path, the folders at which the caller can start.
    ///
    /// - Parameter record: the request's record, which receives the results of the stages.
    func permissions(
        of caller: Caller, _ request: HTTPRequest, _ record: inout RequestRecord
    ) throws(Refusal) -> HTTPResponse {
        record.rateLimit = try limit(caller, from: record.client, at: record.started)
        let fields: PresignRequest
        do throws(InvalidRequest) {
            fields = try PresignRequest(permissions: request.query)
        } catch {
            throw Refusal(Problem(error))
        }
        record.add(fields)
        let store = try store(fields.store, for: .body(request, asText: false))
        record.store = store
        guard fields.hasPath else { return roots(of: caller, in: store.configuration.name) }
        do throws(AccessDecision.Denial) {
            let permissions = try snapshot.policy.permissions(of: caller, on: fields.path, in: fields.store)
            var body = ByteBuffer()
            body.append(permissions, of: caller, on: fields.path, in: store.configuration.name)
            body.append(ASCII.lineFeed)
            return HTTPResponse(status: 200, fields: .json, body: body.bytes)
        } catch {
            let general = PresignRequest(caller: caller, action: .get, path: fields.path, store: fields.store)
            throw Refusal(.denied(error), of: general) ?? .forbidden
        }
    }

    /// The folders at which the caller can start. Guests see none unless the configuration says so: a name that is
    /// published nowhere can be all that protects a folder from them.
    private func roots(of caller: Caller, in store: String) -> HTTPResponse {
        let isShown = !caller.isGuest || snapshot.showsGuestFolders
        var body = ByteBuffer()
        body.append(isShown ? snapshot.policy.roots(of: caller, in: store) : Roots(), of: caller, in: store)
        body.append(ASCII.lineFeed)
        return HTTPResponse(status: 200, fields: .json, body: body.bytes)
    }
}

extension ByteBuffer {
    /// Appends the body of `GET /permissions`, with a member per permitted action.
    fileprivate mutating func append(
        _ permissions: [Permission], of caller: Caller, on path: [UInt8], in store: String
    ) {
        append(#"{"path":"#)
        appendJSON(string: path)
        appendMember("store", store)
        append(caller)
        append(#","actions":{"#)
        for (index, permission) in permissions.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSON(string: permission.action.name)
            append(#":{"expiresIn":{"default":"#)
            appendJSON(permission.defaultExpiry)
            append(#","max":"#)
            appendJSON(permission.maximumExpiry)
            append("}")
            append(permission.constraints, on: permission.action)
            append("}")
        }
        append("}}")
    }

    /// Appends the body of `GET /permissions` without a path.
    fileprivate mutating func append(_ roots: Roots, of caller: Caller, in store: String) {
        append(#"{"store":"#)
        appendJSON(string: store)
        append(caller)
        append(#","roots":["#)
        for (index, root) in roots.folders.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSON(string: root)
        }
        append(roots.areTruncated ? #"],"rootsTruncated":true}"# : "]}")
    }

    /// Appends the caller under the names of the audit.
    private mutating func append(_ caller: Caller) {
        append(#","caller":{"scheme":"#)
        appendJSON(string: caller.scheme.rawValue)
        if let id = caller.apiKeyID { appendMember("apiKey", id.span) }
        if let identity = caller.identity { appendMember("identity", identity.span) }
        append("}")
    }

    /// Appends a member for each limit on the action other than lifetimes.
    private mutating func append(_ limits: AccessConstraints, on action: AccessAction) {
        for limit in AccessLimit.allCases {
            switch limit {
            case .types: if let types = limits.types { append("types", types.map(\.description)) }
            case .maxSize: if let size = limits.maximumSize { appendMember("maxSize", Int(size)) }
            case .partSize: if let size = limits.partSize { appendMember("partSize", Int(size)) }
            case .checksum: if let checksum = limits.checksum { appendMember("checksum", checksum.rawValue) }
            case .overwrite: if limits.overwrite == false { append(#","overwrite":false"#) }
            case .accept: if let accept = limits.accept { append("accept", accept.map(\.rawValue)) }
            case .set: if let set = limits.set { append(set) }
            // A rule that does not set these allows `attachment`, and no versions.
            case .overrides where action == .get:
                appendMember("overrides", (limits.overrides ?? .attachment).rawValue)
            case .versions where action == .get:
                append(#","versions":"#)
                appendJSON(limits.versions == true)
            case .shareReads where action == .get: appendShare(limits, on: action)
            case .shareWrites where action == .write: appendShare(limits, on: action)
            case .shareReads, .shareWrites, .overrides, .versions, .defaultExpiry, .maximumExpiry, .window: break
            }
        }
    }

    /// Appends the maximum lifetime of share links, if they are allowed.
    private mutating func appendShare(_ limits: AccessConstraints, on action: AccessAction) {
        let maximum = limits.shareLifetime(for: action)
        if maximum > 0 { appendMember("share", Int(maximum)) }
    }

    private mutating func append(_ name: StaticString, _ texts: [String]) {
        append(#",""#)
        append(name)
        append(#"":["#)
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSON(string: text)
        }
        append("]")
    }

    /// Appends the settings of every upload, in the form of a request's fields.
    private mutating func append(_ settings: [UploadSetting]) {
        var members: [JSONValue.Member] = []
        for name in UploadSetting.Name.allCases {
            let settings = settings.filter { $0.name == name }
            guard let first = settings.first else { continue }
            let entries = settings.map { JSONValue.Member(name: $0.entry ?? [], value: .string($0.value)) }
            members.append(
                .init(name: Array(name.rawValue.utf8), value: name.hasEntries ? .object(entries) : .string(first.value))
            )
        }
        append(#","set":"#)
        appendJSON(.object(members))
    }
}
