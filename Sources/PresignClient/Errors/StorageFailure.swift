public import Foundation

/// What failed, as the service or the storage reported it. The ``StorageError/underlyingError`` of each error of this
/// library.
public struct StorageFailure: Error, Sendable {
    /// Where the request failed.
    public enum Source: String, Sendable {
        /// The presign service refused the request or could not process it.
        case service
        /// The storage refused the request or could not process it.
        case storage
        /// The service or the storage did not respond.
        case network
        /// A local file could not be read or written.
        case file
        /// The closure that returns the headers for the service has thrown.
        case authorization
    }

    /// A field of the request that the service refused.
    public struct Field: Sendable, Equatable {
        /// The name, such as `contentLength`.
        public let name: String
        /// What is wrong with it.
        public let detail: String
    }

    /// Where the request failed.
    public let source: Source
    /// A stable code: of the service, of the storage, or of this library.
    public let code: StorageErrorCode
    /// The HTTP status; 0 without a response.
    public internal(set) var status = 0
    /// What is wrong.
    public let detail: String
    /// How to fix it, if known.
    public internal(set) var recoverySuggestion: String?
    /// The refused fields, if the service has named them.
    public internal(set) var fields: [Field] = []
    /// The id of the request in the log of the service or the storage.
    public internal(set) var requestID: String?
    /// The seconds after which the server asks to repeat the request.
    public internal(set) var retryAfter: TimeInterval?
    /// Whether the same call may succeed later and is safe to repeat.
    public internal(set) var isRetryable = false
    /// Whether the storage may have performed the request.
    public internal(set) var isAmbiguous = false
    /// The error of the system, such as a `URLError`.
    public internal(set) var cause: (any Error)?
}

extension StorageFailure {
    /// Whether a transfer may continue after the failure: the connection, the service or the storage may recover.
    var mayPass: Bool {
        if code == .outcomeUnknown { return false }
        if code == .transferActive { return true }
        let isSignedOut = (status == 401 && source == .service) || source == .authorization
        let isFull = status == 507
        return source == .network || isRetryable || isSignedOut || (status >= 500 && !isFull)
    }

    /// Whether the server did not respond, or a gateway responded that it did not.
    var isUnreachable: Bool { source == .network || status == 502 || status == 504 }

    /// Whether the service requires a checksum.
    var asksForChecksum: Bool {
        source == .service && status == 422 && fields.contains { $0.name == "checksumSHA256" }
    }
}

/// Failures that do not come from a response.
extension StorageFailure {
    /// No response, or no complete one.
    static func network(_ server: String, _ url: URL, _ cause: any Error) -> Self {
        let origin = url.origin
        if (cause as? URLError)?.code == .timedOut {
            return Self(
                source: .network, code: .timeout, detail: "no progress with the \(server) at \(origin)",
                recoverySuggestion: "Check the connection.", isRetryable: true, isAmbiguous: true, cause: cause)
        }
        return Self(
            source: .network, code: .networkError, detail: "no response from the \(server) at \(origin)",
            recoverySuggestion: "Check the connection, and that \(origin) is running.", isRetryable: true,
            isAmbiguous: true, cause: cause)
    }

    /// Runs a step that reads a file. Its error becomes a failure.
    static func reading<Value>(_ file: URL, _ step: () throws -> Value) throws -> Value {
        do { return try step() } catch { throw unreadable(file, error) }
    }

    /// Runs a step that writes a file or folder. Its error becomes a failure.
    static func writing<Value>(_ file: URL, _ step: () throws -> Value) throws -> Value {
        do {
            return try step()
        } catch {
            throw Self(
                source: .file, code: .fileUnreadable, detail: "\(file.lastPathComponent) cannot be written",
                recoverySuggestion: "Check that the folder exists, that the app may write to it, and the free space.",
                cause: error)
        }
    }

    static func unreadable(_ file: URL, _ cause: any Error) -> Self {
        Self(
            source: .file, code: .fileUnreadable, detail: "\(file.lastPathComponent) cannot be read", cause: cause)
    }

    static func changed(_ file: URL) -> Self {
        Self(
            source: .file, code: .fileChanged,
            detail: "\(file.lastPathComponent) has changed while it was being uploaded",
            recoverySuggestion: "Upload it again when it no longer changes.")
    }

    static func active(_ path: String) -> Self {
        Self(
            source: .file, code: .transferActive,
            detail: "another transfer between \(path) and this file is in progress",
            recoverySuggestion: "Wait for the other transfer, or cancel it.")
    }

    static func exists(requestID: String? = nil) -> Self {
        Self(
            source: .storage, code: .preconditionFailed, status: 412, detail: "an object already exists at this path",
            recoverySuggestion: "Use another path, or allow the upload to replace it.", requestID: requestID)
    }

    /// The failure of an upload that may have succeeded, when the client cannot find out.
    static func outcomeUnknown(after failure: StorageFailure) -> Self {
        Self(
            source: failure.source, code: .outcomeUnknown, status: failure.status,
            detail: "the upload may have succeeded, but the storage's response was lost",
            recoverySuggestion: "Check whether the object exists before you upload the file again.",
            requestID: failure.requestID, isAmbiguous: true, cause: failure)
    }

    /// The failure with which the service would respond.
    static func tooLarge(_ size: Int64, limit: Int64, _ condition: String = "") -> Self {
        let detail = "is \(size) bytes; at most \(limit) are allowed\(condition)"
        return Self(
            source: .service, code: .constraint, status: 422, detail: "contentLength: \(detail)",
            fields: [Field(name: "contentLength", detail: detail)])
    }
}

extension URL {
    /// `https://host:port`, which tells servers apart and contains no signature.
    var origin: String { "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")" }
}
