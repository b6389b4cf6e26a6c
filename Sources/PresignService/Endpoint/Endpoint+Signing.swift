import AccessRules
import Presigning
import StorageCredentials

/// A signed URL, with what is needed to respond to the request and to audit it.
struct PresignedObject: Sendable {
    /// The HEAD request that must succeed before the URL is returned.
    struct Check: Sendable {
        /// The URL signed for HEAD.
        let url: String
        /// The object's full key, the store's prefix included.
        let key: StoragePath
    }

    let url: PresignedURL
    let operation: AWSS3SigningOperation
    let store: Store
    /// The object's path as requested, without the store's prefix.
    let path: [UInt8]
    /// The public half of the credentials.
    let accessKeyID: String
    /// Nil if no check was requested.
    let check: Check?
}

extension Endpoint {
    /// Returns the requested store; a link finds only stores that offer links.
    func store(_ name: String?, for source: PresignSource) throws(Refusal) -> Store {
        let isLink = if case .link = source { true } else { false }
        guard let store = snapshot.stores.store(name), !isLink || store.configuration.offersLinks else {
            throw Refusal(.unknownStore(name ?? "", isLink: isLink))
        }
        return store
    }

    /// The sign stage: returns the signed URL, with the HEAD URL if an existence check was requested.
    func sign(
        _ operation: AWSS3SigningOperation, _ fields: PresignFields, _ allowance: AccessDecision.Allowance,
        for store: Store, at time: SigningTime, using presigner: inout Presigner
    ) throws(Refusal) -> PresignedObject {
        let held = store.credentials[operation.credentialRole]
        guard held.areUsable(at: time), let credentials = held.credentials else { throw Refusal(held.unavailable) }
        let configuration = store.configuration
        let task = fields.task(
            operation, prefix: configuration.prefix, in: configuration.bucket, expiresIn: Int(allowance.expiresIn),
            window: Int(allowance.window), adding: allowance,
            validateObjectExistence: fields.validateObjectExistence ?? configuration.validatesExistence)
        do throws(StorageError) {
            let url = try task.url(with: credentials, at: time, using: &presigner)
            let head = try task.existenceCheck(
                through: configuration.internalBucket.endpoint, with: credentials, at: time, using: &presigner)
            return PresignedObject(
                url: url, operation: operation, store: store, path: fields.path,
                accessKeyID: credentials.accessKeyID,
                check: head.map { PresignedObject.Check(url: $0.text, key: task.key) })
        } catch {
            throw Refusal(Problem(error))
        }
    }
}

extension Problem {
    /// 400: an unknown store. For a link a store without links is unknown too, and the text does not tell them apart.
    fileprivate static func unknownStore(_ name: String, isLink: Bool) -> Problem {
        let detail = isLink ? "no store with this name offers links" : "unknown store `\(name)`"
        return .validation(
            [FieldFailure("store", detail)], recovery: "Correct the name, or omit `store` for the default store.")
    }
}
