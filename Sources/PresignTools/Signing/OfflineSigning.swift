import DataFormats
package import PresignService
package import Presigning
package import Requests
package import StorageCredentials
import Synchronization
import Text

/// Signs one URL without the service: the same fields and the same task, but no access rules.
package enum OfflineSigning {
    /// Signs a URL.
    ///
    /// - Parameters:
    ///   - request: the fields, with a `path`, which is the prefix of a listing.
    ///   - defaults: the bucket, the credentials, and the values of fields that the request leaves out.
    /// - Throws: `FieldFailure` for a missing or invalid field.
    package static func url(
        _ request: PresignRequest, _ defaults: SigningDefaults, at time: SigningTime,
        using presigner: inout Presigner
    ) throws(FieldFailure) -> PresignResponse {
        guard let endpoint = defaults.endpoint else {
            throw FieldFailure("bucket", "is missing; pass --config, or --bucket and --region")
        }
        var request = request
        if request.uploadId == nil { request.uploadId = defaults.uploadId }
        do {
            try request.selectOperation()
            if let failure = request.failure(at: defaults.storage) { throw failure }
            let traits = request.traits
            if request.contentType == nil, traits.storesSettings { request.contentType = defaults.contentType }
            guard let credentials = try defaults.credentials[traits.role].value() else {
                throw FieldFailure("credentials", "not found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
            }
            let bucket = try S3Bucket(endpoint)
            let task = request.task(
                prefix: defaults.prefix, in: bucket,
                expiresIn: try defaults.lifetime(of: request.expiresIn), window: defaults.window)
            guard let task else { throw FieldFailure("form", "needs the service; omit it") }
            let url = try task.url(with: credentials, at: time, using: &presigner)
            return PresignResponse(url: url, path: request.path, in: bucket)
        } catch let invalid as InvalidRequest {
            throw invalid.errors.first ?? FieldFailure("", invalid.detail)
        } catch let failure as FieldFailure {
            throw failure
        } catch {
            throw FieldFailure("", "\(error)")
        }
    }
}

/// Signs JSON Lines with the fields of `POST /presign`: one request and one response per line.
package struct LineSigner {
    private let defaults: SigningDefaults
    private var presigner = Presigner()

    /// - Parameter defaults: the bucket, the credentials, and the values of fields that a line leaves out.
    package init(defaults: SigningDefaults) {
        self.defaults = defaults
    }

    /// Returns the response of the service, or `{"error"}`, with a line feed.
    ///
    /// - Parameter time: the current time, from which the URL is valid.
    package mutating func response(to line: ArraySlice<UInt8>, at time: SigningTime) -> [UInt8] {
        do throws(FieldFailure) {
            let request = try Self.request(of: line)
            return try OfflineSigning.url(request, defaults, at: time, using: &presigner).json + [ASCII.lineFeed]
        } catch {
            var response = ByteBuffer()
            response.appendObject { $0.member("error", error.description) }
            response.append("\n")
            return response.bytes
        }
    }

    private static func request(of line: ArraySlice<UInt8>) throws(FieldFailure) -> PresignRequest {
        do throws(InvalidRequest) {
            return try PresignRequest(json: line, from: .line)
        } catch {
            throw FieldFailure("", error.detail)
        }
    }
}

/// Credentials for offline signing, fetched once and only when needed.
package final class OfflineCredentials: Sendable {
    private let fetch: @Sendable () throws(CredentialFailure) -> Credentials?
    /// Nil before the first use.
    private let fetched = Mutex<Result<Credentials?, CredentialFailure>?>(nil)

    /// A warning if credentials with an unknown expiration were used; otherwise nil.
    package var warning: String? {
        guard case .success(let credentials?)? = fetched.withLock({ $0 }) else { return nil }
        return credentials.unknownExpirationWarning
    }

    /// Creates fixed credentials; nil means that signing fails.
    package init(_ credentials: Credentials?) {
        fetch = { () throws(CredentialFailure) in credentials }
    }

    /// Creates credentials that are fetched from a source; checks the source's variables and files at once.
    ///
    /// - Throws: `CredentialFailure` for invalid variables and files.
    package init(of source: any CredentialSource) throws(CredentialFailure) {
        switch try source.resolve() {
        case nil: fetch = { () throws(CredentialFailure) in nil }
        case .keys(let credentials): fetch = { () throws(CredentialFailure) in credentials }
        case .fetched: fetch = { () throws(CredentialFailure) in try source.credentials() }
        }
    }

    /// Returns the credentials; nil if none are found. The first call blocks while it runs a program or requests an
    /// endpoint.
    package func value() throws(FieldFailure) -> Credentials? {
        let result = fetched.withLock { fetched in
            let result = fetched ?? Result(catching: fetch)
            fetched = result
            return result
        }
        do throws(CredentialFailure) {
            return try result.get()
        } catch {
            throw FieldFailure("credentials", "\(error.source): \(error.reason)")
        }
    }
}
