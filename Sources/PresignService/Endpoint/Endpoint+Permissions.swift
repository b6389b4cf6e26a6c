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
        do throws(InvalidRequest) {
            record.request = try PresignRequest(permissions: request.query)
        } catch {
            throw Refusal(Problem(error))
        }
        let fields = record.request
        let store = try store(fields.store, for: .body(asText: false))
        record.store = store
        guard fields.hasPath else { return roots(of: caller, in: store.configuration.name) }
        do throws(AccessDecision.Denial) {
            let permissions = try snapshot.configuration.policy.permissions(
                of: caller, on: fields.path, in: fields.store)
            return .json { $0.append(permissions, of: caller, on: fields.path, in: store.configuration.name) }
        } catch {
            let general = PresignRequest(caller: caller, action: .get, path: fields.path, store: fields.store)
            throw Refusal(.denied(error), of: general) ?? .forbidden
        }
    }

    /// The folders at which the caller can start. Guests see none unless the configuration says so: a name that is
    /// published nowhere can be all that protects a folder from them.
    private func roots(of caller: Caller, in store: String) -> HTTPResponse {
        let isShown = !caller.isGuest || snapshot.configuration.showsGuestFolders
        let roots = isShown ? snapshot.configuration.policy.roots(of: caller, in: store) : Roots()
        return .json { $0.append(roots, of: caller, in: store) }
    }
}

extension JSONWriter {
    /// Writes the members of `GET /permissions`, with one for each permitted action.
    fileprivate mutating func append(
        _ permissions: [Permission], of caller: Caller, on path: [UInt8], in store: String
    ) {
        member("path", path)
        member("store", store)
        append(caller)
        object("actions") { actions in
            for permission in permissions {
                actions.object(named: permission.action.name.utf8.span) { json in
                    json.object("expiresIn") {
                        $0.member("default", permission.defaultExpiry)
                        $0.member("max", permission.maximumExpiry)
                    }
                    json.append(permission.constraints, on: permission.action)
                }
            }
        }
    }

    /// Writes the members of `GET /permissions` without a path.
    fileprivate mutating func append(_ roots: Roots, of caller: Caller, in store: String) {
        member("store", store)
        append(caller)
        array("roots") { for root in roots.folders { $0.element(root.span) } }
        if roots.areTruncated { member("rootsTruncated", true) }
    }

    /// Writes the caller under the names of the audit.
    private mutating func append(_ caller: Caller) {
        object("caller") {
            $0.member("scheme", caller.scheme.rawValue)
            $0.member("apiKey", caller.apiKeyID)
            $0.member("identity", caller.identity)
        }
    }

    /// Writes a member for each limit on the action other than lifetimes.
    private mutating func append(_ limits: AccessConstraints, on action: AccessAction) {
        for limit in AccessLimit.allCases {
            switch limit {
            case .types: if let types = limits.types { array("types", types.map(\.description)) }
            case .maxSize: member("maxSize", limits.maximumSize)
            case .partSize: member("partSize", limits.partSize)
            case .checksum: member("checksum", limits.checksum?.rawValue)
            case .overwrite: if limits.overwrite == false { member("overwrite", false) }
            case .accept: if let accept = limits.accept { array("accept", accept.map(\.rawValue)) }
            case .set: if let set = limits.set { append(set) }
            // A rule that does not set these allows `attachment`, and no versions.
            case .overrides where action == .get: member("overrides", (limits.overrides ?? .attachment).rawValue)
            case .versions where action == .get: member("versions", limits.versions == true)
            case .shareReads where action == .get, .shareWrites where action == .write:
                let maximum = limits.shareLifetime(for: action)
                if maximum > 0 { member("share", maximum) }
            case .shareReads, .shareWrites, .overrides, .versions, .defaultExpiry, .maximumExpiry, .window: break
            }
        }
    }

    /// Writes the settings of every upload, in the form of a request's fields.
    private mutating func append(_ settings: [UploadSetting]) {
        object("set") { json in
            for name in UploadSetting.Name.allCases {
                let settings = settings.filter { $0.name == name }
                guard let first = settings.first else { continue }
                let entries = settings.map { JSONValue.Member(name: $0.entry ?? [], value: .string($0.value)) }
                json.member(
                    named: name.rawValue.utf8.span, name.hasEntries ? .object(entries) : .string(first.value))
            }
        }
    }
}
