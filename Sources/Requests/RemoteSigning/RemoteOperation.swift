package import Presigning
import Text

/// The operation that a client of Apache Iceberg asks to sign, as requests to the rules.
package struct RemoteOperation: Sendable {
    /// One request; for DeleteObjects one for each object, or one for all of the store if the client does not send the
    /// body. At least one.
    package let requests: [PresignRequest]
    /// Whether it is DeleteObjects, which is signed in the `Authorization` header.
    package let isDeletion: Bool
    /// The headers to sign with DeleteObjects.
    package let headers: [(name: String, value: String)]

    /// The seconds for which URLs are signed: a client uses them at once, or again for 30 seconds.
    package static let life: Int64 = 60

    /// - Parameters:
    ///   - store: the store's name.
    ///   - prefix: the store's prefix, which precedes every key.
    ///   - isShared: whether another store has the same bucket.
    /// - Throws: `InvalidRequest` with what is not one of the operations, not in the store, or cannot be signed.
    package init(
        _ asked: RemoteSignRequest, in bucket: S3Bucket, of store: String, prefix: [UInt8], isShared: Bool
    ) throws(InvalidRequest) {
        let target = try asked.target(in: bucket)
        isDeletion = target.isDeletion(asked.method)
        guard isDeletion else {
            var request = PresignRequest()
            try request.take(target, asked.method, prefix)
            request.store = store
            request.validateObjectExistence = false
            request.briefLife = Self.life
            try request.take(asked.headers)
            (requests, headers) = ([request], [])
            return
        }
        try target.checkDeletion()
        let keys: [[UInt8]]
        if let body = asked.body {
            keys = try DeletedKeys(body).keys
        } else {
            guard prefix.isEmpty, !isShared else { throw .unknownKeys }
            keys = [[]]
        }
        var requests: [PresignRequest] = []
        requests.reserveCapacity(keys.count)
        for key in keys {
            var request = PresignRequest()
            request.method = .delete
            request.store = store
            // The rules refuse it if they allow no URL that lives as long as the signature.
            request.expiresIn = Int64(SignedDeletion.lifetime)
            if asked.body == nil { request.deletesAll = true } else { request.path = try key.below(prefix, in: "body") }
            request.hasPath = true
            requests.append(request)
        }
        self.requests = requests
        headers = try asked.deletionHeaders()
    }
}

extension RemoteSignRequest {
    /// The headers to sign with DeleteObjects.
    ///
    /// - Throws: `InvalidRequest` with those that cannot be signed.
    fileprivate func deletionHeaders() throws(InvalidRequest) -> [(name: String, value: String)] {
        var (signed, failures): ([(name: String, value: String)], [FieldFailure]) = ([], [])
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            if NeutralHeaders.contain(name) {
                signed.append((name, String(decoding: value, as: UTF8.self)))
            } else if name.utf8.starts(with: "x-amz-".utf8) {
                failures.append(Self.header(name, "is not allowed with `delete`; omit it"))
            }
        }
        guard failures.isEmpty else { throw InvalidRequest(failures) }
        return signed
    }
}

extension InvalidRequest {
    /// DeleteObjects without its keys, which can be all of the bucket.
    package static let unknownKeys = InvalidRequest(
        [
            FieldFailure(
                "body",
                "is missing, so the keys to delete are unknown; without it a deletion is signed only if the store has no "
                    + "prefix, no other store has its bucket, and you may delete every key of it")
        ],
        recovery:
            "Use a Java client, which always sends `body`, or delete single objects. PyIceberg has no setting for "
            + "it: give it a store of its own bucket.")
}

extension RemoteSignRequest.Target {
    fileprivate func isDeletion(_ method: PresignRequest.Method) -> Bool {
        key.isEmpty && method == .post && parameters.contains { $0.name == "delete" }
    }

    /// - Throws: `InvalidRequest` with the parameters that DeleteObjects does not have.
    fileprivate func checkDeletion() throws(InvalidRequest) {
        let failures = parameters.compactMap { parameter -> FieldFailure? in
            switch (parameter.name, parameter.value) {
            case ("delete", ""), ("x-id", "DeleteObjects"): nil
            default: RemoteSignRequest.parameter(parameter.name, "is not allowed with this value in POST ?delete")
            }
        }
        guard failures.isEmpty else { throw InvalidRequest(failures) }
    }
}

extension [UInt8] {
    /// The part of a key after the store's prefix.
    ///
    /// - Parameter field: the field that has the key, for errors.
    /// - Throws: `InvalidRequest` for another key.
    func below(_ prefix: [UInt8], in field: String = "uri") throws(InvalidRequest) -> [UInt8] {
        guard starts(with: prefix) else {
            throw InvalidRequest(field, "must be below the store's prefix, \(String(decoding: prefix, as: UTF8.self))")
        }
        return Array(dropFirst(prefix.count))
    }
}
