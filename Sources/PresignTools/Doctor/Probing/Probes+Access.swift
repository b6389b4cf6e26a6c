import AccessRules
import HTTPClient
import PresignService
import Presigning

extension Guarantee {
    static let delete = Guarantee(
        "delete", "DELETE removes an object", .action(.delete),
        "grant the write credentials s3:DeleteObject; without it doctor writes nothing")
    static let put = Guarantee(
        "put", "PUT stores an object", .action(.write),
        "grant the write credentials s3:PutObject, or pass --prefix with a path for which they have it")
    static let get = Guarantee("get", "GET returns an object", .action(.get), reading)
    static let head = Guarantee("head", "HEAD describes an object", .action(.get), reading)
    static let listing = Guarantee(
        "listing", "a listing names the objects below a prefix", .action(.list).if { $1.offersListing },
        "grant the read credentials s3:ListBucket, or set `listing: false`")
    static let signature = Guarantee("signature", "a changed signature is refused", .any, anotherStorage)
    static let method = Guarantee("method", "a URL is refused for another method", .any, anotherStorage)
    static let key = Guarantee("key", "a URL is refused for another key", .any, anotherStorage)
    static let query = Guarantee("query", "a parameter added to the query is refused", .any, anotherStorage)
    static let expiry = Guarantee("expiry", "an expired URL is refused", .any, anotherStorage)

    private static let reading = "grant the read credentials s3:GetObject, or remove `get` from the rule"
    static let anotherStorage =
        "use another storage: this one does not verify signatures, so no rule holds; block all access but presign's"
}

/// Whether URLs work, and whether the signature covers what it must.
extension Probe {
    static let access: [Probe] = [
        .writing(.delete, needs: [], judge: Verdict.removal) { session throws(DoctorStop) in
            let mayDelete = try session.send(session.signed(.deleteObject, .deleted))
            guard mayDelete.isSuccess || mayDelete.status == 404 else { return [mayDelete] }
            session.canRemove = true
            let stored = try session.put(.deleted)
            guard stored.isSuccess else { return [mayDelete, stored] }
            let removed = try session.send(session.signed(.deleteObject, .deleted))
            return try [mayDelete, stored, removed, session.get(.deleted)]
        },
        .writing(
            .put, needs: [], judge: { $0.first { !$0.isSuccess }.map(Verdict.success) ?? $0.only(Verdict.success) }
        ) { session throws(DoctorStop) in
            guard session.canRemove else { throw .unmet("the credentials could not remove the object again") }
            return try [session.put(.object), session.put(.other, .second)]
        },
        .writing(.get, judge: Verdict.download) { session throws(DoctorStop) in try [session.get(.object)] },
        .writing(.head, judge: { $0.only(Verdict.success) }) { session throws(DoctorStop) in
            try [session.send(session.signed(.headObject, .object))]
        },
        Probe(.listing, judge: { $0.only(Verdict.listing) }) { session throws(DoctorStop) in
            let folder = session.prefix + Array("\(session.mark.run)/".utf8)
            return try [session.send(session.signedListing(of: folder))]
        },
    ]

    static let signatures: [Probe] = [
        signature(.signature) { request, _ in [request.withChangedSignature()] },
        signature(.method) { request, canWrite in
            [request.sent(as: .head)] + (canWrite ? [request.redirected(to: .target).sent(as: .put)] : [])
        },
        signature(.key) { request, canWrite in [request.redirected(to: canWrite ? .other : .elsewhere)] },
        signature(.query) { request, _ in [request.appending(parameter: "response-content-type=text%2Fhtml")] },
        Probe(.expiry, judge: Verdict.denial) { session throws(DoctorStop) in
            let valid = try session.get(session.readable)
            return try [valid, session.send(session.signed(.getObject, session.readable, expiredFor: 3600))]
        },
    ]

    /// A check that a changed GET URL is denied.
    private static func signature(
        _ guarantee: Guarantee,
        _ change: @escaping @Sendable (_ request: DoctorRequest, _ canWrite: Bool) -> [DoctorRequest]
    ) -> Probe {
        Probe(guarantee, judge: Verdict.denial) { session throws(DoctorStop) in
            let request = try session.signed(.getObject, session.readable)
            var replies = try [session.send(request)]
            for changed in change(request, session.canRemove) {
                replies.append(
                    try session.send(changed, changed.method == .put ? session.mark.bytes(.second) : []))
            }
            return replies
        }
    }
}
