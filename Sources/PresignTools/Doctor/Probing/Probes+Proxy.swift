import PresignService
import Presigning

extension Guarantee {
    static let publicEndpoint = Guarantee(
        "public-endpoint", "`endpoint` has the object that was written through `publicEndpoint`",
        .action(.get).if { $1.validatesExistence }, "set both addresses to the same bucket of the same storage")
    static let signedEndpoint = Guarantee(
        "signed-endpoint", "a URL is refused if it is signed for another host or path than `signedEndpoint`", .any,
        anotherStorage)
}

/// The way from clients to the storage, if it differs from the service's own.
extension Probe {
    static func proxy(before store: StoreConfiguration) -> [Probe] {
        var probes: [Probe] = []
        if store.bucket.endpoint != store.internalBucket.endpoint { probes.append(publicEndpoint) }
        if store.bucket.endpoint.options.signedEndpoint != nil { probes.append(signedEndpoint) }
        return probes
    }

    private static let publicEndpoint = writing(.publicEndpoint, judge: Verdict.download) {
        session throws(DoctorStop) in
        let request = try session.signed(.getObject, .object, through: session.store.internalBucket)
        return try [session.send(request)]
    }

    private static let signedEndpoint = Probe(.signedEndpoint, judge: Verdict.denial) { session throws(DoctorStop) in
        let request = try session.signed(.getObject, session.readable)
        var replies = [try session.send(request)]
        for options in session.store.bucket.endpoint.options.signedElsewhere {
            guard let bucket = try? S3Bucket(options) else { throw .unmet("no other address can be signed") }
            let other = try session.signed(.getObject, session.readable, through: bucket)
            replies.append(try session.send(request.signed(as: other)))
        }
        return replies
    }
}

extension S3EndpointOptions {
    /// The same bucket, signed for another host, and for another path.
    fileprivate var signedElsewhere: [S3EndpointOptions] {
        guard let signedEndpoint, let scheme = signedEndpoint.firstRange(of: "://") else { return [] }
        var (host, path) = (self, self)
        let rest = signedEndpoint[scheme.upperBound...].drop { $0 != "/" }
        host.signedEndpoint = "\(signedEndpoint[..<scheme.upperBound])presign-doctor.invalid\(rest)"
        path.signedEndpoint = signedEndpoint + "/presign-doctor"
        path.addressing = .domain
        return [host, path]
    }
}
