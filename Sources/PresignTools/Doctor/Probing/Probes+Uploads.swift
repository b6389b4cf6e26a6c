import AccessRules
import PresignService
import Presigning
import Text

extension Guarantee {
    static let contentType = Guarantee(
        "content-type", "a content type other than the signed one is refused",
        .limit(.upload, "types") { $0.types != nil }, checkLater)
    static let size = Guarantee(
        "size", "a length other than the signed one is refused",
        .limit(.init(.write), "maxSize") { $0.maximumSize != nil }, checkLater)
    static let checksum = Guarantee(
        "checksum", "content that differs from the signed SHA-256 is refused",
        .limit(.init(.write), "checksum") { $0.checksum != nil }, compareLater)
    static let checksumInQuery = Guarantee(
        "checksum-in-query", "a SHA-256 in the query is compared or refused", .none,
        "send checksums as headers, as presign signs them")
    static let createOnly = Guarantee(
        "create-only", "PUT with If-None-Match: * does not replace an object",
        .limit(.init(.write), "overwrite: false") { $0.overwrite == false }, uniqueNames)

    static let checkLater = "use another storage, or remove the limit and check objects after the upload"
    static let compareLater = "remove `checksum` and compare objects after the upload, or use another storage"
    static let uniqueNames =
        "let presign's caller choose unique names and remove `overwrite: false`, or keep versions in the bucket"

    // Headers that a client adds to an upload.
    static let copySource = Guarantee(
        "x-amz-copy-source", "an unsigned x-amz-copy-source is refused", .uploads.if(reliesOnCredentials),
        separateCredentials)
    static let acl = Guarantee(
        "x-amz-acl", "an unsigned x-amz-acl is refused", .uploads,
        "use write credentials without s3:PutObjectAcl, and block public access to the bucket")
    static let metadata = Guarantee(
        "x-amz-meta", "an unsigned x-amz-meta-* is refused",
        .limit(.upload, "set: metadata") { $0.set?.contains { $0.name == .metadata } ?? false },
        "do not rely on `set: {metadata: ...}`, or use another storage")
    static let tagging = Guarantee(
        "x-amz-tagging", "an unsigned x-amz-tagging is refused",
        .limit(.upload, "accept without tagging") { !($0.accept?.contains(.tagging) ?? false) },
        "use write credentials without s3:PutObjectTagging")

    static let separateCredentials =
        "set `credentials: {read: ..., write: ...}` for the store, with a `write` that lacks s3:GetObject"

    /// Whether callers could read what they may not by copying it.
    static let reliesOnCredentials: @Sendable (ServiceConfiguration, StoreConfiguration) -> Bool = {
        $0.policy.reliesOnCredentials(inStore: $1.name, hasPrefix: !$1.prefix.isEmpty)
    }
}

/// The limits of uploads that the storage enforces.
extension Probe {
    static let uploads: [Probe] = [
        .writing(.contentType) { session throws(DoctorStop) in
            let request = try session.signed(.putObject, .target, contentType: "text/plain")
            let body = session.mark.bytes(.first)
            return try [
                session.send(request, body), session.send(request.setting("content-type", "text/html"), body),
                session.send(request.removing("content-type"), body),
            ]
        },
        .writing(.size) { session throws(DoctorStop) in
            let body = session.mark.bytes(.first)
            let request = try session.signed(
                .putObject, .target, headers: [("content-length", "\(body.count)")])
            return try [session.send(request, body), session.send(request, body + DoctorMark.surplus)]
        },
        .writing(.checksum) { session throws(DoctorStop) in
            let (body, other) = (session.mark.bytes(.first), session.mark.bytes(.second))
            let request = try session.signed(.putObject, .target, headers: [checksum(of: body)])
            return try [
                session.send(request, body), session.send(request, other),
                session.send(request.setting(checksumName, checksum(of: other).value), other),
            ]
        },
        .writing(.checksumInQuery, judge: { Verdict.refusal(of: $0) }) { session throws(DoctorStop) in
            let (body, other) = (session.mark.bytes(.first), session.mark.bytes(.second))
            let request = try session.signed(.putObject, .target, query: [checksum(of: body)])
            return try [session.send(request, other)]
        },
        .writing(.createOnly, judge: Verdict.creation) { session throws(DoctorStop) in
            let request = try session.signed(.putObject, .created, headers: [createOnly])
            let created = try session.send(request, session.mark.bytes(.first))
            guard created.isSuccess else { return [created] }
            let other = session.mark.bytes(.second)
            return try [
                created, session.send(request, other), session.send(request.removing("if-none-match"), other),
                session.get(.created),
            ]
        },
    ]

    /// Judges an upload that would copy the object with the first content, and the download of the result.
    static let copies: @Sendable ([Reply]) -> Verdict = { replies in
        Verdict.noEffect(in: replies, "copied another object") { $0.content.map { $0 == .first } }
    }

    static let checksumName = "x-amz-checksum-sha256"

    static func checksum(of body: [UInt8]) -> (name: String, value: String) {
        (checksumName, ChecksumAlgorithm.sha256(of: body))
    }

    static let createOnly = (name: "if-none-match", value: "*")
}

/// Headers that a client adds to an upload.
extension Probe {
    static let unsignedHeaders: [Probe] = [
        .writing(.copySource, judge: copies) { session throws(DoctorStop) in
            let upload = try session.put(adding: "x-amz-copy-source", session.copySource)
            return upload.isSuccess ? try [upload, session.get(.target)] : [upload]
        },
        .writing(.acl, judge: Verdict.privacy) { session throws(DoctorStop) in
            let upload = try session.put(adding: "x-amz-acl", "public-read")
            guard upload.isSuccess else { return [upload] }
            return try [
                upload, session.send(session.signed(.getObject, .object).withoutSignature()),
                session.send(session.signed(.getObject, .target).withoutSignature()),
            ]
        },
        .writing(
            .metadata,
            judge: {
                Verdict.noEffect(in: $0, "stored the metadata") {
                    $0.isSuccess ? $0.headers["x-amz-meta-doctor"] != nil : nil
                }
            }
        ) { session throws(DoctorStop) in
            let upload = try session.put(adding: "x-amz-meta-doctor", "1")
            return upload.isSuccess
                ? try [upload, session.send(session.signed(.headObject, .target))] : [upload]
        },
        .writing(
            .tagging,
            judge: {
                Verdict.noEffect(in: $0, "stored the tag") { reply in
                    if reply.headers["x-amz-tagging-count"] != nil { return true }
                    // Without the right to read tags, HEAD does not count them.
                    return reply.isSuccess && !reply.body.isEmpty ? reply.body.contains("<Key>doctor</Key>") : nil
                }
            }
        ) { session throws(DoctorStop) in
            let upload = try session.put(adding: "x-amz-tagging", "doctor=1")
            guard upload.isSuccess else { return [upload] }
            return try [
                upload, session.send(session.signed(.headObject, .target)),
                session.send(session.signed(.getObject, .target, query: [("tagging", "")])),
            ]
        },
    ]
}

extension DoctorSession {
    /// The value of `x-amz-copy-source` for the run's object with the first content.
    var copySource: String {
        let key = PercentEncoding.path.encode(mark.key(of: .object, below: prefix))
        return "/\(store.bucket.name)/\(String(decoding: key, as: UTF8.self))"
    }

    /// Sends an upload with an additional header that is not signed.
    fileprivate mutating func put(adding name: String, _ value: String) throws(DoctorStop) -> Reply {
        try send(signed(.putObject, .target).setting(name, value), mark.bytes(.second))
    }
}

extension [UInt8] {
    /// Whether the bytes contain those of a text.
    func contains(_ text: String) -> Bool { contains(Array(text.utf8)) }
}
