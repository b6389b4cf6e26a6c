import Foundation

/// Failures that do not come from a response.
extension StorageFailure {
    /// No response, or no complete one.
    static func network(_ server: String, _ url: URL, _ cause: any Error) -> Self {
        let origin = url.origin
        if (cause as? URLError)?.code == .timedOut {
            return Self(
                .network, .timeout, detail: "no progress with the \(server) at \(origin)",
                recoverySuggestion: "Check the connection.", isRetryable: true, isAmbiguous: true, cause: cause)
        }
        return Self(
            .network, .networkError, detail: "no response from the \(server) at \(origin)",
            recoverySuggestion: "Check the connection, and that \(origin) is running.", isRetryable: true,
            isAmbiguous: true, cause: cause)
    }

    static func unreadable(_ file: URL, _ cause: any Error) -> Self {
        Self(
            .file, .fileUnreadable, detail: "\(file.lastPathComponent) cannot be read", cause: cause)
    }

    static func unwritable(_ file: URL, _ cause: any Error) -> Self {
        Self(
            .file, .fileUnreadable, detail: "\(file.lastPathComponent) cannot be written",
            recoverySuggestion: "Check that the folder exists, that the app may write to it, and the free space.",
            cause: cause)
    }

    static func changed(_ file: URL) -> Self {
        Self(
            .file, .fileChanged, detail: "\(file.lastPathComponent) has changed while it was being uploaded",
            recoverySuggestion: "Upload it again when it no longer changes.")
    }

    static func active(_ path: String) -> Self {
        Self(
            .file, .transferActive, detail: "another transfer between \(path) and this file is in progress",
            recoverySuggestion: "Wait for the other transfer, or cancel it.")
    }

    static func exists(requestID: String? = nil) -> Self {
        Self(
            .storage, .preconditionFailed, status: 412, detail: "an object already exists at this path",
            recoverySuggestion: "Use another path, or allow the upload to replace it.", requestID: requestID)
    }

    /// The failure of an upload that may have succeeded, when the client cannot find out.
    static func outcomeUnknown(after failure: StorageFailure) -> Self {
        Self(
            failure.source, .outcomeUnknown, status: failure.status,
            detail: "the upload may have succeeded, but the storage's response was lost",
            recoverySuggestion: "Check whether the object exists before you upload the file again.",
            requestID: failure.requestID, isAmbiguous: true, cause: failure)
    }

    /// The failure with which the service would respond.
    static func tooLarge(_ size: Int64, limit: Int64, _ condition: String = "") -> Self {
        let detail = "is \(size) bytes; at most \(limit) are allowed\(condition)"
        return Self(
            .service, .constraint, status: 422, detail: "contentLength: \(detail)",
            fields: [Field(name: "contentLength", detail: detail)])
    }
}

extension URL {
    /// `https://host:port`, which tells servers apart and contains no signature.
    var origin: String { "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")" }
}
