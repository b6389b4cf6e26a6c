import Foundation

@testable import PresignClient

/// The rules that presign.js and PresignClient share, in `Tests/Cases/transfers.json`.
struct TransferCases: Decodable {
    struct Sizes: Decodable {
        let part, maxSingle, maxPut, maxParts, maxUnasked: Int64
    }

    struct Part: Decodable, Sendable {
        let size: Int64
        let limits: Permissions.Limits
        /// Nil if the file is too large.
        let partSize: Int64?
    }

    struct Plan: Decodable, Sendable {
        let actions: Permissions
        let size: Int64
        let isMultipart: Bool
    }

    struct Response: Decodable, Sendable {
        let from: StorageFailure.Source
        let status: Int
        /// The code in the response; nil if a proxy has sent it.
        let sent: String?
        let code: String
        let isRetryable, isAmbiguous, mayPass: Bool
    }

    struct Retries: Decodable, Sendable {
        struct Failure: Decodable, Sendable {
            let source: StorageFailure.Source
            let status: Int
            let retryAfter: TimeInterval?
        }

        let error: Failure
        let isReached, isPersistent: Bool
        let retries: Int?
        /// Seconds, without jitter. At most 12 are listed.
        let delays: [TimeInterval]
    }

    let sizes: Sizes
    let parts: [Part]
    let plans: [Plan]
    let responses: [Response]
    let renewingCodes: [String]
    let retries: [Retries]

    static let all = Result {
        // The sample package has the tests through a symbolic link.
        let file = URL(filePath: #filePath).resolvingSymlinksInPath()
            .appending(path: "../../../../Cases/transfers.json").standardizedFileURL
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}

extension StorageFailure.Source: Decodable {}
