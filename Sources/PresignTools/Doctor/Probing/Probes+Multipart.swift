import AccessRules
import DataFormats
import PresignService
import Presigning

extension Guarantee {
    static let multipart = Guarantee(
        "multipart", "a multipart upload assembles an object", .action(.multipart),
        "grant the write credentials s3:PutObject, s3:AbortMultipartUpload and s3:ListMultipartUploadParts, or remove"
            + " `multipart` from the rule")
    static let partSize = Guarantee(
        "part-size", "a part of another length than the signed one is refused",
        .limit(.init(.multipart), "partSize") { $0.partSize != nil }, checkLater)
    static let partChecksum = Guarantee(
        "part-checksum", "a part that differs from the signed SHA-256 is refused",
        .limit(.init(.multipart), "checksum") { $0.checksum != nil }, compareLater)
    static let completeCreateOnly = Guarantee(
        "complete-create-only", "completing an upload with If-None-Match: * does not replace an object",
        .limit(.init(.multipart), "overwrite: false") { $0.overwrite == false }, uniqueNames)
    // A client need not declare a total size, so no rule relies on it.
    static let totalSize = Guarantee(
        "total-size", "completing an upload of another size than the signed one is refused", .none,
        "limit parts with `partSize`, which also limits their sum")
    static let uploadID = Guarantee(
        "upload-id", "the id of an upload is refused at another key",
        .action(.multipart).if { $0.policy.uploadIDGap(inStores: [$1.name]) != nil },
        "grant `multipart` only with the same limits, and leave out `uploadIds: bound`")
    static let partCopySource = Guarantee(
        "part-copy-source", "an unsigned x-amz-copy-source is refused for a part",
        .action(.multipart).if(reliesOnCredentials), separateCredentials)
}

/// Multipart uploads. All parts are small: S3 allows that for the last part, and each upload has one.
extension Probe {
    static let multipart: [Probe] = [
        .writing(
            .multipart,
            judge: { replies in
                if let failed = replies.first(where: { !$0.isSuccess }) { return .success(of: failed) }
                return replies.last?.content == .first
                    ? .enforced(replies[0].summary) : .notEnforced("the object has other content")
            }
        ) { session throws(DoctorStop) in
            let created = try session.send(session.signed(.createMultipartUpload, .multipart))
            guard let id = session.note(uploadIn: created, .multipart) else { return [created] }
            let part = try session.putPart(id, .multipart)
            let list = try session.send(session.signed(.listParts(uploadId: id), .multipart))
            let completion = try session.signed(.completeMultipartUpload(uploadId: id), .multipart)
            let completed = try session.complete(id, completion, part)
            return try [created, part, list, completed, session.get(.multipart)]
        },
        uploading(.partSize) { session, id throws(DoctorStop) in
            let body = session.mark.bytes(.first)
            return try session.putParts(
                id, body, body + DoctorMark.surplus, header: ("content-length", "\(body.count)"))
        },
        uploading(.partChecksum, headers: [("x-amz-checksum-algorithm", "SHA256")]) { session, id throws(DoctorStop) in
            let body = session.mark.bytes(.first)
            return try session.putParts(id, body, session.mark.bytes(.second), header: checksum(of: body))
        },
        uploading(.completeCreateOnly) { session, id throws(DoctorStop) in
            let part = try session.putPart(id, .multipart)
            let request = try session.signed(
                .completeMultipartUpload(uploadId: id), .multipart, headers: [createOnly])
            return try [
                part, session.complete(id, request, part),
                session.complete(id, request.removing(createOnly.name), part),
            ]
        },
        uploading(.totalSize) { session, id throws(DoctorStop) in
            let part = try session.putPart(id, .multipart)
            let size = ("x-amz-mp-object-size", "\(session.mark.bytes(.first).count + 1)")
            let request = try session.signed(.completeMultipartUpload(uploadId: id), .multipart, headers: [size])
            return try [part, session.complete(id, request, part)]
        },
        uploading(.uploadID) { session, id throws(DoctorStop) in
            let part = try session.putPart(id, .multipart)
            let request = try session.signed(.completeMultipartUpload(uploadId: id), .elsewhere)
            return try [part, session.putPart(id, .elsewhere), session.complete(id, request, part)]
        },
        uploading(.partCopySource, judge: copies) { session, id throws(DoctorStop) in
            let request = try session.signed(.uploadPart(partNumber: 1, uploadId: id), .multipart)
                .setting("x-amz-copy-source", session.copySource)
            let part = try session.send(request, session.mark.bytes(.second))
            guard part.isSuccess else { return [part] }
            let completion = try session.signed(.completeMultipartUpload(uploadId: id), .multipart)
            _ = try session.complete(id, completion, part)
            return try [part, session.get(.multipart)]
        },
    ]

    /// A check of an upload at a key that has an object.
    private static func uploading(
        _ guarantee: Guarantee, headers: [(name: String, value: String)] = [],
        judge: @escaping Judge = { .refusal(after: $0) },
        _ use: @escaping @Sendable (inout DoctorSession, _ id: String) throws(DoctorStop) -> [Reply]
    ) -> Probe {
        .writing(guarantee, needs: [.put, .multipart], judge: judge) { session throws(DoctorStop) in
            let request = try session.signed(.createMultipartUpload, .multipart, headers: headers)
            let created = try session.send(request)
            guard let id = session.note(uploadIn: created, .multipart) else { return [created] }
            return try use(&session, id)
        }
    }
}

extension DoctorSession {
    /// Notes the upload that a response created, and returns its id; nil if it created none.
    fileprivate mutating func note(uploadIn reply: Reply, _ slot: DoctorMark.Slot) -> String? {
        guard reply.isSuccess, let id = reply.element("UploadId"), !id.isEmpty else { return nil }
        created.note(upload: id, of: slot)
        return id
    }

    fileprivate mutating func putPart(_ id: String, _ slot: DoctorMark.Slot) throws(DoctorStop) -> Reply {
        try send(signed(.uploadPart(partNumber: 1, uploadId: id), slot), mark.bytes(.first))
    }

    /// Uploads a part with a signed header, then another part whose content the same header does not describe. It has
    /// another number, because not every storage replaces parts.
    fileprivate mutating func putParts(
        _ id: String, _ body: [UInt8], _ other: [UInt8], header: (name: String, value: String)
    ) throws(DoctorStop) -> [Reply] {
        var replies: [Reply] = []
        for (number, content) in [(1, body), (2, other)] {
            let operation = AWSS3SigningOperation.uploadPart(partNumber: number, uploadId: id)
            replies.append(try send(signed(operation, .multipart, headers: [header]), content))
        }
        return replies
    }

    /// Completes an upload of one part.
    fileprivate mutating func complete(_ id: String, _ request: DoctorRequest, _ part: Reply) throws(DoctorStop)
        -> Reply
    {
        var xml = XMLWriter()
        xml.element("CompleteMultipartUpload", namespace: XMLWriter.namespace) { xml in
            xml.element("Part") { xml in
                xml.element("PartNumber", "1")
                // A copied part has its entity tag in the body.
                xml.element("ETag", part.headers["etag"] ?? part.element("ETag") ?? "")
            }
        }
        let reply = try send(request, xml.bytes)
        if reply.isSuccess { created.removed(upload: id) }
        return reply
    }
}
