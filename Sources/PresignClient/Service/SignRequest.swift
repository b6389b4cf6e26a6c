import Foundation

/// The fields of `POST /presign`. Those that are nil are not sent.
struct SignRequest: Codable, Sendable, Equatable {
    var store: String?
    var path: String?
    var prefix: String?
    var method: String
    var expiresIn: Int?
    var useAccelerateEndpoint: Bool?
    var validateObjectExistence: Bool?
    var checksumMode: String?

    var contentType: String?
    var contentLength: Int64?
    var checksumSHA256: String?
    var checksumAlgorithm: String?
    var ifNoneMatch: String?
    var metadata: [String: String]?
    var cacheControl: String?
    var contentDisposition: String?
    var contentEncoding: String?
    var contentLanguage: String?

    var uploadId: String?
    var partNumber: Int?

    var delimiter: String?
    var maxKeys: UInt?
    var continuationToken: String?

    init(method: String, path: String? = nil) {
        self.method = method
        self.path = path
    }
}
