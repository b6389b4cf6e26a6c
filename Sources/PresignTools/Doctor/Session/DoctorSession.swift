package import HTTPClient
package import PresignService
package import Presigning
package import StorageCredentials
import Text

/// One run of `presign doctor` on one store: signs and sends its requests and remembers what they created.
package struct DoctorSession {
    /// How requests leave the process and what the run observes meanwhile.
    package struct Environment {
        let exchange: (FetchRequest) throws(FetchFailure) -> FetchResponse
        let now: () -> SigningTime
        let isInterrupted: () -> Bool

        /// - Parameters:
        ///   - exchange: sends a request and returns the response with any status; blocks.
        ///   - now: the current time.
        ///   - isInterrupted: whether the run should stop before its next request.
        package init(
            exchange: @escaping (FetchRequest) throws(FetchFailure) -> FetchResponse,
            now: @escaping () -> SigningTime, isInterrupted: @escaping () -> Bool
        ) {
            (self.exchange, self.now, self.isInterrupted) = (exchange, now, isInterrupted)
        }

        /// Sends requests to the storage, each with a limit of 10 seconds.
        ///
        /// - Parameter authorities: a PEM file of certificate authorities; nil for the system's.
        package init(
            trusting authorities: String?, now: @escaping () -> SigningTime, isInterrupted: @escaping () -> Bool
        ) {
            exchange = { request throws(FetchFailure) in
                try HTTPFetch.response(to: request, authorities: authorities, within: .seconds(10))
            }
            (self.now, self.isInterrupted) = (now, isInterrupted)
        }
    }

    /// The most requests of the checks of one store. Removing what they created takes at most as many again.
    package static let maximumRequests = 300

    /// The largest response in bytes, which a listing of 1000 keys does not reach.
    private static let maximumResponse = 4 << 20

    package let store: StoreConfiguration
    package private(set) var mark: DoctorMark
    package let credentials: PerRole<Credentials>
    /// The prefix of the run's keys: the store's and the one of the command.
    package let prefix: [UInt8]
    /// Whether the run may write.
    package let writes: Bool
    let environment: Environment
    var created = CreatedObjects()
    /// Whether the storage has shown that the run can remove what it creates.
    var canRemove = false
    private var presigner = Presigner()
    private var requestCount = 0

    /// - Parameter prefix: the prefix of the command, which ends in "/".
    package init(
        _ store: StoreConfiguration, mark: DoctorMark, credentials: PerRole<Credentials>, prefix: [UInt8], writes: Bool,
        _ environment: Environment
    ) {
        (self.store, self.mark, self.credentials, self.writes) = (store, mark, credentials, writes)
        self.prefix = store.prefix + prefix
        self.environment = environment
    }

    /// The object that reading checks use: it exists only if the run can write.
    package var readable: DoctorMark.Slot { canRemove ? .object : .missing }

    package func now() -> SigningTime { environment.now() }

    /// Returns a session for the objects of another run, which continues this one's count of requests.
    func continued(for mark: DoctorMark) -> DoctorSession {
        var other = self
        (other.mark, other.created) = (mark, CreatedObjects())
        return other
    }

    /// Counts the requests of a session that continued this one.
    mutating func add(requestsOf other: DoctorSession) { requestCount = other.requestCount }
}

/// Signing.
extension DoctorSession {
    /// Signs a request for an object of the run.
    ///
    /// - Parameters:
    ///   - age: the seconds for which the URL has expired; 0 for a valid one.
    ///   - bucket: the bucket with its endpoint; nil for the one that URLs use.
    package mutating func signed(
        _ operation: AWSS3SigningOperation, _ slot: DoctorMark.Slot, contentType: String? = nil,
        headers: [(name: String, value: String)] = [], query: [(name: String, value: String)] = [],
        expiredFor age: Int = 0, through bucket: S3Bucket? = nil
    ) throws(DoctorStop) -> DoctorRequest {
        let task = AWSS3StorageGetURLTask(
            operation, key: StoragePath(bytes: mark.key(of: slot, below: prefix)), in: bucket ?? store.bucket,
            expiresIn: 300, contentType: contentType, headers: headers, query: query)
        return try signed(task, slot, at: age == 0 ? now() : now().advanced(bySeconds: -300 - age))
    }

    /// Signs a listing of the keys below the prefix.
    package mutating func signedListing(of prefix: [UInt8]) throws(DoctorStop) -> DoctorRequest {
        let operation = AWSS3SigningOperation.listObjectsV2(prefix: String(decoding: prefix, as: UTF8.self))
        let task = AWSS3StorageGetURLTask(
            operation, key: StoragePath(bytes: []), in: store.bucket, expiresIn: 300,
            query: [("max-keys", "1000")])
        return try signed(task, nil, at: now())
    }

    /// Signs a HEAD of any key.
    package mutating func signedHead(of key: [UInt8]) throws(DoctorStop) -> DoctorRequest {
        try signed(
            AWSS3StorageGetURLTask(.headObject, key: StoragePath(bytes: key), in: store.bucket, expiresIn: 300), nil,
            at: now())
    }

    /// Signs an inspection with the credentials of a role.
    package mutating func signed(
        _ inspection: BucketInspection, as role: CredentialRole
    ) throws(DoctorStop) -> DoctorRequest {
        let url: PresignedURL
        do throws(StorageError) {
            url = try presigner.url(for: inspection, of: store.bucket, with: credentials[role], at: now())
        } catch {
            throw .unmet(error.errorDescription)
        }
        return try request(url, nil)
    }

    /// Signs a form.
    mutating func signedForm(_ policy: PostPolicy) throws(DoctorStop) -> PresignedForm {
        do throws(StorageError) {
            return try policy.form(with: credentials.write, at: now(), using: &presigner)
        } catch {
            throw .unmet(error.errorDescription)
        }
    }

    private mutating func signed(
        _ task: AWSS3StorageGetURLTask, _ slot: DoctorMark.Slot?, at time: SigningTime
    ) throws(DoctorStop) -> DoctorRequest {
        let url: PresignedURL
        do throws(StorageError) {
            url = try task.url(with: credentials[task.operation.traits.role], at: time, using: &presigner)
        } catch {
            throw .unmet(error.errorDescription)
        }
        return try request(url, slot)
    }

    private func request(_ url: PresignedURL, _ slot: DoctorMark.Slot?) throws(DoctorStop) -> DoctorRequest {
        guard let request = DoctorRequest(url, of: slot) else { throw .unmet("the method is not supported") }
        return request
    }
}

/// Sending.
extension DoctorSession {
    /// Sends a request of a check.
    package mutating func send(_ request: DoctorRequest, _ body: [UInt8] = []) throws(DoctorStop) -> Reply {
        if environment.isInterrupted() { throw .interrupted }
        guard requestCount < Self.maximumRequests else { throw .exhausted }
        requestCount += 1
        return try exchange(request, body)
    }

    /// Sends a request that also an interrupted run must send.
    mutating func exchange(_ request: DoctorRequest, _ body: [UInt8] = []) throws(DoctorStop) -> Reply {
        guard let url = FetchURL(request.url) else { throw .unmet("the URL is not valid") }
        var fetch = FetchRequest(request.method, url)
        fetch.body = body
        fetch.limit = Self.maximumResponse
        for (name, value) in request.headers where !fetch.add(name: name, value) {
            throw .unmet("the header \(name) cannot be sent")
        }
        let creates = request.method == .put || request.method == .post
        if creates, let slot = request.slot {
            guard writes else { throw .unmet("--read-only") }
            created.note(slot)
        }
        do throws(FetchFailure) {
            let reply = Reply(try environment.exchange(fetch), at: now())
            if let slot = request.slot, creates || request.method == .delete {
                created.note(versionIn: reply, of: slot)
            }
            return reply
        } catch {
            throw .unreachable(error)
        }
    }

    /// Signs and sends an upload of a content.
    mutating func put(
        _ slot: DoctorMark.Slot, _ content: DoctorMark.Content = .first, headers: [(name: String, value: String)] = []
    ) throws(DoctorStop) -> Reply {
        try send(signed(.putObject, slot, headers: headers), mark.bytes(content))
    }

    /// Signs and sends a download.
    mutating func get(_ slot: DoctorMark.Slot) throws(DoctorStop) -> Reply {
        try send(signed(.getObject, slot))
    }
}

/// Why a check ended before it had all responses.
package enum DoctorStop: Error, Sendable, Equatable {
    /// The operator interrupted the run.
    case interrupted
    /// The run has sent as many requests as it may.
    case exhausted
    /// No response.
    case unreachable(FetchFailure)
    /// A step that the check needs failed, or is not allowed. The reason is a clause.
    case unmet(String)

    /// The reason as a clause.
    package var reason: String {
        switch self {
        case .interrupted: "the run was interrupted"
        case .exhausted: "the run has sent \(DoctorSession.maximumRequests) requests"
        case .unreachable(let failure): failure.description
        case .unmet(let reason): reason
        }
    }
}
