import Cryptography
import PresignService
import Presigning
import Text

/// The limits of uploads that the storage enforces.
extension Probe {
    static let uploads: [Probe] = [
        .writing(
            .contentType,
            run: { session throws(DoctorStop) in
                let request = try session.signed(.putObject, .target, contentType: "text/plain")
                let body = session.mark.bytes(.first)
                return try [
                    session.send(request, body), session.send(request.setting("content-type", "text/html"), body),
                    session.send(request.removing("content-type"), body),
                ]
            }, judge: Verdict.refusal),
        .writing(
            .size,
            run: { session throws(DoctorStop) in
                let body = session.mark.bytes(.first)
                let request = try session.signed(
                    .putObject, .target, headers: [("content-length", "\(body.count)")])
                return try [session.send(request, body), session.send(request, body + DoctorMark.surplus)]
            }, judge: Verdict.refusal),
        .writing(
            .checksum,
            run: { session throws(DoctorStop) in
                let (body, other) = (session.mark.bytes(.first), session.mark.bytes(.second))
                let request = try session.signed(.putObject, .target, headers: [checksum(of: body)])
                return try [
                    session.send(request, body), session.send(request, other),
                    session.send(request.setting(checksumName, checksum(of: other).value), other),
                ]
            }, judge: Verdict.refusal),
        .writing(
            .checksumInQuery,
            run: { session throws(DoctorStop) in
                let (body, other) = (session.mark.bytes(.first), session.mark.bytes(.second))
                let request = try session.signed(.putObject, .target, query: [checksum(of: body)])
                return try [session.send(request, other)]
            }, judge: { Verdict.refusal(of: $0) }),
        .writing(
            .createOnly,
            run: { session throws(DoctorStop) in
                let request = try session.signed(.putObject, .created, headers: [createOnly])
                let created = try session.send(request, session.mark.bytes(.first))
                guard created.isSuccess else { return [created] }
                let other = session.mark.bytes(.second)
                return try [
                    created, session.send(request, other), session.send(request.removing("if-none-match"), other),
                    session.get(.created),
                ]
            }, judge: Verdict.creation),
    ]

    /// Judges an upload that would copy the object with the first content, and the download of the result.
    static let copies: @Sendable ([Reply]) -> Verdict = { replies in
        Verdict.noEffect(in: replies, "copied another object") { $0.content.map { $0 == .first } }
    }

    static let checksumName = "x-amz-checksum-sha256"

    static func checksum(of body: [UInt8]) -> (name: String, value: String) {
        (checksumName, Base64.encode(SHA256.hash(body).bytes))
    }

    static let createOnly = (name: "if-none-match", value: "*")
}

/// Headers that a client adds to an upload.
extension Probe {
    static let unsignedHeaders: [Probe] = [
        .writing(
            .copySource,
            run: { session throws(DoctorStop) in
                let upload = try session.put(adding: "x-amz-copy-source", session.copySource)
                return upload.isSuccess ? try [upload, session.get(.target)] : [upload]
            },
            judge: copies),
        .writing(
            .acl,
            run: { session throws(DoctorStop) in
                let upload = try session.put(adding: "x-amz-acl", "public-read")
                guard upload.isSuccess else { return [upload] }
                return try [
                    upload, session.send(session.signed(.getObject, .object).withoutSignature()),
                    session.send(session.signed(.getObject, .target).withoutSignature()),
                ]
            }, judge: Verdict.privacy),
        .writing(
            .metadata,
            run: { session throws(DoctorStop) in
                let upload = try session.put(adding: "x-amz-meta-doctor", "1")
                return upload.isSuccess
                    ? try [upload, session.send(session.signed(.headObject, .target))] : [upload]
            },
            judge: {
                Verdict.noEffect(in: $0, "stored the metadata") {
                    $0.isSuccess ? $0.headers["x-amz-meta-doctor"] != nil : nil
                }
            }),
        .writing(
            .tagging,
            run: { session throws(DoctorStop) in
                let upload = try session.put(adding: "x-amz-tagging", "doctor=1")
                guard upload.isSuccess else { return [upload] }
                return try [
                    upload, session.send(session.signed(.headObject, .target)),
                    session.send(session.signed(.getObject, .target, query: [("tagging", "")])),
                ]
            },
            judge: {
                Verdict.noEffect(in: $0, "stored the tag") { reply in
                    if reply.headers["x-amz-tagging-count"] != nil { return true }
                    // Without the right to read tags, HEAD does not count them.
                    return reply.isSuccess && !reply.body.isEmpty ? reply.body.contains("<Key>doctor</Key>") : nil
                }
            }),
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
    func contains(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: text) }
    }
}
