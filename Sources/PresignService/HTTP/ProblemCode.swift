import Telemetry

/// The kinds of problems. Each has a stable word for programs, which is also a label of `presign_refusals_total`.
package enum ProblemCode: Int, MetricLabel {
    case validation, malformedRequest
    case credentialsAmbiguous, proxyHeaders, credentialsMissing, credentialsInvalid, tokenExpired, keyExpired
    case forbidden, foreignOrigin
    case noSuchRoute, keyNotFound, shareInvalid, shareEnded, methodNotAllowed, notAcceptable
    case timeout, lengthRequired, bodyTooLarge, targetTooLong, unsupportedMediaType, expectationFailed
    case misdirectedRequest, constraint, rateLimited, headersTooLarge
    case serverError, notImplemented
    case storageDenied, storageError, storageUnreachable, storageTimeout
    case overloaded, credentialsUnavailable, issuerKeysUnavailable, httpVersion

    /// The word in a problem's `code` and `type`, in logs and in metrics: the name of the case, hyphenated.
    package var text: String { Self.words[rawValue] }

    private static let words = allCases.map { code in
        "\(code)".reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
}
