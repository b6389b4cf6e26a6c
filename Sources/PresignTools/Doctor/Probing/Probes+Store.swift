import AccessRules
import HTTPClient
package import PresignService
import Presigning
import StorageCredentials
import Text

extension Guarantee {
    static let clock = Guarantee(
        "clock", "the clocks of this machine and of the storage agree", .none, "synchronize both clocks (NTP)")
    static let session = Guarantee(
        "session", "the credentials outlive the URLs", .none,
        "use longer sessions, or lower `expires.default` and `expires.max`")
    static let missingObject = Guarantee(
        "missing-object", "HEAD of a missing object responds 404", .action(.get).if { $1.validatesExistence },
        "grant the read credentials s3:ListBucket, or set `validateObjectExistence: false`")
    static let preflight = Guarantee("preflight", "a browser's preflight allows uploads", .none, corsRules)
    static let exposedETag = Guarantee("exposed-etag", "pages may read ETag", .none, corsRules)
    static let bucketList = Guarantee(
        "list-buckets", "the credentials do not list all buckets", .none,
        "remove s3:ListAllMyBuckets from the credentials")
    static let bucketPolicy = Guarantee(
        "bucket-policy", "the credentials do not read the bucket's policy", .none,
        "remove s3:GetBucketPolicy from the credentials")
    static let otherKeys = Guarantee(
        "other-keys", "the credentials do not read keys outside the rules' paths", .none,
        "limit the credentials to the paths of the rules (config/iam-policy.json)")

    private static let corsRules = "set the CORS rules of the bucket, such as config/bucket-cors.json"
}

extension Probe {
    /// Every check of a store, in the order in which they run: a check comes after those that it needs.
    package static func all(of configuration: ServiceConfiguration, for session: DoctorSession) -> [Probe] {
        let credentials = session.credentials
        let lifetime = Int(configuration.expires.default)
        let now = session.now()
        let origins = configuration.webOrigins.map { $0 == "*" ? anyOrigin : $0 }.prefix(maximumOrigins)
        let headers = configuration.uploadHeaders(in: session.store)
        return [
            Probe(.clock, judge: Verdict.clock, run: missingObject),
            Probe(
                .session, judge: { _ in .session([credentials.read, credentials.write], lifetime: lifetime, at: now) }
            ) { _ throws(DoctorStop) in [] },
            Probe(.missingObject, judge: { $0.only(Verdict.missingObject) }, run: missingObject),
        ] + access + proxy(before: session.store) + signatures + uploads + (session.store.offersForms ? forms : [])
            + unsignedHeaders + multipart
            + origins.flatMap { browser(at: $0, headers: headers) }
            + rights(key: configuration.keyOutsideRules(of: session.store))
    }

    /// An origin that stands for every one.
    private static let anyOrigin = "https://presign-doctor.example"
    /// The most origins that are checked.
    private static let maximumOrigins = 20

    private static let missingObject: Run = { session throws(DoctorStop) in
        let request = try session.signed(.headObject, .missing, through: session.store.internalBucket)
        return try [session.send(request)]
    }

    private static func browser(at origin: String, headers: [String]?) -> [Probe] {
        let response = Probe(.exposedETag, origin: origin, judge: { $0.only { .exposedETag($0, to: origin) } }) {
            session throws(DoctorStop) in
            try [session.send(session.signed(.getObject, session.readable).setting("origin", origin))]
        }
        guard let headers else { return [response] }
        let preflight = Probe(
            .preflight, origin: origin, judge: { $0.only { .preflight($0, from: origin, headers: headers) } }
        ) { session throws(DoctorStop) in
            let request = try session.signed(.putObject, .missing).sent(as: .options)
                .setting("origin", origin).setting("access-control-request-method", "PUT")
                .setting("access-control-request-headers", headers.joined(separator: ","))
            return try [session.send(request)]
        }
        return [preflight, response]
    }

    /// Read-only checks of rights that presign does not need.
    ///
    /// - Parameter key: a key that no rule matches; nil if the rules match every key.
    private static func rights(key: [UInt8]?) -> [Probe] {
        [
            Probe(
                .bucketList,
                judge: { Verdict.absentRight($0) { $0.isSuccess && $0.body.contains("<ListAllMyBucketsResult") } }
            ) { session throws(DoctorStop) in try session.inspect(.buckets) },
            Probe(
                .bucketPolicy,
                judge: {
                    Verdict.absentRight($0) {
                        ($0.isSuccess && $0.body.contains(#""Statement""#)) || $0.code == "NoSuchBucketPolicy"
                    }
                }
            ) { session throws(DoctorStop) in try session.inspect(.policy) },
            Probe(.otherKeys, judge: { Verdict.absentRight($0) { $0.isSuccess || $0.status == 404 } }) {
                session throws(DoctorStop) in
                guard let key else { throw .unmet("the rules cover every path") }
                return try [session.send(session.signedHead(of: key))]
            },
        ]
    }
}

extension DoctorSession {
    /// Sends an inspection with the credentials of each role, once if they are the same.
    fileprivate mutating func inspect(_ inspection: BucketInspection) throws(DoctorStop) -> [Reply] {
        let isOne = credentials.read.equals(credentials.write)
        var replies: [Reply] = []
        for role in isOne ? [CredentialRole.read] : CredentialRole.allCases {
            replies.append(try send(signed(inspection, as: role)))
        }
        return replies
    }
}

extension ServiceConfiguration {
    /// The headers of a page's upload to a store that its rules let presign sign; nil if no rule grants uploads.
    fileprivate func uploadHeaders(in store: StoreConfiguration) -> [String]? {
        let grants = rules(of: store).flatMap(\.grants).filter { !$0.actions.isDisjoint(with: .upload) }
        guard !grants.isEmpty else { return nil }
        return ["content-type"]
            + (grants.contains { $0.constraints.checksum != nil } ? [Probe.checksumName] : [])
            + (grants.contains { $0.constraints.overwrite == false } ? [Probe.createOnly.name] : [])
    }

    /// A random key of the bucket that is outside the rules' paths; nil if the rules cover every key.
    fileprivate func keyOutsideRules(of store: StoreConfiguration) -> [UInt8]? {
        let name = DoctorMark.randomName()
        let key = Array("\(name)/\(name)".utf8)
        guard store.prefix.isEmpty, let index = policy.index(ofStore: store.name) else { return key }
        return policy.trie.rule(for: key, in: index) == nil ? key : nil
    }
}
