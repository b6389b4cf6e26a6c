import Telemetry

/// The kinds of problems. Each has a stable word for programs, which is also a label of `presign_refusals_total`.
package enum ProblemCode: Int, MetricLabel {
    case validation, malformedRequest
    case credentialsAmbiguous, proxyHeaders, credentialsMissing, credentialsInvalid, tokenExpired, keyExpired
    case forbidden, foreignOrigin
    case noSuchRoute, keyNotFound, shareInvalid, shareEnded, methodNotAllowed, notAcceptable
    case timeout, bodyTooLarge, targetTooLong, unsupportedMediaType, expectationFailed
    case misdirectedRequest, constraint, rateLimited, headersTooLarge
    case serverError, notImplemented
    case storageDenied, storageError, storageUnreachable, storageTimeout
    case overloaded, credentialsUnavailable, issuerKeysUnavailable, httpVersion

    /// The word in a problem's `code` and `type`, in logs and in metrics.
    package var text: String {
        switch self {
        case .validation: "validation"
        case .malformedRequest: "malformed-request"
        case .credentialsAmbiguous: "credentials-ambiguous"
        case .proxyHeaders: "proxy-headers"
        case .credentialsMissing: "credentials-missing"
        case .credentialsInvalid: "credentials-invalid"
        case .tokenExpired: "token-expired"
        case .keyExpired: "key-expired"
        case .forbidden: "forbidden"
        case .foreignOrigin: "foreign-origin"
        case .noSuchRoute: "no-such-route"
        case .keyNotFound: "key-not-found"
        case .shareInvalid: "share-invalid"
        case .shareEnded: "share-ended"
        case .methodNotAllowed: "method-not-allowed"
        case .notAcceptable: "not-acceptable"
        case .timeout: "timeout"
        case .bodyTooLarge: "body-too-large"
        case .targetTooLong: "target-too-long"
        case .unsupportedMediaType: "unsupported-media-type"
        case .expectationFailed: "expectation-failed"
        case .misdirectedRequest: "misdirected-request"
        case .constraint: "constraint"
        case .rateLimited: "rate-limited"
        case .headersTooLarge: "headers-too-large"
        case .serverError: "server-error"
        case .notImplemented: "not-implemented"
        case .storageDenied: "storage-denied"
        case .storageError: "storage-error"
        case .storageUnreachable: "storage-unreachable"
        case .storageTimeout: "storage-timeout"
        case .overloaded: "overloaded"
        case .credentialsUnavailable: "credentials-unavailable"
        case .issuerKeysUnavailable: "issuer-keys-unavailable"
        case .httpVersion: "http-version"
        }
    }
}
