import HTTP1
import Presigning
import System

/// An error response of S3.
///
/// Source: Amazon S3 API reference, "Error responses".
struct S3Error: Error, Sendable {
    /// An additional element of the error document.
    typealias Detail = (name: String, value: [UInt8])

    /// The HTTP status.
    var status: Int
    /// S3's error code, such as `NoSuchKey`.
    var code: String
    /// The human-readable message.
    var message: String
    /// The values that the message refers to.
    var details: [Detail] = []
    /// `Content-Range` of a 416, `Allow` of a 405, or `Retry-After` of a 503.
    var header: (name: StaticString, value: String)?

    init(_ status: Int, _ code: String, _ message: String, _ details: [Detail] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
    }

    /// Returns the error with more details.
    func adding(_ details: [Detail]) -> S3Error {
        var error = self
        error.details += details
        return error
    }

    static let incompleteBody = S3Error(
        400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header.")
    static let malformedXML = S3Error(
        400, "MalformedXML",
        "The XML you provided was not well-formed or did not validate against our published schema.")
    static let missingContentLength = S3Error(
        411, "MissingContentLength", "You must provide the Content-Length HTTP header.")
    static let operationAborted = S3Error(
        409, "OperationAborted",
        "A conflicting conditional operation is currently in progress against this resource. Please try again.")

    static let slowDown: S3Error = {
        var error = S3Error(503, "SlowDown", "Please reduce your request rate.")
        error.header = ("retry-after", "1")
        return error
    }()

    /// - Parameter size: the key's size in bytes, or of a very long key the size of its percent-encoded form.
    static func keyTooLong(_ size: Int) -> S3Error {
        S3Error(
            400, "KeyTooLongError", "Your key is too long",
            [("Size", Array("\(size)".utf8)), ("MaxSizeAllowed", Array("\(S3Limits.key)".utf8))])
    }

    static func bucketExists(_ bucket: [UInt8]) -> S3Error {
        S3Error(
            409, "BucketAlreadyOwnedByYou",
            "Your previous request to create the named bucket succeeded and you already own it.",
            [("BucketName", bucket)])
    }

    static func noSuchBucket(_ bucket: [UInt8]) -> S3Error {
        S3Error(404, "NoSuchBucket", "The specified bucket does not exist", [("BucketName", bucket)])
    }

    static func noSuchKey(_ key: [UInt8]) -> S3Error {
        S3Error(404, "NoSuchKey", "The specified key does not exist.", [("Key", key)])
    }

    static func noSuchUpload(_ id: [UInt8]) -> S3Error {
        S3Error(
            404, "NoSuchUpload",
            "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted "
                + "or completed.", [("UploadId", id)])
    }

    static func invalidPart(_ id: [UInt8], number: Int, entityTag: [UInt8]) -> S3Error {
        S3Error(
            400, "InvalidPart",
            "One or more of the specified parts could not be found.  The part may not have been uploaded, or the "
                + "specified entity tag may not match the part's entity tag.",
            [("UploadId", id), ("PartNumber", Array("\(number)".utf8)), ("ETag", entityTag)])
    }

    static func entityTooLarge(_ length: Int, limit: Int = S3Limits.upload) -> S3Error {
        S3Error(
            400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size",
            [
                ("ProposedSize", Array("\(length)".utf8)),
                ("MaxSizeAllowed", Array("\(limit)".utf8)),
            ])
    }

    static func entityTooSmall(_ length: Int, limit: Int) -> S3Error {
        S3Error(
            400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size",
            [("ProposedSize", Array("\(length)".utf8)), ("MinSizeAllowed", Array("\(limit)".utf8))])
    }

    static func preconditionFailed(_ condition: String) -> S3Error {
        S3Error(
            412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold",
            [("Condition", Array(condition.utf8))])
    }

    static let invalidAccessKeyID = S3Error(
        403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")

    static func wrongSignature(_ reason: String) -> S3Error {
        S3Error(
            403, "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided. \(reason)")
    }

    static func invalidRequest(_ message: String) -> S3Error { S3Error(400, "InvalidRequest", message) }

    static func invalidArgument(_ message: String, name: String, value: [UInt8]) -> S3Error {
        S3Error(
            400, "InvalidArgument", message, [("ArgumentName", Array(name.utf8)), ("ArgumentValue", value)])
    }

    /// The error for a feature of S3 that the local storage does not have.
    static func notImplemented(_ feature: String, header: String? = nil) -> S3Error {
        S3Error(
            501, "NotImplemented",
            "A header or parameter you provided implies functionality that the local storage does not support: "
                + "\(feature).",
            header.map { [("Header", Array($0.utf8))] } ?? [])
    }

    /// The error for a failed system call. It contains no path.
    init(_ error: SystemError) {
        if error.isFullDisk {
            self.init(
                507, "InsufficientStorage", "The disk of the local storage is full: \(error). Nothing was stored.")
        } else if error.isExhaustion {
            self.init(503, "SlowDown", "Please reduce your request rate: \(error).")
        } else {
            self.init(500, "InternalError", "The local storage could not use its files: \(error).")
        }
    }

    /// The error for a file whose footer is missing or invalid. Its content is never served.
    static let damagedFile = S3Error(
        500, "InternalError",
        "The stored object is damaged and is not served. Upload it again, or delete it.")

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

/// Evaluates `body` and converts its system error to an S3 error.
func mappingSystemErrors<Result>(_ body: @autoclosure () throws(SystemError) -> Result) throws(S3Error) -> Result {
    do throws(SystemError) {
        return try body()
    } catch {
        throw S3Error(error)
    }
}
