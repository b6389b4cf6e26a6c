import HTTP1

extension S3Error {
    /// The error for a failure of the HTTP server, with S3's code and message where S3 has them.
    init(_ failure: HTTPFailure) {
        switch failure {
        case .bodyTooLarge:
            self.init(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size")
        case .truncated: self = .incompleteBody
        case .headerTimeout, .bodyTimeout:
            self.init(
                400, "RequestTimeout",
                "Your socket connection to the server was not read from or written to within the timeout period. "
                    + "Idle connections will be closed.")
        case .tooManyConnections, .overloaded, .buffersFull: self = .slowDown
        case .abandoned, .responseTimeout:
            self.init(500, "InternalError", "We encountered an internal error. Please try again.")
        case .headerBytesExceeded, .headerCountExceeded:
            self.init(
                400, "RequestHeaderSectionTooLarge",
                "Your request header section exceeds the maximum allowed request header section size.")
        case .malformedTarget: self.init(400, "InvalidURI", failure.reason)
        case .requestLineTooLong, .unsupportedTransferEncoding, .unsupportedVersion, .unsupportedExpectation:
            self.init(failure.status, "InvalidRequest", failure.reason)
        default: self.init(failure.status, "BadRequest", failure.reason)
        }
    }
}
