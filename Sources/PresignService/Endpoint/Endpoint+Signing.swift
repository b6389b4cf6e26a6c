import AccessRules
import Presigning
import StorageCredentials

/// A signed URL, and what has to be known of it until it is given away.
struct PresignedObject: Sendable {
    /// A HEAD to be sent before the URL is given.
    struct Check: Sendable {
        /// Signed for the HEAD.
        let url: String
        /// The object's whole key.
        let key: StoragePath
    }

    let url: PresignedURL
    let operation: AWSS3SigningOperation
    let store: Store
    /// The object's path as asked for.
    let path: [UInt8]
    /// Public half of the credentials.
    let accessKeyID: String
    /// Nil when no check was asked for.
    let check: Check?
}

extension Endpoint {
    /// The store that is asked for; by a link, one with links.
    func store(_ name: String?, for source: PresignSource) throws(Refusal) -> Store {
        let isLink = if case .link = source { true } else { false }
        guard let store = snapshot.stores.store(name), !isLink || store.configuration.offersLinks else {
            throw Refusal(.unknownStore(name ?? "", isLink: isLink))
        }
        return store
    }

    /// The authorize stage: what the rules allow.
    func allowance(
        _ decision: AccessDecision, _ request: AccessRequest
    ) throws(Refusal) -> AccessDecision.Allowance {
        if case .allowed(let allowance) = decision { return allowance }
        throw Refusal(decision, of: request, namesRule: snapshot.explainsDenials) ?? Refusal(.forbidden)
    }

    /// The sign stage: the URL, and the check to be made before it is given away.
    func sign(
        _ plan: PresignPlan, _ fields: PresignFields, _ allowance: AccessDecision.Allowance, for store: Store,
        at time: SigningTime, using presigner: inout Presigner
    ) throws(Refusal) -> PresignedObject {
        let held = store.credentials[plan.operation.credentialRole]
        guard held.areUsable(at: time), let credentials = held.credentials else { throw Refusal(held.unavailable) }
        var plan = plan
        if allowance.requiresIfNoneMatch, fields[.ifNoneMatch] == nil { plan.headers.append(("if-none-match", "*")) }
        let configuration = store.configuration
        let task = plan.task(
            fields, key: store.key(fields.path), in: configuration.bucket, expiresIn: Int(allowance.expiresIn),
            validateObjectExistence: fields.validateObjectExistence ?? configuration.validatesExistence)
        do throws(StorageError) {
            let url = try task.url(with: credentials, at: time, using: &presigner)
            let head = try task.existenceCheck(
                through: configuration.internalBucket.endpoint, with: credentials, at: time, using: &presigner)
            return PresignedObject(
                url: url, operation: plan.operation, store: store, path: fields.path,
                accessKeyID: credentials.accessKeyID,
                check: head.map { PresignedObject.Check(url: $0.text, key: task.key) })
        } catch {
            throw Refusal(Problem(error))
        }
    }
}

extension Problem {
    /// 400: a store that is not configured; of a link also one without links, and links do not tell the two apart.
    fileprivate static func unknownStore(_ name: String, isLink: Bool) -> Problem {
        let detail = isLink ? "there is no store of this name with links" : "there is no store `\(name)`"
        return .validation([FieldFailure("store", detail)], recovery: "Leave it out for the default store.")
    }
}
