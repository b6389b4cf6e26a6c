import AccessRules
import DataFormats
import HTTP1
import Presigning
import Requests
import Text

/// Remote signing for Apache Iceberg: `POST /iceberg/{store}/sign` decides about the request to a storage that a client
/// describes, and signs what it has decided about, never the client's text.
extension Endpoint {
    /// Runs limit → decode → authorize → sign for a request, or for each object of DeleteObjects.
    ///
    /// - Parameter record: receives what each stage found out; of DeleteObjects, about the last object.
    func signRemotely(
        _ request: HTTPRequest, for caller: Caller, recordingIn record: inout RequestRecord,
        using presigner: inout Presigner
    ) throws(Refusal) -> HTTPResponse {
        guard !caller.isGuest else { throw Refusal(.credentialsMissing, "a guest") }
        let time = service.time()
        var asked: (request: RemoteSignRequest, operation: RemoteOperation)?
        // An item has no form of its own, so that only the rules decide.
        let allowance: AccessDecision.Allowance
        do throws(Refusal) {
            allowance = try authorize(.item, for: caller, recordingIn: &record) { () throws(Problem) in
                let decoded = try remoteOperation(request)
                asked = decoded
                return decoded.operation.requests[0]
            }
        } catch {
            guard error.problem.code == .forbidden, record.request.deletesAll == true else { throw error }
            throw Refusal(Problem(.unknownKeys, status: 403), error.reason)
        }
        guard let (remote, operation) = asked else { throw .forbidden }
        if operation.isDeletion {
            return try signDeletion(remote, operation, for: caller, at: time, recordingIn: &record, using: &presigner)
        }
        let url = try presign(
            allowance, from: .item, for: caller, at: time, recordingIn: &record, using: &presigner
        ).url
        if let problem = Problem.missingHeaders(of: url, sent: remote.sentValue(of:)) { throw Refusal(problem) }
        let isReusable = ["GET", "HEAD"].contains(url.method) && url.expiresIn > Self.clientCache
        return .signed(uri: url.text, [], cacheControl: isReusable ? "private" : "no-cache")
    }

    /// The seconds for which clients use the signature of a GET or HEAD again (Apache Iceberg, `S3V4RestSignerClient`).
    private static let clientCache = 30

    private func remoteOperation(
        _ request: HTTPRequest
    ) throws(Problem) -> (request: RemoteSignRequest, operation: RemoteOperation) {
        if let problem = headRefusal(request, .iceberg) { throw problem }
        guard let store = snapshot.remoteStore(of: request.path)?.configuration else { throw .notFound }
        let limits = snapshot.configuration.bodies
        let bucket = store.bucket.name.utf8
        let isShared = snapshot.stores.all.count { $0.configuration.bucket.name.utf8.elementsEqual(bucket) } > 1
        let decoded = try Problem.reporting { () throws(InvalidRequest) in
            let remote = try RemoteSignRequest(json: request.body, limit: limits.limit(of: .iceberg))
            let operation = try RemoteOperation(
                remote, in: store.bucket, of: store.name, prefix: store.prefix, isShared: isShared)
            return (remote, operation)
        }
        guard decoded.1.isDeletion || request.body.count <= limits.single else {
            throw Problem(
                413, .bodyTooLarge, "The body is too large",
                "The body is larger than \(limits.single) bytes, the limit for all but DeleteObjects")
        }
        return decoded
    }

    /// Decides about the other objects of DeleteObjects, whose first one is allowed, and signs the deletion of all. Each
    /// object is counted and audited as one that `POST /presign` decides about.
    private func signDeletion(
        _ remote: RemoteSignRequest, _ operation: RemoteOperation, for caller: Caller, at time: SigningTime,
        recordingIn record: inout RequestRecord, using presigner: inout Presigner
    ) throws(Refusal) -> HTTPResponse {
        var items = [record]
        for fields in operation.requests.dropFirst() {
            _ = try authorize(.item, for: caller, recordingIn: &record) { fields }
            items.append(record)
        }
        guard let store = record.store else { throw .forbidden }
        let credentials = try credentials(of: store, .write, at: time)
        let signed: SignedDeletion
        do throws(StorageError) {
            signed = try presigner.deletion(
                remote.body, operation.headers, in: store.configuration.bucket, with: credentials, at: time)
        } catch {
            throw Refusal(Problem(error))
        }
        for (index, var item) in items.enumerated() {
            item.item = index
            item.signed = .init(signed, from: time, accessKeyID: credentials.accessKeyID)
            finish(item: &item, status: 200)
        }
        record.isAudited = false
        return .signed(uri: signed.url, signed.headers, cacheControl: "no-cache")
    }
}

extension ServiceSnapshot {
    /// The store that a path to sign requests for names; nil if it is not offered.
    func remoteStore(of path: ArraySlice<UInt8>) -> Store? {
        guard let name = Route.remoteStore(of: path) else { return nil }
        return stores.all.first {
            $0.configuration.offersIceberg && $0.configuration.name.utf8.elementsEqual(name)
        }
    }
}

extension HTTPResponse {
    /// `RemoteSignResponse`: the URL, and the headers that the client must add.
    fileprivate static func signed(
        uri: String, _ headers: [(name: String, value: String)], cacheControl: String
    ) -> HTTPResponse {
        var response = json { json in
            json.member("uri", uri)
            json.object("headers") { json in
                for (name, value) in headers {
                    json.member(named: name.utf8.span, .array([.string(Array(value.utf8))]))
                }
            }
        }
        response.isCacheable = true
        response.add("cache-control", cacheControl)
        return response
    }
}
