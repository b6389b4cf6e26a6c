import AccessRules
import ConfigurationReading
import Presigning
import StorageCredentials

/// Warnings about what a signature cannot ensure, unless the configuration declares that the storage does.
extension ServiceConfiguration {
    /// Returns a warning if unsigned headers could bypass the limits of a store's rules.
    func unsignedHeaders(at store: StoreConfiguration) -> ConfigurationError? {
        guard local == nil, let position = store.endpointPosition, store.unsignedHeaders == .unknown,
            store.credentials.read == store.credentials.write,
            policy.reliesOnCredentials(inStore: store.name, hasPrefix: !store.prefix.isEmpty)
        else { return nil }
        return ConfigurationError(
            position,
            "the store `\(store.name)`: if its server honours unsigned x-amz-* headers, a caller who may upload can copy"
                + " any object that the store's credentials can read (x-amz-copy-source), bypassing the rules and their"
                + " limits; set `credentials: {read: ..., write: ...}` with a `write` that lacks s3:GetObject or, if the"
                + " server refuses such headers, set `unsignedHeaders: refused`")
    }

    /// A warning for each server at which a multipart upload could be created under one grant and completed under
    /// another with tighter limits. Stores with the same endpoint count as one server.
    var unboundUploadIDs: [ConfigurationError] {
        guard local == nil else { return [] }
        let undeclared = stores.filter { $0.endpointPosition != nil && $0.uploadIDs == .unknown }
        return Dictionary(grouping: undeclared) { $0.internalBucket.endpoint.options.endpoint }.values
            .compactMap(unboundUploadIDs)
            .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    private func unboundUploadIDs(at stores: [StoreConfiguration]) -> ConfigurationError? {
        guard let position = stores.first?.endpointPosition, let gap = policy.uploadIDGap(inStores: stores.map(\.name))
        else { return nil }
        let names = stores.map { "`\($0.name)`" }.joined(separator: " and ")
        return ConfigurationError(
            position,
            "the server of \(names): if it accepts the id of a multipart upload at another key, an upload created by the"
                + " grant to \(gap.lax) can be completed by the grant to \(gap.strict), past its \(gap.limits); set"
                + " `uploadIds: bound` if the server refuses that, otherwise grant `multipart` only with the same limits"
        )
    }
}
